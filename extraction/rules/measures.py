"""A name with a measured value: `X = 4.8 kg`, `max weight: 4.8 kg` (P4). The name gives the key."""

import re
from collections.abc import Iterator
from typing import Final

from extraction.rules.hits import Find
from ledger.rules.normalise import slug_key, strip_markup
from ledger.rules.values import MONEY_PATTERN, NUMBER_PATTERN, UNIT_PATTERN, parse_value

# The value is found first, in C; only then is the name before it looked at.
_VALUE: Final = re.compile(
    rf"(?P<sep>[ \t]?[:=≈][ \t]?|[ \t]?:=[ \t]?|[*_`]{{1,3}}[ \t]?[:=][ \t]?[*_`]{{0,3}}|[:=][*_`]{{1,3}}[ \t]?)"
    rf"(?P<value>(?:{NUMBER_PATTERN})[ \t\u00a0\u202f]?{UNIT_PATTERN}|{MONEY_PATTERN})"
)
_NAME: Final = re.compile(
    r"(?:^|(?<=[\s(>|*_`-]))(?P<name>[^\W\d_][\w'’/.-]{0,30}(?:[ \t][\w'’/.()-]{1,30}){0,4})[*_`]{0,3}\Z"
)
_LINE_NAME: Final = re.compile(
    r"[ \t]*(?:[-*+•|>][ \t]*)*(?:\d{1,3}[.)][ \t]+)?[*_`]{0,3}(?P<name>[^\W\d_][\w'’/.()-]{0,30}(?:[ \t][\w'’/.()-]{1,30}){0,4})[*_`]{0,3}\Z"
)
_LAST_NAME: Final = re.compile(r"(?P<name>[^\W\d_][\w/.-]{0,40})[*_`]{0,3}\Z")


def measure_finds(shadow: str) -> Iterator[Find]:
    """Facts with a dimension or a sum of money. With a colon the name must begin its line; with `=` it is the word before."""
    for match in _VALUE.finditer(shadow):
        at = match.start()
        low = max(shadow.rfind("\n", max(0, at - 200), at) + 1, at - 200)
        before = shadow[low:at]
        equals = "=" in match["sep"] or "≈" in match["sep"]
        named = _LINE_NAME.match(before) or (_LAST_NAME.search(before[-45:]) if equals else None)
        if not named or (":" in match["sep"] and "=" not in match["sep"] and shadow[at - 1 : at].isdigit()):
            continue
        offset = low if named.string is before else low + max(0, len(before) - 45)
        start, end = offset + named.start("name"), match.end("value")
        key = slug_key(named["name"])
        try:
            value_type, value = parse_value(match["value"])
        except ValueError:
            continue
        if not key or value_type not in ("dimension", "currency"):
            continue
        yield Find(
            "value.unit", "value", "fact", start, end, explicit=False, statement=strip_markup(shadow[start:end]), key=key, value_type=value_type, value=value
        )  # fmt: skip
