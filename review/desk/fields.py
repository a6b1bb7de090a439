"""A claim's fields in words, both ways: as pages show them, as the edit form takes them, and what differs."""

import datetime as dt
import json
import re
import zoneinfo
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any, Final

from ledger.errors import Invalid
from ledger.language.values import VALUE_TYPES, parse_value
from ledger.models import Claim

MEASURE: Final = {"number", "unit"}
# The parts of a value that are told first, in this order.
FIRST_PARTS: Final = (
    "task", "title", "assignee", "people", "participants", "attendees", "due", "start", "end", "location",
)  # fmt: skip
MAX_TAG: Final = 60


def value_input(value: Any) -> str:
    """A value as a form takes it: `{"number": 4.8, "unit": "kg"}` → `4.8 kg`; what has no short form is JSON."""
    if isinstance(value, bool | None):
        return {True: "yes", False: "no", None: ""}[value]
    if isinstance(value, str | int | float):
        return str(value)
    if isinstance(value, dict) and set(value) == MEASURE:
        return f"{value['number']} {value['unit']}"
    return json.dumps(value, ensure_ascii=False)


def value_parts(value: Any) -> list[tuple[str, str]]:
    """The parts of an action item, an event or an assignment, each with its name; nothing for a plain or measured value.

    `{"due": "Friday", "task": "Order oak"}` → `[("Task", "Order oak"), ("Due", "Friday")]`.
    """
    if not isinstance(value, dict) or set(value) == MEASURE:
        return []
    order = [*(name for name in FIRST_PARTS if name in value), *value]
    parts = [(name.replace("_", " ").capitalize(), value_text(value[name])) for name in dict.fromkeys(order)]
    return [(name, text) for name, text in parts if text]


def value_text(value: Any) -> str:
    """A value in one line to be read: `Task: Order oak · Due: Friday`. A form takes `value_input` instead."""
    if isinstance(value, list):
        return ", ".join(value_text(one) for one in value)
    if parts := value_parts(value):
        return " · ".join(f"{name}: {text}" for name, text in parts)
    return value_input(value)


def value_rows(value: Any) -> list[tuple[str, str]]:
    """A value as rows of a table: its parts, or all of it under the name Value."""
    if value is None:
        return []
    return value_parts(value) or [("Value", value_text(value))]


def value_from_input(words: str, value_type: str = "") -> Any:
    """What a person typed: JSON where it looks like it, else a value of the type. Raises `Invalid`."""
    words = words.strip()
    if not words:
        return None
    if words[0] in "{[":
        try:
            return json.loads(words)
        except (ValueError, RecursionError):
            raise Invalid("this is no JSON", field="value") from None
    try:
        return parse_value(words, value_type if value_type in VALUE_TYPES else None)[1]
    except ValueError as error:
        raise Invalid(str(error), field="value") from None


# A number with its decimals is one word: 5.9 and 5.75 differ as a whole.
WORDS = re.compile(r"\s+|\d+(?:[.,]\d+)*|\w+|[^\w\s]")
MAX_WORDS = 800


def difference(old: str, new: str) -> list[tuple[str, str]]:
    """Pieces of `old` and `new` in reading order, each marked `same`, `gone` or `added`."""
    before, after = WORDS.findall(old), WORDS.findall(new)
    if len(before) + len(after) > MAX_WORDS:
        return [("gone", old), ("added", new)]
    pieces: list[tuple[str, str]] = []
    for tag, a, b, c, d in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag == "equal":
            pieces.append(("same", "".join(before[a:b])))
            continue
        if b > a:
            pieces.append(("gone", "".join(before[a:b])))
        if d > c:
            pieces.append(("added", "".join(after[c:d])))
    return pieces


TEXTS = ("statement", "kind", "key", "topic", "assignee", "scope", "confidence_word")
TIMES = ("valid_from", "valid_to")
FIELDS = (*TEXTS, "value", "tags", *TIMES)


