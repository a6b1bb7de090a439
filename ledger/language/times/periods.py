"""Stretches of whole days: `next week`, `the last week of July`, `Q3 2026`, `early next month`, `the 90s`."""

from dataclasses import replace
from datetime import date, time, timedelta
from typing import Final

from ledger.language.times.durations import LENGTHS, from_now, moved, times
from ledger.language.times.engine import Made, Node, Place, Rules, is_a, pick, shift
from ledger.language.times.meanings import Day, Moment, Period, Stretch

PERIODS: Final = Rules()


def period(place: Place, unit: str, steps: int) -> Period | None:
    """The unit that holds today, moved by so many: weeks begin on Monday."""
    today = place.today
    monday = today - timedelta(days=today.weekday())
    match unit:
        case "day":
            first, end = today + timedelta(days=steps), today + timedelta(days=steps + 1)
        case "week" | "workweek":
            first = monday + timedelta(days=7 * steps)
            end = first + timedelta(days=5 if unit == "workweek" else 7)
        case "weekend":
            first = monday + timedelta(days=5 + 7 * steps)
            end = first + timedelta(days=2)
        case "fortnight":
            first = today if steps >= 0 else today - timedelta(days=14)
            end = first + timedelta(days=14)
        case "month" | "quarter" | "year" | "decade" | "century":
            size = LENGTHS[unit].months
            start = today.replace(day=1)
            index = (start.year * 12 + start.month - 1) // size + steps
            first = shift(date(1, 1, 1), months=index * size - 12)
            end = shift(first, months=size)
        case _:
            return None
    return Period(first, end)


_STEPS: Final = {"this": 0, "next": 1, "coming": 1, "last": -1, "past": -1}


@PERIODS("(num|word_num) (next|last|past) unit")
def _counted_before(place: Place, part: list[Node], before: Node | None, after: Node | None) -> Made:
    # "3 next week" counts something else: only the plural of a unit is counted.
    plural = part[-1].end - part[-1].start > len(str(part[-1].value))
    return _counted(place, part, before, after) if plural else None


@PERIODS(
    "(this|next|last|past) (unit|quarter) (?! of (T_PERIOD|this|next|last|the unit|year|month|month_weak))",
    "the? (unit|quarter) (coming_after|last)",
    "the unit after next",
)
def _said(place: Place, part: list[Node], before: Node | None, after: Node | None) -> Made:
    unit = pick(part, "unit", "quarter")
    steps = (
        2
        if pick(part, "after")
        else 1
        if pick(part, "coming_after")
        else _STEPS[pick(part, "this", "next", "last", "past")]
    )
    if pick(part, "after") not in (None, "after") or (is_a(part[0], "past") and part[0].value == "nach"):
        return None
    found = period(place, unit, steps)
    if found is None:
        return None
    return ("T_DAY", Day(found.first)) if unit == "day" and found.first else ("T_PERIOD", found)


@PERIODS("(next|last|past) T_DURATION (?! of (T_PERIOD|this|next|last|the unit|year|month|month_weak))")
def _counted(place: Place, part: list[Node], before: Node | None, after: Node | None) -> Made:
    word = pick(part, "next", "last", "past")
    if is_a(before, "modal") or (is_a(part[0], "past") and part[0].value == "nach"):
        return None
    length = pick(part, "T_DURATION") or (times(part[2].value, part[0].value) if part[-1].value in LENGTHS else None)
    if length is None:
        return None
    ahead = word in ("next", "coming")
    if length.seconds:
        other = from_now(place, length, 1 if ahead else -1)[1].at
        return "T_SPAN", Stretch(place.now, other) if ahead else Stretch(other, place.now)
    if length.months and not length.days and length.months in (1, 3, 12):
        return "T_PERIOD", period(place, {1: "month", 3: "quarter", 12: "year"}[length.months], 1 if ahead else -1)
    edge = moved(place, place.today, length, 1 if ahead else -1)
    one = timedelta(days=1)
    return "T_PERIOD", Period(place.today + one, edge + one) if ahead else Period(edge, place.today)


@PERIODS("(next|last|this|past) clock_unit")
def _hour(place: Place, part: list[Node], before: Node | None, after: Node | None) -> Made:
    length = timedelta(seconds=LENGTHS[part[1].value].seconds)
    ahead = part[0].value in ("next", "coming")
    return "T_SPAN", Stretch(place.now, place.now + length) if ahead else Stretch(place.now - length, place.now)


def month_period(place: Place, month: int, year: int | None, said: str = "") -> Period:
    """That month: of the year said, else the one to come or running."""
    if year is None:
        steps = 1 if said == "next" and month <= place.today.month else 0
        year = place.today.year + (steps if said else month < place.today.month)
        if said == "last":
            year = place.today.year - (month >= place.today.month)
    first = date(year, month, 1)
    return Period(first, shift(first, months=1))


_YEARED: Final = ("in", "from", "before", "after", "of", "between", "to", "past", "equals", "about")


