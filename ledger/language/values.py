"""Typed values of claims (T5): read from text, compared without clever conversions."""

import re
from collections.abc import Callable
from contextlib import suppress
from datetime import date
from decimal import Context, Decimal, InvalidOperation
from functools import singledispatch
from types import NoneType
from typing import Final, Literal, get_args

from ledger.language.fold import normalise_statement

ValueType = Literal["boolean", "enum", "number", "dimension", "currency", "date", "string", "note"]
Value = bool | int | float | str | dict[str, object] | list[object] | None
VALUE_TYPES: Final[tuple[str, ...]] = get_args(ValueType)

# symbol → (dimension's base symbol, power of ten); only steps within one unit's SI prefixes.
_PREFIXES: Final = {"n": -9, "µ": -6, "m": -3, "c": -2, "d": -1, "": 0, "k": 3, "M": 6, "G": 9, "T": 12}
_PREFIXED: Final = {
    "m": "n µ m c d k", "g": "µ m k", "s": "n µ m", "L": "µ m c d", "Hz": "k M G T", "W": "m k M G", "Wh": "k M G",
    "V": "µ m k", "A": "µ m k", "N": "m k M", "Pa": "k M G", "J": "m k M G", "B": "k M G T", "bit": "k M G T",
    "bit/s": "k M G T", "B/s": "k M G T", "Ω": "m k M", "F": "n µ m", "Ah": "m", "mol": "m", "lm": "k", "cd": "m",
}  # fmt: skip
_UNPREFIXED: Final = (
    "% ° °C °F K min h d wk px em rem dpi fps rpm in ft yd mi lb oz KiB MiB GiB TiB m² m³ cm² cm³ mm² km² "
    "km/h m/s m/s² kg/m³ N·m N/m dB bar psi kcal ppm"
).split()
UNITS: Final[dict[str, tuple[str, int]]] = {
    **{unit: (unit, 0) for unit in _UNPREFIXED},
    **{prefix + base: (base, _PREFIXES[prefix]) for base, some in _PREFIXED.items() for prefix in ["", *some.split()]},
}
_SPELLED: Final = {
    "μm": "µm", "um": "µm", "us": "µs", "μs": "µs", "l": "L", "ml": "mL", "dl": "dL", "cl": "cL", "KG": "kg", "Kg": "kg",
    "KB": "kB", "kb": "kB", "Mb": "Mbit", "Gb": "Gbit", "Mbps": "Mbit/s", "Gbps": "Gbit/s", "kbps": "kbit/s", "bps": "bit/s",
    "MB/s": "MB/s", "sec": "s", "secs": "s", "second": "s", "seconds": "s", "minute": "min", "minutes": "min",
    "mins": "min", "hour": "h", "hours": "h", "hr": "h", "hrs": "h", "day": "d", "days": "d", "week": "wk", "weeks": "wk",
    "millisecond": "ms", "milliseconds": "ms", "msec": "ms", "metre": "m", "metres": "m", "meter": "m", "meters": "m",
    "kilometre": "km", "kilometres": "km", "kilometer": "km", "kilometers": "km", "centimetre": "cm", "centimetres": "cm",
    "centimeter": "cm", "centimeters": "cm", "millimetre": "mm", "millimetres": "mm", "millimeter": "mm",
    "millimeters": "mm", "gram": "g", "grams": "g", "kilogram": "kg", "kilograms": "kg", "kilo": "kg", "kilos": "kg",
    "litre": "L", "litres": "L", "liter": "L", "liters": "L", "inch": "in", "inches": "in", "foot": "ft", "feet": "ft",
    "yard": "yd", "yards": "yd", "mile": "mi", "miles": "mi", "lbs": "lb", "pound": "lb", "pounds": "lb", "ounce": "oz",
    "ounces": "oz", "percent": "%", "per cent": "%", "degrees": "°", "watt": "W", "watts": "W", "volt": "V",
    "volts": "V", "amp": "A", "amps": "A", "byte": "B", "bytes": "B", "bits": "bit", "kph": "km/h", "kmh": "km/h",
    "m2": "m²", "m3": "m³", "m^2": "m²", "m^3": "m³", "cm2": "cm²", "cm3": "cm³", "Nm": "N·m", "℃": "°C", "℉": "°F",
    "ohm": "Ω", "ohms": "Ω", "pixels": "px", "Ω": "Ω",
}  # fmt: skip
_SYMBOLS: Final = {
    "€": "EUR", "$": "USD", "£": "GBP", "¥": "JPY", "₪": "ILS", "₹": "INR", "₩": "KRW", "₽": "RUB", "US$": "USD",
}  # fmt: skip
_CODES: Final = frozenset(
    "EUR USD GBP JPY ILS INR KRW RUB CHF CAD AUD NZD SEK NOK DKK PLN CZK HUF CNY BRL MXN ZAR TRY SGD HKD".split()
)
_CURRENCY_WORDS: Final = {
    "euro": "EUR", "euros": "EUR", "dollar": "USD", "dollars": "USD", "shekel": "ILS", "shekels": "ILS", "nis": "ILS",
}  # fmt: skip

