"""`manage.py match_names GOLD…`: how well names are matched to a price list, without a database."""

import json
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from ledger.errors import Invalid
from ledger.rules.catalogue.measuring import GoldName, MatchFigures, measure, read_gold

HALVES = ("tuned", "judged", "all")


class Command(BaseCommand):
    help = (
        "Precision and recall of the catalogue's suggestions over gold files: `[list]`, its items a line each, `--`, then\n"
        "`what somebody wrote => the item of the list that is meant`, with nothing after the arrow where none is. Rules are\n"
        "tuned on one half of the names and judged on the other; which half a name is in follows from its words. Examples:\n"
        "  manage.py match_names tests/ledger/catalogue/gold.txt\n"
        "  manage.py match_names gold.txt --half all --worst 20"
    )
    requires_system_checks: list[str] = []

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> Any:
        kwargs.setdefault("formatter_class", RawDescriptionHelpFormatter)
        return super().create_parser(prog_name, subcommand, **kwargs)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("gold", nargs="+", type=Path, help="gold files")
        parser.add_argument("--half", choices=HALVES, default="judged", help="which names (default: judged)")
        parser.add_argument("--worst", type=int, default=0, metavar="N", help="show N wrong and N missed names")
        parser.add_argument("--json", action="store_true", help="one line of JSON a file")

    def handle(self, *, gold: list[Path], half: str, worst: int, **options: Any) -> None:
        for file in gold:
            names = [one for one in _read(file) if half in ("all", one.half)]
            figures = measure(names)
            self.stdout.write(_as_json(file, figures) if options["json"] else _as_text(file, half, figures))
            for one, said in figures.wrong[:worst]:
                self.stdout.write(f"  wrong   {one.written} -> {said} (meant: {one.meant or 'none'})")
            for one in figures.missed[:worst]:
                self.stdout.write(f"  missed  {one.written} (meant: {one.meant})")


def _read(file: Path) -> list[GoldName]:
    try:
        return read_gold(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"cannot read {file}: {error}") from None
    except Invalid as error:
        raise CommandError(f"{file}: {error.message}") from None


def _as_text(file: Path, half: str, figures: MatchFigures) -> str:
    return (
        f"{file.name} ({half}): {figures.names} names, {figures.owed} with an item; precision {figures.precision:.4f}"
        f" ({figures.right} of {figures.suggested}), recall {figures.recall:.4f}"
    )


def _as_json(file: Path, figures: MatchFigures) -> str:
    return json.dumps(
        {
            "file": file.name, "names": figures.names, "owed": figures.owed, "suggested": figures.suggested,
            "right": figures.right, "precision": round(figures.precision, 4), "recall": round(figures.recall, 4),
        }
    )  # fmt: skip
