"""How long and how often: `45 minutes`, `an hour and a half`, `in 20 min`, `hace 3 días`, `every other Friday at 4`."""

from functools import partial
from typing import Final

from ledger.language.times.clocks import written_clock
from ledger.language.times.date_arithmetic import LENGTHS, instant_away, length_of, move
from ledger.language.times.expressions import (
    PARTS,
    ClockRange,
    Day,
    DayRange,
    Duration,
    Instant,
    InstantRange,
    Recurrence,
)
from ledger.language.times.grammar import Symbol, rules
from ledger.language.times.reference import ReferenceTime

# How often a unit comes: frequency, of how many of them, and on which days.
_EVERY: Final = {
    "minute": ("MINUTELY", 1, ""), "hour": ("HOURLY", 1, ""), "day": ("DAILY", 1, ""), "night": ("DAILY", 1, ""),
    "week": ("WEEKLY", 1, ""), "month": ("MONTHLY", 1, ""), "quarter": ("MONTHLY", 3, ""), "year": ("YEARLY", 1, ""),
    "weekend": ("WEEKLY", 1, ";BYDAY=SA,SU"), "workday": ("WEEKLY", 1, ";BYDAY=MO,TU,WE,TH,FR"),
}  # fmt: skip
_BYDAY: Final[dict[int | str, str]] = {
    **dict(enumerate(("MO", "TU", "WE", "TH", "FR", "SA", "SU"))),
    "weekend": "SA,SU",
    "weekday": "MO,TU,WE,TH,FR",
}
_PART_BEGINS: Final = {"morning": 8, "noon": 12, "afternoon": 14, "evening": 18}


def _rule(frequency: str, interval: int, more: str = "") -> Recurrence:
    return Recurrence(f"FREQ={frequency}" + (f";INTERVAL={interval}" if interval != 1 else "") + more)


def every_unit(unit: str, count: int = 1) -> Recurrence:
    """`every second week`, `every quarter`."""
    frequency, units, days = _EVERY[unit]
    return _rule(frequency, count * units, days)


def every_weekday(recurring_days: list[int | str], other: int = 1) -> Recurrence:
    """`every other Monday and Friday`, `weekends`."""
    return _rule("WEEKLY", other, ";BYDAY=" + ",".join(_BYDAY[day] for day in recurring_days))


def every_part(part: str) -> Recurrence:
    """`every morning`."""
    return _rule("DAILY", 1, f";BYHOUR={_PART_BEGINS.get(part, 20)}")


def often(often: str) -> Recurrence:
    """`daily`."""
    return Recurrence(often)


def on_day_of_month(recurrence: Recurrence, ordinal: int) -> Recurrence | None:
    """`the 1st of every month`."""
    return Recurrence(f"{recurrence.rule};BYMONTHDAY={ordinal}") if "MONTHLY" in recurrence.rule else None


RECURRENCES: Final = rules(
    {
        "(?<! number|some) every other? weekday (and weekday)*": every_weekday,
        "(?<! number|some) weekdays (and weekdays)*": every_weekday,
        "every {count other|number[1-99]|ordinal}? {unit unit|clock_unit|quarter:quarter}": every_unit,
        "every some {unit unit|clock_unit|quarter:quarter}": partial(every_unit, count=2),
        "every part": every_part,
        "(times|number) a {unit often_unit}": partial(every_unit, count=1),
        "times every? {unit often_unit|clock_unit}": partial(every_unit, count=1),
        "often": often,
        "the? ordinal of Recurrence": on_day_of_month,
    }
)


def recurring_at(recurrence: Recurrence, figure: Symbol) -> Recurrence:
    """`every Tuesday at 4`."""
    clock = written_clock(figure)
    return Recurrence(f"{recurrence.rule};BYHOUR={clock.hour % 24};BYMINUTE={clock.minute}")


def recurring_between(recurrence: Recurrence, clock_range: ClockRange) -> Recurrence | None:
    """`every Tuesday 4-5pm`: when it begins."""
    clock = clock_range.first
    return Recurrence(f"{recurrence.rule};BYHOUR={clock.hour % 24};BYMINUTE={clock.minute}") if clock else None


def recurring_in_part(recurrence: Recurrence, part: str) -> Recurrence:
    """`every Tuesday in the evening`."""
    return Recurrence(f"{recurrence.rule};BYHOUR={PARTS[part][0]}")


