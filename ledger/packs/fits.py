"""Checks of single values in a pack: each says in words that follow the field's name what is wrong, or nothing."""

import math
import re
from typing import Any

import re2

from ledger.packs.shape import Check

LONGEST_PATTERN = 4_000
LONGEST_WORD = 200
MAX_WORDS = 5_000
LARGEST = 1_000_000_000
_UNKEPT = re.compile("[\0\ud800-\udfff]")


def held(value: str) -> str:
    """PostgreSQL holds neither NUL nor lone surrogates."""
    return "has a NUL or a lone surrogate" if _UNKEPT.search(value) else ""


def like(pattern: re.Pattern[str], what: str) -> Check:
    return lambda value: "" if isinstance(value, str) and pattern.fullmatch(value) else f"must be {what}, not {value!r}"


def text(most: int, *, empty: bool = False) -> Check:
    def check(value: Any) -> str:
        if not isinstance(value, str) or len(value) > most or not (empty or value.strip()):
            return f"must be a text of at most {most} characters"
        return held(value)

    return check


def one_of(*words: str) -> Check:
    told = ", ".join(word for word in words if word)
    return lambda value: "" if isinstance(value, str) and value in words else f"must be one of {told}, not {value!r}"


def several_of(*words: str) -> Check:
    def check(value: Any) -> str:
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            return "must be a list of words"
        unknown = next((one for one in value if one not in words), None)
        return f"has {unknown!r}, which is none of {', '.join(words)}" if unknown is not None else ""

    return check


def list_of(check: Check, what: str) -> Check:
    def several(value: Any) -> str:
        if not isinstance(value, list) or len(value) > MAX_WORDS:
            return f"must be a list of {what}"
        return next((f"has an item that {wrong}" for one in value if (wrong := check(one))), "")

    return several


def flag(value: Any) -> str:
    return "" if isinstance(value, bool) else "must be true or false"


def words(value: Any) -> str:
    fits = isinstance(value, list) and len(value) <= MAX_WORDS
    if not fits or not all(isinstance(one, str) and one.strip() and len(one) <= LONGEST_WORD for one in value):
        return f"must be a list of words of at most {LONGEST_WORD} characters"
    return next((wrong for one in value if (wrong := held(one))), "")


def number(least: float, most: float) -> Check:
    def check(value: Any) -> str:
        fits = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
        return "" if fits and least <= value <= most else f"must be a number between {least:g} and {most:g}"

    return check


share = number(0, 1)


def whole(value: Any) -> str:
    fits = isinstance(value, int) and not isinstance(value, bool)
    return "" if fits and 0 <= value <= LARGEST else "must be a whole number, 0 or more"


def pattern(value: Any) -> str:
    """An RE2 expression that finds something: linear time on every text, and never the empty text."""
    if not isinstance(value, str) or not value:
        return "must be a pattern"
    if len(value) > LONGEST_PATTERN:
        return f"has more than {LONGEST_PATTERN} characters"
    if wrong := held(value):
        return wrong
    options = re2.Options()
    options.log_errors = False
    try:
        compiled = re2.compile(value, options)
    except re2.error as error:
        reason = error.args[0] if error.args else error
        return f"{value!r}: {reason.decode('utf-8', 'replace') if isinstance(reason, bytes) else reason}"
    return f"{value!r} matches the empty text" if compiled.search("") is not None else ""


patterns = list_of(pattern, "patterns")
