"""Typed values in words, both ways: as a page shows them and as a form takes them."""

import json
from typing import Any

from ledger.errors import Invalid
from ledger.rules.values import VALUE_TYPES, parse_value


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
