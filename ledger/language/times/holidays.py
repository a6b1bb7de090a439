"""Holidays by rule: a fixed day, one that moves with Easter, or the nth weekday of a month."""

import re
from datetime import date, timedelta

from ledger.language.times.engine import month_length


def holiday(rule: str, year: int) -> date:
    """`12-25`, `easter+1`, `thanksgiving+1`, or month:weekday:which (`11:3:4`, -1 for the last)."""
    if rule.startswith(("easter", "thanksgiving")):
        base, offset = re.fullmatch(r"([a-z]+)([+-]\d+)", rule).groups()  # type: ignore[union-attr]
        return (easter(year) if base == "easter" else holiday("11:3:4", year)) + timedelta(days=int(offset))
    if ":" not in rule:
        month, day = rule.split("-")
        return date(year, int(month), int(day))
    month_number, number, which = (int(piece) for piece in rule.split(":"))
    if which < 0:
        last = date(year, month_number, month_length(year, month_number))
        return last - timedelta(days=(last.weekday() - number) % 7)
    first = date(year, month_number, 1)
    return first + timedelta(days=(number - first.weekday()) % 7 + 7 * (which - 1))


def easter(year: int) -> date:
    """Easter Sunday of the Gregorian calendar (the anonymous algorithm)."""
    a, b, c = year % 19, year // 100, year % 100
    d, e = b // 4, b % 4
    g = (8 * b + 13) // 25
    h = (19 * a + b - d - g + 15) % 30
    i, k = c // 4, c % 4
    el = (32 + 2 * e + 2 * i - h - k) % 7
    m = (a + 11 * h + 19 * el) // 433
    month, day = divmod(h + el - 7 * m + 90, 25)
    return date(year, month, (h + el - 7 * m + 33 * month + 19) % 32)
