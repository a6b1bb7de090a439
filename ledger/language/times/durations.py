"""How long, and how long from when: `45 minutes`, `an hour and a half`, `in 20 min`, `3 days after June 1st`, `hace 3 días`."""

from datetime import UTC, date, timedelta
from typing import Any, Final

from ledger.language.times.engine import Made, Node, Place, Rules, is_a, pick, picks, shift
from ledger.language.times.meanings import Day, Duration, Moment, Period, Stretch

DURATIONS: Final = Rules()

LENGTHS: Final = {
    "day": Duration(days=1), "night": Duration(days=1), "week": Duration(days=7), "fortnight": Duration(days=14),
    "month": Duration(months=1), "quarter": Duration(months=3), "year": Duration(months=12), "decade": Duration(months=120),
    "century": Duration(months=1200), "weekend": Duration(days=2), "workday": Duration(days=1, workdays=True),
    "workweek": Duration(days=7), "hour": Duration(seconds=3600), "minute": Duration(seconds=60), "second": Duration(seconds=1),
}  # fmt: skip


def times(unit: str, count: float, *, vague: bool = False) -> Duration:
    """So many of a unit; parts of months and days become days and seconds."""
    one = LENGTHS[unit]
    if count == int(count):
        return Duration(one.months * int(count), one.days * int(count), one.seconds * count, vague, one.workdays)
    if one.months:
        return Duration(months=round(one.months * count))
    return Duration(seconds=(one.days * 86400 + one.seconds) * count)


@DURATIONS("(num|word_num|a) and a? (half|quarter) (unit|clock_unit)")
def _and_a_half(place: Place, part: list[Node], before: Node | None, after: Node | None) -> Made:
    more = 0.25 if pick(part, "quarter") else 0.5
    return ("T_DURATION", times(part[-1].value, part[0].value + more)) if part[-1].value in LENGTHS else None


def _count(node: Node) -> float | None:
    if is_a(node, "dotted", "decimal"):
        try:
            return float(node.value.replace(",", "."))
        except ValueError:
            return None
    if is_a(node, "digits"):
        return float(node.value[0] * 100 + node.value[1])
    if is_a(node, "half"):
        return 0.5
    if is_a(node, "some"):
        return 2 if node.value == "couple" else 3
    return float(node.value) if is_a(node, "num", "word_num", "a") else None


@DURATIONS(
    "a? half (a|dash)? (unit|clock_unit)(?! of)",
    "(num|word_num|digits|dotted|decimal|some|a) (dash|some)? (unit|clock_unit|quarter|glued_h)",
    "(num|word_num) weekdays",
    "(num|word_num) part",
)
def _plain(place: Place, part: list[Node], before: Node | None, after: Node | None) -> Made:
    unit = "hour" if is_a(part[-1], "glued_h") else part[-1].value
    if is_a(part[-1], "part") and (unit != "night" or part[0].value != 1 or is_a(before, "month", "month_weak")):
        return None
    count = 0.5 if pick(part, "half") else _count(part[0])
    if pick(part, "half") and is_a(part[0], "a") and is_a(before, "and"):
        return None
    if unit not in LENGTHS or count is None or (is_a(before, "times") and is_a(part[0], "a")):
        return None
    if is_a(part[0], "a") and (is_a(before, "num", "word_num", "times") or is_a(part[-1], "quarter")):
        return None
    return "T_DURATION", times(unit, count, vague=pick(part, "some") is not None)


@DURATIONS("T_DURATION and a? (half|quarter)(?! past)", "all (unit)")
def _and_half(place: Place, part: list[Node], before: Node | None, after: Node | None) -> Made:
    more = 0.25 if pick(part, "quarter") else 0.5
    if is_a(part[0], "all"):
        return "T_DURATION", times(part[1].value, 1) if part[1].value in LENGTHS else None
    if (length := pick(part, "T_DURATION")) is not None:
        unit = next((unit for unit, one in LENGTHS.items() if one.seconds == length.seconds and one.seconds), None)
        if unit is None and not length.seconds:
            unit = next(
                (unit for unit, one in LENGTHS.items() if (one.months, one.days) == (length.months, length.days)), None
            )
        base = times(unit, more) if unit else times("hour", more) if length.seconds else times("day", more)
        return "T_DURATION", length + base
    return None


@DURATIONS("T_DURATION ((and|comma)? T_DURATION)+")
def _joined(place: Place, part: list[Node], before: Node | None, after: Node | None) -> Made:
    lengths = picks(part, "T_DURATION")
    sizes = [(one.months * 30 + one.days) * 86400 + one.seconds for one in lengths]
    if (
        sizes != sorted(sizes, reverse=True)
        or len(set(sizes)) != len(sizes)
        or (after is not None and is_a(after, "later") and after.value == "ago" and pick(part, "and"))
    ):
        return None
    total = lengths[0]
    for one in lengths[1:]:
        total = total + one
    return "T_DURATION", total


def moved(place: Place, day: date, length: Duration, sign: int) -> date:
    """So much before or after a day; working days skip the weekend."""
    if length.workdays:
        left = length.days
        while left:
            day += timedelta(days=sign)
            left -= day.weekday() < 5
        return day
    return shift(day, months=sign * length.months, days=sign * length.days)


def from_now(place: Place, length: Duration, sign: int) -> tuple[str, Any]:
    """A day where only days were counted, else an instant: hours pass, whatever the clock does."""
    day = moved(place, place.today, length, sign)
    if not length.seconds:
        return "T_DAY", Day(day, not length.vague)
    base = place.at(day, place.now.time())
    at = (base.astimezone(UTC) + sign * timedelta(seconds=length.seconds)).astimezone(place.zone)
    return "T_MOMENT", Moment(at, not length.vague)


@DURATIONS("(in) T_DURATION(?! before| T_DAY| from| after)", "T_DURATION later (?! this|in|on)", "ago_first T_DURATION")
def _from_now(place: Place, part: list[Node], before: Node | None, after: Node | None) -> Made:
    length, ago = pick(part, "T_DURATION"), pick(part, "later", "ago_first") == "ago"
    if is_a(part[0], "in") and part[0].value == "within":
        kind, made = from_now(place, length, 1)
        return (
            ("T_PERIOD", Period(place.today, made.date)) if kind == "T_DAY" else ("T_SPAN", Stretch(place.now, made.at))
        )
    return from_now(place, length, -1 if ago else 1)


@DURATIONS(
    "T_DURATION (before|after|from|past) (T_DAY|now)",
    "(weekday|weekday_weak) T_DURATION later",
    "in T_DURATION (after|from) T_DAY",
)
def _from_day(place: Place, part: list[Node], before: Node | None, after: Node | None) -> Made:
    length = pick(part, "T_DURATION")
    if pick(part, "now") is not None:
        return from_now(place, length, 1)
    day = pick(part, "T_DAY")
    if length.seconds or day is None:
        return None
    word = pick(part, "before", "after", "from", "past")
    if word in ("by", "since"):
        return None
    return "T_DAY", Day(moved(place, day.date, length, -1 if word == "before" else 1), day.certain)
