"""`manage.py verify`: whether the journal, the sources and the evidence are still what they say."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from ledger.command import ProjectCommand
from ledger.reads.verify import verify

SHOWN = 50


class Command(ProjectCommand):
    help = """Recompute the journal's chain and every hash, compare every quote with its source, and replay the journal
against the rows as they stand. Ends with 1 where anything is wrong. Keep the root it prints in another place, and give it
with --root later: a chain that was made anew does not contain it."""
    example = "verify --root 5f0c…"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--root", default="", help="a root that was printed earlier")
        parser.add_argument("--json", action="store_true", help="one line of JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        report = verify(root=options["root"].strip().lower())
        if options["json"]:
            self.stdout.write(json.dumps({"ok": not report.problems, **report.figures, "problems": report.problems}))
        else:
            for name, value in report.figures.items():
                self.stdout.write(f"{name.replace('_', ' ')}: {value}")
        for problem in report.problems[:SHOWN]:
            self.say(problem)
        if report.problems:
            raise CommandError(f"{len(report.problems)} problems")
