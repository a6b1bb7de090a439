"""JSON out of what a model says: strictly, else found among other words, else mended. The library stands behind this module."""

import json
import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import json_repair

# json_repair takes quadratic time on some input: this much of the worst takes some three seconds. Of a longer broken answer
# the beginning is mended.
LONGEST_MENDED: Final = 12_000
MAX_STARTS: Final = 60
_THOUGHT: Final = re.compile(r"</(?:think|thinking|reasoning)>", re.I)
_FENCE: Final = re.compile(r"```[A-Za-z0-9_-]*[ \t]*\r?\n(.*?)(?:```|\Z)", re.S)
_START: Final = re.compile(r"[{\[]")
_BIG: Final = 400


@dataclass(frozen=True, slots=True)
class JsonAnswer:
    """`how`: `strict` (the answer is nothing but JSON), `found` (JSON among other words) or `mended`. `cut` where it ends in
    the middle: its last part is then only half there."""

    value: Any
    how: str
    cut: bool = False


def read_json(text: str, fits: Callable[[Any], bool]) -> JsonAnswer | None:
    """The first JSON value in `text` that `fits`, or None. Never raises, whatever it is given; NaN and infinities, which no
    JSON knows, become null."""
    words = text.lstrip("\ufeff").strip()
    value = _strict(words)
    if value is not _NOTHING:
        return JsonAnswer(value, "strict") if fits(value) else None
    # What a model thought before it spoke is no answer.
    words = _THOUGHT.split(words)[-1].strip()
    for piece in [*(match[1].strip() for match in _FENCE.finditer(words)), words]:
        found = _among(piece, fits)
        if found is not None:
            return found
    start = _START.search(words)
    if start is None:
        return None
    rest = words[start.start() : start.start() + LONGEST_MENDED]
    mended = _mended(rest)
    return JsonAnswer(mended, "mended", cut=ends_open(rest)) if mended is not _NOTHING and fits(mended) else None


_NOTHING: Final = object()


def _strict(text: str) -> Any:
    try:
        return _DECODER.decode(text)
    except (ValueError, RecursionError):
        return _NOTHING


def _among(text: str, fits: Callable[[Any], bool]) -> JsonAnswer | None:
    """The first whole value that fits, at any bracket; what stands inside a value that was read is passed over."""
    at, starts = 0, 0
    while starts < MAX_STARTS and (match := _START.search(text, at)):
        starts += 1
        try:
            value, at = _DECODER.raw_decode(text, match.start())
        except (ValueError, RecursionError):
            at = match.end()
            # What opens here and is broken holds what follows: its inner parts are no answers of their own.
            if _opens_an_answer(text, match.start()):
                return None
            continue
        if fits(value):
            return JsonAnswer(value, "found")
    return None


def _opens_an_answer(text: str, start: int) -> bool:
    """Whether a broken value that starts here looks like the whole answer, so that the mending starts here."""
    return re.match(r'[{\[]\s*(?:[{\["\']|\w+["\']?\s*:)', text[start : start + 200]) is not None


def _mended(text: str) -> Any:
    try:
        return _tame(json_repair.repair_json(text, return_objects=True, skip_json_loads=True))
    except (ValueError, RecursionError, TypeError, AttributeError, IndexError, KeyError, OverflowError):
        return _NOTHING


def _tame(value: Any, depth: int = 0) -> Any:
    """Only what JSON knows, and numbers that can be kept."""
    if depth > 50:
        return None
    if isinstance(value, dict):
        return {str(name): _tame(part, depth + 1) for name, part in value.items()}
    if isinstance(value, list):
        return [_tame(part, depth + 1) for part in value]
    return _TAMED.get(type(value), str)(value)


def _finite(number: float) -> float | None:
    return number if math.isfinite(number) else None


def _short_enough(number: int) -> int | None:
    return number if abs(number) < 10**_BIG else None


def _itself[T](value: T) -> T:
    return value


_TAMED: Final[dict[type, Callable[[Any], Any]]] = {
    float: _finite, int: _short_enough, str: _itself, bool: _itself, type(None): _itself,
}  # fmt: skip


_STRING_OR_BRACKET: Final = re.compile(r'"(?:\\.|[^"\\])*+("?)|[{}\[\]]', re.S)
_DEPTH: Final = {"{": 1, "[": 1, "}": -1, "]": -1}


def ends_open(text: str) -> bool:
    """Whether a bracket or a string is still open at the end."""
    depth, quoted = 0, False
    for token in _STRING_OR_BRACKET.finditer(text):
        depth += _DEPTH.get(token[0], 0)
        if depth <= 0 and token[0] in _DEPTH:
            return False
        quoted = token[1] == ""
    return depth > 0 or quoted


def _whole(digits: str) -> int | None:
    return int(digits) if len(digits) <= _BIG else None


def _real(digits: str) -> float | None:
    return _finite(float(digits))


_DECODER: Final = json.JSONDecoder(
    strict=False,
    parse_int=_whole,
    parse_float=_real,
    parse_constant=lambda name: None,
)
