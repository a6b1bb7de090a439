"""`manage.py backup FILE`: everything in one file, made while everything runs."""

import contextlib
import datetime as dt
import json
import os
import sys
import tempfile
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from config.backup import sealed
from config.backup.dump import write_backup
from config.backup.schedule import remove_old
from config.backup.sealed import BadBackup
from ledger.command import ProjectCommand


class Command(ProjectCommand):
    help = """Write a consistent backup of everything into one file (mode 0600), while everything runs: a snapshot of the
database, the data folder's secrets, versions, and a hash of each part. It appears once it is whole. `-` writes to the standard
output; a folder gets a file named by the time. What the secrets open, whoever holds the file can open: keep it like a key, seal
it with --key, or leave them out with --no-secrets (then `up` makes new ones after a restore)."""
    example = (
        "backup /mnt/safe/today.backup\n  uv run manage.py backup --new-key ~/backup.key"
        "\n  uv run manage.py backup /mnt/safe --key ~/backup.key --keep 7"
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", nargs="?", metavar="FILE", help="a new file, a folder, or -")
        parser.add_argument("--key", type=Path, metavar="KEYFILE", help="seal the file, so that only this key opens it")
        parser.add_argument("--new-key", type=Path, metavar="KEYFILE", help="make a key file and do nothing else")
        parser.add_argument("--no-secrets", action="store_true", help="leave the data folder's secrets out")
        parser.add_argument("--keep", type=int, metavar="N", help="of a folder's backups keep the newest N")
        parser.add_argument("--json", action="store_true", help="tell about the backup as one line of JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            if options["new_key"]:
                sealed.make_key(options["new_key"])
                self.say(f"wrote {options['new_key']}. Without it no sealed backup opens: keep a copy elsewhere.")
                return
            if not options["file"]:
                raise CommandError("name the file to write: manage.py backup FILE")
            self.back_up(options)
        except (BadBackup, OSError) as error:
            raise CommandError(str(error)) from error

    def back_up(self, options: dict[str, Any]) -> None:
        key = sealed.read_key(options["key"]) if options["key"] else None
        more: dict[str, Any] = {"key": key, "with_secrets": not options["no_secrets"]}
        if options["file"] == "-":
            write_backup(sys.stdout.buffer, **more)
            return
        place = Path(options["file"])
        if place.is_dir():
            place /= f"countersign-{dt.datetime.now(dt.UTC):%Y%m%dT%H%M%SZ}.backup"
        if place.exists():
            raise CommandError(f"{place} is there already")
        about = written(place, more)
        self.say(f"wrote {place}, {place.stat().st_size:,} bytes")
        if options["keep"]:
            for old in remove_old(place.parent, options["keep"]):
                self.say(f"removed {old}")
        if options["json"]:
            self.stdout.write(json.dumps({"file": str(place), "bytes": place.stat().st_size, **about}))


def written(place: Path, more: dict[str, Any]) -> dict[str, Any]:
    """Beside its place first, so that a broken-off backup never looks like a whole one."""
    handle, name = tempfile.mkstemp(dir=place.parent, prefix=f".{place.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            about = write_backup(file, **more)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, place)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name)
        raise
    return about
