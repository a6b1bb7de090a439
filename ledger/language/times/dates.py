"""Days: `May 5`, `5. Mai`, `6/4`, `Thursday`, `next week Mon`, `the 14th`, `übermorgen`, holidays."""

import re
from datetime import date, datetime, timedelta
from typing import Final

from ledger.language.times.engine import Made, Node, Place, Rules, is_a, month_length, pick, picks, shift
from ledger.language.times.holidays import holiday
from ledger.language.times.meanings import Day, Moment

DAYS: Final = Rules()
ORDINALS: Final = Rules()


def valid(year: int, month: int, day: int) -> date | None:
    """The date, or None where the calendar has no such day."""
    return (
        date(year, month, day)
        if 1 <= month <= 12 and 1 <= year <= 9999 and 1 <= day <= month_length(year, month)
        else None
    )


def nearest(place: Place, month: int, day: int) -> date | None:
    """The month and day of the year that people mean: the coming one, unless it was within the last three months."""
    for year in (place.today.year - 1, place.today.year, place.today.year + 1, place.today.year + 2):
        found = valid(year, month, day)
        if found and found >= place.today - timedelta(days=92):
            return found
    return valid(place.today.year + 4 - place.today.year % 4, month, day) if (month, day) == (2, 29) else None


def full_year(year: int) -> int:
    """Two figures as people write them: 69 to 99 are of the last century."""
    return year if year > 99 else year + (1900 if year >= 40 else 2000)


def _dated(place: Place, month: int, day: int, year: int | None) -> Made:
    if not 1 <= day <= 31:
        return None
    found = valid(full_year(year), month, day) if year is not None else nearest(place, month, day)
    return ("T_DAY", Day(found, True, floating=year is None)) if found else ("T_NONE", None)


@DAYS("iso")
def _iso(place: Place, part: list[Node], before: Node | None, after: Node | None) -> Made:
    said = datetime.fromisoformat(part[0].value)
    return "T_MOMENT", Moment(said.astimezone(place.zone) if said.tzinfo else place.at(said.date(), said.time()))


@DAYS("date")
def _figures(place: Place, part: list[Node], before: Node | None, after: Node | None) -> Made:
    numbers = [int(one) for one in re.findall(r"\d+", part[0].value)[:3]]
    sign = part[0].value[len(str(part[0].value).split(".")[0]) :][:1]
    if len(re.match(r"\d+", part[0].value)[0]) == 4:  # type: ignore[index]
        found = valid(numbers[0], numbers[1], numbers[2]) or valid(numbers[0], numbers[2], numbers[1])
        return ("T_DAY", Day(found)) if found else None
    return _ordered(place, numbers[0], numbers[1], full_year(numbers[2]), dotted=sign == ".")


def _ordered(place: Place, one: int, two: int, year: int | None, *, dotted: bool = False) -> Made:
    dayfirst = True if dotted and place.order_known is False else place.dayfirst
    orders = [(two, one), (one, two)] if dayfirst else [(one, two), (two, one)]
    found = [
        day
        for month, d in orders
        if (day := valid(year, month, d) if year else (nearest(place, month, d) if month <= 12 and d <= 31 else None))
    ]
    return ("T_DAY", Day(found[0], len(set(found)) == 1 or place.order_known, floating=year is None)) if found else None


_FRACTIONS: Final = frozenset({"1/2", "1/3", "2/3", "1/4", "3/4", "24/7", "50/50", "20/20", "9/10"})


@DAYS("slash")
def _slash(place: Place, part: list[Node], before: Node | None, after: Node | None) -> Made:
    one, two = (int(piece) for piece in part[0].value.split("/"))
    said_so = is_a(
        before,
        "on",
        "before",
        "after",
        "to",
        "from",
        "weekday",
        "weekday_weak",
        "between",
        "comma",
        "or",
        "the",
        "dash",
        "ampm",
    )
    if (part[0].value in _FRACTIONS and not said_so) or is_a(after, "of", "measure", "clock_unit", "unit"):
        return None
    return _ordered(place, one, two, None)


