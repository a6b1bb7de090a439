"""The calendar from where a speaker stands: dates without a year, weekdays, weeks and quarters, lengths, holidays."""

import calendar
from datetime import UTC, date, timedelta
from typing import Final

from ledger.language.times.expressions import Day, DayRange, Duration, Instant
from ledger.language.times.reference import ReferenceTime

# How many units away a word takes us.
STEPS: Final = {"this": 0, "next": 1, "coming": 1, "last": -1, "past": -1}
LENGTHS: Final = {
    "day": Duration(days=1), "night": Duration(days=1), "week": Duration(days=7), "fortnight": Duration(days=14),
    "month": Duration(months=1), "quarter": Duration(months=3), "year": Duration(months=12), "decade": Duration(months=120),
    "century": Duration(months=1200), "weekend": Duration(days=2), "workday": Duration(days=1, workdays=True),
    "workweek": Duration(days=7), "hour": Duration(seconds=3600), "minute": Duration(seconds=60), "second": Duration(seconds=1),
}  # fmt: skip
# A date without a year is the coming one, unless it was within the last three months.
_LOOK_BACK: Final = timedelta(days=92)


def length_of(unit: str, count: float, *, vague: bool = False) -> Duration:
    """So many of a unit; parts of months and days become days and seconds."""
    one = LENGTHS[unit]
    if count == int(count):
        return Duration(one.months * int(count), one.days * int(count), one.seconds * count, vague, one.workdays)
    if one.months:
        return Duration(months=round(one.months * count))
    return Duration(seconds=(one.days * 86400 + one.seconds) * count)


def date_or_none(year: int, month: int, day: int) -> date | None:
    """The date, or None where the calendar has no such day."""
    try:
        return date(year, month, day)
    except ValueError:
        return None


def meant_date(ref: ReferenceTime, month: int, day: int, year: int | None = None) -> date | None:
    """The date; without a year that of the year which people mean. None where the calendar has no such day."""
    if year is not None:
        return date_or_none(year, month, day)
    found = (date_or_none(ref.today.year + years, month, day) for years in range(-1, 9))
    return next((one for one in found if one and one >= ref.today - _LOOK_BACK), None)


def full_year(year: int) -> int:
    """Two figures as people write them: 40 to 99 are of the last century."""
    return year if year > 99 else year + (1900 if year >= 40 else 2000)


def shift(day: date, *, months: int = 0, days: int = 0) -> date:
    """Months first, at the month's last day where there is no such day, then days. ValueError or OverflowError out of the
    calendar."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    first = date(year, month + 1, 1)
    last = calendar.monthrange(year, month + 1)[1]
    return first.replace(day=min(day.day, last)) + timedelta(days=days)


def move(day: date, length: Duration, sign: int = 1) -> date:
    """So much before or after a day; working days skip the weekend."""
    if not length.workdays:
        return shift(day, months=sign * length.months, days=sign * length.days)
    left = length.days
    while left:
        day += timedelta(days=sign)
        left -= day.weekday() < 5
    return day


def instant_away(ref: ReferenceTime, length: Duration, sign: int = 1) -> Instant:
    """So much from now: hours pass, whatever the clock does."""
    base = ref.at(move(ref.today, length, sign), ref.now.time())
    at = (base.astimezone(UTC) + sign * timedelta(seconds=length.seconds)).astimezone(ref.zone)
    return Instant(at, not length.vague)


def next_weekday(day: date, weekday: int) -> date:
    """The first such weekday from that day on."""
    return day + timedelta(days=(weekday - day.weekday()) % 7)


def meant_weekday(ref: ReferenceTime, weekday: int, which: str = "this") -> Day:
    """The next such day, today included. `next` is the one of the week after, `coming` is not today, `last` was before."""
    ahead = (weekday - ref.today.weekday()) % 7
    behind = ahead - 7
    of_next_week = 7 + weekday - ref.today.weekday()
    days = {"this": ahead, "coming": ahead or 7, "next": of_next_week, "last": behind, "past": behind}[which]
    return Day(ref.today + timedelta(days=days), days <= 7)


def year_range(year: int, years: int = 1) -> DayRange:
    """From its first day on."""
    return DayRange(date(year, 1, 1), date(year + years, 1, 1))


# First day of the unit, as so many days after today or Monday; how far the next one is; how long it is.
_UNITS_OF_DAYS: Final = {
    "day": ("today", 0, 1, 1), "week": ("monday", 0, 7, 7), "workweek": ("monday", 0, 7, 5), "weekend": ("monday", 5, 7, 2),
}  # fmt: skip


def unit_range(ref: ReferenceTime, unit: str, steps: int = 0) -> DayRange:
    """The unit that holds today, moved by so many: weeks begin on Monday. LookupError for what the calendar does not have."""
    if months := LENGTHS[unit].months:
        index = (ref.today.year * 12 + ref.today.month - 1) // months + steps
        first = shift(date(1, 1, 1), months=index * months - 12)
        return DayRange(first, shift(first, months=months))
    if unit == "fortnight":
        first = ref.today + timedelta(days=14 * min(steps, 0))
        return DayRange(first, first + timedelta(days=14))
    base, offset, stride, length = _UNITS_OF_DAYS[unit]
    first = getattr(ref, base) + timedelta(days=offset + stride * steps)
    return DayRange(first, first + timedelta(days=length))


def holiday_date(rule: str, year: int) -> date:
    """`12-25`, `easter+1`, `thanksgiving+1`, or month:weekday:which (`11:3:4`, -1 for the last)."""
    if ":" in rule:
        month, weekday, which = (int(piece) for piece in rule.split(":"))
        weeks = calendar.monthcalendar(year, month)
        days = [week[weekday] for week in weeks if week[weekday]]
        return date(year, month, days[which - (which > 0)])
    for name, base in (("easter", easter), ("thanksgiving", _thanksgiving)):
        if rule.startswith(name):
            return base(year) + timedelta(days=int(rule.removeprefix(name)))
    month, day = (int(piece) for piece in rule.split("-"))
    return date(year, month, day)


def _thanksgiving(year: int) -> date:
    return holiday_date("11:3:4", year)


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
