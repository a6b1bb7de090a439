"""Clocks and numbers: `3pm`, `16:30`, `half past three`, `halb vier`, `las cuatro y media`, `4ish`, `noon`."""

from dataclasses import replace
from typing import Final

from ledger.language.times.engine import Made, Node, Place, Rules, is_a, pick
from ledger.language.times.meanings import Clock, clock_of

NUMBERS: Final = Rules()
CLOCKS: Final = Rules()


@NUMBERS(
    "word_num thousand (and? word_num hundred?)?( and? word_num)?",
    "word_num hundred( and? word_num)+",
    "word_num thousand",
)
def _year_in_words(place: Place, part: list[Node], before: Node | None, after: Node | None) -> Made:
    total = step = 0
    for node in part:
        if is_a(node, "thousand", "hundred"):
            total, step = total + step * node.value, 0
        elif is_a(node, "word_num"):
            step += node.value
    total += step
    return ("year", total) if 1500 <= total <= 2199 else None


@NUMBERS("(in|month|month_weak|ordinal|from|after) (?P<x>word_num word_num)(?! clock_unit|ampm)")
def _paired_year(place: Place, part: list[Node], before: Node | None, after: Node | None) -> Made:
    century, rest = part[0].value, part[1].value
    return ("year", century * 100 + rest) if century in (18, 19, 20) and rest >= 10 else None


def _parsed(node: Node) -> Clock | None:
    """The clock a token shows by itself, its half of the day open."""
    if is_a(node, "num", "word_num"):
        return clock_of(node.value, bare=True)
    if is_a(node, "digits"):
        hour, minute, four = node.value
        return clock_of(hour, minute, bare=True, sure=four and hour < 10)
    if is_a(node, "clock", "dotted"):
        pieces = node.value.replace(".", ":").split(":")
        if len(pieces[1]) < 2 or (len(pieces) > 2 and int(pieces[2]) > 59):
            return None
        sure = pieces[0].startswith("0") and len(pieces[0]) == 2
        return clock_of(int(pieces[0]), int(pieces[1]), int(pieces[2]) if len(pieces) > 2 else 0, sure=sure)
    return node.value if is_a(node, "T_CLOCK") else None


@CLOCKS("(clock|dotted|num|digits|word_num) ampm")
def _half_said(place: Place, part: list[Node], before: Node | None, after: Node | None) -> Made:
    said, clock = part[1].value, _parsed(part[0])
    if clock is None or clock.hour > 24 or is_a(after, "measure"):
        return None
    hour = part[0].value if is_a(part[0], "num", "word_num") else clock.hour
    if isinstance(hour, int) and hour > 12 and not clock.open:
        return "T_CLOCK", replace(clock, bare=False)
    return "T_CLOCK", clock if said not in ("am", "pm") else clock.half(said)


@CLOCKS(
    "(num|word_num) (num|word_num) ampm",
    "at (?P<x>word_num word_num)(?! unit|clock_unit)",
    "(ordinal|T_DAY|from|between) (?P<x>word_num word_num)(?! unit|clock_unit|ampm)",
    "T_CLOCK (to|and) (?P<x>word_num word_num)(?! unit|clock_unit)",
)
def _two_words(place: Place, part: list[Node], before: Node | None, after: Node | None) -> Made:
    clock = clock_of(part[0].value, part[1].value) if part[1].value >= 10 else None
    said = pick(part, "ampm")
    return ("T_CLOCK", clock.half(said) if said else clock) if clock else None


@CLOCKS("(num|word_num) oclock num?", "(clock|dotted|digits) oclock", "num glued_h")
def _oclock(place: Place, part: list[Node], before: Node | None, after: Node | None) -> Made:
    clock = _parsed(part[0])
    if clock is None or (
        is_a(part[1], "glued_h") and part[0].value <= 12 and not is_a(before, "at", "T_DAY", "day_word", "weekday")
    ):
        return None
    if len(part) == 3:
        clock = clock_of(part[0].value, part[2].value) or clock
    return "T_CLOCK", replace(clock, bare=False)


@CLOCKS("clock")
def _colon(place: Place, part: list[Node], before: Node | None, after: Node | None) -> Made:
    clock = _parsed(part[0])
    return ("T_CLOCK", clock) if clock else None


def _quarters(node: Node) -> int:
    return 45 if node.value == "dreiviertel" else 15


@CLOCKS("half past? (word_num|num|T_CLOCK) oclock?", "half past? (word_num|num)")
def _half_hour(place: Place, part: list[Node], before: Node | None, after: Node | None) -> Made:
    clock, german = _parsed(next(node for node in part[1:] if not is_a(node, "past"))), part[0].value == "halb"
    if clock is None or clock.minute or is_a(after, "unit", "clock_unit", "measure") or part[0].value == "media":
        return None
    if not german and not is_a(part[1], "past"):
        # British "half three"; elsewhere "half ten of them" is a count.
        return ("T_CLOCK", replace(clock, minute=30, bare=False)) if is_a(before, "at", "before", "after") else None
    return "T_CLOCK", back(clock, 30) if german else replace(clock, minute=30, bare=False)


