"""`manage.py evaluate GOLD…`: how well the extractors find what people marked, without a database unless it is to be kept."""

import json
import tomllib
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from extraction.evaluation.annotated_logs import is_log_folder, link_lines
from extraction.evaluation.household import household_lines, is_household, is_roster
from extraction.evaluation.rows import UnknownForm, read_gold
from extraction.evaluation.runner import evaluate_rows
from extraction.extractors.documents import RULES_VERSION, RuleSet
from ledger.actions.logs import keep_evaluation
from ledger.command import person

PACKS = Path(__file__).resolve().parents[3] / "ledger" / "packs"
# Of each column its head, its width, and what stands in it.
COLUMNS = (
    ("file", 26, "{file}"), ("measure", 9, "{measure}"), ("rows", 5, "{rows}"), ("gold", 5, "{gold}"),
    ("hits", 5, "{hits}"), ("precision", 9, "{precision:.4f}"), ("recall", 7, "{recall:.4f}"), ("F1", 6, "{f1:.4f}"),
    ("exact", 6, "{exact_share:.3f}"), ("values", 9, "{of_values}"), ("owners", 7, "{of_owners}"),
    ("alarms", 9, "{of_unlabelled}"), ("unadopted", 9, "{false_on_open}"), ("texts/s", 8, "{texts_per_s}"),
    ("µs/char", 7, "{us_per_char}"),
)  # fmt: skip
UNTIMED = {"texts_per_s": "-", "us_per_char": "-"}


class Command(BaseCommand):
    help = (
        "Run an extractor over labelled texts and print precision, recall and F1, whole, by kind and by rule; how many hits\n"
        "stand at exactly the marked offsets; in how many texts without label it found something (alarms); and its pace.\n"
        "The form of the rows decides what runs: the rules over minutes, notes and decision records, times over expressions of\n"
        "time, times and answers over dialogues, requests over sentences, the tripwire and who does what over chats of\n"
        "households, who answers whom over folders of annotated logs. Examples:\n"
        "  manage.py evaluate minutes.jsonl --worst 5\n"
        "  manage.py evaluate times.jsonl dialogues.json --json\n"
        "  manage.py evaluate gold/ --keep          (and see them at /insights)"
    )
    requires_system_checks: list[str] = []

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> Any:
        kwargs.setdefault("formatter_class", RawDescriptionHelpFormatter)
        return super().create_parser(prog_name, subcommand, **kwargs)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "gold",
            nargs="+",
            type=Path,
            help="JSONL files of labelled texts, JSON files of dialogues, or folders of them",
        )
        parser.add_argument(
            "--packs", default="core,engineering", help="packs whose rules run (default: core,engineering)"
        )
        parser.add_argument(
            "--worst", type=int, default=0, metavar="N", help="show N misses and false hits of each file"
        )
        parser.add_argument("--json", action="store_true", help="one JSON line for each file and measure")
        parser.add_argument("--all", action="store_true", help="show each kind and each rule in the table too")
        parser.add_argument(
            "--keep", action="store_true", help="keep the figures, so that /insights shows them over time"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        rules = load_rules(options["packs"].split(","))
        lines: list[dict[str, Any]] = []
        for path in _files(options["gold"]):
            try:
                lines += _measured(path, rules, options["worst"])
            except (UnknownForm, OSError) as error:
                raise CommandError(str(error)) from None
        if options["json"]:
            for line in lines:
                self.stdout.write(json.dumps(line, ensure_ascii=False))
        else:
            self._table(lines, options["all"])
        if not lines:
            raise CommandError("no labelled rows found")
        if options["keep"]:
            kept = keep_evaluation(lines, version=f"rules {RULES_VERSION}", actor=person())
            self.stderr.write(f"{len(kept)} measures kept: see /insights")

    def _table(self, lines: list[dict[str, Any]], whole: bool) -> None:
        self._row([name for name, _, _ in COLUMNS])
        for line in lines:
            told = UNTIMED | line | {"of_values": _of(line, "values_right", "values")}
            told["of_owners"] = _of(line, "owners_right", "owners")
            told["of_unlabelled"] = _of(line, "alarmed", "unlabelled")
            self._row([cell.format(**told) for _, _, cell in COLUMNS])
            if line.get("links"):
                self.stdout.write(f"  replaced records: {line['links']}")
            if whole:
                self._parts(line)
            for miss in line.get("worst", ()):
                self.stdout.write(
                    f"  {miss['what']:<7}{miss['kind']:<12}{miss['row']} {miss['start']}:{miss['end']} {miss['words']}"
                )

    def _row(self, cells: list[str]) -> None:
        self.stdout.write(
            " ".join(cell[:width].ljust(width) for cell, (_, width, _) in zip(cells, COLUMNS, strict=True))
        )

    def _parts(self, line: dict[str, Any]) -> None:
        for name, one in line["by_kind"].items():
            ratios = "{precision:.3f} {recall:.3f} {f1:.3f} {exact_share:.3f}".format(**one)
            self.stdout.write(f"  kind {name:<20} gold {one['gold']:<5} hits {one['hits']:<5} P R F1 exact {ratios}")
        for name, one in line["by_rule"].items():
            self.stdout.write(f"  rule {name:<26} hits {one['hits']:<5} precision {one['precision']:.3f}")


def _of(line: dict[str, Any], part: str, whole: str) -> str:
    return f"{line[part]}/{line[whole]}" if line[whole] else "-"


def _measured(path: Path, rules: RuleSet, worst: int) -> list[dict[str, Any]]:
    if is_log_folder(path):
        return link_lines(path)
    if is_household(path):
        try:
            return household_lines(path, load_packs(["household"]))
        except (ValueError, KeyError) as error:
            raise UnknownForm(f"{path}: {error}") from None
    gold = list(read_gold(path))
    return evaluate_rows(path.name, gold, rules, worst) if gold else []


def load_rules(names: list[str]) -> RuleSet:
    """The rules of shipped packs by name, core included."""
    return RuleSet.from_packs(load_packs(names))


def load_packs(names: list[str]) -> list[dict[str, Any]]:
    packs = []
    for name in dict.fromkeys(["core", *names]):
        files = sorted(PACKS.glob(f"{name}.toml"))
        if not files:
            raise CommandError(f"no pack named {name!r}")
        packs += [tomllib.loads(file.read_text(encoding="utf-8")) for file in files]
    return packs


def _files(paths: list[Path]) -> list[Path]:
    files: list[Path] = []
    for path in paths:
        if path.is_dir() and not is_log_folder(path):
            found = [*path.rglob("*.jsonl"), *path.rglob("*.json")]
            files += sorted(one for one in found if one.is_file() and not is_roster(one))
        else:
            files.append(path)
    return files
