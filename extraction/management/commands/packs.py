"""`manage.py packs`: domains as data."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from ledger.actions.load_pack import load_pack
from ledger.command import ProjectCommand
from ledger.errors import Invalid
from ledger.models import Pack
from ledger.packs import parse


class Command(ProjectCommand):
    help = """Check a pack file, load it, or list what is loaded. A bad pack is refused, and each of its faults told with file,
line and reason. A loaded pack takes effect in the scopes that name it; their next passes are new ones, because the pack's hash
is part of the version. See docs/packs.md for the format."""
    example = "packs check household.toml"

    def add_arguments(self, parser: ArgumentParser) -> None:
        verbs = parser.add_subparsers(dest="verb", required=True, parser_class=ArgumentParser)
        for name, what in (("check", "say whether the files are good packs"), ("load", "check, and load")):
            one = verbs.add_parser(name, help=what)
            one.add_argument("files", nargs="+", type=Path, metavar="FILE")
        verbs.add_parser("list", help="the packs that are loaded, newest version of each")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["verb"] == "list":
            self._list()
            return
        faults = []
        for file in options["files"]:
            try:
                self._one(file, load=options["verb"] == "load")
            except OSError as error:
                faults.append(f"{file}: {error.strerror}")
            except Invalid as error:
                faults.append(error.message)
        if faults:
            raise CommandError("\n".join(faults))

    def _one(self, file: Path, *, load: bool) -> None:
        raw = file.read_bytes()
        content, digest = parse(raw, file=str(file))
        if load:
            load_pack(raw, file=str(file))
        pack = content["pack"]
        self.stdout.write(f"{file}: {pack['name']} {pack['version']} {digest[:12]} is {'loaded' if load else 'good'}")

    def _list(self) -> None:
        for pack in Pack.objects.order_by("name", "-id").distinct("name"):
            title = pack.content["pack"].get("title", "")
            self.stdout.write(f"{pack.name}\t{pack.version}\t{pack.digest[:12]}\t{title}")