def back(clock: Clock, minutes: int) -> Clock:
    """So many minutes before the full hour that `clock` names."""
    hour = (clock.hour - 1) % 24
    if clock.open:
        plain = (clock.hour % 12 - 1) % 12
        hour = plain + 12 if plain <= 6 else plain
    return replace(clock, hour=hour, minute=60 - minutes, bare=False)


@CLOCKS(
    "quarter (past|to|ago_first)? (num|word_num|T_CLOCK)",
    "(num|word_num) clock_unit? (past|ago_first|minus) (half)? (num|word_num|T_CLOCK) oclock?",
    "at (?P<x>(num|word_num) clock_unit? to (num|word_num))",
)
def _minutes_beside(place: Place, part: list[Node], before: Node | None, after: Node | None) -> Made:
    numbers = [node for node in part if is_a(node, "num", "word_num", "T_CLOCK")]
    clock = _parsed(numbers[-1])
    minutes = _quarters(part[0]) if pick(part, "quarter") else part[0].value
    unit = pick(part, "clock_unit")
    if (
        clock is None
        or clock.minute
        or not isinstance(minutes, int)
        or not 1 <= minutes <= 59
        or unit not in (None, "minute")
    ):
        return None
    if is_a(after, "unit", "clock_unit", "measure") or (is_a(part[-1], "num", "word_num") and part[-1].value > 24):
        return None
    words = pick(part, "quarter")
    if words == "viertel" and not pick(part, "past", "to", "ago_first"):
        return "T_CLOCK", back(clock, 45)
    if words == "dreiviertel":
        return "T_CLOCK", back(clock, 15)
    if words and not (pick(part, "past") or pick(part, "to") or pick(part, "ago_first")):
        return None
    if pick(part, "minus"):
        # Spanish counts the other way round: "las cinco menos diez".
        hour = _parsed(numbers[0])
        return (
            ("T_CLOCK", back(hour, numbers[-1].value))
            if hour and isinstance(numbers[-1].value, int) and numbers[-1].value < 60
            else None
        )
    if pick(part, "past"):
        return "T_CLOCK", replace(clock, minute=minutes, bare=False)
    return "T_CLOCK", back(clock, minutes)


@CLOCKS("(num|word_num) and (half|quarter)(?! unit|clock_unit)", "(num|word_num) minus (quarter|num|word_num)")
def _spanish_minutes(place: Place, part: list[Node], before: Node | None, after: Node | None) -> Made:
    clock = _parsed(part[0])
    if clock is None or (is_a(part[1], "and") and pick(part, "half", "quarter") not in ("media", "cuarto")):
        return None
    if is_a(part[1], "and"):
        return "T_CLOCK", replace(clock, minute=30 if is_a(part[2], "half") else 15, bare=False)
    return "T_CLOCK", back(clock, part[2].value if isinstance(part[2].value, int) else 15)


@CLOCKS("noon")
def _noon(place: Place, part: list[Node], before: Node | None, after: Node | None) -> Made:
    return "T_CLOCK", Clock(12) if part[0].value == "noon" else Clock(24)


@CLOCKS("(T_CLOCK|num|digits) (?P<x>about)")
def _ish(place: Place, part: list[Node], before: Node | None, after: Node | None) -> Made:
    return ("about", "ish") if part[0].value == "ish" and part[0].end - part[0].start == 3 else None


@CLOCKS("(num|digits) about")
def _ish_clock(place: Place, part: list[Node], before: Node | None, after: Node | None) -> Made:
    clock = _parsed(part[0]) if part[1].value == "ish" else None
    return ("T_CLOCK", replace(clock, open=True, bare=False)) if clock else None


_COUNTED: Final = (
    "unit",
    "clock_unit",
    "measure",
    "slash_sign",
    "phase",
    "part",
    "month",
    "month_weak",
    "decimal",
    "dash",
    "to",
    "some",
    "next",
)


@CLOCKS(
    "(at|about) (?P<x>digits)",
    "(before|after|past|about|to) (?P<x>(digits|dotted))",
    "(before|after|past|to) (?P<x>(num|word_num)) (?= stop|comma|then|$)",
    "at about? (?P<x>(num|word_num|digits|dotted))",
    "(?P<x>(digits|dotted)) (?=(?:on|in) )",
)
def _bare(place: Place, part: list[Node], before: Node | None, after: Node | None) -> Made:
    node = part[0]
    if is_a(after, *_COUNTED) and not is_a(after, "dash", "to"):
        return None
    if is_a(before, "to") and before is not None and before.value != "until":
        return None
    clock = _parsed(node)
    if clock is None or (is_a(node, "num", "word_num") and node.value == 0):
        return None
    return "T_CLOCK", replace(clock, bare=False)


@CLOCKS("T_CLOCK zone")
def _zoned(place: Place, part: list[Node], before: Node | None, after: Node | None) -> Made:
    return "T_CLOCK", replace(part[0].value, zone=part[1].value)


bare_clock = _parsed