@PERIODS(
    "(this|next|last) (?:month|month_weak)",
    "(month|month_weak) stop? (comma|dash|slash_sign|of|in)? of? year",
    "year (dash|slash_sign)? (month|month_weak)",
    "year_month",
    "(month|month_weak)",
)
def _month(place: Place, part: list[Node], before: Node | None, after: Node | None) -> Made:
    if is_a(part[0], "year_month"):
        year, month = (int(piece) for piece in part[0].value.replace("/", "-").split("-"))
        return ("T_PERIOD", month_period(place, month, year)) if 1 <= month <= 12 else None
    month, said = pick(part, "month", "month_weak"), pick(part, "this", "next", "last") or ""
    if (
        is_a(part[0], "month_weak")
        and len(part) == 1
        and not is_a(before, "in", "from", "to", "of", "before", "after", "phase", "between", "dash", "the", "part")
    ):
        return None
    if said and is_a(part[-1], "month_weak") and after is not None and not is_a(after, "to", "dash", "comma", "stop"):
        return None
    return "T_PERIOD", replace(
        month_period(place, month, pick(part, "year"), said), floating=pick(part, "year") is None
    )


@PERIODS(
    "(?P<x>year) (?= (dash|to|and|or) (year|T_PERIOD|month|month_weak|now|T_DAY))",
    "(in|from|before|after|of|between|to|past|phase|equals|the) (?P<x>year)(?! measure| dash num| dash digits)",
    "(?<=T_PERIOD (dash|to|and|or)) year",
    "^(?P<x>year)$",
    "unit of? year",
)
def _year(place: Place, part: list[Node], before: Node | None, after: Node | None) -> Made:
    if is_a(part[0], "unit"):
        return (
            ("T_PERIOD", Period(date(part[-1].value, 1, 1), date(part[-1].value + 1, 1, 1)))
            if part[0].value == "year"
            else None
        )
    if is_a(after, "dash", "to", "and") and before is not None and not is_a(before, *_YEARED) and is_a(after, "and"):
        return None
    if is_a(before, "the", "dash", "and", "or", "to") and not 1800 <= part[0].value <= 2199:
        return None
    return "T_PERIOD", Period(date(part[0].value, 1, 1), date(part[0].value + 1, 1, 1))


@PERIODS(
    "(T_PERIOD|year) (dash|slash_sign|comma)? yearly_half",
    "yearly_half ((dash|slash_sign|comma|of|in)? T_PERIOD|(dash|slash_sign|of)? year)?",
)
def _part_of_year(place: Place, part: list[Node], before: Node | None, after: Node | None) -> Made:
    kind, number = pick(part, "yearly_half")
    held, year = pick(part, "T_PERIOD"), pick(part, "year")
    if held is not None and (held.end - held.first).days < 365:
        return None
    year = year or (held.first.year if held else place.today.year)
    if kind == "h" and len(part) == 1:
        return None
    size = 3 if kind == "q" else 6
    first = date(year, 1 + size * (number - 1), 1)
    return "T_PERIOD", Period(first, shift(first, months=size))


@PERIODS("(this|next|last)? calendar_kind year?", "(this|next|last) calendar_kind")
def _kind_of_year(place: Place, part: list[Node], before: Node | None, after: Node | None) -> Made:
    year, said = pick(part, "year"), pick(part, "this", "next", "last")
    if year is None and said is None:
        return None
    year = year or place.today.year + _STEPS[str(said)]
    return "T_PERIOD", Period(
        date(year, 1, 1), date(year + 1, 1, 1), certain=pick(part, "calendar_kind") in ("cy", "calendar")
    )


@PERIODS("(this|next|last|the|in)? season (of? T_PERIOD|of? year)?")
def _season(place: Place, part: list[Node], before: Node | None, after: Node | None) -> Made:
    start = pick(part, "season")
    held, said = pick(part, "T_PERIOD"), pick(part, "this", "next", "last")
    year = pick(part, "year") or (held.first.year if held else place.today.year + _STEPS.get(str(said), 0))
    first = date(year, start, 1)
    return "T_PERIOD", Period(first, shift(first, months=3), certain=False)


@PERIODS("decade_word", "the decade_word", "(num|year) decade_word")
def _decade(place: Place, part: list[Node], before: Node | None, after: Node | None) -> Made:
    value = pick(part, "decade_word")
    if isinstance(value, int) and value < 100:
        value = (1900 if value >= 30 else 2000) + value
    if not isinstance(value, int) or value % 10:
        return None
    return "T_PERIOD", Period(date(value, 1, 1), date(value + 10, 1, 1), value > 100)


@PERIODS(
    "week_number num (of? T_PERIOD)?",
    "(?<! (?:a|num|word_num|this|next|last)) unit num (?! unit|clock_unit|measure|colon)",
)
def _week_number(place: Place, part: list[Node], before: Node | None, after: Node | None) -> Made:
    held = pick(part, "T_PERIOD")
    if (is_a(part[0], "unit") and part[0].value != "week") or not 1 <= part[1].value <= 53:
        return None
    year = held.first.year if held else place.today.year
    try:
        first = date.fromisocalendar(year, part[1].value, 1)
    except ValueError:
        return None
    return "T_PERIOD", Period(first, first + timedelta(days=7), held is not None)


