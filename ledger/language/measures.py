"""Amounts in a sentence: numbers with units, money, dates, weekdays, times, versions, each with its bound (D12)."""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Final

from ledger.language.units import UNIT_PATTERN, in_base_unit, unit_named
from ledger.language.values import MONEY_PATTERN, MONTHS, NUMBER_PATTERN, parse_value, plain_digits

EXACT, MOST, LEAST, ABOUT, RANGE = "exact", "most", "least", "about", "range"
DATED: Final = frozenset({"date", "clock", "weekday", "month"})
# People round when they convert: 4.8 kg is 10.6 lb. Within one unit a value is exact.
_CONVERTED_WITHIN: Final = 0.005
_ABOUT_WITHIN: Final = 0.1

_NOT: Final = r"(?:(?:do(?:es)?|must|may|can|should|shall|will|need)\s+not|cannot|never|not|no)"
_BEFORE: Final = re.compile(
    r"(?<!\w)(?:"
    rf"(?P<most>at\s+most|up\s+to|{_NOT}\s+(?:\w+\s+)?(?:more|longer|later|greater|heavier|larger|bigger|higher|over|above|exceed|surpass|go\s+over)(?:\s+than)?"
    r"|(?:less|fewer|lower|shorter|lighter|earlier|smaller|cheaper)\s+than|under|below|within|max(?:imum)?\.?(?:\s+\w+){0,3}?|<=?|≤)"
    rf"|(?P<least>at\s+least|{_NOT}\s+(?:\w+\s+)?(?:less|fewer|lower|shorter|earlier|under|below|fall\s+below|drop\s+below)(?:\s+than)?"
    r"|(?:more|greater|longer|later|heavier|larger|bigger|higher)\s+than|exceeds?|over|above|min(?:imum)?\.?(?:\s+\w+){0,3}?|>=?|≥)"
    r"|(?P<about>about|around|approximately|approx\.?|roughly|nearly|almost|circa|~)"
    r"|(?P<until>by|before|until)|(?P<since>after|from))"
    r"\s*(?:(?:is|of|be|are|to|the|a|an|than)\s+|[:=]\s*)*\Z",
    re.I,
)  # fmt: skip
_AFTER: Final = re.compile(
    r"\s*(?:(?P<most>or\s+(?:less|fewer|lower|shorter|lighter|below|under|earlier)|at\s+most|max(?:imum)?\b)"
    r"|(?P<least>or\s+(?:more|greater|higher|longer|heavier|above|over|later)|at\s+least|min(?:imum)?\b|\+(?!\w)))",
    re.I,
)
_WORDED: Final = {
    name: at for at, name in enumerate("zero one two three four five six seven eight nine ten eleven twelve".split())
} | {"fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "ninety": 90, "hundred": 100,
     "once": 1, "twice": 2}  # fmt: skip
