"""`manage.py extract`: another pass over what is already here."""

import json
from argparse import ArgumentParser
from collections import Counter
from typing import Any

from django.core.management.base import CommandError
from django.db.models import QuerySet
from rich.console import Console
from rich.table import Table

from extraction.extractors.registry import for_scope
from extraction.runs.dry_run import dry_run, extractors_named
from extraction.runs.pipeline import work_off
from ledger.actions.run import request_runs
from ledger.command import ProjectCommand, person
from ledger.models import Run, Source
from ledger.reads.scopes import below, scope_at
from ledger.rules.permissions import Right

BATCH = 500
FATES = ("written", "duplicates", "merged", "held_back", "dropped", "notes")


class Command(ProjectCommand):
    help = """Queue a pass over the sources of a scope and of those below it, or over single sources, and work it off.
Without --force only what no pass of the present rules and packs has read is read."""
    example = "extract --scope studio"

    def add_arguments(self, parser: ArgumentParser) -> None:
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument("--scope", help="every source of this scope and of those below it")
        what.add_argument("--source", type=int, nargs="+", metavar="ID", help="these sources")
        parser.add_argument("--extractor", action="append", metavar="NAME", help="only this one; may be repeated")
        parser.add_argument("--force", action="store_true", help="propose beside what an equal pass proposed")
        parser.add_argument("--json", action="store_true", help="end with one line of JSON")
        parser.add_argument(
            "--dry-run",
            action="store_true",
            help="tell what would be proposed, one JSON object a line, with a summary; write nothing",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        actor = person()
        sources = Source.objects.filter(purged_at=None).select_related("scope").defer("text")
        if options["scope"]:
            scope = scope_at(options["scope"], actor.access, Right.INGEST)
            sources = sources.filter(scope__in=type(scope).objects.filter(below(scope.path)))
        else:
            sources = sources.filter(pk__in=options["source"])
            if missing := set(options["source"]) - set(sources.values_list("id", flat=True)):
                raise CommandError(f"no source {min(missing)}, or it is purged")
        if options["dry_run"]:
            self.tell(sources, options["extractor"])
            return
        before = Run.objects.order_by("-id").values_list("id", flat=True).first() or 0
        runs: dict[int, None] = {}
        for scope_id in sources.order_by("scope").values_list("scope", flat=True).distinct():
            rows = list(sources.filter(scope=scope_id).order_by("id"))
            extractors = for_scope(rows[0].scope, only=options["extractor"])
            for at in range(0, len(rows), BATCH):
                made = request_runs(
                    rows[at : at + BATCH],
                    scope=rows[0].scope,
                    actor=actor,
                    extractors=extractors,
                    forced=options["force"],
                )
                runs |= dict.fromkeys(run.pk for run in made if run.pk > before)
        ids = list(runs)
        for at in range(0, len(ids), BATCH):
            work_off(ids[at : at + BATCH])
            self.say(f"{min(at + BATCH, len(ids))} of {len(ids)} runs")
        self.report(ids, options["json"])

    def tell(self, sources: QuerySet[Source], only: list[str] | None) -> None:
        """One line of JSON a hit on stdout; on stderr a table of what would become of them, by rule."""
        extractors = extractors_named(only)
        figures: dict[tuple[str, str], Counter[str]] = {}
        for source in sources.order_by("id").iterator(chunk_size=BATCH):
            for told in dry_run(source, extractors(source.scope)):
                self.stdout.write(json.dumps({"source": source.pk, **told}, ensure_ascii=False))
                figures.setdefault((told["kind"], told["rule"]), Counter())[told["would_be"]] += 1
        table = Table("Kind", "Rule", *(fate.replace("_", " ") for fate in FATES), title="What would become of it")
        for (kind, rule), counted in sorted(figures.items()):
            table.add_row(kind, rule, *(str(counted[fate] or "") for fate in FATES))
        Console(stderr=True).print(table)

    def report(self, ids: list[int], as_json: bool) -> None:
        done = Run.objects.filter(pk__in=ids)
        written = sum(stats.get("written", 0) for stats in done.values_list("stats", flat=True))
        failed = list(done.exclude(status="succeeded").exclude(error="").values_list("id", "error"))
        figures = {"runs": len(ids), "written": written, "failed": len(failed)}
        self.stdout.write(json.dumps(figures) if as_json else f"{len(ids)} runs, {written} new candidates")
        for run, error in failed:
            self.say(f"Run {run}: {error}")
        if failed:
            raise CommandError(f"{len(failed)} runs failed")
