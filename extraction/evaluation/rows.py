"""Rows of labelled texts as people keep them, told apart by their fields: minutes, notes, decision records, times, dialogues."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from extraction.evaluation.scores import GoldSpan
from extraction.evaluation.times import SORTS, values_of

# Rows that do not say when they were said are read then; nor do dialogues.
SOME_DAY: Final = datetime(2026, 1, 1, tzinfo=UTC)
DIALOGUE_TIME: Final = datetime(2019, 3, 1, tzinfo=UTC)
KNOWN_FORMS: Final = """\
The known forms:
  minutes       JSONL: text, resolutions, actions (proposals)
  notes         JSONL: section_text, labels; or section_text, gold with items
  records       JSONL: text, sections with decision or rejection (status, supersedes or replaces)
  times         JSONL: model, input, results
  requests      JSONL: text, intent (true or false)
  households    JSONL: household, messages; with a households*.json beside it
  dialogues     JSON: a list of objects with dialogue_id and turns
  who answers   a folder of *.annotation.txt beside *.raw.txt"""
MAX_FIELDS: Final = 8


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
    reference: datetime = SOME_DAY
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
            if line.strip() and (found := _row(path, number, line)).text:
                yield found


def _parsed(path: Path, number: int, written: str) -> Any:
    try:
        return json.loads(written)
    except ValueError as error:
        raise UnknownForm(f"{path}:{number}: not JSON: {error}") from None


# ── rows: what tells a form, and how it is read ──────────────────────────────────────────────────────────────────────
def _times_row(row: Mapping[str, Any]) -> GoldRow:
    """Expressions of time as Recognizers-Text writes them; of other expressions nothing is read."""
    other = row["model"] != "DateTimeModel"
    times = [
        GoldSpan("time", one["start"], one["end"], sort=SORTS.get(one["type"], "other"), values=values_of(one))
        for one in row["results"] if not other
    ]  # fmt: skip
    said_at = datetime.fromisoformat(text_in(row, "reference") or SOME_DAY.isoformat()).replace(tzinfo=UTC)
    return GoldRow(
        text_in(row, "id"), row["input"] * (not other), tuple(times), frozenset({"time"}), "times", reference=said_at,
        dayfirst="Others" in text_in(row, "lang"),
    )  # fmt: skip


def _request_row(row: Mapping[str, Any]) -> GoldRow:
    asked = (GoldSpan("request", 0, len(row["text"])),) * row["intent"]
    return GoldRow(text_in(row, "id"), row["text"], asked, frozenset({"request"}), "intents")


def _minutes_row(row: Mapping[str, Any]) -> GoldRow:
    gold = *_spans("decision", row["resolutions"]), *_spans("action_item", row["actions"])
    return GoldRow(
        text_in(row, "id"), text_in(row, "text"), gold, frozenset({"decision", "action_item"}), "minutes",
        tuple(_range(one) for one in row.get("proposals", []) if one.get("status") != "adopted"),
        hidden=tuple((one["line_start"], one["line_end"]) for one in row["resolutions"] if "line_start" in one),
    )  # fmt: skip


def _labels_row(row: Mapping[str, Any]) -> GoldRow:
    kinds = {"decision": "decision", "action": "action_item"}
    labels = row["labels"]
    gold = tuple(_span(kinds[one["type"]], one) for one in labels if one["type"] in kinds)
    polls = tuple(_range(one) for one in labels if one["type"] == "poll")
    return GoldRow(text_in(row, "id"), row["section_text"], gold, frozenset(kinds.values()), "labels", polls)


def _conclusions_row(row: Mapping[str, Any]) -> GoldRow:
    gold = row["gold"] or {"is_null": True}
    spans = () if gold.get("is_null") else _spans("decision", gold["items"])
    return GoldRow(text_in(row, "id"), row["section_text"], spans, frozenset({"decision"}), "conclusions")


def _record_row(row: Mapping[str, Any]) -> GoldRow:
    text = text_in(row, "text")
    decided = filter(None, map(row["sections"].get, ("decision", "rejection")))
    links = row.get("supersedes", row.get("replaces"))
    return GoldRow(
        text_in(row, "id"), text, _spans("decision", decided), frozenset({"decision"}), "record",
        supersedes=None if links is None else tuple(map(int, links)),
        status=text_in(row, "status"), head=text_in(row, "header_text") or text,
    )  # fmt: skip


_FORMS: Final[tuple[tuple[Mapping[str, type], Callable[[Mapping[str, Any]], GoldRow]], ...]] = (
    ({"model": str, "input": str, "results": list}, _times_row),
    ({"intent": bool, "text": str}, _request_row),
    ({"resolutions": list, "actions": list}, _minutes_row),
    ({"section_text": str, "labels": list}, _labels_row),
    ({"section_text": str, "gold": object}, _conclusions_row),
    ({"sections": Mapping}, _record_row),
)


def _row(path: Path, number: int, line: str) -> GoldRow:
    row = _parsed(path, number, line)
    for fields, read in _FORMS:
        if isinstance(row, dict) and all(name in row and isinstance(row[name], kind) for name, kind in fields.items()):
            return read(row)
    raise UnknownForm(unknown(path, number, row))


def text_in(row: Mapping[str, Any], name: str) -> str:
    """Empty where the field is not there or null."""
    return str(row.get(name) or "")


def _spans(kind: str, marked: Iterable[Mapping[str, Any]]) -> tuple[GoldSpan, ...]:
    return tuple(_span(kind, one) for one in marked)


def _span(kind: str, one: Mapping[str, Any]) -> GoldSpan:
    return GoldSpan(kind, one["start"], one["end"], text_in(one, "owner"))


def _range(one: Mapping[str, Any]) -> tuple[int, int]:
    return one["start"], one["end"]


# ── dialogues: the turns of each in their order ──────────────────────────────────────────────────────────────────────
_WHEN, _NOT_WHEN = re.compile("date|time"), re.compile("wait|duration")
_ANSWERS: Final = {"AFFIRM": "confirm", "NEGATE": "deny"}


def _dialogues(path: Path) -> Iterator[GoldRow]:
    dialogues = _parsed(path, 1, path.read_text(encoding="utf-8"))
    if not isinstance(dialogues, list) or not all(isinstance(one, dict) and "turns" in one for one in dialogues):
        raise UnknownForm(unknown(path, 1, dialogues))
    for dialogue in dialogues:
        asked = False
        for number, turn in enumerate(dialogue["turns"]):
            acts = {action["act"] for action in _of_frames(turn, "actions")}
            yield _turn(f"{text_in(dialogue, 'dialogue_id')}-{number}", turn, acts if asked else frozenset())
            asked = "CONFIRM" in acts


def _of_frames(turn: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    return [one for frame in turn["frames"] for one in frame.get(name, ())]


def _turn(name: str, turn: Mapping[str, Any], acts: Set[str]) -> GoldRow:
    """One turn's dates and times as gold; after a turn that asked for confirmation, also what the user answered by `acts`."""
    text = str(turn["utterance"])
    slots = [slot for slot in _of_frames(turn, "slots") if _is_when(slot["slot"])]
    gold = [GoldSpan("time", one["start"], one["exclusive_end"], sort="slot") for one in slots]
    kinds = frozenset({"time"})
    if acts and turn["speaker"] == "USER":
        kinds |= {"answer"}
        answers = [answer for act, answer in _ANSWERS.items() if act in acts][:1]
        gold += [GoldSpan("answer", 0, len(text), sort=said, values=frozenset({said})) for said in answers]
    return GoldRow(name, text, tuple(gold), kinds, "dialogue", reference=DIALOGUE_TIME)