@DAYS(
    "year (dash|slash_sign) (month|month_weak) (dash|slash_sign) num",
    "num (dash|slash_sign) year (dash|slash_sign) (month|month_weak)",
    "(month|month_weak) (dash|slash_sign) year (dash|slash_sign) num",
)
def _joined(place: Place, part: list[Node], before: Node | None, after: Node | None) -> Made:
    return _dated(place, pick(part, "month", "month_weak"), pick(part, "num"), pick(part, "year"))


@DAYS(
    "(month|month_weak) stop? (dash|slash_sign)? the? (ordinal|num|word_num) (?! unit|clock_unit|measure|ampm|colon|slash)"
    "((comma|dash|slash_sign|of|in)? of? year)?"
)
def _month_day(place: Place, part: list[Node], before: Node | None, after: Node | None) -> Made:
    weak = is_a(part[0], "month_weak") and is_a(before, "pronoun")
    # "18 Dec 20 …": the day stands before its month already.
    taken = (
        is_a(before, "num", "ordinal", "dash")
        and is_a(part[-1], "num")
        and before is not None
        and part[0].start - before.end <= 1
    )
    if weak or (taken and not is_a(before, "dash")) or (pick(part, "num") or 0) > 31:
        return None
    return _dated(
        place, pick(part, "month", "month_weak"), pick(part, "ordinal", "num", "word_num"), pick(part, "year")
    )


@DAYS(
    "the? (ordinal|num stop|num|word_num) unit? of? (dash|slash_sign)? (month|month_weak) "
    "(stop? (comma|dash|slash_sign)? of? year)?",
    "on (?P<x>(ordinal|num|word_num) stop? (month|month_weak))",
)  # fmt: skip
def _day_month(place: Place, part: list[Node], before: Node | None, after: Node | None) -> Made:
    day, unit = pick(part, "ordinal", "num", "word_num"), pick(part, "unit")
    if unit not in (None, "day") or (unit and not pick(part, "ordinal")):
        return None
    return _dated(place, pick(part, "month", "month_weak"), day, pick(part, "year"))


@DAYS("(weekday|weekday_weak) part of? (this|next|last) unit")
def _part_in_week(place: Place, part: list[Node], before: Node | None, after: Node | None) -> Made:
    made = _of_week(place, [part[0], *part[-2:]], before, after)
    return (
        ("T_PART", (made[1], part[1].value))
        if made and part[1].value in ("morning", "noon", "afternoon", "evening", "night")
        else None
    )


@DAYS("(this|next|last) (weekday|weekday_weak) dotted")
def _said_and_dotted(place: Place, part: list[Node], before: Node | None, after: Node | None) -> Made:
    return _weekday_and_day(place, part[1:], before, after)


@DAYS("weak_date")
def _german(place: Place, part: list[Node], before: Node | None, after: Node | None) -> Made:
    day, month = (int(piece) for piece in part[0].value.split(".")[:2])
    return _dated(place, month, day, None) if month <= 12 else None


@DAYS("day_word", "day_beside")
def _word(place: Place, part: list[Node], before: Node | None, after: Node | None) -> Made:
    return "T_DAY", Day(place.today + timedelta(days=part[0].value), is_a(part[0], "day_word"))


@DAYS("tonight")
def _tonight(place: Place, part: list[Node], before: Node | None, after: Node | None) -> Made:
    return "T_DAY", Day(place.today, True, part[0].value)


def weekday(place: Place, number: int, said: str = "") -> Day:
    """The next such day, today included; "next" is the one of the week after, "last" the one before."""
    ahead = (number - place.today.weekday()) % 7
    monday = place.today - timedelta(days=place.today.weekday())
    match said:
        case "next":
            found = monday + timedelta(days=7 + number)
            return Day(found, found - place.today <= timedelta(days=7))
        case "last" | "past":
            behind = (place.today.weekday() - number) % 7 or 7
            return Day(place.today - timedelta(days=behind))
        case "coming":
            return Day(place.today + timedelta(days=ahead or 7))
        case "this":
            return Day(place.today + timedelta(days=ahead))
    return Day(place.today + timedelta(days=ahead))


