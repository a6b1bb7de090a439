"""What single values in a pack file may be: types that say in words what is wrong with a value."""

import re
from collections.abc import Callable
from math import isfinite
from typing import Annotated, Any

import re2
from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
)

from ledger.rules.columns import UNSTORABLE

MAX_PATTERN = 4_000
MAX_WORD = 200
MAX_WORDS = 5_000
MAX_WHOLE = 1_000_000_000


def must(what: str, fits: Callable[[Any], object] = lambda value: True) -> WrapValidator:
    """Refuses what the type itself refuses, and what does not fit, in the same words; `{}` in them stands for the value."""

    def read(value: Any, handler: ValidatorFunctionWrapHandler) -> Any:
        try:
            known = handler(value)
        except ValidationError:
            raise ValueError(f"must {what.format(repr(value))}") from None
        if not fits(known):
            raise ValueError(f"must {what.format(repr(value))}")
        return _storable(known) if isinstance(known, str) else known

    return WrapValidator(read)


def _storable(value: str) -> str:
    if UNSTORABLE.search(value):
        raise ValueError("has a NUL or a lone surrogate")
    return value


def text(most: int) -> WrapValidator:
    """With something in it."""
    return must(f"be a text of at most {most} characters", lambda value: value.strip() and len(value) <= most)


def blank_or_text(most: int) -> WrapValidator:
    return must(f"be a text of at most {most} characters", lambda value: len(value) <= most)


def like(pattern: str, what: str) -> WrapValidator:
    return must(f"be {what}, not {{}}", re.compile(pattern).fullmatch)


def number(least: float, most: float) -> WrapValidator:
    words = f"be a number between {least:g} and {most:g}"
    return must(words, lambda value: isfinite(value) and least <= value <= most)


def several(what: str) -> BeforeValidator:
    """A list; its items tell more of themselves."""

    def read(value: Any) -> Any:
        if not isinstance(value, list) or len(value) > MAX_WORDS:
            raise ValueError(f"must be a list of {what}")
        return value

    return BeforeValidator(read)


def _pattern(value: Any) -> str:
    """An RE2 expression that finds something: linear time on every text, and never the empty text."""
    if not isinstance(value, str) or not value:
        raise ValueError("must be a pattern")
    if len(value) > MAX_PATTERN:
        raise ValueError(f"has more than {MAX_PATTERN} characters")
    if wrong := pattern_fault(_storable(value)):
        raise ValueError(wrong)
    return value


def pattern_fault(value: str) -> str:
    """Why RE2 does not take it, or that it matches nothing at all; empty where it is good."""
    options = re2.Options()
    options.log_errors = False
    try:
        compiled = re2.compile(value, options)
    except re2.error as error:
        reason = error.args[0]
        return f"{value!r}: {reason.decode('utf-8', 'replace') if isinstance(reason, bytes) else reason}"
    return f"{value!r} matches the empty text" if compiled.search("") is not None else ""


_WORD = f"words of at most {MAX_WORD} characters"

Share = Annotated[float, number(0, 1)]
Weight = Annotated[float, number(-20, 20)]
Whole = Annotated[int, must("be a whole number, 0 or more", lambda value: 0 <= value <= MAX_WHOLE)]
Name = Annotated[str, like(r"[a-z0-9][a-z0-9_.-]{0,59}", "lower-case letters, digits, . _ - (at most 60)")]
BlockName = Annotated[str, like(r"[A-Za-z][A-Za-z0-9_.-]{0,59}", "letters, digits, . _ - (at most 60)")]
ListName = Annotated[str, like(r"[A-Za-z][A-Za-z0-9_]{0,39}", "letters, digits and _ (at most 40)")]
KindName = Annotated[str, like(r"[a-z][a-z0-9_]{0,39}", "lower-case letters, digits and _ (at most 40)")]
Language = Annotated[str, like(r"[a-z]{2,3}", "a language's code such as en")]
Pattern = Annotated[str, BeforeValidator(_pattern)]
Word = Annotated[str, must(f"be a list of {_WORD}", lambda value: value.strip() and len(value) <= MAX_WORD)]
Words = Annotated[list[Word], several(_WORD)]
Languages = Annotated[list[Language], several("languages")]
KindNames = Annotated[list[KindName], several("kinds")]
Patterns = Annotated[list[Pattern], several("patterns")]


RowId = Annotated[str, text(60)]
Signal = Annotated[float, number(0, 10)]


class PackTable(BaseModel):
    """A TOML table: its fields may stand in it and no others, each of just its type."""

    model_config = ConfigDict(strict=True, extra="forbid")
