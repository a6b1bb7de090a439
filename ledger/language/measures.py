"""Amounts in a sentence: numbers with units, money, dates, weekdays, times, versions, each with its bound (D12)."""

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from ledger.language.values import MONEY_PATTERN, NUMBER_PATTERN, UNIT_PATTERN, UNITS, canonical_unit, parse_value

EXACT, MOST, LEAST, ABOUT, RANGE = "exact", "most", "least", "about", "range"
_SI: Final = {"m": "m", "g": "g", "s": "s", "L": "m³", "Hz": "Hz", "Pa": "Pa", "B": "B", "bit": "B"}
# What one of a unit is in another of the same quantity: a paraphrase converts, as people do (values.py never does).
_FACTORS: Final[dict[str, tuple[str, float]]] = {
    "g": ("g", 1), "lb": ("g", 453.59237), "oz": ("g", 28.349523125),
    "m": ("m", 1), "in": ("m", 0.0254), "ft": ("m", 0.3048), "yd": ("m", 0.9144), "mi": ("m", 1609.344),
    "s": ("s", 1), "min": ("s", 60), "h": ("s", 3600), "d": ("s", 86400), "wk": ("s", 604800),
    "m/s": ("m/s", 1), "km/h": ("m/s", 1 / 3.6), "bit": ("B", 0.125), "KiB": ("B", 1024), "MiB": ("B", 1024**2),
    "GiB": ("B", 1024**3), "TiB": ("B", 1024**4), "bar": ("Pa", 1e5), "psi": ("Pa", 6894.757),
    "rpm": ("Hz", 1 / 60), "mm²": ("m²", 1e-6), "cm²": ("m²", 1e-4), "cm³": ("m³", 1e-6), "L": ("m³", 1e-3),
}  # fmt: skip
# People round when they convert: 4.8 kg is 10.6 lb. Within one unit a value is exact.
_CONVERTED_WITHIN: Final = 0.005
_ABOUT_WITHIN: Final = 0.1

