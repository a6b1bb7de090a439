"""Clocks and parts of the day: `3pm`, `half past three`, `halb vier`, `las cuatro y media`, `4-5pm`, `por la tarde`."""

import re
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Final
from zoneinfo import ZoneInfo

from ledger.language.times.expressions import Clock, ClockRange, Day, DayPart, InstantRange, part_hours
from ledger.language.times.grammar import Reclassified, Symbol, rules
from ledger.language.times.reference import ReferenceTime

_FIGURES: Final = re.compile(r"(\d{1,2}?)(?:[:.]?(\d\d))?(?:[:.](\d\d))?")


def spelled_year(numerals: list[int]) -> Reclassified:
    """`two thousand and twenty`, `nineteen hundred eighty`."""
    total = count = 0
    for number in numerals:
        if number >= 100:
            total, count = total + count * number, 0
        else:
            count += number
    return _year(total + count)


def paired_year(century: int, rest: int) -> Reclassified | None:
    """`nineteen eighty four`."""
    return _year(century * 100 + rest) if century in (18, 19, 20) else None


def _year(number: int) -> Reclassified:
    if number not in range(1500, 2200):
        raise ValueError("not a year that people speak of")
    return Reclassified("year", number)


NUMBERS: Final = rules(
    {
        "word_num thousand (and? word_num hundred?)?( and? word_num)?": spelled_year,
        "word_num hundred( and? word_num)+": spelled_year,
        "(?<= in|month|ordinal|from|after) {century word_num} {rest word_num[10-99]} (?! clock_unit|ampm)": paired_year,
    }
)


def written_clock(figure: Symbol) -> Clock:
    """The clock that a word or figures show by themselves. ValueError where no clock does."""
    if isinstance(figure.value, Clock):
        return figure.value
    shown = _FIGURES.fullmatch(str(figure.value))
    if shown is None:
        raise ValueError("no clock")
    hour, minute, second = (int(piece or 0) for piece in shown.groups())
    return Clock.written(hour, minute, second, sure=len(shown[1]) == 2 and shown[1].startswith("0"))


def _full_hour(figure: Symbol) -> Clock:
    clock = written_clock(figure)
    if clock.minute:
        raise ValueError("not a full hour")
    return clock


def clock_in_half(figure: Symbol, ampm: str) -> Clock:
    """`4 pm`."""
    return written_clock(figure).in_half(ampm)


def spelled_minutes(hour: int, minute: int) -> Clock:
    """`four twenty`."""
    return Clock.written(hour, minute)


def spelled_minutes_in_half(hour: int, minute: int, ampm: str) -> Clock:
    """`four twenty pm`."""
    return Clock.written(hour, minute).in_half(ampm)


def minutes_to(figure: Symbol, minutes: int) -> Clock:
    """`ten to five`, `halb vier`."""
    return _full_hour(figure).before(minutes)


def minutes_past(figure: Symbol, minutes: int) -> Clock:
    """`ten past five`."""
    return replace(_full_hour(figure), minute=minutes)


def clock_named(noon: int) -> Clock:
    """`noon`, `midnight`."""
    return Clock(noon)


def minutes_after_noon(noon: int, minute: int) -> Clock:
    """`midi quinze`."""
    return Clock(noon % 24, minute)


def clock_about(figure: Symbol) -> Clock:
    """`4ish`."""
    return replace(written_clock(figure), open=True)


def clock_in_zone(clock: Clock, zone: str) -> Clock:
    """`3pm PST`."""
    return replace(clock, zone=ZoneInfo(zone))


def hour_unit() -> Reclassified:
    """`deux heures`, where no clock is meant."""
    return Reclassified("clock_unit:hour", "hour")


