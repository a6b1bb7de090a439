"""Rows of labelled texts as people keep them, told apart by their fields: minutes, notes, decision records, times, dialogues."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from extraction.evaluation.row_forms import unknown
from extraction.evaluation.scores import GoldSpan
from extraction.evaluation.times import SORTS, reference_of, values_of

# Dialogues do not say when they were held.
DIALOGUE_TIME: Final = datetime(2019, 3, 1, tzinfo=UTC)
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
    # When a text was said, where that counts, and whether its days stand before their months.
    reference: datetime | None = None
    dayfirst: bool = False
    # The label lines of what was resolved, to be hidden; a record's own status, and the text that tells it.
    hidden: tuple[tuple[int, int], ...] = ()
    status: str = ""
    head: str = ""


class UnknownForm(ValueError):
    """A row has none of the known shapes; the message names file and line, what it is, and the forms that are known."""


def read_gold(path: Path) -> Iterator[GoldRow]:
    """The rows of one JSONL file, or the dialogues of a JSON list. Rows without a text, and rows of expressions other than time,
    are left out. Raises UnknownForm, or OSError for the file."""
    if path.suffix == ".json":
        yield from _dialogues(path)
        return
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
                raise UnknownForm(unknown(path, number, row))
            if found.text:
                yield found


def _dialogues(path: Path) -> Iterator[GoldRow]:
    try:
        dialogues = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise UnknownForm(f"{path}:1: not JSON: {error}") from None
    if not isinstance(dialogues, list) or not all(isinstance(one, dict) and "turns" in one for one in dialogues):
        raise UnknownForm(unknown(path, 1, dialogues))
    for dialogue in dialogues:
        asked = False
        for number, turn in enumerate(dialogue["turns"]):
            row, asked = _turn(f"{dialogue.get('dialogue_id', '')}-{number}", turn, asked)
            yield row


_NOT_WHEN: Final = ("wait", "duration")


def _turn(name: str, turn: Mapping[str, Any], asked: bool) -> tuple[GoldRow, bool]:
    """One turn's dates and times as gold; after a turn that asked for confirmation, also what the user answered."""
    text = str(turn["utterance"])
    slots = [slot for frame in turn["frames"] for slot in frame.get("slots", ())]
    acts = {action["act"] for frame in turn["frames"] for action in frame.get("actions", ())}
    when = [
        one
        for one in slots
        if ("date" in one["slot"] or "time" in one["slot"]) and not any(w in one["slot"] for w in _NOT_WHEN)
    ]
    gold = [GoldSpan("time", one["start"], one["exclusive_end"], sort="slot") for one in when]
    kinds = {"time"}
    if asked and turn["speaker"] == "USER":
        kinds.add("answer")
        said = "confirm" if "AFFIRM" in acts else "deny" if "NEGATE" in acts else ""
        gold += [GoldSpan("answer", 0, len(text), sort=said, values=frozenset({said}))] if said else []
    return GoldRow(name, text, tuple(gold), frozenset(kinds), "dialogue", reference=DIALOGUE_TIME), "CONFIRM" in acts


def _row(row: Mapping[str, Any]) -> GoldRow | None:
    name = str(row.get("id", ""))
    match row:
        case {"model": str(model), "input": str(text), "results": list(results)}:
            other = model != "DateTimeModel"
            times = [
                GoldSpan("time", one["start"], one["end"], sort=SORTS.get(one["type"], "other"), values=values_of(one))
                for one in results
                if not other
            ]
            when = reference_of(row.get("reference"))
            dayfirst = "Others" in str(row.get("lang", ""))
            return GoldRow(
                name,
                "" if other else text,
                tuple(times),
                frozenset({"time"}),
                "times",
                reference=when,
                dayfirst=dayfirst,
            )
        case {"intent": bool(asks), "text": str(text)}:
            asked = (GoldSpan("request", 0, len(text)),) if asks else ()
            return GoldRow(name, text, asked, frozenset({"request"}), "intents")
        case {"resolutions": list(resolutions), "actions": list(actions), **rest}:
            gold = [_span("decision", one) for one in resolutions]
            gold += [_span("action_item", one) for one in actions]
            unadopted = [one for one in rest.get("proposals", []) if one.get("status") != "adopted"]
            open_spans = tuple((one["start"], one["end"]) for one in unadopted)
            kinds = frozenset({"decision", "action_item"})
            hidden = tuple((one["line_start"], one["line_end"]) for one in resolutions if "line_start" in one)
            return GoldRow(name, str(row.get("text") or ""), tuple(gold), kinds, "minutes", open_spans, hidden=hidden)
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
                name, str(row.get("text") or ""), tuple(gold), frozenset({"decision"}), "record", (), replaced,
                status=str(row.get("status") or ""), head=str(row.get("header_text") or row.get("text") or ""),
            )  # fmt: skip
    return None


def _span(kind: str, one: Mapping[str, Any]) -> GoldSpan:
    return GoldSpan(kind, one["start"], one["end"], str(one.get("owner") or ""))
