"""`manage.py ingest PATH…`: real text into a scope, and what the rules find in it."""

import json
from argparse import ArgumentParser, ArgumentTypeError
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from django.core.management.base import CommandError
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from extraction.importers import FORMATS, Into, read_paths
from extraction.importers.csv_rows import COLUMNS
from extraction.intake.batches import IngestReport, batches, conversation_of, create_scopes, finish, take_batch
from extraction.intake.closing import closing_lines, cost_line
from ledger.command import ProjectCommand, person
from ledger.errors import NotFound
from ledger.models import Wave
from ledger.reads.scopes import scope_at
from ledger.rules.permissions import Right


def columns(written: str) -> dict[str, str]:
    """`text=Body,sender=From`."""
    pairs = dict(one.partition("=")[::2] for one in written.split(","))
    unknown = sorted(pairs.keys() - COLUMNS.keys())
    if unknown or not all(pairs.values()):
        raise ArgumentTypeError(f"write FIELD=NAME,…; the fields are {', '.join(COLUMNS)}")
    return pairs


class Command(ProjectCommand):
    help = """Take texts in from files, folders and zip archives, wait for their runs, and say what became of them.

Chats, mail, issues, minutes and texts are recognised by what is in them; docs/importing.md has every format, how to export it and
what is kept. What was taken in before is recognised and not kept twice; a longer export adds only what is new. What cannot be
read is passed over and named with its place, and the rest kept. A JSONL file has one object a line: `text`, and what else a source
may have (kind, sender, sender_kind, sent_at, edited_at, conversation, external_id, reply_to, title)."""
    example = "ingest minutes/ notes.zip --scope studio/backdrop --create-scope"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="file, folder or zip archive")
        parser.add_argument("--scope", required=True, help="where it belongs, such as studio/backdrop")
        parser.add_argument("--format", choices=FORMATS, default="auto", help="auto goes by what is in the file")
        parser.add_argument(
            "--columns", type=columns, default={}, metavar="FIELD=NAME,…",
            help="of CSV: which column is the text, sender, sent_at, conversation, external_id, reply_to, title",
        )  # fmt: skip
        parser.add_argument("--create-scope", action="store_true", help="make the scope where it does not exist")
        parser.add_argument(
            "--pack", action="append", default=[], metavar="NAME", help="a pack of the scope it makes; repeatable"
        )
        parser.add_argument("--no-extract", action="store_true", help="only keep the texts")
        parser.add_argument("--json", action="store_true", help="end with one line of JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        actor = person()
        if options["create_scope"]:
            create_scopes(options["scope"], packs=options["pack"], actor=actor)
        try:
            scope = scope_at(options["scope"], actor.access, Right.INGEST)
        except NotFound as error:
            raise NotFound(f"{error.message}; --create-scope makes it") from error
        names = ", ".join(path.name or str(path) for path in options["paths"])
        report = IngestReport(Wave(scope=scope, label=f"ingest {names}"[:200], by=actor.name))
        into = Into(
            scope.path, ZoneInfo(scope.timezone), lambda ids: conversation_of(scope, ids), columns=options["columns"]
        )
        found = read_paths(options["paths"], options["format"], into)
        with self.progress(options) as progress:
            reading = progress.add_task("Taking in", total=None)
            for batch in batches(found, report):
                take_batch(batch, report, scope=scope, actor=actor, extract=not options["no_extract"])
                progress.update(reading, completed=report.sources + report.duplicates)
            progress.update(reading, total=report.sources + report.duplicates)
            if cost := cost_line(report.runs):
                self.say(cost)
            working = progress.add_task("Extracting", total=len(report.runs))
            for done in finish(report):
                progress.update(working, completed=done)
        self.tell(report, options)

    def progress(self, options: dict[str, Any]) -> Progress:
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        return Progress(*columns, console=Console(stderr=True), disable=options["verbosity"] == 0)

    def tell(self, report: IngestReport, options: dict[str, Any]) -> None:
        for skipped in report.skipped_lines():
            self.say(f"Passed over {skipped.path}: {skipped.why}")
        for remark in report.remarks:
            self.say(f"{remark.path}: {remark.what}")
        for run, error in report.failed:
            self.say(f"Run {run} failed: {error}")
        figures = report.as_json()
        if options["json"]:
            self.stdout.write(json.dumps(figures, ensure_ascii=False))
        else:
            for line in closing_lines(report):
                self.stdout.write(line)
            passed_over = len(report.skipped) + report.skipped_unnamed
            self.stdout.write(
                f"{report.sources} sources, {report.duplicates} known before, {passed_over} passed over,"
                f" {figures['candidates']} candidates" + (f", wave {figures['wave']}" if figures["wave"] else "")
            )
        if report.failed:
            raise CommandError(f"{len(report.failed)} runs failed; they are tried again, or with: manage.py sweep")
        if any(skipped.asked_for for skipped in report.skipped):
            raise CommandError("not every path could be read")
        if report.skipped and not report.sources + report.duplicates:
            raise CommandError("nothing could be read")
