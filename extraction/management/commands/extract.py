"""`manage.py extract`: another pass over what is already here."""

import json
from argparse import ArgumentParser
from collections import Counter, defaultdict
from itertools import batched
from typing import Any

from django.core.management.base import CommandError
from django.db.models import Max, QuerySet
from rich.console import Console
from rich.table import Table

from extraction.extractors.registry import for_scope
from extraction.runs.dry_run import dry_run, extractors_named
from extraction.runs.pipeline import work_off_in_steps
from ledger.actions.run import request_runs
from ledger.actor import Actor
from ledger.command import ProjectCommand, person
from ledger.models import Run, Scope, Source
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
        sources = self.sources(options, actor)
        if options["dry_run"]:
            self.tell(sources, options["extractor"])
            return
        newest = Run.objects.aggregate(newest=Max("id"))["newest"] or 0
        runs: dict[int, None] = {}
        for scope_id in sources.order_by("scope").values_list("scope", flat=True).distinct():
            rows = list(sources.filter(scope=scope_id).order_by("id"))
            extractors = for_scope(rows[0].scope, only=options["extractor"])
            for some in batched(rows, BATCH):
                made = request_runs(
                    some, scope=rows[0].scope, actor=actor, extractors=extractors, forced=options["force"]
                )
                runs |= dict.fromkeys(run.pk for run in made if run.pk > newest)
        ids = list(runs)
        for done in work_off_in_steps(ids):
            self.say(f"{done} of {len(ids)} runs")
        self.report(ids, options["json"])

    def sources(self, options: dict[str, Any], actor: Actor) -> QuerySet[Source]:
        rows = Source.objects.filter(purged_at=None).select_related("scope").defer("text")
        if options["scope"]:
            scope = scope_at(options["scope"], actor.access, Right.INGEST)
            return rows.filter(scope__in=Scope.objects.filter(below(scope.path)))
        rows = rows.filter(pk__in=options["source"])
        if missing := set(options["source"]) - set(rows.values_list("id", flat=True)):
            raise CommandError(f"no source {min(missing)}, or it is purged")
        return rows

    def tell(self, sources: QuerySet[Source], only: list[str] | None) -> None:
        """One line of JSON a hit on stdout; on stderr a table of what would become of them, by rule."""
        extractors = extractors_named(only)
        figures: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        for source in sources.order_by("id").iterator(chunk_size=BATCH):
            for proposal in dry_run(source, extractors(source.scope)):
                self.stdout.write(json.dumps({"source": source.pk, **proposal}, ensure_ascii=False))
                figures[proposal["kind"], proposal["rule"]][proposal["would_be"]] += 1
        table = Table("Kind", "Rule", *(fate.replace("_", " ") for fate in FATES), title="What would become of it")
        for (kind, rule), counted in sorted(figures.items()):
            table.add_row(kind, rule, *(str(counted[fate] or "") for fate in FATES))
        Console(stderr=True).print(table)

    def report(self, ids: list[int], as_json: bool) -> None:
        done = Run.objects.filter(pk__in=ids)
        written = sum(stats.get("written", 0) for stats in done.values_list("stats", flat=True))
        failed = done.exclude(status="succeeded").exclude(error="").values_list("id", "error")
        figures = {"runs": len(ids), "written": written, "failed": len(failed)}
        self.stdout.write(json.dumps(figures) if as_json else f"{len(ids)} runs, {written} new candidates")
        for run, error in failed:
            self.say(f"Run {run}: {error}")
        if failed:
            raise CommandError(f"{len(failed)} runs failed")
