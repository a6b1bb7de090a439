"""Slots and duplicates: what can hold only one value, and what says the same thing again (P13, P15, design §3 and §4)."""

import hashlib
import json
import re
from typing import Any, Protocol

from ledger.language.fold import normalise_statement
from ledger.language.values import canonical_value, same_value

LONGEST_TOPIC = 400
LONGEST_SUBJECT = 200
_OF_SUBJECT = "|s:"


def slot_of(kind: str, *, many: bool, key: str, topic: str, subject: str = "") -> str:
    """`kind|k:key` or `kind|t:topic`, with `|s:subject` where it is about something that its words do not name; empty where the
    kind has no slot or nothing names one."""
    if many or not (key or topic):
        return ""
    about = f"{_OF_SUBJECT}{_column_name(normalise_statement(subject), LONGEST_SUBJECT)}" if subject else ""
    named = f"k:{key}" if key else f"t:{_column_name(normalise_statement(topic), LONGEST_TOPIC - len(about))}"
    return f"{kind}|{named}{about}"


def _column_name(named: str, most: int) -> str:
    """Compatibility forms can grow far beyond what was written; what no column holds is named by its hash."""
    return named if len(named) <= most else hashlib.sha256(named.encode()).hexdigest()


class OnSlot(Protocol):
    """A claim that knows its ref and its slot."""

    @property
    def ref(self) -> str: ...
    @property
    def slot(self) -> str: ...


def shared_slot(one: OnSlot, other: OnSlot) -> str:
    """What two claims contend for: their slot, or, where they share none, a slot of these two alone, named by their refs."""
    return one.slot if one.slot == other.slot != "" else "pair|{}|{}".format(*sorted((one.ref, other.ref)))


def refs_of_pair(slot: str) -> tuple[str, ...]:
    """The refs of the two claims that contend, where a slot is named by a pair."""
    named, *refs = slot.split("|")
    return tuple(refs) if named == "pair" else ()


def key_of_slot(slot: str) -> str:
    """The key of a slot that is named by one, else nothing."""
    _, _, named = slot.partition("|")
    return named.removeprefix("k:").partition(_OF_SUBJECT)[0] if named.startswith("k:") else ""


def dedup_of(
    *, layer: str, kind: str, slot: str, key: str, value: Any, statement: str, assignee: str = "", subject: str = ""
) -> str:
    """The duplicate key: kind, subject, slot and resolved value, or the normalised statement where there is no value.

    Without a slot the same words for another person, or of another day, are another claim.
    """
    named = slot or key
    if value is None:
        content = normalise_statement(statement)
    elif named:
        content = json.dumps(canonical_value(value), sort_keys=True)
    else:  # a value says too little on its own: two tasks may share an assignee and differ in words
        content = "\x1e".join([normalise_statement(statement), *resolved_times(value)])
    if assignee and not named:
        content += f"\x1e{normalise_statement(assignee)}"
    if subject and not slot:  # which names it already
        content += f"\x1e\x1e{normalise_statement(subject)}"
    return hashlib.sha256("\x1f".join((layer, kind, named, content)).encode()).hexdigest()[:40]


_RESOLVED = re.compile(r"\d{4}-\d\d-\d\d(?:T.*)?", re.S)


def resolved_times(value: Any) -> list[str]:
    """The start, end and due date of a value, where they were resolved to the calendar."""
    if not isinstance(value, dict):
        return []
    found = ((name, value.get(name)) for name in ("start", "end", "due"))
    return [f"{name}={at}" for name, at in found if isinstance(at, str) and _RESOLVED.fullmatch(at)]


def same_content(a_value: Any, a_statement: str, b_value: Any, b_statement: str) -> bool:
    """Whether two claims on one slot say the same."""
    if a_value is not None and b_value is not None:
        return same_value(a_value, b_value)
    return normalise_statement(a_statement) == normalise_statement(b_statement)