# Where a French hour is a clock, and no length of time.
_BEFORE_HOURS: Final = (
    "(?<= at|about:vers|before|after|to|from|of|between|and|weekday|day_word|tonight|month|comma|dash|then)"
)
# And where `9h` is one, in any language.
_BEFORE_GLUED: Final = "(?<= at|about:vers|before|after:since|to:until|from|between|day_word|weekday|tonight|month)"
_HOUR: Final = "{figure number[0-23]}"
CLOCKS: Final = rules(
    {
        f"{_BEFORE_HOURS} {{hour number[0-23]}} heure {{minute number[1-59]}} (?! clock_unit)": spelled_minutes,
        "^ {hour number[0-23]} heure {minute number[1-59]} (?! clock_unit)": spelled_minutes,
        f"{_BEFORE_HOURS} {_HOUR} heure (?! of)": written_clock,
        f"{_HOUR} heure (?= half:demie|quarter|minus|part_phrase|tonight)": written_clock,
        f"^ {_HOUR} heure (?= stop|comma|at|to|dash|$)": written_clock,
        "{figure num[13-23]} heure (?! of)": written_clock,
        "heure": hour_unit,
        "noon {minute number[1-59]} (?! unit|clock_unit|measure)": minutes_after_noon,
        "noon": clock_named,
        "{hour number[1-12]} (oh|num[0-0]|word_num[0-0]) {minute number[1-9]} ampm": spelled_minutes_in_half,
        "{hour word_num[1-12]} (oh|word_num[0-0]) {minute word_num[1-9]} (?! unit|clock_unit|measure)": spelled_minutes,
        "{hour number} oclock {minute num[0-59]}": spelled_minutes,
        "{figure colon_clock|dotted|digits|number} ampm (?! measure)": clock_in_half,
        "{hour number} {minute number[10-59]} ampm": spelled_minutes_in_half,
        "(?<= at) {hour word_num} {minute word_num[10-59]} (?! unit|clock_unit)": spelled_minutes,
        "(?<= ordinal|from|between) {hour word_num} {minute word_num[10-59]} (?! unit|clock_unit|ampm)": spelled_minutes,
        "(?<= Clock (to|and)) {hour word_num} {minute word_num[10-59]} (?! unit|clock_unit)": spelled_minutes,
        "{figure number|colon_clock|dotted|digits} oclock": written_clock,
        "{figure num[13-99]} glued_h": written_clock,
        f"{_BEFORE_GLUED} {{figure num}} glued_h (?! of)": written_clock,
        "(?<= of) {figure num[0-23]} glued_h (?= at:to|to|dash)": written_clock,
        "{figure colon_clock}": written_clock,
        "(?<= Clock (at:to|to|dash|and)) {figure num[0-23]} glued_h": written_clock,
        "{figure num[0-23]} glued_h (?= dash Clock|half:demie|quarter:quart|minus|part_phrase|tonight)": written_clock,
        "half:halb past? {figure number|Clock} (?! counted)": partial(minutes_to, minutes=30),
        "half:half past {figure number|Clock} (?! counted)": partial(minutes_past, minutes=30),
        # British "half three"; elsewhere "half ten of them" is a count.
        "(?<= at|before|after) half:half {figure number|Clock} (?! counted)": partial(minutes_past, minutes=30),
        "quarter:viertel {figure number|Clock} (?! counted)": partial(minutes_to, minutes=45),
        "quarter:dreiviertel (past|to|ago_first)? {figure number|Clock} (?! counted)": partial(minutes_to, minutes=15),
        "quarter past {figure number|Clock} (?! counted)": partial(minutes_past, minutes=15),
        "quarter (to|ago_first) {figure number|Clock} (?! counted)": partial(minutes_to, minutes=15),
        "{minutes number[1-59]} clock_unit:minute? past half? {figure number|Clock} (?! counted)": minutes_past,
        "{minutes number[1-59]} clock_unit:minute? ago_first half? {figure number|Clock} (?! counted)": minutes_to,
        "(?<= at) {minutes number[1-59]} clock_unit:minute? to {figure number} (?! counted)": minutes_to,
        "{figure number} and half:media (?! unit|clock_unit)": partial(minutes_past, minutes=30),
        "{figure Clock} and? half:demie (?! unit|clock_unit)": partial(minutes_past, minutes=30),
        "{figure number} and quarter:cuarto (?! unit|clock_unit)": partial(minutes_past, minutes=15),
        "{figure Clock} (and? quarter:quart|and quarter:cuarto) (?! of|unit|clock_unit)": partial(
            minutes_past, minutes=15
        ),
        "{figure Clock} quarter:troisquarts (?! of)": partial(minutes_past, minutes=45),
        "{figure number|Clock} minus quarter": partial(minutes_to, minutes=15),
        "{figure number|Clock} minus {minutes number[0-59]}": minutes_to,
        "(?<= at:las|the:las) {hour number[1-12]} and {minute number[1-59]} (?! clock_unit|unit)": spelled_minutes,
        "{figure num|digits} about:ish": clock_about,
        "(?<= at|about) digits (?! countable)": written_clock,
        "(?<= before|after|past|about|to:until) (digits|dotted) (?! countable)": written_clock,
        "(?<= before|after|past|to:until) number[1-99] (?= stop|comma|then|$)": written_clock,
        "(?<= at) (number[1-99]|digits|dotted) (?! countable)": written_clock,
        "(?<= at about) (number[1-99]|digits|dotted) (?! countable)": written_clock,
        "(?<! to:to) (digits|dotted) (?= on|in)": written_clock,
        "Clock zone": clock_in_zone,
    }
)


