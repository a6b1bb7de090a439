"""Typed values of claims (T5): read from text, and compared by what they say."""

import re
from collections.abc import Callable
from contextlib import suppress
from datetime import date
from decimal import Decimal, InvalidOperation
from functools import singledispatch
from types import NoneType
from typing import Final, Literal, get_args

from ledger.language.fold import normalise_statement
from ledger.language.units import (
    UNIT_PATTERN,
    canonical_unit,
    exact_digits,
    in_base_unit,
    plain_exponent,
    quantity_of,
)

ValueType = Literal["boolean", "enum", "number", "dimension", "currency", "date", "string", "note"]
Value = bool | int | float | str | dict[str, object] | list[object] | None
VALUE_TYPES: Final[tuple[str, ...]] = get_args(ValueType)

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


def in_another_unit(a: object, b: object) -> bool:
    """Whether two values are told in two units (`90 s` and `1.5 min`), whether or not they are equal."""
    units = {canonical_unit(str(one["unit"])) for one in (a, b) if isinstance(one, dict) and "unit" in one}
    return len(units) > 1


def same_value(a: object, b: object) -> bool:
    """True where two values say the same: `4.80 kg` and `4.8 kg`, `90 s` and `1.5 min`, `36 km/h` and `10 m/s`.

    Exactly: 10.6 lb is not 4.8 kg. Strings compare in their normal form (P13), money only in one currency, and booleans are
    never numbers.
    """
    return canonical_value(a) == canonical_value(b)


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
    return {"=": repr(value) if number is None else plain_exponent(number)}


@canonical_value.register
def _canonical_list(value: list) -> object:  # type: ignore[type-arg]
    return list(map(canonical_value, value))


@canonical_value.register
def _canonical_dict(value: dict) -> object:  # type: ignore[type-arg]
    measured = _decimal(value.get("number")) if value.keys() == {"number", "unit"} else None
    if measured is None:
        return {str(name): canonical_value(part) for name, part in value.items()}
    unit = value["unit"].strip() if isinstance(value["unit"], str) else ""
    return {"=": exact_digits(in_base_unit(measured, unit)), "unit": quantity_of(unit)}


canonical_value.register(str, normalise_statement)


def _decimal(number: object) -> Decimal | None:
    if isinstance(number, bool) or not isinstance(number, int | float | str | Decimal):
        return None
    try:
        value = Decimal(str(number))
    except InvalidOperation:
        return None
    return value if value.is_finite() and abs(value.adjusted()) < 400 else None
