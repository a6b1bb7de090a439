"""`manage.py evaluate GOLD…`: how well the rules find what people marked, without a database."""

import json
import re
import tomllib
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from extraction.evaluate import FoundSpan, Row, Score, score
from extraction.gold import GoldRow, UnknownForm, read_gold
from extraction.rules import Hit, RuleSet, find_hits
from ledger.rules.sections import sections_of

PACKS = Path(__file__).resolve().parents[3] / "ledger" / "packs"
COLUMNS = (
    ("file", 26), ("measure", 9), ("rows", 5), ("gold", 5), ("hits", 5), ("precision", 9), ("recall", 7), ("F1", 6),
    ("exact", 6), ("owners", 8), ("unlabelled", 10), ("unadopted", 9),
)  # fmt: skip


class Command(BaseCommand):
    help = (
        "Run the rule extractors over labelled texts and print precision, recall and F1. Example:\n"
        "  manage.py evaluate minutes.jsonl --worst 5"
    )
    requires_system_checks: list[str] = []

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> Any:
        kwargs.setdefault("formatter_class", RawDescriptionHelpFormatter)
        return super().create_parser(prog_name, subcommand, **kwargs)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("gold", nargs="+", type=Path, help="JSONL files of labelled texts (or folders of them)")
        parser.add_argument(
            "--packs", default="core,engineering", help="packs whose rules run (default: core,engineering)"
        )
        parser.add_argument(
            "--worst", type=int, default=0, metavar="N", help="show N misses and false hits of each file"
        )
        parser.add_argument("--json", action="store_true", help="one JSON line for each file and measure")

    def handle(self, *args: Any, **options: Any) -> None:
        rules = load_rules(options["packs"].split(","))
        lines: list[dict[str, Any]] = []
        for path in _files(options["gold"]):
            try:
                gold = list(read_gold(path))
            except (UnknownForm, OSError) as error:
                raise CommandError(str(error)) from None
            if gold:
                lines += evaluate_file(path.name, gold, rules, options["worst"])
        if options["json"]:
            for line in lines:
                self.stdout.write(json.dumps(line, ensure_ascii=False))
        else:
            self._table(lines)
        if not lines:
            raise CommandError("no labelled rows found")

    def _table(self, lines: list[dict[str, Any]]) -> None:
        self.stdout.write(" ".join(name.ljust(width) for name, width in COLUMNS))
        for line in lines:
            owners = f"{line['owners_right']}/{line['owners']}" if line["owners"] else "-"
            ratios = [f"{line[name]:.4f}" for name in ("precision", "recall", "f1")]
            counts = [line[name] for name in ("file", "measure", "rows", "gold", "hits")]
            false = [line["false_on_unlabelled"], line["false_on_open"]]
            cells = [*counts, *ratios, f"{line['exact_share']:.3f}", owners, *false]
            self.stdout.write(
                " ".join(str(cell)[:width].ljust(width) for cell, (_, width) in zip(cells, COLUMNS, strict=True))
            )
            if line.get("links"):
                self.stdout.write(f"  replaced records: {line['links']}")
            for miss in line.get("worst", []):
                self.stdout.write(
                    f"  {miss['what']:<7}{miss['kind']:<12}{miss['row']} {miss['start']}:{miss['end']} {miss['words']}"
                )


def load_rules(names: list[str]) -> RuleSet:
    """The rules of shipped packs by name, core included."""
    packs = []
    for name in dict.fromkeys(["core", *names]):
        files = sorted(PACKS.glob(f"{name}.toml"))
        if not files:
            raise CommandError(f"no pack named {name!r}")
        packs += [tomllib.loads(file.read_text(encoding="utf-8")) for file in files]
    return RuleSet.from_packs(packs)


def _files(paths: list[Path]) -> list[Path]:
    files: list[Path] = []
    for path in paths:
        files += sorted(path.rglob("*.jsonl")) if path.is_dir() else [path]
    return files


def evaluate_file(name: str, gold: list[GoldRow], rules: RuleSet, worst: int) -> list[dict[str, Any]]:
    """One line of figures for each measure that this form of gold asks for."""
    hits = [hits_of(row, rules) for row in gold]
    rows = [
        Row(
            row.id,
            row.text,
            row.gold,
            [FoundSpan(h.kind, h.spans[0].start, h.spans[0].end, h.assignee) for h in found],
            row.open_spans,
        )
        for row, found in zip(gold, hits, strict=True)
    ]
    # What a record's gold leaves out it did not look for: only rows with a Decision section are scored.
    if gold[0].form == "record":
        rows = [row for row in rows if row.gold]
    measures = {"minutes": (0.0,), "labels": (0.0,), "conclusions": (0.5, 1.0), "record": (0.5, 0.9)}[gold[0].form]
    kinds = frozenset().union(*(row.kinds for row in gold))
    lines = []
    for iou in measures:
        total: Score = score(rows, kinds=kinds, iou=iou)
        line: dict[str, Any] = {
            "file": name,
            "measure": "exact" if iou == 1.0 else f"IoU {iou}" if iou else "overlap",
            **total.figures(),
        }
        if worst and iou == measures[0]:
            line["worst"] = [
                {"row": m.row, "what": m.what, "kind": m.kind, "start": m.start, "end": m.end, "words": m.words}
                for m in total.misses[:worst]
            ]
        lines.append(line)
    if gold[0].form == "record":
        lines[0]["links"] = _links(gold, hits)
    return lines


def hits_of(row: GoldRow, rules: RuleSet) -> list[Hit]:
    """The hits in one row's text, read as a document."""
    moment = datetime(2026, 1, 1, tzinfo=UTC)
    sections = sections_of(row.text, kind="document", sender_kind="document")
    return find_hits(
        row.text, sections, rules, kind="document", sender="", sender_kind="document", sent_at=None, now=moment
    )  # fmt: skip


def _links(gold: list[GoldRow], hits: list[list[Hit]]) -> str:
    right = named = known = 0
    for row, found in zip(gold, hits, strict=True):
        if row.supersedes is None or not row.gold:
            continue
        links = {int(number) for hit in found for ref in hit.supersedes for number in re.findall(r"\d+\Z", ref)}
        right += len(links & set(row.supersedes))
        named, known = named + len(links), known + len(row.supersedes)
    return f"{right} right of {named} named, {known} known"
