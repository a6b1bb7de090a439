"""A claim's fields in words, both ways: as pages show them, as the edit form takes them, and what differs."""

import datetime as dt
import json
import re
import zoneinfo
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from ledger.errors import Invalid
from ledger.language.values import VALUE_TYPES, parse_value
from ledger.models import Claim


def value_input(value: Any) -> str:
    """`{"number": 4.8, "unit": "kg"}` → `4.8 kg`; what has no short form is JSON."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict) and set(value) == {"number", "unit"}:
        return f"{value['number']} {value['unit']}"
    if isinstance(value, str | int | float):
        return str(value)
    return json.dumps(value, ensure_ascii=False)


FIRST = ("task", "title", "assignee", "people", "participants", "attendees", "due", "start", "end", "location")


def value_parts(value: Any) -> list[tuple[str, str]]:
    """The parts of an action item, an event or an assignment, each with its name; nothing for a plain or measured value.

    `{"due": "Friday", "task": "Order oak"}` → `[("Task", "Order oak"), ("Due", "Friday")]`.
    """
    if not isinstance(value, dict) or set(value) == {"number", "unit"}:
        return []
    names = sorted(value, key=lambda name: FIRST.index(name) if name in FIRST else len(FIRST))
    parts = [(name.replace("_", " ").capitalize(), value_text(value[name])) for name in names]
    return [(name, said) for name, said in parts if said]


def value_text(value: Any) -> str:
    """A value in one line to be read: `Task: Order oak · Due: Friday`. A form takes `value_words` instead."""
    if isinstance(value, list):
        return ", ".join(value_text(one) for one in value)
    if fields := value_parts(value):
        return " · ".join(f"{name}: {said}" for name, said in fields)
    return value_input(value)


def value_from_input(words: str, value_type: str, *, field: str = "value") -> Any:
    """What a person typed: JSON where it looks like it, else a value of the type. Raises `Invalid`."""
    words = words.strip()
    if not words:
        return None
    if words[0] in "{[":
        try:
            return json.loads(words)
        except (ValueError, RecursionError):
            raise Invalid("this is no JSON", field=field) from None
    try:
        return parse_value(words, value_type if value_type in VALUE_TYPES else None)[1]
    except ValueError as error:
        raise Invalid(str(error), field=field) from None


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


@dataclass(frozen=True, slots=True)
class FieldClash:
    """A field that two people changed at once: what was typed here, and what somebody else has saved meanwhile."""

    name: str
    mine: str
    theirs: str
    pieces: list[tuple[str, str]]
    # Which of the two is picked.
    pick: str


def merged_fields(was: Claim, now: Claim, posted: Mapping[str, str]) -> tuple[dict[str, str], tuple[FieldClash, ...]]:
    """What the form shows after somebody was faster: what was typed wherever it was changed here, else what stands now; and the
    fields that both changed, to choose from. `was` is the claim as the form had shown it."""
    before, after = form_fields(was), form_fields(now)
    mine = {name: text for name, text in typed_fields(posted).items() if text.strip() != before[name].strip()}
    clashes = tuple(
        FieldClash(name, text, after[name], difference(after[name], text), posted.get(f"pick-{name}", "mine"))
        for name, text in mine.items()
        if after[name].strip() not in (before[name].strip(), text.strip())
    )
    return mine, clashes


def edits_in(claim: Claim, posted: Mapping[str, str]) -> dict[str, Any]:
    """The edits that `ledger.actions.edit` takes: only what differs from the claim, and nothing where the other's words were
    picked. Raises `Invalid` by field."""
    before = form_fields(claim)
    new = {
        name: text
        for name, text in typed_fields(posted).items()
        if text.strip() != before[name].strip() and posted.get(f"pick-{name}") != "theirs"
    }
    found: dict[str, Any] = {name: new[name].strip() for name in TEXTS if name in new}
    if "value" in new:
        found["value"] = value_from_input(new["value"], claim.value_type)
    if "tags" in new:
        found["tags"] = tags_of(new["tags"])
    for name in TIMES:
        if name in new:
            found[name] = time_of(new[name], claim.scope.timezone, name)
    return found


def tags_of(text: str) -> list[str]:
    tags = [tag.strip() for tag in text.split(",") if tag.strip()]
    if any(len(tag) > 60 for tag in tags):
        raise Invalid("a tag has at most 60 characters", field="tags")
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
