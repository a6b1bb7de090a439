"""`manage.py sweep`: find what was forgotten and work on it, once."""

from argparse import ArgumentParser
from typing import Any

from django.db import connection
from django.utils import timezone

from extraction.runs.pipeline import work_off
from extraction.runs.retention import overdue, purge_old_chat
from extraction.runs.sweep import sweep
from ledger.actions.tally import tally
from ledger.command import ProjectCommand


class Command(ProjectCommand):
    help = """Requeue what a dead worker left, wake what was deferred until now, expire what had its time, purge raw chat
that nothing cites and that was kept long enough, work on what is queued, and seal the journal. The scheduler does all this; here
it is done once. --dry-run only reports which chat would be purged."""
    example = "sweep --dry-run"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--no-work", action="store_true", help="leave the queued runs to the workers")
        parser.add_argument("--dry-run", action="store_true", help="say what would be purged, by scope, and do nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["dry_run"]:
            lines = [one.told for one in overdue(timezone.now())]
            self.stdout.write("\n".join(lines or ["no chat was kept long enough to be purged"]))
            return
        waiting = sweep()
        purged = purge_old_chat()
        done = 0 if options["no_work"] else work_off()
        with connection.cursor() as cursor:
            cursor.execute("SELECT ledger_seal()")
            sealed = cursor.fetchone()[0]
        while tally():
            continue
        self.stdout.write(f"{waiting} runs waited, {done} done, {purged} messages purged, {sealed} events sealed")
