"""`manage.py wave`: what came in together."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from extraction.runs.dry_run import dry_run_of_wave, extractors_named
from extraction.runs.pipeline import work_off_in_steps
from extraction.runs.wave_report import folder_of, report_of, write_files
from ledger.actions.wave import request_wave
from ledger.command import ProjectCommand, person
from ledger.models import Wave
from ledger.reads.waves import wave_at, wave_progress
from ledger.rules.permissions import Right

MAX_LISTED = 50


class Command(ProjectCommand):
    help = """List waves, read one as a whole, or write its report: report.json, candidates.ndjson, dropped.ndjson, errors.log.
The files are made from the rows as they now stand. Without --out they go to extraction-reports/ID in the data folder, where
they are removed once they are older than the scope keeps its texts."""
    example = "wave report 3 --out report/"

    def add_arguments(self, parser: ArgumentParser) -> None:
        verbs = parser.add_subparsers(dest="verb", required=True, parser_class=ArgumentParser)
        report = verbs.add_parser("report", help="write the four files of a wave's report, and print report.json")
        report.add_argument("id", type=int, metavar="ID")
        report.add_argument("--out", type=Path, metavar="DIR", help="where to; made if it does not exist")
        extract = verbs.add_parser("extract", help="read every source of a wave, and work it off")
        extract.add_argument("id", type=int, metavar="ID")
        extract.add_argument("--extractor", action="append", metavar="NAME", help="only this one; may be repeated")
        extract.add_argument("--force", action="store_true", help="propose beside what an equal pass proposed")
        extract.add_argument("--dry-run", action="store_true", help="tell what would be proposed; write nothing")
        verbs.add_parser("list", help="the newest waves, one a line")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["verb"] == "list":
            rows = list(Wave.objects.select_related("scope").order_by("-id")[:MAX_LISTED])
            progress = wave_progress([wave.pk for wave in rows])
            for wave in rows:
                it = progress[wave.pk]
                self.stdout.write(
                    f"{wave.pk}\t{wave.scope.path}\t{it.sources}\t{it.done}/{it.total}\t{it.written}\t{wave.label}"
                )
            return
        getattr(self, options["verb"])(options)

    def report(self, options: dict[str, Any]) -> None:
        wave = wave_at(options["id"], person())
        folder = options["out"] or folder_of(wave.pk)
        try:
            paths = write_files(wave, folder)
        except OSError as error:
            raise CommandError(f"{folder}: {error.strerror}") from None
        for path in paths:
            self.say(f"Wrote {path}")
        self.stdout.write(json.dumps(report_of(wave), ensure_ascii=False))

    def extract(self, options: dict[str, Any]) -> None:
        actor = person()
        wave = wave_at(options["id"], actor, Right.INGEST)
        if options["dry_run"]:
            self.stdout.write(json.dumps(dry_run_of_wave(wave, options["extractor"]), ensure_ascii=False))
            return
        runs = request_wave(
            wave, actor=actor, extractors=extractors_named(options["extractor"]), forced=options["force"]
        )  # fmt: skip
        ids = [run.pk for run in runs if run.status == "queued"]
        for done in work_off_in_steps(ids):
            self.say(f"{done} of {len(ids)} runs")
        it = wave_progress([wave.pk])[wave.pk]
        self.stdout.write(json.dumps({"wave": wave.pk, "runs": it.runs, "written": it.written}))
        if it.runs["failed"]:
            raise CommandError(f"{it.runs['failed']} runs of the wave failed")