TIMED_RECURRENCES: Final = rules(
    {
        "Recurrence comma? at? {figure Clock}": recurring_at,
        "Recurrence comma? at {figure num}": recurring_at,
        "Recurrence comma? at? ClockRange": recurring_between,
        "Recurrence in? the? part": recurring_in_part,
        "{figure Clock} Recurrence": recurring_at,
    }
)


def counted(count: float | str, length_unit: str, some: int = 0) -> Duration:
    """`45 minutes`, `2.5 h`, `a few days`."""
    return length_of(length_unit, float(str(count).replace(",", ".")), vague=some > 0)


def and_a_fraction(count: int, length_unit: str, more: float) -> Duration:
    """`two and a half hours`."""
    return length_of(length_unit, count + more)


def with_a_fraction(duration: Duration, more: float) -> Duration:
    """`an hour and a half`: half of the unit where there was one of it, else half an hour or half a day."""
    unit = next((unit for unit, one in LENGTHS.items() if one.size == duration.size), None)
    return duration + length_of(unit or ("hour" if duration.seconds else "day"), more)


def joined(durations: list[Duration]) -> Duration | None:
    """`2 hours and 5 minutes`, from the longest to the shortest."""
    sizes = [(one.months * 30 + one.days) * 86400 + one.seconds for one in durations]
    return sum(durations[1:], durations[0]) if sizes == sorted(set(sizes), reverse=True) else None


def from_now(ref: ReferenceTime, duration: Duration, sign: int = 1) -> Day | Instant:
    """`in 3 days`: a day where only days were counted, else an instant."""
    if duration.seconds:
        return instant_away(ref, duration, sign)
    return Day(move(ref.today, duration, sign), not duration.vague)


def within_days(ref: ReferenceTime, duration: Duration) -> DayRange:
    """`within 3 days`."""
    return DayRange(ref.today, move(ref.today, duration))


def within_time(ref: ReferenceTime, duration: Duration) -> InstantRange:
    """`within 2 hours`."""
    return InstantRange(ref.now, instant_away(ref, duration).at)


def from_day(duration: Duration, day: Day, sign: int = 1) -> Day:
    """`3 days after June 1st`."""
    return Day(move(day.date, duration, sign), day.certain)


_NOT_FROM: Final = "(?! before|Day|from|after)"
DURATIONS: Final = rules(
    {
        "{count number|a} and a? half {length_unit unit|clock_unit}": partial(and_a_fraction, more=0.5),
        "{count number|a} and a? quarter {length_unit unit|clock_unit}": partial(and_a_fraction, more=0.25),
        "(?<! and|number|times) a half (a|dash)? {length_unit unit|clock_unit} (?! of)": partial(counted, count=0.5),
        "(?<! a) half (a|dash)? {length_unit unit|clock_unit} (?! of)": partial(counted, count=0.5),
        "(?<! number|times) {count a} (dash|some)? {length_unit unit|clock_unit|glued_h}": counted,
        "{count number|digits|dotted|decimal|some} (dash|some)? "
        "{length_unit unit|clock_unit|quarter:quarter|glued_h}": counted,
        "{count number} {length_unit weekdays:weekend}": counted,
        "(?<! month) {count number[1-1]} {length_unit part:night}": counted,
        "Duration and a? half (?! past)": partial(with_a_fraction, more=0.5),
        "Duration and a? quarter (?! past)": partial(with_a_fraction, more=0.25),
        "all {length_unit unit}": partial(counted, count=1),
        "Duration (comma? Duration)++ (?= later:ago)": joined,
        "Duration ((and|comma)? Duration)++ (?! later:ago)": joined,
        f"in:within Duration:days {_NOT_FROM}": within_days,
        f"in:within Duration:time {_NOT_FROM}": within_time,
        f"in:in Duration {_NOT_FROM}": from_now,
        "Duration later:later (?! this|in|on)": from_now,
        "Duration later:ago (?! this|in|on)": partial(from_now, sign=-1),
        "ago_first Duration": partial(from_now, sign=-1),
        "Duration (before|after|from|past) now": from_now,
        "Duration:days before:before Day": partial(from_day, sign=-1),
        "Duration:days (after:after|from|past) Day": from_day,
    }
)
