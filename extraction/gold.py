"""Rows of labelled texts as people keep them, told apart by their fields: minutes, meeting notes, decision records."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from extraction.evaluate import GoldSpan

NOTED_KINDS = {"decision": "decision", "action": "action_item"}


@dataclass(frozen=True, slots=True)
class GoldRow:
    """A text, what ought to be found in it, and which kinds its gold speaks of. `supersedes` is None where it is silent."""

    id: str
    text: str
    gold: tuple[GoldSpan, ...]
    kinds: frozenset[str]
    form: str
    open_spans: tuple[tuple[int, int], ...] = ()
    supersedes: tuple[int, ...] | None = None


class UnknownForm(ValueError):
    """A row has none of the known shapes; the message names file and line."""


def read_gold(path: Path) -> Iterator[GoldRow]:
    """The rows of one JSONL file. Rows without a text are left out. Raises UnknownForm, or OSError for the file."""
    with path.open(encoding="utf-8", newline="\n") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                row = json.loads(line)
            except ValueError as error:
                raise UnknownForm(f"{path}:{number}: not JSON: {error}") from None
            found = _row(row) if isinstance(row, dict) else None
            if found is None:
                raise UnknownForm(f"{path}:{number}: none of the known shapes of gold rows")
            if found.text:
                yield found


def _row(row: Mapping[str, Any]) -> GoldRow | None:
    name = str(row.get("id", ""))
    match row:
        case {"resolutions": list(resolutions), "actions": list(actions), **rest}:
            gold = [_span("decision", one) for one in resolutions]
            gold += [_span("action_item", one) for one in actions]
            unadopted = [one for one in rest.get("proposals", []) if one.get("status") != "adopted"]
            open_spans = tuple((one["start"], one["end"]) for one in unadopted)
            kinds = frozenset({"decision", "action_item"})
            return GoldRow(name, str(row.get("text") or ""), tuple(gold), kinds, "minutes", open_spans)
        case {"section_text": str(text), "labels": list(labels)}:
            gold = [_span(NOTED_KINDS[one["type"]], one) for one in labels if one["type"] in NOTED_KINDS]
            open_spans = tuple((one["start"], one["end"]) for one in labels if one["type"] == "poll")
            return GoldRow(name, text, tuple(gold), frozenset({"decision", "action_item"}), "labels", open_spans)
        case {"section_text": str(text), "gold": gold_row}:
            items = gold_row["items"] if gold_row and not gold_row.get("is_null") else []
            return GoldRow(
                name, text, tuple(_span("decision", one) for one in items), frozenset({"decision"}), "conclusions"
            )
        case {"sections": Mapping() as sections}:
            gold = [_span("decision", decided) for name in ("decision", "rejection") if (decided := sections.get(name))]
            links = row.get("supersedes", row.get("replaces"))
            replaced = None if links is None else tuple(int(one) for one in links)
            return GoldRow(
                name, str(row.get("text") or ""), tuple(gold), frozenset({"decision"}), "record", (), replaced
            )
    return None


def _span(kind: str, one: Mapping[str, Any]) -> GoldSpan:
    return GoldSpan(kind, one["start"], one["end"], str(one.get("owner") or ""))
