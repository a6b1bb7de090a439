"""Backups by themselves: a file in a folder as often as the settings ask, and only the newest of them kept."""

import os
import re
import subprocess
import sys
import time
from pathlib import Path

from django.conf import settings

from config.embedded import folder

NAMED = re.compile(r"countersign-\d{8}T\d{6}Z\.backup")


def backups_in(place: Path) -> list[Path]:
    """Those that were named by their time, the oldest first."""
    return sorted(one for one in place.iterdir() if NAMED.fullmatch(one.name))


def remove_old(place: Path, keep: int) -> list[Path]:
    """Remove all but the newest `keep`; what was removed."""
    old = backups_in(place)[:-keep]
    for one in old:
        one.unlink()
    return old


def is_due(place: Path, hours: int) -> bool:
    """Whether the newest backup is older than so many hours, or there is none."""
    newest = max((one.stat().st_mtime for one in backups_in(place)), default=0.0)
    return time.time() - newest >= hours * 3600


def back_up_when_due() -> bool:
    """As the database's owner, in a process of its own: a worker serves under a role that may not read everything. False where
    none is due, or one is at work. Raises `CalledProcessError` with what the command said."""
    place = folder.private(Path(settings.COUNTERSIGN_BACKUP_DIR))
    try:
        with folder.locked(place / ".lock", wait=False):
            if not is_due(place, settings.COUNTERSIGN_BACKUP_HOURS):
                return False
            command = [sys.executable, str(settings.BASE_DIR / "manage.py"), "backup", str(place)]
            command += ["--keep", str(settings.COUNTERSIGN_BACKUP_KEEP)]
            if settings.COUNTERSIGN_BACKUP_KEY:
                command += ["--key", settings.COUNTERSIGN_BACKUP_KEY]
            owner = {name: value for name, value in os.environ.items() if name != "COUNTERSIGN_ROLE"}
            subprocess.run(command, env=owner, check=True, capture_output=True, text=True)  # noqa: S603 - our own
            return True
    except folder.Locked:
        return False