_NOT: Final = r"(?:(?:do(?:es)?|must|may|can|should|shall|will|need)\s+not|cannot|never|not|no)"
_BEFORE: Final = re.compile(
    r"(?<!\w)(?:"
    rf"(?P<most>at\s+most|up\s+to|{_NOT}\s+(?:\w+\s+)?(?:more|longer|later|greater|heavier|larger|bigger|higher|over|above|exceed|surpass|go\s+over)(?:\s+than)?"
    r"|(?:less|fewer|lower|shorter|lighter|earlier|smaller|cheaper)\s+than|under|below|within|max(?:imum)?\.?(?:\s+\w+){0,3}?|<=?|≤)"
    rf"|(?P<least>at\s+least|{_NOT}\s+(?:be\s+)?(?:less|fewer|lower|shorter|earlier|under|below|fall\s+below|drop\s+below)(?:\s+than)?"
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
_MONTHS: Final = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_MONTH: Final = (
    "(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sep(?:t(?:ember)?)?|Oct(?:ober)?"
    "|Nov(?:ember)?|Dec(?:ember)?)"
)
# What stands before a number that names something, where another number names another thing.
_LABELS: Final = frozenset(
    "section article rule step issue figure table chapter page paragraph item appendix ticket pr line question option room "
    "unit lesson task sprint part number no day".split()
)
_KINDS: Final = ("date", "clock", "money", "range", "version", "amount", "worded", "weekday", "month")
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


def measures(text: str) -> list[Measure]:
    """All amounts of `text`, in order; `text` has plain quotes and dashes. `start` and `end` take in words such as `at most`."""
    found = []
    for match in _TOKEN.finditer(text):
        kind = next(name for name in _KINDS if match[name] is not None)
        before, after = (
            _WORD_BEFORE.search(text[max(0, match.start() - 60) : match.start()]),
            _WORD_AFTER.match(text, match.end()),
        )
        read = _read(kind, match, label=before is not None and before[1].lower() in _LABELS, followed=after is not None)
        if read is None:
            continue
        what, low, high, unit = read
        bound, start, end = _bound(
            text, match.start(), match.end(), dated=what in ("date", "clock", "weekday", "month")
        )
        found.append(
            Measure(
                what, low, high, RANGE if low != high else bound, match[0].strip(), start, end, unit,
                before[1].lower() if before else "", after[1].lower() if after else "",
            )
        )  # fmt: skip
    return found


def _read(kind: str, match: re.Match[str], *, label: bool, followed: bool) -> tuple[str, float, float, str] | None:
    words = match[0]
    match kind:
        case "date":
            typed, value = parse_value(words)
            at = float(str(value).replace("-", "")) if typed == "date" else 0.0
            return ("date", at, at, "") if at else None
        case "clock":
            at = _clock(words)
            return ("clock", at, at, "")
        case "money":
            typed, value = parse_value(words)
            if typed != "currency" or not isinstance(value, dict):
                return None
            number = float(str(value["number"]))
            return str(value["unit"]), number, number, str(value["unit"])
        case "range":
            if label or ("and" in words and not words.lower().startswith("between")):
                return None
            low, _, _ = _scaled(match["low"], match["per"])
            high, what, base = _scaled(match["high"], match["per"])
            return what, min(low, high), max(low, high), base
        case "version":
            at = 0.0
            for part in words.lstrip("vV").split(".")[:4]:
                at = at * 10_000 + min(int(part[:6]), 9_999)
            return "version", at, at, ""
        case "weekday":
            day = float(next(i for i, name in enumerate(_WEEKDAYS) if words.lower().startswith(name)))
            return "weekday", day, day, ""
        case "month":
            month = float(_MONTHS.index(words.lower()[:3]))
            return "month", month, month, ""
    count = str(match["count" if kind == "amount" else "spelt"])
    unit: str | None = match["unit" if kind == "amount" else "spelt_unit"]
    if label and not unit:
        return None
    if unit and unit.lower() in ("in", "a", "as", "an") and followed:
        unit = None  # "5 in the morning" measures no inches
    number, what, base = _scaled(str(_WORDED.get(count.lower(), count)), unit)
    return what, number, number, base


def _scaled(digits: str, unit: str | None) -> tuple[float, str, str]:
    number = float(re.sub("[,'’\u00a0\u202f]", "", digits).replace("−", "-"))
    if not unit:
        return number, "number", ""
    symbol = canonical_unit(unit)
    base, power = UNITS.get(symbol, (symbol, 0))
    number = round(number * 10.0**power, 12)
    what, factor = _FACTORS.get(base, (_SI.get(base, base), 1))
    return number * factor, what, base


def quantity_of(unit: str) -> str:
    """What a unit measures, as the base unit of its quantity: equal for two units that can be told in each other (ft, cm)."""
    base, _ = UNITS.get(canonical_unit(unit), (canonical_unit(unit), 0))
    return _FACTORS.get(base, (_SI.get(base, base), 1))[0]


def unit_size(unit: str) -> Decimal:
    """How much one of a unit is in the base unit of its quantity."""
    return Decimal(str(_scaled("1", unit)[0]))


def _clock(words: str) -> float:
    hours, minutes = re.match(r"(\d{1,2})(?::(\d{2}))?", words).groups()  # type: ignore[union-attr]
    hour = int(hours)
    if re.search(r"p\.?m", words, re.I):
        hour = hour % 12 + 12
    elif re.search(r"a\.?m", words, re.I):
        hour %= 12
    return float(hour * 60 + int(minutes or 0))


def _bound(text: str, start: int, end: int, *, dated: bool) -> tuple[str, int, int]:
    low = max(0, start - 60)
    before = _BEFORE.search(text[low:start])
    after = _AFTER.match(text, end)
    if after is not None:
        return (MOST if after["most"] else LEAST), start, after.end()
    if before is None:
        return EXACT, start, end
    # `maximum weight is 5 kg`: the words between are the subject, and stay.
    first = start if before[0][:3].lower() in ("max", "min") else low + before.start()
    if before["most"]:
        return MOST, first, end
    if before["least"]:
        return LEAST, first, end
    if before["about"]:
        return ABOUT, first, end
    if dated:
        return (MOST if before["until"] else LEAST), first, end
    return EXACT, start, end


def agree(a: Measure, b: Measure) -> bool:
    """Whether two amounts of one quantity can both be said of the same thing: equal, or within the other's bound."""
    converted = a.unit != b.unit
    within = _ABOUT_WITHIN if ABOUT in (a.bound, b.bound) else _CONVERTED_WITHIN if converted else 1e-9
    same = _close(a.low, b.low, within) and _close(a.high, b.high, within)
    if a.bound == b.bound or ABOUT in (a.bound, b.bound):
        return same
    if RANGE in (a.bound, b.bound) or EXACT in (a.bound, b.bound):
        return (_below(a) <= _above(b) + within * abs(_above(b)) if _above(b) != float("inf") else True) and (
            _below(b) <= _above(a) + within * abs(_above(a)) if _above(a) != float("inf") else True
        )
    least, most = (a, b) if a.bound == LEAST else (b, a)
    return least.low < most.low


def _below(m: Measure) -> float:
    return float("-inf") if m.bound == MOST else m.low


def _above(m: Measure) -> float:
    return float("inf") if m.bound == LEAST else m.high


def _close(a: float, b: float, within: float) -> bool:
    return abs(a - b) <= within * max(abs(a), abs(b))
