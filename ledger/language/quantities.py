"""Amounts as people write them, read whole or not at all (T4): scale words, groupings, decimal commas, compounds, quotients.

A reader that takes `12` out of `$12k`, or `4.8 kg` out of `4.8 kg/m`, states what nobody said. So an amount is followed to
its end, and what cannot be told in one number and one unit (ranges, tolerances, unknown quotients) is none.
"""

import re
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from typing import Final

from ledger.language.units import ANY_UNIT_PATTERN, UNITS, canonical_unit, in_base_unit, quantity_of, unit_size
from ledger.language.values import CURRENCY_SIGN, currency_of

_BLANK: Final = "[ \u00a0\u202f\t]"
_DIGITS: Final = r"[-+−]?\d[\d.,'’]*(?:[\u00a0\u202f ]\d{3}(?!\d)[.,]?\d*)*(?:[eE][-+]?\d{1,2})?(?<![.,'’])"
# Only money and bare counts are scaled by letters: 12 M is no length, and 12 m is one.
_SCALES: Final = {
    "k": 3, "thousand": 3, "tsd": 3, "mille": 3, "mil": 3, "m": 6, "mn": 6, "mm": 6, "mio": 6, "million": 6, "millions": 6,
    "millionen": 6, "millones": 6, "milhões": 6, "b": 9, "bn": 9, "mrd": 9, "billion": 9, "billions": 9, "milliarde": 9,
    "milliarden": 9, "milliard": 9, "milliards": 9, "t": 12, "tn": 12, "trn": 12, "trillion": 12, "lakh": 5, "lakhs": 5,
    "crore": 7, "crores": 7,
}  # fmt: skip
_SCALE: Final = (
    rf"{_BLANK}?(?P<scale>(?i:{'|'.join(sorted(_SCALES, key=len, reverse=True))}))"
    r"(?:(?<=(?i:mio|mrd|tsd))\.)?(?![\w/²³])"
)
_CODE: Final = r"(?:[A-Z]{3}|(?i:euros?|dollars?|shekels?))\b"
_MONEY: Final = re.compile(rf"(?P<before>{CURRENCY_SIGN}|[A-Z]{{3}}\b){_BLANK}?(?P<number>{_DIGITS})(?:{_SCALE})?")
_PAID: Final = re.compile(rf"(?P<number>{_DIGITS})(?:{_SCALE})?{_BLANK}?(?P<after>{CURRENCY_SIGN}|{_CODE})")
_MEASURE: Final = re.compile(rf"(?P<number>{_DIGITS}){_BLANK}?(?P<unit>{ANY_UNIT_PATTERN})(?:\.(?={_BLANK}\d))?")
_COUNT: Final = re.compile(rf"(?P<number>{_DIGITS})(?:{_SCALE})?(?![\w])")
_AND: Final = re.compile(rf",?{_BLANK}?(?:(?:and|und|y|et|e){_BLANK})?")
# `a day`, `per seat`, `in one hour`; not `per the board paper`.
_PER: Final = re.compile(
    rf"{_BLANK}?(?:[/⁄∕÷]|(?:(?:(?:in|within)\b{_BLANK})?(?:an?|one|1)|per|pro|je|par|por|each)\b"
    rf"(?!{_BLANK}(?:the|our|your|this|that|my|his|her|their)\b)){_BLANK}?(?=\d|[a-zµ°%])",
    re.I,
)
# `m3 h-1`: the unit that it is told per is written as a power.
_POWER: Final = re.compile(rf"[{_BLANK[1:-1]}·⋅*]?[a-zA-Zµ]{{1,3}}(?:\^?[-−]|⁻)[123¹²³]")
_PER_UNIT: Final = re.compile(ANY_UNIT_PATTERN)
# What continues an amount into something else: another bound, a tolerance, an alternative, a power.
_CONTINUES: Final = re.compile(
    rf"{_BLANK}*(?:[-–—~…x×*^]|\.\.|\+/-|±|to\b|or\b|and\b|bis\b|oder\b|und\b|à\b|ou\b|o\b|a\b|hasta\b|until\b|plus\b|minus\b)"
    rf"{_BLANK}*(?:{CURRENCY_SIGN}|[A-Z]{{3}}{_BLANK})?{_BLANK}*[-+−]?\d",
    re.I,
)
# The last is the end of a file's name or an address.
_CUT_OFF: Final = re.compile(r"[\w/⁄∕÷%²³^]|[.,]\d|[:：]\d|\.[a-z]")
_REPLACED: Final = re.compile(
    rf"{_BLANK}*(?:(?:->|=>|→|⇒|➔){_BLANK}*|[(\[](?:now|jetzt|new|neu|ahora|maintenant)[: ]{_BLANK}*)", re.I
)
# Units whose short forms mean another thing behind a longer one of time: `1h 30m`.
_IN_TIME: Final = {"m": "min", "M": "min", "s": "s", "S": "s"}


