"""`manage.py import FILE --scope S`: what `export` wrote comes in as proposals."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from extraction.intake.exported import ScopeRow, checked, rows_of
from extraction.intake.import_export import ImportReport, import_export
from ledger.actions.scope import create_scope
from ledger.actor import Actor
from ledger.command import ProjectCommand, person
from ledger.models import Scope

MAX_TOLD = 20


class Command(ProjectCommand):
    help = """Take in what `export` wrote (JSON or JSONL): sources and people as they were, claims of every status and trusted
values as proposals, with their words, and with what became of them in the reason. Nothing is decided by a file. Scopes below the
exported one are made. The whole file is checked first: a broken one is refused with the line, and nothing of it is kept. What
is here already is recognised; the same file may come again."""
    example = "import backdrop.jsonl --scope studio/backdrop --create-scope"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE", help="what manage.py export wrote, or GET /scope/export")
        parser.add_argument("--scope", required=True, help="where it enters; what lay below it enters below")
        parser.add_argument("--create-scope", action="store_true", help="make the scope, as the file describes it")
        parser.add_argument("--dry-run", action="store_true", help="only check the file")
        parser.add_argument("--json", action="store_true", help="end with one line of JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        actor, report = person(), ImportReport()
        if options["dry_run"]:
            _, report.rows = checked(options["file"])
        else:
            if options["create_scope"]:
                make_scope(options["file"], options["scope"], actor)
            self.carry_out(options, actor, report)
        for place, why in report.left[:MAX_TOLD]:
            self.say(f"{options['file'].name}, {place}: {why}")
        if len(report.left) > MAX_TOLD:
            self.say(f"and {len(report.left) - MAX_TOLD} more were left; --json names them")
        figures = report.as_json()
        if options["json"]:
            self.stdout.write(json.dumps(figures, ensure_ascii=False))
        else:
            counts = [f"{n} {name}" for name, n in figures.items() if name != "left"]
            self.stdout.write(", ".join([*counts, f"{len(report.left)} left"]))
        if report.left:
            raise CommandError(f"{len(report.left)} rows could not enter")

    def carry_out(self, options: dict[str, Any], actor: Actor, report: ImportReport) -> None:
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        with Progress(*columns, console=Console(stderr=True), disable=options["verbosity"] == 0) as progress:
            task = progress.add_task("Importing", total=None)
            for number in import_export(options["file"], options["scope"], actor=actor, report=report):
                progress.update(task, total=report.rows, completed=number)


def make_scope(file: Path, path: str, actor: Actor) -> None:
    """As the exported scope was, where there is none yet."""
    if Scope.objects.filter(path=path).exists():
        return
    head, _ = checked(file)
    rows = (placed.row for placed in rows_of(file))
    found = next((row for row in rows if isinstance(row, ScopeRow) and row.scope == head.scope), None)
    told = found.model_dump(exclude={"scope"}) if found and found.tier != "global" else {"tier": "project"}
    create_scope(path, actor=actor, **told)