NUMBER_PATTERN: Final = (
    r"[-+−]?(?:\d{1,3}(?:[,'’\u00a0\u202f]\d{3})+(?!\d)|\d{1,15})(?:\.\d{1,15})?(?:[eE][-+]?\d{1,2})?"
)
_all_units = sorted({*UNITS, *_SPELLED}, key=len, reverse=True)
UNIT_PATTERN: Final = "(?:" + "|".join(re.escape(unit) for unit in _all_units) + r")(?![\w²³^])"
_NUMBER: Final = re.compile(NUMBER_PATTERN + r"\Z")
_DIMENSION: Final = re.compile(rf"({NUMBER_PATTERN})[ \u00a0\u202f\t]?({UNIT_PATTERN})\Z")
_CODE: Final = "|".join(sorted(_CODES))
CURRENCY_SIGN: Final = r"US\$|[€$£¥₪₹₩₽]"
_PAID: Final = f"{_CODE}|{'|'.join(_CURRENCY_WORDS)}"
MONEY_PATTERN: Final = (
    rf"(?:(?P<before>{CURRENCY_SIGN}|\b(?:{_CODE})\b)[ \u00a0]?(?P<amount_after>{NUMBER_PATTERN})"
    rf"|(?P<amount_before>{NUMBER_PATTERN})[ \u00a0]?(?P<after>[€$£¥₪₹₩₽]|(?:{_PAID})\b))"
)
_MONEY: Final = re.compile(MONEY_PATTERN + r"\Z")
_DATES: Final = (
    re.compile(r"(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2})(?:[T ]\S{0,30})?\Z"),
    re.compile(r"(?P<day>\d{1,2})(?:st|nd|rd|th)?\.? (?:of )?(?P<month>[A-Za-z]{3,9})\.?,? (?P<year>\d{4})\Z"),
    re.compile(r"(?P<month>[A-Za-z]{3,9})\.? (?P<day>\d{1,2})(?:st|nd|rd|th)?,? (?P<year>\d{4})\Z"),
)
MONTHS: Final = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_BOOLEANS: Final = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}


def parse_value(text: str, value_type: str | None = None) -> tuple[str, Value]:
    """Read one value. Without `value_type` the most specific type that fits, else `string`.

    Shapes: boolean `True`; number `4.8`; dimension `{"number": 4.8, "unit": "kg"}`; currency
    `{"number": 12.5, "unit": "EUR"}`; date `"2026-01-30"`; enum (only when asked for) lower case; string and note the text.
    Raises ValueError where the text is no value of the asked type, or the type is unknown.
    """
    words = " ".join(text.split())
    if value_type is None:
        guesses = ((guess, _READERS[guess](words)) for guess in ("date", "currency", "dimension", "number", "boolean"))
        return next((guess for guess in guesses if guess[1] is not None), ("string", words))
    if value_type not in _READERS:
        raise ValueError(f"unknown value type {value_type!r}; known are {', '.join(VALUE_TYPES)}")
    found = _READERS[value_type](words)
    if found is None:
        raise ValueError(f"{words[:80]!r} is not a {value_type}")
    return value_type, found


def _boolean(words: str) -> Value:
    return _BOOLEANS.get(words.casefold().rstrip("."))


def _number(words: str) -> Value:
    return _number_of(words) if _NUMBER.match(words) else None


