"""A name with a measured value: `X = 4.8 kg`, `max weight: 4.8 kg` (P4). The name gives the key."""

import re
from collections.abc import Iterator
from typing import Final

from extraction.extractors.documents.hits import RuleMatch
from ledger.language.normalise import slug_key, strip_markup
from ledger.language.values import MONEY_PATTERN, NUMBER_PATTERN, UNIT_PATTERN, parse_value

# A sign before a digit or a currency is found first, in C; only then are value and name looked at.
_SIGN: Final = re.compile(r"[:=≈](?=[ \t]?[*_`]{0,3}[ \t]?(?:[-+−]?\d|[€$£¥₪₹₩₽]|US\$|[A-Z]{3}[ \u00a0]?\d))")
_VALUE: Final = re.compile(
    rf"[ \t]?[*_`]{{0,3}}[ \t]?(?P<value>(?:{NUMBER_PATTERN})[ \t\u00a0\u202f]?{UNIT_PATTERN}|{MONEY_PATTERN})"
)
_LINE_NAME: Final = re.compile(
    r"(?:^[ \t]*+(?:[-*+•|>][ \t]*+)*+(?:\d{1,3}[.)][ \t]++)?+|[.!?;][ \t])[*_`]{0,3}+"
    r"(?P<name>[^\W\d_][\w'’/()-]{0,30}(?:[ \t][\w'’/()-]{1,30}){0,4}+)[*_`]{0,3}[ \t]?\Z"
)
_LAST_NAME: Final = re.compile(r"(?P<name>[^\W\d_][\w/.-]{0,40})[*_`]{0,3}[ \t]?\Z")


def measure_matches(shadow: str) -> Iterator[RuleMatch]:
    """Facts with a dimension or a sum of money. With a colon the name begins its line or sentence; with `=` it is the word
    before, or the line's words up to there."""
    for sign in _SIGN.finditer(shadow):
        match = _VALUE.match(shadow, sign.end())
        name = _name_before(shadow, sign) if match else None
        if match is None or name is None:
            continue
        start, end = name
        key = slug_key(shadow[start:end])
        try:
            value_type, value = parse_value(match["value"])
        except ValueError:
            continue
        if key and value_type in ("dimension", "currency"):
            words = strip_markup(shadow[start : match.end("value")])
            yield RuleMatch(
                "value.unit", "value", "fact", start, match.end("value"),
                explicit=False, statement=words, key=key, value_type=value_type, value=value,
            )  # fmt: skip


def _name_before(shadow: str, sign: re.Match[str]) -> tuple[int, int] | None:
    """Where the name of what is measured stands."""
    at = sign.start()
    low = max(shadow.rfind("\n", max(0, at - MAX_NAME), at) + 1, at - MAX_NAME)
    before = shadow[low:at].removesuffix(":") if sign.group() == "=" else shadow[low:at]
    colon = sign.group() == ":"
    if colon and before[-1:].isdigit() and shadow[at + 1 : at + 2].isdigit():
        return None  # a time or a ratio
    named = _LINE_NAME.search(before)
    if not colon and (not named or len(named["name"].split()) > 3):
        named = _LAST_NAME.search(before, max(0, len(before) - 45))
    if not named or _is_no_quantity(named["name"], shadow):
        return None
    return low + named.start("name"), low + named.end("name")


MAX_NAME: Final = 200
_HEADER: Final = re.compile(r"[A-Z]\w*(?:-[A-Z]\w*)+\Z")


def _is_no_quantity(name: str, shadow: str) -> bool:
    """Headers of mails (`Content-Length`), and people: capitalised words that begin several lines of a transcript."""
    if _HEADER.match(name):
        return True
    words = name.split()
    return len(words) > 1 and all(word[0].isupper() for word in words) and shadow.count(f"{name}:") > 1