def _is_when(slot: str) -> bool:
    return bool(_WHEN.search(slot)) and not _NOT_WHEN.search(slot)


# ── what is no gold of a known form ──────────────────────────────────────────────────────────────────────────────────
_SEARCHED: Final = (
    "long conversations with questions and where their answers stand, which measure a search; "
    "evaluate measures what is extracted"
)
_EXPORTED: Final = "messages without gold, as a chat exports them; `manage.py ingest` reads those"
# What a file is told for that shows all of these fields.
_FOREIGN: Final = (
    ({"conversation", "qa"}, _SEARCHED), ({"ts"}, _EXPORTED), ({"mapping"}, _EXPORTED), ({"author"}, _EXPORTED),
)  # fmt: skip
_SHAPES: Final = {list: "a list", str: "a text", type(None): "nothing"}


def unknown(path: Path, number: int, data: Any) -> str:
    """`path:number: …`: what stands there as far as it can be told, and the forms that are known."""
    return f"{path}:{number}: {_told(path, data)}.\n{KNOWN_FORMS}"


def _told(path: Path, data: Any) -> str:
    rows = data if isinstance(data, list) else [data]
    first = next(iter(rows), None)
    if isinstance(data, dict) and isinstance(data.get("households"), list):
        beside = ", ".join(sorted(one.name for one in path.parent.glob("*.jsonl"))[:3])
        return "the people of households, who are read with their chats beside them" + f": name {beside}" * bool(beside)
    fields = first.keys() if isinstance(first, dict) else set()
    shape = f"a list of {len(rows)}, the first " if isinstance(data, list) else ""
    nothing_known = f"{shape}{_shape(first)}, which is no gold that evaluate knows"
    return next((told for names, told in _FOREIGN if names <= fields), nothing_known)


def _shape(value: Any) -> str:
    if not isinstance(value, dict):
        return _SHAPES.get(type(value), "a value")
    names = [str(name)[:40] for name in value][:MAX_FIELDS]
    more = ", …" if len(value) > MAX_FIELDS else ""
    return f"an object with {', '.join(names)}{more}" if names else "an object without fields"
