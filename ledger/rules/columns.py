"""What a claim's columns and a decision's reason can hold. What they cannot is refused by name, before the database would."""

import datetime as dt
import re
from collections.abc import Callable, Container, Iterable, Mapping
from functools import partial
from typing import Any, Final

from ledger.errors import Invalid

# A search vector holds one megabyte; this many characters of the worst text stay below it.
LONGEST_STATEMENT: Final = 100_000
LONGEST: Final = {
    "statement": LONGEST_STATEMENT, "summary": LONGEST_STATEMENT, "reason": 10_000, "key": 200, "topic": 200, "subject": 200,
    "assignee": 200, "value_type": 20, "rule": 60, "extractor": 60, "extractor_version": 90,
}  # fmt: skip
LONGEST_ITEM: Final = {"tags": 60, "downstream": 200, "names_replaced": 200}
CONFIDENCE_WORDS: Final = ("", "high", "medium", "low")
TIMES: Final = ("valid_from", "valid_to", "expires_at", "deferred_until")
MAX_ITEMS: Final = 200
DEEPEST: Final = 40
LARGEST_NUMBER: Final = 10**300
# PostgreSQL's texts hold neither.
UNSTORABLE = re.compile("[\0\ud800-\udfff]")


def check_columns(columns: Mapping[str, Any]) -> None:
    """Raises `Invalid` naming the first column whose value does not fit; names it does not know are passed over."""
    for name, value in columns.items():
        if check := _CHECKS.get(name):
            check(name, value)


def check_text(name: str, value: Any, *, most: int) -> None:
    """A text of at most `most` characters that PostgreSQL can hold: no NUL, no lone surrogate."""
    if not isinstance(value, str):
        raise Invalid(f"{name} is a text", field=name)
    if len(value) > most:
        raise Invalid(f"{name} has more than {most} characters", field=name)
    storable(value, name)


def check_items(name: str, value: Any, *, most: int) -> None:
    if not isinstance(value, list | tuple) or len(value) > MAX_ITEMS:
        raise Invalid(f"{name} is a list of at most {MAX_ITEMS}", field=name)
    for at, item in enumerate(value):
        check_text(f"{name}.{at}", item, most=most)


def check_members(name: str, items: Iterable[str], known: Container[str], why: str, *, part: str = "") -> None:
    """Raises `Invalid` (`why` with the item in it) naming the first of `items`, or its `part`, that is none of `known`."""
    for at, item in enumerate(items):
        if item not in known:
            raise Invalid(why.format(item[:60]), field=f"{name}.{at}{part}")


def check_unique(name: str, items: Iterable[str], *, part: str = "") -> set[str]:
    """All of `items`. Raises `Invalid` naming the first of them, or its `part`, that stood there before."""
    seen: set[str] = set()
    for at, item in enumerate(items):
        if item in seen:
            raise Invalid(f"{item[:60]!r} stands there twice", field=f"{name}.{at}{part}")
        seen.add(item)
    return seen


def _check_confidence(name: str, value: Any) -> None:
    if not isinstance(value, int | float) or not 0 <= value <= 1:
        raise Invalid(f"{name} lies between 0 and 1", field=name)


def _check_confidence_word(name: str, value: Any) -> None:
    if value not in CONFIDENCE_WORDS:
        raise Invalid(f"{name} is one of {', '.join(CONFIDENCE_WORDS[1:])}, or empty", field=name)


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
    match value:
        case str():
            check_text(name, value, most=LONGEST_STATEMENT)
        case bool() | None:
            return
        case int() | float():
            if not abs(value) <= LARGEST_NUMBER:  # nor is NaN
                raise Invalid(f"{name} has a number that cannot be kept", field=name)
        case dict():
            for key, item in value.items():
                check_text(name, key, most=LONGEST_ITEM["downstream"])
                check_json(f"{name}.{key}", item, depth + 1)
        case list() | tuple():
            for at, item in enumerate(value):
                check_json(f"{name}.{at}", item, depth + 1)
        case _:
            raise Invalid(f"{name} is no JSON value", field=name)


_CHECKS: Final[dict[str, Callable[[str, Any], None]]] = {
    **{name: partial(check_text, most=most) for name, most in LONGEST.items()},
    **{name: partial(check_items, most=most) for name, most in LONGEST_ITEM.items()},
    **dict.fromkeys(TIMES, check_time),
    "value": check_json,
    "confidence": _check_confidence,
    "confidence_word": _check_confidence_word,
}


def storable(value: Any, field: str) -> Any:
    """`value` itself (texts, lists and objects of them). Raises `Invalid` with the path and place of what cannot be kept."""
    match value:
        case str() if not value.isascii() or "\0" in value:
            if bad := UNSTORABLE.search(value):
                what = "a NUL character" if bad[0] == "\0" else "a lone surrogate"
                raise Invalid(f"{field} has {what} at {bad.start()}", field=field)
        case dict():
            for name, item in value.items():
                storable(name, field)
                storable(item, f"{field}.{name}")
        case list() | tuple():
            for at, item in enumerate(value):
                storable(item, f"{field}.{at}")
    return value