@dataclass(frozen=True, slots=True)
class Quantity:
    """`type` is dimension or currency, `number` in `unit` (a symbol of `values.UNITS`, or a currency's code); it stands at
    `start:end`, with what it replaces."""

    type: str
    number: int | float
    unit: str
    start: int
    end: int


def quantity_at(text: str, start: int) -> Quantity | None:
    """The whole amount that begins at `start`; None where none begins there, or it is not told in one number and one unit."""
    amount = _amount(text, start)
    while amount and (replaced := _REPLACED.match(text, amount.end)):
        later = _amount(text, replaced.end())
        # The bracket that was opened belongs to the words.
        amount = later and replace(later, end=later.end + text.startswith((")", "]"), later.end))
    if amount is None or _CONTINUES.match(text, amount.end) or _CUT_OFF.match(text, amount.end):
        return None
    return replace(amount, start=start)


# Where an amount may begin: a number that no word, mark or number runs into, or the sign of money before it.
_BEGINS: Final = re.compile(rf"(?<![\w.,/-])(?:{CURRENCY_SIGN}|[A-Z]{{3}}{_BLANK}(?=\d)|\d)")
_WORD: Final = re.compile(r"[^\W\d_]+")
# `width: 80 cm, height: 2 m`: the next property of the same line.
NAMED_APART: Final = re.compile(
    r"[,;|/](?!\W*(?:now|new|newly|correct(?:ed|ion)|updated?|revised|actual|really|later|sorry|neu|jetzt|korrigiert|richtig"
    r"|nuev[oa]"
    r"|ahora|corregid[oa]|nouveau|maintenant|corrigé|nov[oa]|agora|nuov[oa]|ora|nieuw|nu)\b)[^,;|()\[\]:=]{2,60}[:=]|\|",
    re.I,
)
MAX_BETWEEN: Final = 4
# So much of the larger of two amounts may be rounding where one is told again in another unit: `5 kg (11 lb)`.
ROUNDED: Final = Fraction(1, 50)


def rival_of(text: str, quantity: Quantity, stop: int) -> Quantity | None:
    """Another amount of the same sort that stands close behind one, before `stop`: a bound, what it was, what it became. Then
    neither alone is what is said. The same amount told in another unit is none."""
    for begins in _BEGINS.finditer(text, quantity.end, stop):
        between = text[quantity.end : begins.start()]
        if NAMED_APART.search(between) or len(_WORD.findall(between)) > MAX_BETWEEN:
            return None
        other = _amount(text, begins.start())
        if other and _are_comparable(quantity, other):
            return None if _are_equal(quantity, other) else other
    return None


def _are_comparable(one: Quantity, other: Quantity) -> bool:
    return one.type == other.type and (one.type == "currency" or quantity_of(one.unit) == quantity_of(other.unit))


def _are_equal(one: Quantity, other: Quantity) -> bool:
    if one.type == "currency":
        # `€10 ($11)` tells one sum twice.
        return one.unit != other.unit or one.number == other.number
    sizes = [abs(in_base_unit(Decimal(str(each.number)), each.unit)) for each in (one, other)]
    return abs(sizes[0] - sizes[1]) <= ROUNDED * max(sizes)


def _amount(text: str, start: int) -> Quantity | None:
    money = _MONEY.match(text, start) or _PAID.match(text, start)
    if money:
        code = currency_of(money["before"] if "before" in money.re.groupindex else money["after"])
        number = number_of(money["number"], scale=money["scale"] or "", money=True)
        if code and number is not None and not _PER.match(text, money.end()):
            return Quantity("currency", number, code, start, money.end())
        if code:
            return None
    return _compound(text, start)