WEEK: Final = {"week": 7, "workweek": 7}


@DAYS(
    "(this|next|last|past) unit (dash|on|of)? (weekday|weekday_weak)",
    "(weekday|weekday_weak) of? the? (this|next|last|past) unit",
    "(weekday|weekday_weak) the? unit coming_after",
)
def _of_week(place: Place, part: list[Node], before: Node | None, after: Node | None) -> Made:
    if pick(part, "unit") not in WEEK:
        return None
    said = "next" if pick(part, "coming_after") else pick(part, "this", "next", "last", "past")
    steps = {"next": 1, "coming": 1, "last": -1, "past": -1}.get(said, 0)
    monday = place.today - timedelta(days=place.today.weekday())
    return "T_DAY", Day(monday + timedelta(days=7 * steps + pick(part, "weekday", "weekday_weak")))


@DAYS(
    "(this|next|last|past) (weekday|weekday_weak) open? T_DAY close?",
    "(this|next|last|past) (weekday|weekday_weak)",
    "(weekday|weekday_weak) (coming_after|next|last|past)",
)
def _said_weekday(place: Place, part: list[Node], before: Node | None, after: Node | None) -> Made:
    if dated := pick(part, "T_DAY"):
        return "T_DAY", dated
    number = pick(part, "weekday", "weekday_weak")
    if is_a(part[0], "weekday", "weekday_weak"):
        # "el jueves próximo", "el jueves que viene": the nearest to come.
        if is_a(part[1], "next") and part[1].value not in ("next", "following") or is_a(part[1], "coming_after"):
            return "T_DAY", weekday(place, number, "coming")
        return ("T_DAY", weekday(place, number, "last")) if is_a(part[1], "last") and part[1].value == "last" else None
    return "T_DAY", weekday(place, number, pick(part, "this", "next", "last", "past"))


@DAYS(
    "(weekday|weekday_weak) comma? the? ordinal (?! unit)",
    "(weekday|weekday_weak) comma? the? num (?! unit|clock_unit|measure|ampm|dash|to|colon|T_CLOCK|oclock)",
    "(weekday|weekday_weak) open? comma? (on|the)? T_DAY close?",
    "(weekday|weekday_weak) comma? (dotted|num (dash) num)",
    "T_DAY comma? open? (weekday|weekday_weak) close?",
)
def _weekday_and_day(place: Place, part: list[Node], before: Node | None, after: Node | None) -> Made:
    if dated := pick(part, "T_DAY"):
        number = pick(part, "weekday", "weekday_weak")
        fits = dated.date.weekday() == number
        return ("T_DAY", dated) if fits or is_a(part[0], "weekday", "weekday_weak") else None
    number = pick(part, "weekday", "weekday_weak")
    if dotted := pick(part, "dotted"):
        one, two = (int(piece) for piece in dotted.split("."))
        return _ordered(place, one, two, None) if two <= 31 and len(dotted.split(".")[1]) < 2 else None
    if is_a(part[-2], "dash"):
        one, two = picks(part, "num")
        return (
            _ordered(place, one, two, None)
            if part[-1].start - part[-3].end == 1
            and min(one, two) == max(1, min(one, two))
            and _fits(place, one, two, number)
            else None
        )
    number_said = pick(part, "ordinal", "num")
    if is_a(part[-1], "num") and (number_said < 13 or number_said > 31):
        return None
    near = [
        valid(first.year, first.month, number_said)
        for months in (0, 1, -1, *range(2, 13))
        if (first := shift(place.today.replace(day=1), months=months))
    ]
    days = [day for day in near if day]
    fitting = [day for day in days if day.weekday() == number and day >= place.today - timedelta(days=31)]
    coming = [day for day in days if day >= place.today]
    return ("T_DAY", Day((fitting or coming)[0], bool(fitting))) if fitting or coming else None


