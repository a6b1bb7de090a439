"""Days: `May 5`, `5. Mai`, `6/4`, `Thursday`, `next week Mon`, `the 14th`, `übermorgen`, holidays."""

import re
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from ledger.language.times.date_arithmetic import (
    STEPS,
    date_or_none,
    full_year,
    holiday_date,
    meant_date,
    meant_weekday,
    shift,
)
from ledger.language.times.expressions import Day, DayPart, Instant, NoSuchDay
from ledger.language.times.grammar import rules
from ledger.language.times.reference import ReferenceTime


def iso_instant(ref: ReferenceTime, iso: str) -> Instant:
    """`2026-05-06T10:00Z`."""
    said = datetime.fromisoformat(iso)
    return Instant(said.astimezone(ref.zone) if said.tzinfo else ref.at(said.date(), said.time()))


def _numbers(figures: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", figures)]


def year_first(date: str) -> Day | None:
    """`2026-05-06`; some write the day before the month."""
    year, one, two = _numbers(date)
    found = date_or_none(year, one, two) or date_or_none(year, two, one)
    return Day(found) if found else None


def year_last(ref: ReferenceTime, date: str) -> Day:
    """`5/6/2026`."""
    one, two, year = _numbers(date)
    return _in_some_order(ref, one, two, full_year(year), dotted="." in date)


def _in_some_order(ref: ReferenceTime, one: int, two: int, year: int | None = None, *, dotted: bool = False) -> Day:
    """Day and month as the place orders them, the other way round where only that is a date."""
    orders = [(one, two), (two, one)]
    if ref.dayfirst or (dotted and not ref.order_known):
        orders.reverse()
    days = [found for month, day in orders if (found := meant_date(ref, month, day, year))]
    return Day(days[0], len(set(days)) == 1 or ref.order_known, floating=year is None)


def without_year(ref: ReferenceTime, slash: str) -> Day:
    """`6/4`."""
    return _in_some_order(ref, *_numbers(slash))


def dated(ref: ReferenceTime, month: int, day_number: int, year: int | None = None) -> Day | NoSuchDay | None:
    """`May 5`, `5 May 2026`."""
    if month > 12 or not 1 <= day_number <= 31:
        return None
    found = meant_date(ref, month, day_number, year)
    return Day(found, floating=year is None) if found else NoSuchDay()


def day_and_month(ref: ReferenceTime, weak_date: str) -> Day | NoSuchDay | None:
    """`am 4.6.`."""
    day, month = _numbers(weak_date)
    return dated(ref, month, day)


def days_from_today(ref: ReferenceTime, days: int, *, certain: bool = True) -> Day:
    """`tomorrow`; `the next day`, which may be counted from another."""
    return Day(ref.today + timedelta(days=days), certain)


def part_of_this_day(ref: ReferenceTime, tonight: str) -> Day:
    """`tonight`."""
    return Day(ref.today, part=tonight)


def in_week(ref: ReferenceTime, weekday: int, which: str = "this") -> Day:
    """`Monday next week`."""
    return Day(ref.monday + timedelta(days=7 * STEPS[which] + weekday))


def part_in_week(ref: ReferenceTime, weekday: int, daytime: str, which: str) -> DayPart:
    """`Thursday evening next week`."""
    return DayPart(replace(in_week(ref, weekday, which), part=daytime))


def named_day(day: Day) -> Day:
    """`Thursday, May 7`."""
    return day


def day_if_weekday(day: Day, weekday: int) -> Day | None:
    """`May 7 (Thu)`, which may be two days."""
    return day if day.date.weekday() == weekday else None


def weekday_and_number(ref: ReferenceTime, weekday: int, day_number: int) -> Day:
    """`Thursday the 14th`: of the month where it is one; else of the first month to come that has such a day."""
    months = [shift(ref.month, months=months) for months in (0, 1, -1, *range(2, 13))]
    days = [day for month in months if (day := date_or_none(month.year, month.month, day_number))]
    fitting = [day for day in days if day.weekday() == weekday and day >= ref.today - timedelta(days=31)]
    coming = [day for day in days if day >= ref.today]
    return Day((fitting or coming)[0], bool(fitting))


def weekday_and_dotted(ref: ReferenceTime, dotted: str) -> Day | None:
    """`Thursday 10.5`; `Thursday 10.50` is a clock."""
    return _in_some_order(ref, *_numbers(dotted)) if dotted[-2] == "." else None


def weekday_and_hyphened(ref: ReferenceTime, weekday: int, one: int, two: int) -> Day | None:
    """`Thursday 5-7`, where that is a Thursday."""
    return day_if_weekday(_in_some_order(ref, one, two), weekday)


def next_holiday(ref: ReferenceTime, holiday: str) -> Day:
    """`Easter`: this year's until it is over."""
    day = holiday_date(holiday, ref.today.year)
    return Day(day if day >= ref.today else holiday_date(holiday, ref.today.year + 1))


def last_holiday(ref: ReferenceTime, holiday: str) -> Day:
    """`last Easter`."""
    day = holiday_date(holiday, ref.today.year)
    return Day(day if day < ref.today else holiday_date(holiday, ref.today.year - 1))


def holiday_of_year(holiday: str, year: int) -> Day:
    """`Easter 2027`."""
    return Day(holiday_date(holiday, year))


def holiday_of_said_year(ref: ReferenceTime, holiday: str, which: str) -> Day:
    """`Easter next year`."""
    return Day(holiday_date(holiday, ref.today.year + STEPS[which]))


def day_of_month(ref: ReferenceTime, day_number: int, which: str) -> Day:
    """`the 5th of next month`."""
    return Day(shift(ref.month, months=STEPS[which]).replace(day=day_number))


def coming_number(ref: ReferenceTime, day_number: int) -> Day | None:
    """`the 14th`."""
    months = [shift(ref.month, months=months) for months in range(3)]
    days = (date_or_none(month.year, month.month, day_number) for month in months)
    return next((Day(day) for day in days if day and day >= ref.today), None)


_OF_YEAR: Final = "(comma|dash|slash_sign|of|in)? of? year"
_NO_LENGTH: Final = "(?! unit|clock_unit|measure|ampm|colon|slash)"
_MONTH: Final = "(?! (?<= pronoun) month:weak) month stop? (dash|slash_sign)? the?"
_WEEK: Final = "(unit:week|unit:workweek)"
DAYS: Final = rules(
    {
        "iso": iso_instant,
        "date:year_first": year_first,
        "date:year_last": year_last,
        "slash:date (?! of|counted)": without_year,
        "(?<= on|before|after|to|from|weekday|between|comma|or|the|dash|ampm) slash (?! of|counted)": without_year,
        "year (dash|slash_sign) month (dash|slash_sign) {day_number num}": dated,
        "{day_number num} (dash|slash_sign) year (dash|slash_sign) month": dated,
        "month (dash|slash_sign) year (dash|slash_sign) {day_number num}": dated,
        f"{_MONTH} day_number {_NO_LENGTH} {_OF_YEAR}": dated,
        f"{_MONTH} (ordinal|word_num) {_NO_LENGTH}": dated,
        # "18 Dec 20 …": the day stands before its month already.
        f"(?<! num|ordinal) {_MONTH} num {_NO_LENGTH}": dated,
        "the? (ordinal unit:day?|num stop|number) of? (dash|slash_sign)? month (stop? (comma|dash|slash_sign)? of? year)?": dated,
        "(?<= on) day_number stop? month": dated,
        f"weekday (?! part:nacht) daytime of? (this|next|last) {_WEEK}": part_in_week,
        "(this|next|last) weekday dotted": weekday_and_dotted,
        "weak_date": day_and_month,
        "{days day_word}": days_from_today,
        "{days day_beside}": partial(days_from_today, certain=False),
        "tonight": part_of_this_day,
        f"(this|next|last|past:past) {_WEEK} (dash|on|of)? weekday": in_week,
        f"weekday of? the? (this|next|last|past:past) {_WEEK}": in_week,
        f"weekday the? {_WEEK} coming_after": in_week,
        "(this|next|last|past) weekday open? Day close?": named_day,
        "(this|next|last|past) weekday": meant_weekday,
        # "el jueves que viene": the nearest to come.
        "weekday (coming_after|next:coming)": partial(meant_weekday, which="coming"),
        "weekday last": meant_weekday,
        "weekday comma? the? {day_number ordinal} (?! unit)": weekday_and_number,
        "weekday comma? the? {day_number num[13-31]} (?! counted|ampm|dash|to|colon|Clock|oclock)": weekday_and_number,
        "weekday open? comma? (on|the)? Day close?": named_day,
        "weekday comma? dotted": weekday_and_dotted,
        "weekday comma? {one num} dash:glued {two num}": weekday_and_hyphened,
        "Day comma? open? weekday close?": day_if_weekday,
        "last holiday": last_holiday,
        "(next|this) holiday": next_holiday,
        "holiday comma? of? year": holiday_of_year,
        "holiday of? (this|next|last) unit:year": holiday_of_said_year,
        "holiday (?! of? (this|next|last) unit)": next_holiday,
        "(?! weak_weekday) weekday": meant_weekday,
        # *sat* and *sun* are days: not after who sat, not with an article, and not amid other words.
        "(?<= .) (?<! the|modal|pronoun|any) weak_weekday": meant_weekday,
        "(?<! the|modal|pronoun) weak_weekday (?= colon|Clock|at|dash|stop:question|$)": meant_weekday,
        "^ weak_weekday (?= comma|part|or|and|to|stop|num)": meant_weekday,
        "(?<= pronoun) weekday:sun (?= colon|Clock|at|dash|stop|$)": meant_weekday,
        "the? {day_number ordinal} of? (this|next|last) unit:month": day_of_month,
        "the? {day_number num} of (this|next|last) unit:month": day_of_month,
        "the? unit of? the? {day_number ordinal} of? (this|next|last) unit:month": day_of_month,
    }
)

_NO_OTHER_NUMBER: Final = "(?! counted|of|any)"
ORDINALS: Final = rules(
    {
        "(?<! between|about|from|and|or) the {day_number ordinal:figures} (?! counted|of|any|year)": coming_number,
        f"(?<= on|before|from|to|after) the? {{day_number ordinal}} {_NO_OTHER_NUMBER}": coming_number,
        f"(?<= ampm) the? {{day_number ordinal:figures}} {_NO_OTHER_NUMBER}": coming_number,
        "(?<= on|before|to|after|ampm) {day_number num} stop (?! num)": coming_number,
        "(?<= Day (or|and|comma)) the? {day_number ordinal:figures} (?! counted|any)": coming_number,
        "(?<= on the) {day_number num} (?! counted|of|slash_sign)": coming_number,
        "(?<= on) the {day_number ordinal} (?! counted)": coming_number,
        "(?<= on:le) {day_number num[1-31]} (?= at|about:vers|after|before|to|of|comma|stop|then|$)": coming_number,
        "(?<= on|before) the? {day_number ordinal} (?= any|then)": coming_number,
    }
)