def form_fields(claim: Claim) -> dict[str, str]:
    """Each field as the form holds it. Line ends are LF, as a browser shows them."""
    return {
        "statement": lines(claim.statement),
        "kind": claim.kind_id,
        "key": claim.key,
        "topic": claim.topic,
        "assignee": claim.assignee,
        "scope": claim.scope.path,
        "confidence_word": claim.confidence_word,
        "value": lines(value_input(claim.value)),
        "tags": ", ".join(claim.tags),
        "valid_from": claim.valid_from.isoformat() if claim.valid_from else "",
        "valid_to": claim.valid_to.isoformat() if claim.valid_to else "",
    }


def lines(text: str) -> str:
    """A browser sends line ends as CR LF; what was not touched must compare as equal."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def typed_fields(posted: Mapping[str, str]) -> dict[str, str]:
    """What the form sent, field by field, to be shown again where it was refused."""
    return {name: lines(posted[name]) for name in FIELDS if name in posted}


def _changed_fields(before: Mapping[str, str], posted: Mapping[str, str]) -> dict[str, str]:
    return {name: text for name, text in typed_fields(posted).items() if text.strip() != before[name].strip()}


@dataclass(frozen=True, slots=True)
class FieldClash:
    """A field that two people changed at once: what was typed here, what somebody else has saved meanwhile, and which of the
    two is picked."""

    name: str
    mine: str
    theirs: str
    pieces: list[tuple[str, str]]
    pick: str


def merged_fields(was: Claim, now: Claim, posted: Mapping[str, str]) -> tuple[dict[str, str], tuple[FieldClash, ...]]:
    """What the form shows after somebody was faster: what was typed wherever it was changed here, else what stands now; and the
    fields that both changed, to choose from. `was` is the claim as the form had shown it."""
    before, after = form_fields(was), form_fields(now)
    mine = _changed_fields(before, posted)
    clashes = tuple(
        FieldClash(name, text, after[name], difference(after[name], text), posted.get(f"pick-{name}", "mine"))
        for name, text in mine.items()
        if after[name].strip() not in (before[name].strip(), text.strip())
    )
    return mine, clashes


def edits_in(claim: Claim, posted: Mapping[str, str]) -> dict[str, Any]:
    """The edits that `ledger.actions.edit` takes: only what differs from the claim, and nothing where the other's words were
    picked. Raises `Invalid` by field."""
    changed = _changed_fields(form_fields(claim), posted)
    return {
        name: _parsed_field(name, text, claim)
        for name, text in changed.items()
        if posted.get(f"pick-{name}") != "theirs"
    }


def _parsed_field(name: str, text: str, claim: Claim) -> Any:
    if name in TIMES:
        return time_of(text, claim.scope.timezone, name)
    if name == "value":
        return value_from_input(text, claim.value_type)
    return tags_of(text) if name == "tags" else text.strip()


def tags_of(text: str) -> list[str]:
    tags = [tag for part in text.split(",") if (tag := part.strip())]
    if max(map(len, tags), default=0) > MAX_TAG:
        raise Invalid(f"a tag has at most {MAX_TAG} characters", field="tags")
    return tags


def time_of(text: str, zone: str, field: str) -> dt.datetime | None:
    """ISO 8601; without an offset it is the scope's own time."""
    if not text.strip():
        return None
    try:
        time = dt.datetime.fromisoformat(text.strip())
    except ValueError:
        raise Invalid("write a time as 2026-03-09 or 2026-03-09T15:30", field=field) from None
    return time if time.tzinfo else time.replace(tzinfo=zoneinfo.ZoneInfo(zone))


def in_utc(time: dt.datetime, field: str) -> dt.datetime:
    """Raises `Invalid` where the calendar has no such time."""
    try:
        return time.astimezone(dt.UTC)
    except OverflowError:
        raise Invalid("no such time", field=field) from None