def _fits(place: Place, one: int, two: int, number: int) -> bool:
    made = _ordered(place, one, two, None)
    return made is not None and made[1].date.weekday() == number


@DAYS("(next|last|this) holiday", "holiday (of? (this|next|last) unit|comma? of? year)?")
def _holiday(place: Place, part: list[Node], before: Node | None, after: Node | None) -> Made:
    rule = pick(part, "holiday")
    said = pick(part, "this", "next", "last")
    if (year := pick(part, "year")) is not None:
        found = holiday(rule, year)
    elif is_a(part[-1], "unit"):
        if part[-1].value != "year":
            return None
        found = holiday(rule, place.today.year + {"next": 1, "last": -1}.get(said, 0))
    elif said == "last":
        found = max(
            day for offset in (0, 1) if (day := holiday(rule, place.today.year - offset)) < place.today or offset
        )
    else:
        found = next(day for offset in (0, 1, 2) if (day := holiday(rule, place.today.year + offset)) >= place.today)
    return "T_DAY", Day(found)


@DAYS("(weekday|weekday_weak)")
def _weekday(place: Place, part: list[Node], before: Node | None, after: Node | None) -> Made:
    if is_a(part[0], "weekday_weak") and not _is_weekday(part[0], before, after):
        return None
    return "T_DAY", weekday(place, part[0].value)


def _is_weekday(node: Node, before: Node | None, after: Node | None) -> bool:
    """Whether *sat* and *sun* are days here: not after who sat, not with an article, and not amid other words."""
    if is_a(before, "the", "modal"):
        return False
    closed = (
        after is None or is_a(after, "colon", "T_CLOCK", "at", "dash") or (is_a(after, "stop") and after.value == "?")
    )
    if is_a(before, "pronoun"):
        return node.value == 6 and (closed or is_a(after, "stop"))
    if is_a(before, "any"):
        return closed
    return before is not None or closed or is_a(after, "comma", "part", "or", "and", "to", "stop", "num")


@DAYS("the? (ordinal|num) of? (this|next|last) unit", "the? unit of? the? ordinal of? (this|next|last) unit")
def _of_month(place: Place, part: list[Node], before: Node | None, after: Node | None) -> Made:
    if part[-1].value != "month" or (is_a(part[-3], "num") and not is_a(part[-3], "of")):
        return None
    first = shift(place.today.replace(day=1), months={"next": 1, "coming": 1, "last": -1}.get(part[-2].value, 0))
    found = valid(first.year, first.month, pick(part, "ordinal", "num"))
    return ("T_DAY", Day(found)) if found else None


@ORDINALS(
    "(?<!(between|about|from|and|or)) (?P<x>the ordinal) (?! unit|clock_unit|measure|of|any|year)",
    "(on|before|from|to|after|ampm) (?P<x>the? ordinal) (?! unit|clock_unit|measure|of|any)",
    "(on|before|to|after|ampm) (?P<x>num stop) (?! num)",
    "(?<=T_DAY (or|and|comma)) the? ordinal (?! unit|clock_unit|measure|any)",
    "on the (?P<x>num) (?! unit|clock_unit|measure|of|slash_sign)",
    "on (?P<x>the ordinal) (?! unit|clock_unit|measure)",
    "(on|before) (?P<x>the? ordinal) (?= any| then)",
)
def _the_ordinal(place: Place, part: list[Node], before: Node | None, after: Node | None) -> Made:
    number = pick(part, "ordinal", "num")
    if not 1 <= number <= 31:
        return None
    said = next(node for node in part if is_a(node, "ordinal", "num"))
    spelled = said.end - said.start > 4 or (number in (1, 2, 3) and said.end - said.start > 3)
    if spelled and not is_a(before, "on", "from", "before", "to", "after"):
        return None
    for months in range(0, 3):
        first = shift(place.today.replace(day=1), months=months)
        found = valid(first.year, first.month, number)
        if found and found >= place.today:
            return "T_DAY", Day(found)
    return None