_WEEKDAYS: Final = "monday tuesday wednesday thursday friday saturday sunday".split()
_MONTH: Final = (
    "(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sep(?:t(?:ember)?)?|Oct(?:ober)?"
    "|Nov(?:ember)?|Dec(?:ember)?)"
)
# What stands before a number that names something, where another number names another thing.
_LABELS: Final = frozenset(
    "section article rule step issue figure table chapter page paragraph item appendix ticket pr line question option room "
    "unit lesson task sprint part number no day".split()
)
_TOKEN: Final = re.compile(
    rf"(?P<date>\b\d{{4}}-\d{{1,2}}-\d{{1,2}}\b|\b\d{{1,2}}(?:st|nd|rd|th)?\.?\s(?:of\s)?{_MONTH}\.?,?\s\d{{4}}\b"
    rf"|\b{_MONTH}\.?\s\d{{1,2}}(?:st|nd|rd|th)?,?\s\d{{4}}\b)"
    r"|(?P<clock>\b\d{1,2}:\d{2}(?:\s?[ap]\.?m\b\.?)?|\b\d{1,2}\s?[ap]\.?m\b\.?)"
    rf"|(?P<money>{MONEY_PATTERN})"
    rf"|(?P<range>(?<![\w.\-])(?:between\s)?(?P<low>{NUMBER_PATTERN})(?:\s?{UNIT_PATTERN})?\s?(?:-|to\s|and\s)\s?(?P<high>{NUMBER_PATTERN})"
    rf"(?:\s?(?P<per>{UNIT_PATTERN}))?(?![\w-]))"
    r"|(?P<version>\bv?\d+(?:\.\d+){2,}\b|\bv\d+(?:\.\d+)*\b)"
    rf"|(?P<amount>(?<![\w.\-])(?P<count>{NUMBER_PATTERN})(?:[ -]?(?P<unit>{UNIT_PATTERN}))?(?![\w]))"
    rf"|(?P<worded>\b(?P<spelt>{'|'.join(_WORDED)})(?:\s(?P<spelt_unit>{UNIT_PATTERN}))?\b)"
    rf"|(?P<weekday>\b(?:{'|'.join(_WEEKDAYS)})s?\b)"
    rf"|(?P<month>(?<=in\s)(?:{_MONTH})\b|(?<=by\s)(?:{_MONTH})\b|(?<=until\s)(?:{_MONTH})\b)",
    re.I,
)
_WORD_BEFORE: Final = re.compile(r"(\w+)\W*\Z")
_WORD_AFTER: Final = re.compile(r"\W{0,2}([^\W\d_]+)")
# So far back words are looked for that bound an amount.
_NEAR: Final = 60
# What the groups of _BEFORE say; until and since bound times alone.
_BOUNDS: Final = {"most": MOST, "least": LEAST, "about": ABOUT}
_BOUNDS_OF_TIMES: Final = _BOUNDS | {"until": MOST, "since": LEAST}
# What, from, to, and its unit.
_Amount = tuple[str, float, float, str]


@dataclass(frozen=True, slots=True)
class Measure:
    """`what` is the quantity (`g`, `EUR`, `date`, `weekday`, `clock`, `version`, `number` …), `low` and `high` its value in
    the base unit, equal unless a range. A `number` is an amount only beside the same word: `after` or `before`."""

    what: str
    low: float
    high: float
    bound: str
    said: str
    start: int
    end: int
    unit: str = ""
    before: str = ""
    after: str = ""

    @property
    def term(self) -> str:
        """As one of the words of a sentence. `before Friday` and `on Friday` are two."""
        bound = "" if self.bound in (EXACT, RANGE) else f" {self.bound}"
        return f"{self.what}={self.low:.6g}..{self.high:.6g}{bound}"


@lru_cache(maxsize=4096)
def measures(text: str) -> tuple[Measure, ...]:
    """All amounts of `text`, in order; `text` has plain quotes and dashes. `start` and `end` take in words such as `at most`. Kept:
    each comparator asks them of the same sentences."""
    return tuple(measure for match in _TOKEN.finditer(text) if (measure := _measure(text, match)) is not None)


def _measure(text: str, match: re.Match[str]) -> Measure | None:
    before = _WORD_BEFORE.search(text[max(0, match.start() - _NEAR) : match.start()])
    after = _WORD_AFTER.match(text, match.end())
    words_beside = [found[1].lower() if found else "" for found in (before, after)]
    amount = _READERS[str(match.lastgroup)](match, *words_beside)
    if amount is None:
        return None
    what, low, high, unit = amount
    bound, start, end = _bound(text, match.start(), match.end(), dated=what in DATED)
    return Measure(what, low, high, RANGE if low != high else bound, match[0].strip(), start, end, unit, *words_beside)


def _date(match: re.Match[str], *_: str) -> _Amount | None:
    typed, value = parse_value(match[0])
    return _point("date", float(str(value).replace("-", ""))) if typed == "date" else None


def _clock(match: re.Match[str], *_: str) -> _Amount:
    hours, minutes, half = re.match(r"(\d{1,2})(?::(\d{2}))?\s?([ap])?", match[0].lower()).groups()  # type: ignore[union-attr]
    hour = {"a": int(hours) % 12, "p": int(hours) % 12 + 12}.get(half, int(hours))
    return _point("clock", hour * 60 + int(minutes or 0))


