"""Stretches of whole days: `next week`, `the last week of July`, `Q3 2026`, `early next month`, `the 90s`."""

from dataclasses import replace
from datetime import date, time, timedelta
from functools import partial
from typing import Final

from ledger.language.times.date_arithmetic import (
    LENGTHS,
    STEPS,
    instant_away,
    length_of,
    move,
    shift,
    unit_range,
    year_range,
)
from ledger.language.times.expressions import Day, DayRange, Duration, Instant, InstantRange
from ledger.language.times.grammar import Symbol, rules
from ledger.language.times.reference import ReferenceTime

_ONE_DAY: Final = timedelta(days=1)
_ONE_WEEK: Final = Duration(days=7)


def unit_away(ref: ReferenceTime, calendar_unit: str, steps: int) -> Day | DayRange:
    """`the week after next`, as so many steps."""
    found = unit_range(ref, calendar_unit, steps)
    return Day(found.closed[0]) if calendar_unit == "day" else found


def unit_said(ref: ReferenceTime, calendar_unit: str, which: str) -> Day | DayRange:
    """`next week`, `la semana que viene`."""
    return unit_away(ref, calendar_unit, STEPS[which])


def uncertain_unit(ref: ReferenceTime, unit: str) -> DayRange:
    """`the weekend`."""
    return replace(unit_range(ref, unit), certain=False)


def days_around(ref: ReferenceTime, duration: Duration, which: str) -> DayRange:
    """`the next 3 days`; one month, quarter or year is that of the calendar."""
    sign = STEPS[which]
    unit = {1: "month", 3: "quarter", 12: "year"}.get(duration.months)
    if unit and not duration.days:
        return unit_range(ref, unit, sign)
    edge = move(ref.today, duration, sign)
    return DayRange(ref.today + _ONE_DAY, edge + _ONE_DAY) if sign > 0 else DayRange(edge, ref.today)


def counted_units(ref: ReferenceTime, number: int, which: str, unit: Symbol) -> DayRange | None:
    """`3 next weeks`; "3 next week" counts something else."""
    plural = unit.end - unit.start > len(unit.value)
    return days_around(ref, length_of(unit.value, number), which) if plural else None


def time_around(ref: ReferenceTime, duration: Duration, which: str) -> InstantRange:
    """`the last 2 hours`."""
    if STEPS[which] > 0:
        return InstantRange(ref.now, instant_away(ref, duration).at)
    return InstantRange(instant_away(ref, duration, -1).at, ref.now)


def hour_around(ref: ReferenceTime, clock_unit: str, which: str) -> InstantRange:
    """`the last hour`; "this hour" is the last one too."""
    length = timedelta(seconds=LENGTHS[clock_unit].seconds)
    first = ref.now - length * (STEPS[which] < 1)
    return InstantRange(first, first + length)


def month_range(ref: ReferenceTime, month: int, year: int | None = None, which: str = "") -> DayRange:
    """`May 2026`, `last May`; without either the one to come or running."""
    this = ref.today.month
    years = {"": month < this, "next": month <= this, "last": -(month >= this)}.get(which, 0)
    first = date(ref.today.year + years if year is None else year, month, 1)
    return DayRange(first, shift(first, months=1), floating=year is None)


def month_in_figures(ref: ReferenceTime, year_month: str) -> DayRange:
    """`2026-05`."""
    year, month = (int(piece) for piece in year_month.replace("/", "-").split("-"))
    return month_range(ref, month, year)


def _year_meant(ref: ReferenceTime, year: int | None, day_range: DayRange | None, which: str = "this") -> int:
    if day_range:
        return day_range.closed[0].year
    return year or ref.today.year + STEPS[which]


def part_of_year(
    ref: ReferenceTime, yearly_half: tuple[int, int], year: int | None = None, day_range: DayRange | None = None
) -> DayRange:
    """`Q3 2026`, `H1 of next year`."""
    months, which = yearly_half
    first = date(_year_meant(ref, year, day_range), 1 + months * (which - 1), 1)
    return DayRange(first, shift(first, months=months))


def kind_of_year(ref: ReferenceTime, calendar_kind: str, year: int | None = None, which: str = "this") -> DayRange:
    """`FY2026`, `last calendar year`."""
    return replace(year_range(_year_meant(ref, year, None, which)), certain=calendar_kind == "calendar")


def season(
    ref: ReferenceTime, season: int, year: int | None = None, day_range: DayRange | None = None, which: str = "this"
) -> DayRange:
    """`next summer`."""
    first = date(_year_meant(ref, year, day_range, which), season, 1)
    return DayRange(first, shift(first, months=3), certain=False)


