"""Ranges of the clock and parts of the day: `4-5pm`, `between 3 and 8am`, `in the morning`, `por la tarde`."""

from dataclasses import replace
from datetime import timedelta
from typing import Final

from ledger.language.times.clocks import bare_clock
from ledger.language.times.engine import Made, Node, Place, Rules, is_a, pick
from ledger.language.times.meanings import Clocks, Day, between, part_clocks, stretch

PARTS: Final = Rules()

_NUMBER: Final = "(num|word_num|digits|dotted|T_CLOCK)"


@PARTS("last part")
def _last_part(place: Place, part: list[Node], before: Node | None, after: Node | None) -> Made:
    name = part[1].value
    day = place.today - timedelta(days=1 if name in ("night", "evening", "afternoon", "nacht") else 0)
    return "T_PART", (Day(day), name)


@PARTS(f"(from|between|of)? {_NUMBER} (to|dash|and) {_NUMBER} (in the)? (part|part_phrase)")
def _part_range(place: Place, part: list[Node], before: Node | None, after: Node | None) -> Made:
    ends = [bare_clock(node) for node in part if is_a(node, "num", "word_num", "digits", "dotted", "T_CLOCK")]
    if None in ends or (pick(part, "and") and not pick(part, "between")) or is_a(part[-2], "num", "word_num"):
        return None
    name = pick(part, "part", "part_phrase")
    first, end = (clock.in_part(name) for clock in ends if clock)
    return "T_CLOCKS", between(first, end)


@PARTS(f"(from|between|of)? {_NUMBER} (to|dash|and) at? {_NUMBER}")
def _clock_range(place: Place, part: list[Node], before: Node | None, after: Node | None) -> Made:
    ends = [node for node in part if is_a(node, "num", "word_num", "digits", "dotted", "T_CLOCK")]
    said = [is_a(node, "T_CLOCK") for node in ends]
    opened = pick(part, "from", "between")
    joined = pick(part, "and") is not None
    if joined and not (opened and pick(part, "between")):
        return None
    if is_a(after, "unit", "clock_unit", "measure", "month", "month_weak", "slash_sign", "year", "of", "ampm"):
        return None
    near = (
        is_a(before, "T_DAY", "comma", "part")
        or is_a(after, "T_DAY", "part")
        or (is_a(after, "in", "on", "the") and not is_a(before, "any"))
    )
    dashed = is_a(part[-2], "dash") or is_a(part[-3] if len(part) > 3 else None, "dash")
    if not any(said) and not opened and not (near and (dashed or pick(part, "to"))):
        return None
    if (
        not any(said)
        and opened
        and not (near or pick(part, "between") or opened in ("from", "vom", "de_las") or opened == "desde")
    ):
        return None
    clocks = [bare_clock(node) for node in ends]
    if None in clocks or (is_a(part[0], "of") and not any(said)):
        return None
    if not any(said) and any(isinstance(node.value, int) and node.value > 24 for node in ends):
        return None
    first, end = clocks
    return ("T_CLOCKS", between(first, end)) if first and end else None


@PARTS(
    "T_CLOCK comma? (in|at)? the? (part|part_phrase)",
    "(in the?)? phase? part comma? at? (T_CLOCK|num|word_num|digits)",
    "T_CLOCKS (in|of)? the? (part|part_phrase)",
    "(num|word_num|digits) (in the|on)? (part|part_phrase)",
    "T_CLOCK phase part",
    "(in the?|about|at|this|before|after|later)? phase? in? the? part",
    "part_phrase",
)
def _part(place: Place, part: list[Node], before: Node | None, after: Node | None) -> Made:
    name = pick(part, "part", "part_phrase")
    clocks: Clocks | None = pick(part, "T_CLOCKS")
    if clocks and clocks.first and clocks.end:
        return "T_CLOCKS", replace(
            clocks,
            first=clocks.first.in_part(name),
            end=clocks.end.in_part(name)
            if name != "morning" or clocks.end.hour != 12
            else replace(clocks.end, open=False),
        )
    clock_node = next((node for node in part if is_a(node, "T_CLOCK", "num", "word_num", "digits")), None)
    if clock_node is not None:
        clock = bare_clock(clock_node)
        if name in ("breakfast", "lunch", "dinner") and is_a(part[0], "part"):
            return None
        if is_a(clock_node, "num", "word_num", "digits") and not (
            pick(part, "in") or pick(part, "at") or pick(part, "part_phrase")
        ):
            return None
        return ("T_CLOCK", replace(clock.in_part(name), bare=False)) if clock else None
    if pick(part, "phase") in ("begin", "end", "rest"):
        return None
    if len(part) == 1 and is_a(part[0], "part"):
        return None
    word = pick(part, "before", "after", "about", "at")
    if pick(part, "this") is not None:
        return "T_SPAN", stretch(place, Day(place.today), part_clocks(name))
    if (
        word is None
        and pick(part, "in") is None
        and not is_a(part[0], "part_phrase")
        and not pick(part, "phase")
        and pick(part, "later") != "later"
    ):
        return None
    hours = part_clocks(name)
    if is_a(part[0], "before"):
        return "T_CLOCKS", Clocks(None, hours.first, "before", name)
    if is_a(part[0], "after"):
        return "T_CLOCKS", Clocks(hours.end, None, "after", name)
    return "T_CLOCKS", hours


@PARTS("T_DAY (in|at)? the? part", "part T_DAY", "T_DAY part_phrase", "(part|part_phrase) of? T_DAY")
def _day_part(place: Place, part: list[Node], before: Node | None, after: Node | None) -> Made:
    name, day = pick(part, "part", "part_phrase"), pick(part, "T_DAY")
    if day is None or name in ("breakfast", "lunch", "dinner"):
        return None
    return "T_PART", (day, name)
