"""`manage.py erase`: somebody, or a text, and all that names them; `--compact` rewrites the files that held it."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from config.compact import compact
from ledger.actions.erase import erase, list_erasure
from ledger.command import ProjectCommand, person
from ledger.models import Source
from ledger.reads.erasure import ErasureList, FoundSource
from ledger.reads.scopes import scope_at


class Command(ProjectCommand):
    help = """Erase a person in a scope and below it: all they said, others' texts that name them, their names, aliases and ids; or
one source. Look it over first with --dry-run. There is no undo. What is left is told: trusted values that somebody typed, backups,
tombstones. --compact rewrites tables and indexes and empties our logs, so that no byte is left outside the write-ahead log."""
    example = (
        'erase --scope studio --person "Ann Lee" --dry-run\n  uv run manage.py erase --scope studio --person "Ann Lee"'
        ' --keep 41 --reason "asked for"\n  uv run manage.py erase --compact'
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--scope", help="the scope's path; what lies below it is taken in")
        parser.add_argument("--person", default="", help="a name or an alias")
        parser.add_argument("--source", type=int, help="a source's id")
        parser.add_argument("--dry-run", action="store_true", help="list what would go, and do nothing")
        parser.add_argument("--keep", type=int, nargs="*", default=[], metavar="ID", help="others' texts that stay")
        parser.add_argument("--also", type=int, nargs="*", default=[], metavar="ID", help="doubtful texts that go")
        parser.add_argument("--reason", default="", help="why; it stands in the journal")
        parser.add_argument("--compact", action="store_true", help="rewrite the files that held erased words")
        parser.add_argument("--json", action="store_true", help="one line of JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["scope"]:
            self.erase(options)
        elif not options["compact"]:
            raise CommandError('name a scope and a person: manage.py erase --scope studio --person "Ann Lee"')
        if options["compact"]:
            compact(self.say)

    def erase(self, options: dict[str, Any]) -> None:
        actor = person()
        scope = scope_at(options["scope"], actor.access)
        source = Source.objects.filter(pk=options["source"]).first() if options["source"] else None
        if options["source"] and source is None:
            raise CommandError(f"no source {options['source']}")
        if options["dry_run"]:
            found, status = list_erasure(scope, person=options["person"], source=source), "listed"
        else:
            result = erase(
                scope, actor=actor, person=options["person"], source=source, keep=options["keep"], also=options["also"],
                reason=options["reason"],
            )  # fmt: skip
            found, status = result.found, result.status
        if options["json"]:
            self.stdout.write(json.dumps({"status": status, "left": found.left(), **counts(found)}))
            return
        self.stdout.write(f"{status}: " + ", ".join(f"{n} {name}" for name, n in counts(found).items()))
        for name in ("said", "mentions", "doubtful") if status == "listed" else ():
            self.tell(name, getattr(found, name))
        for line in found.left():
            self.say(f"left: {line}")

    def tell(self, name: str, rows: list[FoundSource]) -> None:
        for one in rows:
            self.stdout.write(f"{name} {one.id} {one.sender}: {' '.join(one.excerpt.split())}")


def counts(found: ErasureList) -> dict[str, int]:
    names = ("said", "mentions", "doubtful", "claims", "people", "conversations", "trusted")
    return {name: len(getattr(found, name)) for name in names}