def _dimension(words: str) -> Value:
    measured = _DIMENSION.match(words)
    return {"number": _number_of(measured[1]), "unit": canonical_unit(measured[2])} if measured else None


def _money(words: str) -> Value:
    paid = _MONEY.match(words)
    if paid is None:
        return None
    sign, amount = paid["before"] or paid["after"], paid["amount_after"] or paid["amount_before"]
    return {"number": _number_of(amount), "unit": currency_of(sign)}


def _date(words: str) -> str | None:
    named = next(filter(None, (pattern.match(words) for pattern in _DATES)), None)
    if named is None:
        return None
    month = named["month"]
    with suppress(ValueError):  # the 31st of February, or of a word that is no month
        number = int(month) if month.isdigit() else MONTHS.index(month[:3].casefold()) + 1
        return date(int(named["year"]), number, int(named["day"])).isoformat()
    return None


def _enum(words: str) -> Value:
    return words.casefold() or None


def _text(words: str) -> Value:
    return words or None


_READERS: Final[dict[str, Callable[[str], Value]]] = {
    "boolean": _boolean, "enum": _enum, "number": _number, "dimension": _dimension, "currency": _money, "date": _date,
    "string": _text, "note": _text,
}  # fmt: skip


def canonical_unit(unit: str) -> str:
    """The symbol for a unit as people write it (`kilos` → `kg`); the unit itself where it is unknown."""
    return unit if unit in UNITS else _SPELLED.get(unit, _SPELLED.get(unit.casefold(), unit))


def plain_digits(number: str) -> str:
    """What NUMBER_PATTERN has found, as Python writes numbers."""
    return re.sub("[,'’\u00a0\u202f]", "", number).replace("−", "-")


def currency_of(sign: str) -> str:
    """The code of a currency's sign or name; empty for what is none."""
    return _SYMBOLS.get(sign) or _CURRENCY_WORDS.get(sign.casefold()) or (sign if sign in _CODES else "")


def _number_of(digits: str) -> int | float:
    plain = plain_digits(digits)
    value = float(plain)
    return int(value) if re.fullmatch(r"[-+]?\d+", plain) else value


def same_value(a: object, b: object) -> bool:
    """True where two values say the same: `4.80 kg` and `4.8 kg`, `480 mm` and `48 cm` (prefixes of one unit only).

    Strings compare in their normal form (P13). Booleans are never numbers. No other conversions.
    """
    return canonical_value(a) == canonical_value(b)


# Wide enough for every number that is reckoned with, so that nothing is rounded.
EXACT: Final = Context(prec=2000)


@singledispatch
def canonical_value(value: object) -> object:
    """One JSON form for all values that `same_value` takes for the same, so that duplicates share a key (P13)."""
    return str(value)


@canonical_value.register(bool)
@canonical_value.register(NoneType)
def _as_it_is(value: bool | None) -> bool | None:
    return value


@canonical_value.register(int)
@canonical_value.register(float)
def _canonical_number(value: int | float) -> object:
    number = _decimal(value)
    return {"=": repr(value) if number is None else _digits(number)}


@canonical_value.register
def _canonical_list(value: list) -> object:  # type: ignore[type-arg]
    return list(map(canonical_value, value))


@canonical_value.register
def _canonical_dict(value: dict) -> object:  # type: ignore[type-arg]
    measured = _decimal(value.get("number")) if value.keys() == {"number", "unit"} else None
    if measured is None:
        return {str(name): canonical_value(part) for name, part in value.items()}
    base, power = _unit_base(value["unit"])
    return {"=": _digits(EXACT.scaleb(measured, power)), "unit": base}


canonical_value.register(str, normalise_statement)


def _digits(number: Decimal) -> str:
    """Plain digits and an exponent; `normalize` without the rounding of the usual context."""
    return "0" if number == 0 else str(EXACT.normalize(number))


def _unit_base(unit: object) -> tuple[str, int]:
    symbol = canonical_unit(unit.strip()) if isinstance(unit, str) else ""
    return UNITS.get(symbol, (symbol, 0))


def _decimal(number: object) -> Decimal | None:
    if isinstance(number, bool) or not isinstance(number, int | float | str | Decimal):
        return None
    try:
        value = Decimal(str(number))
    except InvalidOperation:
        return None
    return value if value.is_finite() and abs(value.adjusted()) < 400 else None
