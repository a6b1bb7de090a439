"""`manage.py rebuild`: make anew what is derived from the sources and from the claims."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from ledger.actions.credit import rebuild_utility
from ledger.actions.encode_sources import rebuild_statements, rebuild_vectors
from ledger.actions.index_words import rebuild_words
from ledger.actions.patch_blocks import rebuild_blocks
from ledger.command import ProjectCommand
from ledger.models import Scope, Source
from ledger.recall import encoder


class Command(ProjectCommand):
    help = """Make the index of words anew where it differs from the sources, some hundred sources at a time: search answers
meanwhile. Then the knowledge blocks of each scope, where they differ from what holds there, and how often each tactic was of use,
from the logs of what was shown and what came of it. Where an encoder is installed, sources and statements that have
no vectors yet get some now rather than in the background. With --check nothing is written, and it ends with 1 where words, blocks
or counts differ."""
    example = "rebuild --check"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--check", action="store_true", help="only compare")

    def handle(self, *args: Any, **options: Any) -> None:
        check = options["check"]
        sources, words = rebuild_words(Source.objects.all(), check=check)
        self.stdout.write(f"{sources} sources, the words of {words} differed")
        lines, moved = rebuild_blocks(Scope.objects.all(), check=check)
        self.stdout.write(f"{lines} lines of blocks, {moved} differed")
        tactics, counted = rebuild_utility(check=check)
        self.stdout.write(f"{tactics} tactics are credited with what came of them, {counted} differed")
        if encoder.installed():
            sources, lacking = rebuild_vectors(Source.objects.all(), check=check)
            self.stdout.write(f"{sources} sources, {lacking} had no vectors")
            self.stdout.write(f"{rebuild_statements(check=check)} statements had none")
        if check and (differing := words + moved + counted):
            raise CommandError(f"{differing} differ: run `manage.py rebuild`")