@PERIODS("ordinal unit (?= any|stop|comma|to)", "the? ordinal unit$")
def _century(place: Place, part: list[Node], before: Node | None, after: Node | None) -> Made:
    if part[-1].value != "century":
        return None
    first = date((pick(part, "ordinal") - 1) * 100 or 1, 1, 1)
    return "T_PERIOD", Period(first, date(first.year + 100, 1, 1))


@PERIODS(
    "the? (ordinal|last|next) ((num|word_num)? (unit|quarter)|T_DURATION) (of|in)? (T_PERIOD|the unit)",
    "the? (num|word_num) (unit|quarter) of T_PERIOD",
    "the? ordinal T_DURATION of? T_PERIOD",
    "the? last T_DURATION of? T_PERIOD",
)
def _within(place: Place, part: list[Node], before: Node | None, after: Node | None) -> Made:
    held = pick(part, "T_PERIOD") or (period(place, part[-1].value, 0) if is_a(part[-1], "unit") else None)
    last = pick(part, "last") is not None
    length = pick(part, "T_DURATION")
    unit = pick(part, "unit", "quarter")
    if held is None or held.first is None or held.end is None or pick(part, "next"):
        return None
    which = pick(part, "ordinal") or 1
    count = pick(part, "num", "word_num") or 1
    if length is None:
        if unit not in LENGTHS:
            return None
        one, length = times(unit, 1), times(unit, count)
    else:
        one, which = length, 1 if not last else which
    if unit in ("week", "workweek") and not last:
        monday = held.first - timedelta(days=held.first.weekday())
        first = monday + timedelta(days=7 * (which - (1 if held.first.weekday() <= 3 else 0)))
        return "T_PERIOD", Period(first, moved(place, first, length, 1))
    if last:
        first = moved(place, held.end, length, -1)
        if unit in ("week", "workweek"):
            first = held.end - timedelta(days=1 + 7 * (count - 1))
        if unit in ("week", "workweek"):
            first -= timedelta(days=first.weekday())
        return "T_PERIOD", Period(
            max(first, held.first) if unit != "week" else first,
            held.end if unit != "week" else moved(place, first, length, 1),
        )
    first = held.first
    for _ in range(which - 1):
        first = moved(place, first, one, 1)
    return "T_PERIOD", Period(first, moved(place, first, length, 1))


@PERIODS(
    "the? unit of the? T_DAY",
    "(the unit|T_DURATION) (starting|after) on? the? T_DAY",
    "(the unit|T_DURATION) (starting|after) on? T_DAY",
)
def _week_of(place: Place, part: list[Node], before: Node | None, after: Node | None) -> Made:
    day, length = pick(part, "T_DAY"), pick(part, "T_DURATION")
    if length is None and pick(part, "unit") != "week":
        return None
    if pick(part, "after") not in (None, "since"):
        return None
    if pick(part, "starting") is None and pick(part, "after") is None:
        first = day.date - timedelta(days=day.date.weekday())
        return "T_PERIOD", Period(first, first + timedelta(days=7), day.certain)
    length = length or times("week", 1)
    return "T_PERIOD", Period(day.date, moved(place, day.date, length, 1), day.certain)


@PERIODS("(phase of?|later) dash? (the? unit|T_PERIOD|T_DAY|T_SPAN)", "phase of? the? season")
def _phase(place: Place, part: list[Node], before: Node | None, after: Node | None) -> Made:
    phase = pick(part, "phase") or "late"
    if pick(part, "later") == "ago":
        return None
    if (day := pick(part, "T_DAY")) is not None:
        if phase == "late" and is_a(part[0], "later") and day.date == place.today:
            return "T_SPAN", Stretch(place.now, place.at(day.date + timedelta(days=1), time(0)), False)
        if phase != "end":
            return None
        return "T_MOMENT", Moment(place.at(day.date, time(23, 59, 59)), day.certain)
    if (span := pick(part, "T_SPAN")) is not None:
        return "T_SPAN", replace(span, certain=False)
    held = pick(part, "T_PERIOD") or (period(place, pick(part, "unit"), 0) if pick(part, "unit") else None)
    if held is None or held.first is None or held.end is None:
        return None
    days = (held.end - held.first).days
    cut = {
        "early": (0, 1 / 2),
        "late": (1 / 2, 1),
        "begin": (0, 1 / 3),
        "mid": (1 / 3, 2 / 3),
        "end": (2 / 3, 1),
        "rest": (0, 1),
    }[phase]
    first = held.first + timedelta(days=round(days * cut[0]))
    end = held.first + timedelta(days=round(days * cut[1]))
    if phase == "rest":
        first = max(held.first, place.today)
    return "T_PERIOD", replace(held, first=first, end=end, certain=False, modifier=phase)


@PERIODS("the unit", "(on|ampm) (?P<x>unit)")
def _the_unit(place: Place, part: list[Node], before: Node | None, after: Node | None) -> Made:
    if part[-1].value not in ("weekend", "fortnight"):
        return None
    found = period(place, part[-1].value, 0)
    return ("T_PERIOD", replace(found, certain=False)) if found else None