def decade(decade_word: int) -> DayRange | None:
    """`the 90s`, `the twenties`."""
    if decade_word % 10:
        return None
    century = (1900 if decade_word >= 30 else 2000) if decade_word < 100 else 0
    return year_range(century + decade_word, years=10)


def week_number(ref: ReferenceTime, num: int, day_range: DayRange | None = None) -> DayRange:
    """`KW 12`, `week 12 of 2026`."""
    first = date.fromisocalendar(_year_meant(ref, None, day_range), num, 1)
    return DayRange(first, first + timedelta(days=7), day_range is not None)


def century(ordinal: int) -> DayRange:
    """`the 19th century`."""
    first = date((ordinal - 1) * 100 or 1, 1, 1)
    return DayRange(first, date(first.year + 100, 1, 1))


def _holder(ref: ReferenceTime, day_range: DayRange | None, holder: str) -> tuple[date, date]:
    return (day_range or unit_range(ref, holder)).closed


def nth_week(ref: ReferenceTime, ordinal: int, day_range: DayRange | None = None, holder: str = "") -> DayRange:
    """`the second week of July`: the first week is the one with the most days in it."""
    first, _ = _holder(ref, day_range, holder)
    first += timedelta(days=7 * (ordinal - (first.weekday() <= 3)) - first.weekday())
    return DayRange(first, first + timedelta(days=7))


def last_week(ref: ReferenceTime, day_range: DayRange | None = None, holder: str = "") -> DayRange:
    """`the last week of July`: the one with its last day."""
    last = _holder(ref, day_range, holder)[1] - _ONE_DAY
    first = last - timedelta(days=last.weekday())
    return DayRange(first, first + timedelta(days=7))


def nth_unit(
    ref: ReferenceTime, ordinal: int, calendar_unit: str, day_range: DayRange | None = None, holder: str = ""
) -> DayRange:
    """`the third quarter of 2026`."""
    first = move(_holder(ref, day_range, holder)[0], length_of(calendar_unit, ordinal - 1))
    return DayRange(first, move(first, length_of(calendar_unit, 1)))


def last_unit(ref: ReferenceTime, calendar_unit: str, day_range: DayRange | None = None, holder: str = "") -> DayRange:
    """`the last quarter of 2026`."""
    return last_days(ref, length_of(calendar_unit, 1), day_range, holder)


def first_days(ref: ReferenceTime, duration: Duration, day_range: DayRange | None = None, holder: str = "") -> DayRange:
    """`the first 3 days of July`."""
    first, _ = _holder(ref, day_range, holder)
    return DayRange(first, move(first, duration))


def last_days(ref: ReferenceTime, duration: Duration, day_range: DayRange | None = None, holder: str = "") -> DayRange:
    """`the last 3 days of July`."""
    first, end = _holder(ref, day_range, holder)
    return DayRange(max(first, move(end, duration, -1)), end)


def week_with(day: Day) -> DayRange:
    """`the week of June 3`."""
    first = day.date - timedelta(days=day.date.weekday())
    return DayRange(first, first + timedelta(days=7), day.certain)


def days_from(day: Day, duration: Duration) -> DayRange:
    """`the week starting on June 1`."""
    return DayRange(day.date, move(day.date, duration), day.certain)


def later_today(ref: ReferenceTime, day: Day) -> InstantRange | None:
    """What is left of the day."""
    midnight = ref.at(ref.today + _ONE_DAY, time(0))
    return InstantRange(ref.now, midnight, certain=False) if day.date == ref.today else None


def end_of_day(ref: ReferenceTime, day: Day) -> Instant:
    """Its last second."""
    return Instant(ref.at(day.date, time(23, 59, 59)), day.certain)


def phase_of_instants(instant_range: InstantRange) -> InstantRange:
    """`early tonight`."""
    return replace(instant_range, certain=False)


# Which part of a stretch of days.
_PHASES: Final = {
    "early": (0, 1 / 2), "late": (1 / 2, 1), "begin": (0, 1 / 3), "mid": (1 / 3, 2 / 3), "end": (2 / 3, 1), "rest": (0, 1),
}  # fmt: skip


def phase_of_days(ref: ReferenceTime, phase: str, day_range: DayRange | None = None, unit: str = "") -> DayRange:
    """`early next month`, `the rest of the week`."""
    whole = day_range or unit_range(ref, unit)
    first, end = whole.closed
    begins, ends = (first + timedelta(days=round((end - first).days * share)) for share in _PHASES[phase])
    if phase == "rest":
        begins = max(first, ref.today)
    return replace(whole, first=begins, end=ends, certain=False, modifier=phase)


