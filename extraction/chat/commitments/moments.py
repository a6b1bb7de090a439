"""The days and clocks that a message names: from `ledger.language.times`, and the bare clocks of family chat."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from extraction.chat.commitments.replies import CORRECTS
from ledger.language.fold import fold_in_place
from ledger.language.times import TimeSpan, find_times

# `the 745`, `sit 11-2`: no time anywhere but where people arrange their day. Not 0-0, no amounts, no lengthy ranges.
_GLUED = re.compile(
    r"(?<![\w:./$€#+-])(1[0-2]|[1-9])([0-5][05])"
    r"(?![\w:./%€$-]|\s?(?:lbs?|kg|km|mi|g|ml|euros?|bucks|dollars|people|pages|calories))"
)
_FROM_TO = re.compile(r"(?<![\w:./$€#+-])(1[0-2]|[1-9])\s?[-–]\s?(1[0-2]|[1-9])(?![\w:./%€$-])")
_LONGEST_HOURS = 8
_WEEKDAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")


@dataclass(frozen=True, slots=True)
class Moments:
    """`days` and `clocks` (`HH:MM`) in the order of the text, each once; `spans` where they stand. `rrule` where it recurs:
    its clock is in `clocks`, and its first day from that of the message on in `days`."""

    days: tuple[date, ...] = ()
    clocks: tuple[str, ...] = ()
    spans: tuple[tuple[int, int], ...] = ()
    rrule: str = ""
    certain: bool = True

    def __bool__(self) -> bool:
        return bool(self.spans)


def moments(text: str, *, at: datetime, zone: str) -> Moments:
    """What `text`, said at `at` in `zone`, names. A clock without a day names no day; `now`, and what
    is taken back, is left out."""
    found = [one for one in find_times(text, reference=at, zone=zone) if one.type != "duration" and one.begins != at]
    bare = _bare_clocks(text, found)
    back = max((one.end() for one in CORRECTS.finditer(fold_in_place(text))), default=0)
    if any(start >= back for start in [*(one.start for one in found), *(start for start, _, _ in bare)]):
        found = [one for one in found if one.start >= back]
        bare = [one for one in bare if one[0] >= back]
    days: dict[date, None] = {}
    clocks: list[tuple[int, str]] = []
    rrule = ""
    for one in found:
        if one.type == "set":
            rrule = rrule or _without_clock(one.value)
            clocks += [(one.start, clock) for clock in _clock_of_rule(one.value)]
            days |= dict.fromkeys(_first_day(one.value, at.astimezone(ZoneInfo(zone)).date()))
            continue
        for moment in (one.begins, one.ends):
            if isinstance(moment, datetime) and _names_clock(one, moment, at):
                clocks.append((one.start, moment.strftime("%H:%M")))
                if _names_day(one):
                    days[moment.date()] = None
        if isinstance(one.begins, date) and not isinstance(one.begins, datetime):
            days[one.begins] = None
    clocks += [(start, clock) for start, _, some in bare for clock in some]
    spans = sorted([*((one.start, one.end) for one in found), *((start, end) for start, end, _ in bare)])
    said = tuple(dict.fromkeys(clock for _, clock in sorted(clocks, key=lambda one: one[0])))
    return Moments(tuple(days), said, tuple(spans), rrule, not bare and all(one.certain for one in found))


def _bare_clocks(text: str, found: Sequence[TimeSpan]) -> list[tuple[int, int, list[str]]]:
    bare: list[tuple[int, int, list[str]]] = []
    for one in _FROM_TO.finditer(text):
        first, last = _hour(int(one[1])), _hour(int(one[2]))
        last += 12 if last <= first and last < 12 else 0
        if 0 < last - first <= _LONGEST_HOURS:
            bare.append((*one.span(), [f"{first:02}:00", f"{last:02}:00"]))
    bare += [(*one.span(), [f"{_hour(int(one[1])):02}:{one[2]}"]) for one in _GLUED.finditer(text)]
    free = [one for one in bare if not any(known.start < one[1] and one[0] < known.end for known in found)]
    return sorted(free)


def _hour(said: int) -> int:
    """Of a bare hour the one by day: 1 to 7 are after noon."""
    return said + 12 if said <= 7 else said


def _without_clock(rule: str) -> str:
    return ";".join(part for part in rule.split(";") if not part.startswith(("BYHOUR", "BYMINUTE", "BYSECOND")))


def _clock_of_rule(rule: str) -> list[str]:
    parts = dict(part.split("=", 1) for part in rule.split(";") if "=" in part)
    hour, minute = parts.get("BYHOUR", ""), parts.get("BYMINUTE", "0")
    return [f"{int(hour):02}:{int(minute):02}"] if hour.isdigit() and minute.isdigit() else []


def _first_day(rule: str, today: date) -> list[date]:
    """The first day of a weekly rule from `today` on."""
    named = dict(part.split("=", 1) for part in rule.split(";") if "=" in part).get("BYDAY", "").split(",")
    weekdays = {_WEEKDAYS.index(day) for day in named if day in _WEEKDAYS}
    return [day for ahead in range(7) if (day := today + timedelta(days=ahead)).weekday() in weekdays][:1]


def _names_clock(one: TimeSpan, moment: datetime, at: datetime) -> bool:
    """`dinner`, `this afternoon` and `now` are no clocks; `half five` and `at noon` are."""
    return moment != at and (one.type != "range" or any(char.isdigit() for char in one.text))


def _names_day(one: TimeSpan) -> bool:
    """A clock alone stands on the day of the message without saying so."""
    return one.type == "datetime" or (one.type == "range" and "T" in one.value.split("/")[0])
