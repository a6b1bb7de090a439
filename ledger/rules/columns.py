"""What a claim's columns and a decision's reason can hold. What they cannot is refused by name, before the database would."""

import datetime as dt
import math
from collections.abc import Mapping
from typing import Any, Final

from ledger.errors import Invalid

# A search vector holds one megabyte; this many characters of the worst text stay below it.
LONGEST_STATEMENT: Final = 100_000
LONGEST: Final = {
    "statement": LONGEST_STATEMENT, "summary": LONGEST_STATEMENT, "reason": 10_000, "key": 200, "topic": 200,
    "assignee": 200, "value_type": 20, "rule": 60, "extractor": 60, "extractor_version": 90,
}  # fmt: skip
LONGEST_ITEM: Final = {"tags": 60, "downstream": 200, "names_replaced": 200}
WORDS: Final = {"confidence_word": ("", "high", "medium", "low")}
TIMES: Final = ("valid_from", "valid_to", "expires_at", "deferred_until")
MAX_ITEMS: Final = 200
DEEPEST: Final = 40
LARGEST_NUMBER: Final = 10**300


def check_columns(columns: Mapping[str, Any]) -> None:
    """Raises `Invalid` naming the first column whose value does not fit; names it does not know are passed over."""
    for name, value in columns.items():
        if name in LONGEST:
            check_text(name, value, most=LONGEST[name])
        elif name in LONGEST_ITEM:
            if not isinstance(value, list | tuple) or len(value) > MAX_ITEMS:
                raise Invalid(f"{name} is a list of at most {MAX_ITEMS}", field=name)
            for at, item in enumerate(value):
                check_text(f"{name}.{at}", item, most=LONGEST_ITEM[name])
        elif name in WORDS and value not in WORDS[name]:
            raise Invalid(f"{name} is one of {', '.join(WORDS[name][1:])}, or empty", field=name)
        elif name in TIMES:
            check_time(name, value)
        elif name == "value":
            check_json(name, value)
        elif name == "confidence" and not (isinstance(value, int | float) and 0 <= value <= 1):
            raise Invalid("confidence lies between 0 and 1", field=name)


def check_text(name: str, value: Any, *, most: int) -> None:
    """A text of at most `most` characters that PostgreSQL can hold: no NUL, no lone surrogate."""
    if not isinstance(value, str):
        raise Invalid(f"{name} is a text", field=name)
    if len(value) > most:
        raise Invalid(f"{name} has more than {most} characters", field=name)
    if "\0" in value:
        raise Invalid(f"{name} has a NUL character at {value.index(chr(0))}", field=name)
    if not value.isascii():
        place = next((at for at, char in enumerate(value) if "\ud800" <= char <= "\udfff"), None)
        if place is not None:
            raise Invalid(f"{name} has a lone surrogate at {place}", field=name)


def check_time(name: str, value: Any) -> None:
    if value is None:
        return
    if not isinstance(value, dt.datetime) or value.tzinfo is None:
        raise Invalid(f"{name} is a time with offset", field=name)
    try:
        value.astimezone(dt.UTC)
    except OverflowError:
        raise Invalid(f"{name} lies outside the years 1 to 9999", field=name) from None


def check_json(name: str, value: Any, depth: int = 0) -> None:
    """A JSON value whose texts and numbers the database holds unchanged."""
    if depth > DEEPEST:
        raise Invalid(f"{name} is nested too deeply", field=name)
    if isinstance(value, str):
        check_text(name, value, most=LONGEST_STATEMENT)
    elif isinstance(value, bool) or value is None:
        return
    elif isinstance(value, int | float):
        if (isinstance(value, float) and not math.isfinite(value)) or abs(value) > LARGEST_NUMBER:
            raise Invalid(f"{name} has a number that cannot be kept", field=name)
    elif isinstance(value, dict):
        for key, item in value.items():
            check_text(name, key, most=LONGEST_ITEM["downstream"])
            check_json(f"{name}.{key}", item, depth + 1)
    elif isinstance(value, list | tuple):
        for at, item in enumerate(value):
            check_json(f"{name}.{at}", item, depth + 1)
    else:
        raise Invalid(f"{name} is no JSON value", field=name)
