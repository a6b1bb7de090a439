"""`manage.py restore FILE`: a backup comes back, into an empty database."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from config.backup import archive, sealed
from config.backup.restore import restore
from config.backup.sealed import BadBackup
from ledger.command import ProjectCommand


class Command(ProjectCommand):
    help = """Bring a backup back, into an empty database only: the data folder's own, which is started where none runs, or that
of DATABASE_URL. Checks every hash first, restores rows, owners, roles and grants, brings an older release's tables up to date,
and verifies the journal at the end. Then start `up` on it: users, passwords and tokens are those of the backup."""
    example = "restore /mnt/safe/today.backup\n  uv run manage.py restore today.backup --key ~/backup.key"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE", help="what `manage.py backup` wrote")
        parser.add_argument("--key", type=Path, metavar="KEYFILE", help="the key of a sealed backup")

    def handle(self, *args: Any, **options: Any) -> None:
        path: Path = options["file"]
        try:
            if archive.is_sealed(path) and not options["key"]:
                raise CommandError(f"{path} is sealed: name its key file with --key")
            key = sealed.read_key(options["key"]) if options["key"] else None
            report = restore(path, key=key, say=self.say)
        except (BadBackup, OSError) as error:
            raise CommandError(str(error)) from error
        for name, value in report.figures.items():
            self.stdout.write(f"{name.replace('_', ' ')}: {value}")
        if report.problems:
            raise CommandError(
                f"restored, and {len(report.problems)} problems were found:\n" + "\n".join(report.problems[:50])
            )
        self.say("restored and verified. Start it: uv run manage.py up")
