"""What several expressions mean together: a day with a clock, ranges, `before` and `since`, and what recurs."""

from dataclasses import replace
from datetime import date, datetime, time, timedelta
from typing import Any, Final

from ledger.language.times.clocks import bare_clock
from ledger.language.times.dates import valid, weekday
from ledger.language.times.engine import Made, Node, Place, Rules, is_a, pick, picks, shift
from ledger.language.times.meanings import (
    Clock,
    Clocks,
    Day,
    Moment,
    Period,
    Stretch,
    between,
    moment,
    part_clocks,
    stretch,
)

DAY_RANGES: Final = Rules()
RANGES: Final = Rules()
JOINING: Final = Rules()
OPEN: Final = Rules()


@DAY_RANGES(
    "(from|between|of)? T_DAY (dash|to|and) (the)? (ordinal|num|word_num|T_DAY) "
    "(comma? (of|in)? year|of (month|month_weak) (of? year)?)?",
    "(from|between)? the? (ordinal|num|word_num) (to|and|dash) (the)? T_DAY",
)
def _days(place: Place, part: list[Node], before: Node | None, after: Node | None) -> Made:
    days = picks(part, "T_DAY")
    opened = pick(part, "from", "between")
    if pick(part, "and") and not pick(part, "between"):
        return None
    if len(days) == 2:
        first, end = days
        if (year := pick(part, "year")) is not None:
            first, end = (
                Day(shift(first.date, months=12 * (year - first.date.year))),
                Day(shift(end.date, months=12 * (year - end.date.year))),
            )
        if first.floating and not end.floating:
            first = Day(shift(first.date, months=12 * (end.date.year - first.date.year)))
            first = Day(shift(first.date, months=-12)) if first.date > end.date else first
        if end.date < first.date and not (days[1].certain and place.today > end.date):
            end = (
                weekday(replace_today(place, first.date), end.date.weekday())
                if abs((end.date - first.date).days) < 7
                else end
            )
        return _period(first, end)
    number = pick(part, "ordinal", "num", "word_num")
    day = days[0]
    if is_a(part[0], "T_DAY") or (len(part) > 1 and is_a(part[1], "T_DAY")):
        if not opened and pick(part, "to") and not pick(part, "ordinal") and is_a(part[-1], "num", "word_num"):
            return None
        if is_a(after, "part", "T_CLOCK", "measure", "unit", "clock_unit", "dash", "oclock"):
            return None
        year = pick(part, "year")
        found = valid(day.date.year, day.date.month, number)
        if found and found <= day.date and pick(part, "the"):
            found = valid(day.date.year + day.date.month // 12, day.date.month % 12 + 1, number)
        if found is None or found <= day.date:
            return None
        if year:
            day, found = Day(day.date.replace(year=year)), found.replace(year=year)
        return _period(day, Day(found))
    found = valid(day.date.year, day.date.month, number)
    return _period(Day(found), day) if found and found < day.date else None


def replace_today(place: Place, day: date) -> Place:
    """The same place on another day."""
    return replace(place, now=datetime.combine(day, place.now.timetz()))


def _period(first: Day, end: Day) -> Made:
    if end.date < first.date:
        return None
    return "T_PERIOD", Period(first.date, end.date + timedelta(days=1), first.certain and end.certain)


@RANGES(
    "(in|from|between)? the? (T_PERIOD|T_DAY|year|now) (dash|to|and) the? (T_PERIOD|T_DAY|year|now)",
    "(from|between)? now (to|and) T_MOMENT",
)
def _periods(place: Place, part: list[Node], before: Node | None, after: Node | None) -> Made:
    opened = pick(part, "from", "between")
    if pick(part, "and") and not pick(part, "between"):
        return None
    sides = [_edges(place, node) for node in part if is_a(node, "T_PERIOD", "T_DAY", "year", "now", "T_MOMENT")]
    if None in sides:
        return None
    (first, _, sure), (_, end, sure_too) = sides  # type: ignore[misc]
    held = [node.value for node in part if is_a(node, "T_PERIOD", "T_DAY")]
    if len(held) == 2 and held[0].floating and not held[1].floating and first and end:
        # "from January to April 2015": the year said last is the year of both.
        last = end - timedelta(days=1)
        years = last.year - first.year
        first = shift(first, months=12 * years)
        first = shift(first, months=-12) if first > last else first
    if pick(part, "T_MOMENT"):
        return "T_SPAN", Stretch(place.now, pick(part, "T_MOMENT").at)
    if not (first and end):
        return None
    if end <= first:
        years = [node for node in part if is_a(node, "T_PERIOD")]
        if len(years) == 2 and end.year < 9999:
            end = end.replace(year=first.year + (0 if (end.month, end.day) > (first.month, first.day) else 1))
        if end <= first:
            return None
    if len(part) and is_a(part[-1], "T_PERIOD") and end.year < first.year:
        return None
    if opened is None and is_a(part[0], "in") and not pick(part, "to", "dash"):
        return None
    return "T_PERIOD", Period(first, end, sure and sure_too)


def _edges(place: Place, node: Node) -> tuple[date | None, date | None, bool] | None:
    value = node.value
    if is_a(node, "now"):
        return place.today, place.today, True
    if is_a(node, "T_MOMENT"):
        return value.at.date(), value.at.date(), True
    if is_a(node, "year"):
        return date(value, 1, 1), date(value, 1, 1), True
    if isinstance(value, Day):
        return value.date, value.date + timedelta(days=1), value.certain
    if isinstance(value, Period) and not value.modifier.startswith(("before", "after", "since", "by")):
        return value.first, value.end, value.certain
    return None


@JOINING(
    "(T_CLOCK|T_CLOCKS|dotted) (on|of|comma|in)? (the)? T_DAY",
    "T_DAY (comma|at|open|colon)* about? (T_CLOCK|T_CLOCKS|num|word_num|digits|dotted)",
    "T_PART (comma|at|from)* about? (T_CLOCK|T_CLOCKS|num|word_num|digits|dotted)",
    "(T_CLOCK|T_CLOCKS) (on|comma|in|the|this)* T_PART",
    "T_SPAN (at|comma)? about? (T_CLOCK|T_CLOCKS|num|word_num)",
    "T_CLOCK T_SPAN",
    "T_CLOCKS T_SPAN",
)
def _day_clock(place: Place, part: list[Node], before: Node | None, after: Node | None) -> Made:
    day, held = pick(part, "T_DAY"), pick(part, "T_PART")
    span = pick(part, "T_SPAN")
    name = held[1] if held else ""
    if span is not None:
        if span.first is None or span.end is None or (span.end - span.first) > timedelta(hours=12):
            return None
        name = "morning" if span.first.hour < 12 else "afternoon"
        day = Day(span.first.date(), span.certain)
    day = day or held[0]
    if clocks := pick(part, "T_CLOCKS"):
        if not clocks.first and not clocks.end:
            return None
        if name or day.part:
            part_name = name or day.part
            clocks = replace(
                clocks,
                first=clocks.first and clocks.first.in_part(part_name),
                end=clocks.end
                and (clocks.end.in_part(part_name) if part_name != "morning" or clocks.end.hour != 12 else clocks.end),
            )
        return "T_SPAN", stretch(place, day, clocks)
    clock_node = next(node for node in part if is_a(node, "T_CLOCK", "num", "word_num", "digits", "dotted"))
    clock = bare_clock(clock_node)
    if clock is None:
        return None
    if is_a(clock_node, "num", "word_num", "digits", "dotted"):
        said = pick(part, "at", "about") is not None
        free = after is None or is_a(
            after, "comma", "stop", "then", "or", "and", "on", "to", "dash", "close", "at", "modal", "colon", "pronoun"
        )
        if (not said and not free) or is_a(after, "unit", "clock_unit", "measure", "slash_sign", "dash"):
            return None
        if isinstance(clock_node.value, int) and not 1 <= clock_node.value <= 23:
            return None
        if pick(part, "comma") and not said:
            return None
    if name:
        clock = clock.in_part(name)
    return "T_MOMENT", moment(place, day, clock)


@JOINING("day_end of? T_DAY", "T_DAY at? day_end", "day_end")
def _day_end(place: Place, part: list[Node], before: Node | None, after: Node | None) -> Made:
    day = pick(part, "T_DAY") or Day(place.today)
    return "T_MOMENT", Moment(place.at(day.date, time(23, 59, 59)), False)


@JOINING("T_PART")
def _part_alone(place: Place, part: list[Node], before: Node | None, after: Node | None) -> Made:
    day, name = part[0].value
    return "T_SPAN", stretch(place, day, part_clocks(name))


@JOINING(
    "(from|between)? T_MOMENT (dash|to|and) (T_MOMENT|T_CLOCK|num)", "(from|between)? T_CLOCK (dash|to|and) T_MOMENT"
)
def _moments(place: Place, part: list[Node], before: Node | None, after: Node | None) -> Made:
    if pick(part, "and") and not pick(part, "between"):
        return None
    held = picks(part, "T_MOMENT")
    if len(held) == 2:
        return "T_SPAN", Stretch(held[0].at, held[1].at, held[0].certain and held[1].certain)
    other = next((bare_clock(node) for node in part if is_a(node, "T_CLOCK", "num")), None)
    if other is None:
        return None
    local = held[0].at.astimezone(place.zone)
    shown = Clock(local.hour, local.minute, local.second, open=not held[0].certain and 7 <= local.hour <= 18)
    first = is_a(part[0], "T_MOMENT") or is_a(part[1], "T_MOMENT")
    clocks = between(shown, other) if first else between(other, shown)
    return "T_SPAN", stretch(place, Day(local.date(), True), clocks)


@OPEN("about (T_DAY|T_CLOCK|T_MOMENT)")
def _approximately(place: Place, part: list[Node], before: Node | None, after: Node | None) -> Made:
    value = part[1].value
    if part[0].value == "about":
        return None
    if is_a(part[1], "T_CLOCK"):
        return "T_CLOCK", value
    return ("T_DAY" if isinstance(value, Day) else "T_MOMENT"), replace(value, certain=False)


def _opened(place: Place, node: Node, word: str) -> Any:
    """Where an open range begins or ends: `before` and `after` leave out what they name, `by` and `since` count it in."""
    value = node.value
    if isinstance(value, Clock):
        return Clocks(None, value, word) if word in ("before", "by", "until") else Clocks(value, None, word)
    if isinstance(value, Moment):
        return (
            Stretch(None, value.at, value.certain, word)
            if word in ("before", "by", "until")
            else Stretch(value.at, None, value.certain, word)
        )
    edges = _edges(place, node)
    if edges is None:
        if isinstance(value, Stretch) and not value.modifier:
            return (
                Stretch(None, value.first if word == "before" else value.end, value.certain, word)
                if word in ("before", "by", "until")
                else Stretch(value.end if word == "after" else value.first, None, value.certain, word)
            )
        return None
    first, end, certain = edges
    if word in ("before", "by", "until"):
        return Period(None, first if word == "before" else end, certain, word)
    return Period(end if word == "after" else first, None, certain, word)


@OPEN("T_DURATION (of|dash)? aged")
def _age(place: Place, part: list[Node], before: Node | None, after: Node | None) -> Made:
    return "any", None


@OPEN(
    "(before|after|to|past|ago_first) about? (at|the|on)* (T_DAY|T_CLOCK|T_MOMENT|T_PERIOD|T_SPAN|year)",
    "from (T_DAY|T_CLOCK|T_MOMENT|T_PERIOD) on$",
    "(T_DAY|T_CLOCK|T_MOMENT|T_PERIOD) (and|or) (later|after)",
    "T_DAY (before|after) T_CLOCK",
    "starting on? (T_DAY|T_PERIOD|T_MOMENT|T_CLOCK)",
)
def _side(place: Place, part: list[Node], before: Node | None, after: Node | None) -> Made:
    node = next(node for node in part if is_a(node, "T_DAY", "T_CLOCK", "T_MOMENT", "T_PERIOD", "T_SPAN", "year"))
    word = pick(part, "before", "after", "starting", "from", "later", "past", "ago_first", "to")
    if is_a(part[0], "to") and not _until(part[0]):
        return None
    if is_a(part[0], "T_DAY", "T_CLOCK", "T_MOMENT", "T_PERIOD") and pick(part, "and", "or") is not None:
        word = "since"
    word = {
        "to": "until",
        "past": "after",
        "nach": "after",
        "ago": "before",
        0: "since",
        "from": "since",
        "later": "since",
    }.get(word, word)
    if is_a(part[0], "past") and not is_a(node, "T_CLOCK"):
        return None
    if is_a(part[0], "T_DAY") and is_a(part[-1], "T_CLOCK"):
        opened = _opened(place, part[-1], word)
        return "T_SPAN", stretch(place, part[0].value, opened)
    made = _opened(place, node, str(word))
    if made is None:
        return None
    return {"Clocks": "T_CLOCKS", "Stretch": "T_SPAN", "Period": "T_PERIOD"}[type(made).__name__], made


def _until(node: Node) -> bool:
    return bool(node.value == "until")
