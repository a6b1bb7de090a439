"""`manage.py packs`: domains as data."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from extraction.rules import PatternError, RuleSet
from ledger.actions.load_pack import load_pack
from ledger.command import ProjectCommand
from ledger.models import Pack
from ledger.packs import parse


class Command(ProjectCommand):
    help = """Check a pack file, load it, or list what is loaded. A bad pack is refused with file, line and reason. A loaded
pack takes effect in the scopes that name it; their next passes are new ones, because the pack's hash is part of the version."""
    example = "packs check household.toml"

    def add_arguments(self, parser: ArgumentParser) -> None:
        verbs = parser.add_subparsers(dest="verb", required=True, parser_class=ArgumentParser)
        for name, what in (("check", "say whether the files are good packs"), ("load", "check, and load")):
            one = verbs.add_parser(name, help=what)
            one.add_argument("files", nargs="+", type=Path, metavar="FILE")
        verbs.add_parser("list", help="the packs that are loaded, newest version of each")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["verb"] == "list":
            for pack in Pack.objects.order_by("name", "-id").distinct("name"):
                self.stdout.write(
                    f"{pack.name}\t{pack.version}\t{pack.digest[:12]}\t{pack.content['pack'].get('title', '')}"
                )
            return
        for file in options["files"]:
            try:
                raw = file.read_bytes()
                content, digest = parse(raw, file=str(file))
                RuleSet.from_packs([content])
            except OSError as error:
                raise CommandError(f"{file}: {error.strerror}") from None
            except PatternError as error:
                raise CommandError(f"{file}: {error}") from None
            if options["verb"] == "load":
                load_pack(raw, file=str(file))
            pack = content["pack"]
            self.stdout.write(f"{file}: {pack['name']} {pack['version']} {digest[:12]} is good")
