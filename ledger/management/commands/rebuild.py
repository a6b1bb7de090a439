"""`manage.py rebuild`: make anew what is derived from the sources."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from ledger.actions.index_words import rebuild_words
from ledger.command import ProjectCommand
from ledger.models import Source


class Command(ProjectCommand):
    help = """Make the index of words anew where it differs from the sources, some hundred sources at a time: search answers
meanwhile. With --check nothing is written, and it ends with 1 where anything differs."""
    example = "rebuild --check"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--check", action="store_true", help="only compare")

    def handle(self, *args: Any, **options: Any) -> None:
        sources, differing = rebuild_words(Source.objects.all(), check=options["check"])
        self.stdout.write(f"{sources} sources, the words of {differing} differed")
        if options["check"] and differing:
            raise CommandError(f"{differing} differ: run `manage.py rebuild`")