def _money(match: re.Match[str], *_: str) -> _Amount | None:
    match parse_value(match[0]):
        case "currency", {"number": number, "unit": unit}:
            return _point(str(unit), float(str(number)), str(unit))
    return None


def _range(match: re.Match[str], before: str, _: str) -> _Amount | None:
    joined = "and" in match[0] and not match[0].lower().startswith("between")
    if joined or before in _LABELS:
        return None
    (one, what, base), (other, _, _) = (_scaled(match[end], match["per"]) for end in ("high", "low"))
    return what, min(one, other), max(one, other), base


def _version(match: re.Match[str], *_: str) -> _Amount:
    at = 0
    for part in match[0].lstrip("vV").split(".")[:4]:
        at = at * 10_000 + min(int(part[:6]), 9_999)
    return _point("version", at)


def _weekday(match: re.Match[str], *_: str) -> _Amount:
    return _point("weekday", _WEEKDAYS.index(match[0].lower().removesuffix("s")))


def _month(match: re.Match[str], *_: str) -> _Amount:
    return _point("month", MONTHS.index(match[0].lower()[:3]))


def _count(match: re.Match[str], before: str, after: str) -> _Amount | None:
    digits, unit = match["count"] or str(_WORDED[match["spelt"].lower()]), match["unit"] or match["spelt_unit"]
    if before in _LABELS and not unit:
        return None
    if after and unit and unit.lower() in ("in", "a", "as", "an"):
        unit = None  # "5 in the morning" measures no inches
    number, what, base = _scaled(digits, unit)
    return _point(what, number, base)


def _point(what: str, at: float, unit: str = "") -> _Amount:
    return what, float(at), float(at), unit


_READERS: Final[dict[str, Callable[[re.Match[str], str, str], _Amount | None]]] = {
    "date": _date, "clock": _clock, "money": _money, "range": _range, "version": _version, "amount": _count,
    "worded": _count, "weekday": _weekday, "month": _month,
}  # fmt: skip


def _scaled(digits: str, unit: str | None) -> tuple[float, str, str]:
    if not unit:
        return float(plain_digits(digits)), "number", ""
    quantity, _, symbol = unit_named(unit)
    return float(in_base_unit(Decimal(plain_digits(digits)), unit)), quantity, symbol


def _bound(text: str, start: int, end: int, *, dated: bool) -> tuple[str, int, int]:
    """How an amount is bounded, and where the words that say so begin and end."""
    if after := _AFTER.match(text, end):
        return str(after.lastgroup), start, after.end()
    low = max(0, start - _NEAR)
    before = _BEFORE.search(text[low:start])
    bound = (_BOUNDS_OF_TIMES if dated else _BOUNDS).get(str(before.lastgroup)) if before else None
    if before is None or bound is None:
        return EXACT, start, end
    # `maximum weight is 5 kg`: the words between are the subject, and stay.
    return bound, start if before[0][:3].lower() in ("max", "min") else low + before.start(), end


def agree(a: Measure, b: Measure) -> bool:
    """Whether two amounts of one quantity can both be said of the same thing: equal, or within the other's bound."""
    bounds = {a.bound, b.bound}
    exactly = 1e-9 if a.unit == b.unit else _CONVERTED_WITHIN
    within = _ABOUT_WITHIN if ABOUT in bounds else exactly
    if len(bounds) == 1 or ABOUT in bounds:
        return _close(a.low, b.low, within) and _close(a.high, b.high, within)
    if bounds == {LEAST, MOST}:
        least, most = (a, b) if a.bound == LEAST else (b, a)
        return least.low < most.low
    return _reaches(a, b, within) and _reaches(b, a, within)


def _reaches(a: Measure, b: Measure, within: float) -> bool:
    """Whether the least that `a` may be is within the most that `b` may be."""
    least = -math.inf if a.bound == MOST else a.low
    most = math.inf if b.bound == LEAST else b.high
    return least <= most + within * abs(most)


def _close(a: float, b: float, within: float) -> bool:
    return abs(a - b) <= within * max(abs(a), abs(b))
