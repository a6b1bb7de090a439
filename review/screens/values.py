"""Typed values in words, both ways: as a page shows them and as a form takes them."""

import json
from typing import Any

from ledger.errors import Invalid
from ledger.language.values import VALUE_TYPES, parse_value


def value_words(value: Any) -> str:
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


def value_fields(value: Any) -> list[tuple[str, str]]:
    """The parts of an action item, an event or an assignment, each with its name; nothing for a plain or measured value.

    `{"due": "Friday", "task": "Order oak"}` → `[("Task", "Order oak"), ("Due", "Friday")]`.
    """
    if not isinstance(value, dict) or set(value) == {"number", "unit"}:
        return []
    names = sorted(value, key=lambda name: FIRST.index(name) if name in FIRST else len(FIRST))
    parts = [(name.replace("_", " ").capitalize(), value_said(value[name])) for name in names]
    return [(name, said) for name, said in parts if said]


def value_said(value: Any) -> str:
    """A value in one line to be read: `Task: Order oak · Due: Friday`. A form takes `value_words` instead."""
    if isinstance(value, list):
        return ", ".join(value_said(one) for one in value)
    if fields := value_fields(value):
        return " · ".join(f"{name}: {said}" for name, said in fields)
    return value_words(value)


def value_from(words: str, value_type: str, *, field: str = "value") -> Any:
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