_NO_HOLDER: Final = "(?! of (DayRange|this|next|last|the unit|year|month))"
_OF_HOLDER: Final = "(of|in)? (DayRange|the {holder unit})"
_WEEK: Final = "(unit:week|unit:workweek)"
_NO_SHARE: Final = "(?! measure|dash num|dash digits)"
PERIODS: Final = rules(
    {
        "(?<! modal) number (next|last) unit": counted_units,
        "(?<! modal) number past:past unit": counted_units,
        f"(this|next|last|past:past) calendar_unit {_NO_HOLDER}": unit_said,
        "the? calendar_unit (coming_after|last)": unit_said,
        "the {calendar_unit unit} after:after next": partial(unit_away, steps=2),
        f"(?<! modal) (next|last|past:past) Duration:days {_NO_HOLDER}": days_around,
        f"(?<! modal) (next|last|past:past) Duration:time {_NO_HOLDER}": time_around,
        "(this|next|last|past:past) clock_unit": hour_around,
        "(this|next|last) (?! month:weak) month": month_range,
        "(this|next|last) month:weak (?= to|dash|comma|stop|$)": month_range,
        "month stop? (comma|dash|slash_sign|of|in)? of? year": month_range,
        "year (dash|slash_sign)? month": month_range,
        "year_month": month_in_figures,
        "(?! month:weak) month": month_range,
        "(?<= in|from|to|of|before|after|phase|between|dash|the|part) month:weak": month_range,
        "(?<! the|dash|and|or|to) year (?= (dash|to|or) (year|DayRange|month|now|Day))": year_range,
        "year[1800-2199] (?= (dash|to|or) (year|DayRange|month|now|Day))": year_range,
        "(?<= in|from|before|after|of|between|past|equals|about) year (?= and (year|DayRange|month|now|Day))": year_range,
        "(?<= to) year[1800-2199] (?= and (year|DayRange|month|now|Day))": year_range,
        "^ year (?= and (year|DayRange|month|now|Day))": year_range,
        f"(?<= in|from|before|after|of|between|past|equals) year {_NO_SHARE}": year_range,
        f"(?<= to) year[1800-2199] {_NO_SHARE}": year_range,
        f"(?<= phase) year (?! and) {_NO_SHARE}": year_range,
        f"(?<= the) year[1800-2199] (?! and) {_NO_SHARE}": year_range,
        "(?<= DayRange to) year[1800-2199]": year_range,
        "(?<= DayRange (dash|and|or)) year[1800-2199] (?! and)": year_range,
        "^ year $": year_range,
        "unit:year of? year": year_range,
        "(DayRange:years|year) (dash|slash_sign|comma)? yearly_half": part_of_year,
        "yearly_half (dash|slash_sign|comma|of|in)? DayRange:years": part_of_year,
        "yearly_half (dash|slash_sign|of)? year": part_of_year,
        "yearly_half:q (?! (dash|slash_sign|comma|of|in)? DayRange)": part_of_year,
        "(this|next|last)? calendar_kind year": kind_of_year,
        "(this|next|last) calendar_kind": kind_of_year,
        "(this|next|last|the|in)? season (of? DayRange|of? year)?": season,
        "decade_word": decade,
        "week_number num (of? DayRange)?": week_number,
        "(?<! a|number|this|next|last) unit:week num (?! counted|colon)": week_number,
        "ordinal unit:century (?= any|stop|comma|to)": century,
        "the? ordinal unit:century $": century,
        f"the? ordinal {_WEEK} {_OF_HOLDER}": nth_week,
        f"the? last {_WEEK} {_OF_HOLDER}": last_week,
        f"the? ordinal calendar_unit {_OF_HOLDER}": nth_unit,
        f"the? last calendar_unit {_OF_HOLDER}": last_unit,
        f"the? ordinal Duration {_OF_HOLDER}": first_days,
        f"the? last Duration {_OF_HOLDER}": last_days,
        "the? unit:week of the? Day": week_with,
        "the unit:week (starting|after:since) on? the? Day": partial(days_from, duration=_ONE_WEEK),
        "Duration (starting|after:since) on? the? Day": days_from,
        "later:later dash? Day": later_today,
        "phase:end of? dash? Day": end_of_day,
        "(phase of?|later:later) dash? InstantRange": phase_of_instants,
        "phase of? dash? (the? unit|DayRange)": phase_of_days,
        "later:later dash? (the? unit|DayRange)": partial(phase_of_days, phase="late"),
        "the {unit unit:weekend|unit:fortnight}": uncertain_unit,
        "(?<= on|ampm) {unit unit:weekend|unit:fortnight}": uncertain_unit,
    }
)
