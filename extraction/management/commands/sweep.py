"""`manage.py sweep`: find what was forgotten and work on it, once."""

from argparse import ArgumentParser
from typing import Any

from django.db import connection

from extraction.runs.pipeline import work_off
from extraction.runs.sweep import sweep
from ledger.actions.tally import tally
from ledger.command import ProjectCommand


class Command(ProjectCommand):
    help = """Requeue what a dead worker left, wake what was deferred until now, expire what had its time, work on what is
queued, and seal the journal. The scheduler does all this every few seconds; here it is done once."""
    example = "sweep"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--no-work", action="store_true", help="leave the queued runs to the workers")

    def handle(self, *args: Any, **options: Any) -> None:
        waiting = sweep()
        done = 0 if options["no_work"] else work_off()
        with connection.cursor() as cursor:
            cursor.execute("SELECT ledger_seal()")
            sealed = cursor.fetchone()[0]
        while tally():
            continue
        self.stdout.write(f"{waiting} runs waited, {done} done, {sealed} events sealed")