def _compound(text: str, start: int) -> Quantity | None:
    """`4.8 kg`, `8 h 30 min`, `6 ft 2 in`: told in the last unit, which divides the others."""
    total, end, last, symbol = Fraction(0), start, start, ""
    while measure := _MEASURE.match(text, end):
        number, unit = number_of(measure["number"]), _unit_behind(symbol, canonical_unit(measure["unit"]))
        if number is None or (symbol and not _divides(unit, symbol)):
            return None
        ratio = unit_size(symbol) / unit_size(unit) if symbol else 0
        total, symbol, last = total * ratio + Fraction(str(number)), unit, measure.end()
        between = _AND.match(text, last)
        end = between.end() if between else last
    centimetres = _BARE.match(text, last) if symbol == "m" and total.denominator == 1 else None
    if centimetres:
        # `1 m 80` are 1.8 metres; what `1 m 8` or `5 m 10 pipes` are nobody can tell.
        if len(centimetres["number"]) != 2 or centimetres["more"]:
            return None
        total, last = total + Fraction(int(centimetres["number"]), 100), centimetres.end("number")
    return _told_in(text, total, symbol, start, last) if symbol else None


def _told_in(text: str, total: Fraction, symbol: str, start: int, end: int) -> Quantity | None:
    """So much of the unit, or of what it is told per."""
    symbol, end = _quotient(text, symbol, end)
    return Quantity("dimension", _plain(total), symbol, start, end) if symbol in UNITS else None


_BARE: Final = re.compile(rf"{_BLANK}(?P<number>\d{{1,3}})(?![\w%°]|[.,:/]\d)(?P<more>{_BLANK}*[\w%°–x×-])?")


def _unit_behind(symbol: str, unit: str) -> str:
    """Behind hours an `m` are minutes."""
    return _IN_TIME.get(unit, unit) if symbol and quantity_of(symbol) == "s" else unit


def _divides(smaller: str, larger: str) -> bool:
    """An inch divides a foot; a pound does not divide a kilogram: `5 kg, 11 lb` are one amount, told twice."""
    ratio = unit_size(larger) / unit_size(smaller)
    return quantity_of(smaller) == quantity_of(larger) and ratio > 1 and ratio.denominator == 1


def _quotient(text: str, symbol: str, end: int) -> tuple[str, int]:
    """The symbol with what it is told per, which makes it an unknown one where no such unit is known."""
    per = _PER.match(text, end)
    unit = _PER_UNIT.match(text, per.end()) if per else None
    if unit:
        return f"{symbol}/{canonical_unit(unit.group())}", unit.end()
    # `5 kg a day` and `5 kg per head` are rates, `5 kg a bit later` is none.
    is_rate = _POWER.match(text, end) or (per and not _ARTICLE.search(per.group()))
    return (f"{symbol}/?", end) if is_rate else (symbol, end)


_ARTICLE: Final = re.compile(r"\b(?:an?|one|1|each)\b", re.I)


def _plain(number: Decimal | Fraction) -> int | float:
    return int(number) if number == int(number) else float(number)


# No amount that people write is longer.
MAX_DIGITS: Final = 40
_ONE_MARK: Final = re.compile(r"[-+]?\d+(?P<mark>[.,])(?P<rest>\d+)")


def number_of(digits: str, *, scale: str = "", money: bool = False) -> int | float | None:
    """A number with its groups and its decimal mark as they are meant; None where that cannot be told.

    Of two different marks the last is the decimal one. One mark is a decimal one, unless groups of three (or, in India, of
    two) follow it: a comma before three digits groups, a full stop does so only in money, which has no thousandths.
    """
    if len(digits) > MAX_DIGITS:
        return None
    try:
        number = Decimal(_without_groups(digits, money=money)).scaleb(_SCALES.get(scale.casefold(), 0))
    except ArithmeticError:
        return None
    return _plain(number)


_IN_GROUPS: Final = re.compile(r"[-+]?\d{1,3}(?:[.,]\d{2,3})*[.,]\d{3}")


def _without_groups(digits: str, *, money: bool) -> str:
    """As a program writes it; empty where its marks have no one meaning."""
    plain = re.sub("['’\u00a0\u202f ]", "", digits).replace("−", "-")
    marks = [sign for sign in plain if sign in ".,"]
    if len(set(marks)) == 2:
        groups, decimal = marks[0], marks[-1]
        return plain.replace(groups, "").replace(decimal, ".") if marks.count(decimal) == 1 else ""
    if len(marks) > 1:
        return plain.replace(marks[0], "") if _IN_GROUPS.fullmatch(plain) else ""
    if single := _ONE_MARK.fullmatch(plain):
        grouped = len(single["rest"]) == 3 and (single["mark"] == "," or money)
        return plain.replace(single["mark"], "" if grouped else ".")
    return plain
