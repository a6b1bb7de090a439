"""`manage.py purge SOURCE --reason …`: take a text away for good."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from ledger.actions.purge import purge
from ledger.command import ProjectCommand, person
from ledger.models import Source


class Command(ProjectCommand):
    help = """Take a source's text away, and every copy of its words: quotes, statements, payloads of the journal. Hash and
tombstone stay. There is no undo."""
    example = 'purge 42 --reason "asked for by its sender"'

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("source", type=int, metavar="SOURCE", help="the source's id")
        parser.add_argument("--reason", required=True, help="why; it stands in the journal")

    def handle(self, *args: Any, **options: Any) -> None:
        source = Source.objects.filter(pk=options["source"]).defer("text").first()
        if source is None:
            raise CommandError(f"no source {options['source']}")
        event = purge(source, actor=person(), reason=options["reason"])
        self.stdout.write(f"source {source.pk} purged, event {event.pk}")