def clocks_between(figures: list[Symbol]) -> ClockRange:
    """`from 3 to 4:30`."""
    first, end = (written_clock(figure) for figure in figures)
    return ClockRange.between(first, end)


def clocks_between_in_part(figures: list[Symbol], part_name: str) -> ClockRange:
    """`3 to 5 in the afternoon`."""
    first, end = (written_clock(figure).in_part(part_name) for figure in figures)
    return ClockRange.between(first, end)


def clock_range_in_part(clock_range: ClockRange, part_name: str) -> ClockRange:
    """`4-5 in the afternoon`, once the clocks are a range."""
    return clock_range.in_part(part_name)


def clock_in_part(figure: Symbol, part_name: str) -> Clock:
    """`4 in the afternoon`."""
    return written_clock(figure).in_part(part_name)


def part_of_last_day(ref: ReferenceTime, part: str) -> DayPart:
    """`last night` was yesterday, `last morning` today."""
    days = 1 if part in ("night", "evening", "afternoon", "nacht") else 0
    return DayPart(Day(ref.today - timedelta(days=days), part=part))


def part_of_today(ref: ReferenceTime, part: str) -> InstantRange:
    """`this afternoon`."""
    return part_hours(part).on(ref, Day(ref.today))


def hours(part_name: str) -> ClockRange:
    """`in the morning`."""
    return part_hours(part_name)


def before_part(part: str) -> ClockRange:
    """`before lunch`."""
    return ClockRange(None, part_hours(part).first, "before")


def after_part(part: str) -> ClockRange:
    """`after lunch`."""
    return ClockRange(part_hours(part).end, None, "after")


def part_of_day(day: Day, part_name: str) -> DayPart:
    """`tomorrow morning`."""
    return DayPart(replace(day, part=part_name))


_TO_FIGURE: Final = "((from|between|of)? figure (to|dash)|(from|of) figure at:to|between figure and)"
_NOT_COUNTED: Final = "(?! unit|clock_unit|measure|month|slash_sign|year|of|ampm)"
_PHASE: Final = "(phase:early|phase:mid|phase:late)"
PARTS_OF_DAY: Final = rules(
    {
        "last part": part_of_last_day,
        f"{_TO_FIGURE} figure in the part_name": clocks_between_in_part,
        f"{_TO_FIGURE} (digits|dotted|Clock) part_name": clocks_between_in_part,
        f"(from|between|of)? (Clock (to|dash) at? figure|figure (to|dash) at? Clock) {_NOT_COUNTED}": clocks_between,
        f"(from|of) (Clock at:to figure|figure at:to Clock) {_NOT_COUNTED}": clocks_between,
        f"(from|between) figure (to|dash) at? figure {_NOT_COUNTED}": clocks_between,
        f"between figure and at? figure {_NOT_COUNTED}": clocks_between,
        f"(?<= Day|comma|part) figure (to|dash) at? figure {_NOT_COUNTED}": clocks_between,
        "(?<! of|any) figure (to|dash) at? figure (?= in|on|the)": clocks_between,
        "(?<! of) figure (to|dash) at? figure (?= Day|part)": clocks_between,
        "{figure Clock} comma? (in|at)? the? part_name": clock_in_part,
        "(in the? phase?|phase) part comma? at? {figure Clock}": clock_in_part,
        "in the? phase? part comma? at? {figure number|digits}": clock_in_part,
        "daytime comma? at? {figure Clock}": clock_in_part,
        "ClockRange:closed (in|of)? the? part_name": clock_range_in_part,
        "ClockRange in the? part_name": hours,
        "{figure number|digits} in the part_name": clock_in_part,
        "{figure number|digits} on? part_phrase": clock_in_part,
        "{figure Clock} phase part": clock_in_part,
        f"this {_PHASE}? in? the? part": part_of_today,
        f"before {_PHASE}? in? the? part": before_part,
        f"after {_PHASE}? in? the? part": after_part,
        f"(about|at|later:later|in the?) {_PHASE}? in? the? part": hours,
        f"{_PHASE} in? the? part": hours,
        "(?<! phase) in the? part": hours,
        "part_phrase": hours,
        "Day (in|at)? the? {part_name daytime}": part_of_day,
        "{part_name daytime} Day": part_of_day,
        "Day part_phrase": part_of_day,
        "{part_name daytime|part_phrase} of? Day": part_of_day,
    }
)
