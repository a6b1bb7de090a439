"""What recurs, as iCalendar rules: `every other Friday at 4`, `twice a week`, `cada martes`, `montags`."""

from typing import Final

from ledger.language.times.clocks import bare_clock
from ledger.language.times.engine import Made, Node, Place, Rules, is_a, pick, picks
from ledger.language.times.meanings import part_clocks

_UNITS: Final = {
    "day": "DAILY",
    "week": "WEEKLY",
    "month": "MONTHLY",
    "year": "YEARLY",
    "hour": "HOURLY",
    "minute": "MINUTELY",
    "night": "DAILY",
}
_BYDAY: Final = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
SETS: Final = Rules()


def _rule(freq: str, interval: int = 1, **more: str) -> str:
    pieces = [
        f"FREQ={freq}",
        *([f"INTERVAL={interval}"] if interval != 1 else []),
        *(f"{name}={value}" for name, value in more.items()),
    ]
    return ";".join(pieces)


@SETS("every other? (weekday|weekday_weak) (and (weekday|weekday_weak))*", "weekdays (and weekdays)*")
def _every_weekday(place: Place, part: list[Node], before: Node | None, after: Node | None) -> Made:
    days = picks(part, "weekday", "weekday_weak", "weekdays")
    if is_a(before, "num", "word_num", "some"):
        return None
    named = {"weekend": "SA,SU", "weekday": "MO,TU,WE,TH,FR"}
    byday = ",".join(named.get(day, "") if isinstance(day, str) else _BYDAY[day] for day in days)
    return "T_SET", _rule("WEEKLY", 2 if pick(part, "other") else 1, BYDAY=byday)


@SETS("every (other|num|word_num|ordinal|some)? (unit|clock_unit|quarter)", "every T_DURATION", "every (part)")
def _every_unit(place: Place, part: list[Node], before: Node | None, after: Node | None) -> Made:
    if length := pick(part, "T_DURATION"):
        for size, freq in ((length.months, "MONTHLY"), (length.days, "DAILY"), (length.seconds // 60, "MINUTELY")):
            if size:
                weeks = freq == "DAILY" and size % 7 == 0
                return "T_SET", _rule("WEEKLY" if weeks else freq, int(size // 7 if weeks else size))
        return None
    count = pick(part, "num", "word_num", "ordinal") or (2 if pick(part, "other", "some") else 1)
    unit = pick(part, "unit", "clock_unit", "quarter")
    if unit == "quarter":
        return "T_SET", _rule("MONTHLY", 3 * count)
    if unit == "weekend":
        return "T_SET", _rule("WEEKLY", count, BYDAY="SA,SU")
    if unit == "workday":
        return "T_SET", _rule("WEEKLY", count, BYDAY="MO,TU,WE,TH,FR")
    if part_name := pick(part, "part"):
        return "T_SET", _rule(
            "DAILY", BYHOUR=str({"morning": 8, "noon": 12, "afternoon": 14, "evening": 18}.get(part_name, 20))
        )
    return ("T_SET", _rule(_UNITS[unit], count)) if unit in _UNITS else None


@SETS("(times|num|word_num) a unit", "times every? (unit|clock_unit)", "times T_DURATION", "often")
def _often(place: Place, part: list[Node], before: Node | None, after: Node | None) -> Made:
    if is_a(part[0], "often"):
        return "T_SET", part[0].value
    unit = pick(part, "unit", "clock_unit")
    if length := pick(part, "T_DURATION"):
        unit = {7: "week", 1: "day"}.get(length.days) or {1: "month", 12: "year"}.get(length.months) or "hour"
    return ("T_SET", _rule(_UNITS[unit])) if unit in _UNITS else None


@SETS("the? ordinal of T_SET")
def _monthly(place: Place, part: list[Node], before: Node | None, after: Node | None) -> Made:
    return ("T_SET", f"{part[-1].value};BYMONTHDAY={pick(part, 'ordinal')}") if "MONTHLY" in part[-1].value else None


SETS_TIMED: Final = Rules()


@SETS_TIMED("T_SET comma? at? (T_CLOCK|T_CLOCKS|num)", "T_SET in? the? part", "T_CLOCK T_SET")
def _timed(place: Place, part: list[Node], before: Node | None, after: Node | None) -> Made:
    rule = pick(part, "T_SET")
    if name := pick(part, "part"):
        return "T_SET", f"{rule};BYHOUR={part_clocks(name).first.hour}"  # type: ignore[union-attr]
    clocks = pick(part, "T_CLOCKS")
    node = next((node for node in part if is_a(node, "T_CLOCK", "num")), None)
    clock = clocks.first if clocks else bare_clock(node) if node else None
    if clock is None or (node is not None and is_a(node, "num") and pick(part, "at") is None):
        return None
    return "T_SET", f"{rule};BYHOUR={clock.hour % 24};BYMINUTE={clock.minute}"
