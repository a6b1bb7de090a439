"""The days and clocks that a message names: from `ledger.language.times`, and the bare clocks of family chat."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import chain
from operator import itemgetter
from typing import NamedTuple
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
# `de 9 a 1`, `von 9 bis 12`; `like 7`, `gegen 5`.
_WORDED_FROM_TO = re.compile(
    r"(?<![\w:./$€#+-])(?:de|desde|von|from|between)\s(?:las?\s)?(1[0-2]|[1-9])\s(?:a|hasta|bis|to|and|y)\s(?:las?\s)?"
    r"(1[0-2]|[1-9])(?![\w:./%€$-])",
    re.IGNORECASE,
)
_ABOUT = re.compile(
    r"(?<!\w)(?:like|tipo|gegen|sobre las?)\s(1[0-2]|[1-9])"
    r"(?![\w:./%€$-]|\s(?!tonight|today|tomorrow|tmrw|hoy|manana|heute|morgen)\w)",
    re.IGNORECASE,
)
_NOON = re.compile(r"\b(?:noon|midday|mittag|mediod[ií]a)\b", re.IGNORECASE)
# British `half 7`.
_HALF_PAST = re.compile(
    r"(?<!\w)half\s(1[0-2]|[1-9])(?![\w:./%€$-]|\s(?:of|the|an?|dozen|kids|people)\b)", re.IGNORECASE
)
_MAX_HOURS = 8
# A bare hour up to this one is after noon.
_LAST_AFTER_NOON = 7
_WEEKDAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")


@dataclass(frozen=True, slots=True)
class NamedTimes:
    """`days` and `clocks` (`HH:MM`) in the order of the text, each once; `spans` where they stand. `rrule` where it recurs:
    its clock is in `clocks`, and its first day from that of the message on in `days`."""

    days: tuple[date, ...] = ()
    clocks: tuple[str, ...] = ()
    spans: tuple[tuple[int, int], ...] = ()
    rrule: str = ""
    certain: bool = True

    def __bool__(self) -> bool:
        return bool(self.spans)


class _NamedTime(NamedTuple):
    """What one expression of time names, and where it stands."""

    place: tuple[int, int]
    days: Sequence[date]
    clocks: Sequence[str]
    rrule: str = ""
    certain: bool = False


def named_times(text: str, *, at: datetime, zone: str) -> NamedTimes:
    """What `text`, said at `at` in `zone`, names. A clock without a day names no day; `now`, and what is taken back, is
    left out."""
    spans = [one for one in find_times(text, reference=at, zone=zone) if one.type != "duration" and one.begins != at]
    today = at.astimezone(ZoneInfo(zone)).date()
    named = [*(_named(one, at, today) for one in spans), *_bare_clocks(text, spans)]
    taken_back = max((one.end() for one in CORRECTS.finditer(fold_in_place(text))), default=0)
    named = [one for one in named if one.place[0] >= taken_back] or named
    if not named:
        return NamedTimes()
    places, days, clocks, rules, certain = zip(*sorted(named, key=itemgetter(0)), strict=True)
    return NamedTimes(_each_once(days), _each_once(clocks), places, next(filter(None, rules), ""), all(certain))


def _each_once[T](groups: Iterable[Iterable[T]]) -> tuple[T, ...]:
    return tuple(dict.fromkeys(chain.from_iterable(groups)))


def _named(one: TimeSpan, at: datetime, today: date) -> _NamedTime:
    place = one.start, one.end
    if one.type == "set":
        rule = dict(part.split("=", 1) for part in one.value.split(";") if "=" in part)
        return _NamedTime(place, _first_day(rule, today), _clock(rule), _without_clock(one.value), one.certain)
    moments = [one.begins, one.ends]
    clocks = [moment for moment in moments if isinstance(moment, datetime) and _is_clock(one, moment, at)]
    days = [moment.date() for moment in clocks if _names_day(one)]
    days += [moment for moment in moments[:1] if type(moment) is date]
    return _NamedTime(place, days, [f"{moment:%H:%M}" for moment in clocks], "", one.certain)


def _bare_clocks(text: str, known: Sequence[TimeSpan]) -> Iterator[_NamedTime]:
    """Clocks that only here are ones, where none is known."""
    ranges = (*_FROM_TO.finditer(text), *_WORDED_FROM_TO.finditer(text))
    found = [(one.span(), _from_to(int(one[1]), int(one[2]))) for one in ranges]
    found += [(one.span(), [f"{_hour(int(one[1])):02}:00"]) for one in _ABOUT.finditer(text)]
    found += [(one.span(), [f"{_hour(int(one[1])):02}:30"]) for one in _HALF_PAST.finditer(text)]
    found += [(one.span(), [f"{_hour(int(one[1])):02}:{one[2]}"]) for one in _GLUED.finditer(text)]
    for (start, end), clocks in sorted(found):
        if clocks and not any(one.start < end and start < one.end for one in known):
            yield _NamedTime((start, end), (), clocks)


def _from_to(first: int, last: int) -> list[str]:
    """Both clocks of a range; none where it is too long to be one."""
    begins, ends = _hour(first), _hour(last)
    ends += 12 * (ends <= begins and ends < 12)
    return [f"{begins:02}:00", f"{ends:02}:00"] if 0 < ends - begins <= _MAX_HOURS else []


def _hour(said: int) -> int:
    return said + 12 * (said <= _LAST_AFTER_NOON)


def _without_clock(rule: str) -> str:
    return ";".join(part for part in rule.split(";") if not part.startswith(("BYHOUR", "BYMINUTE", "BYSECOND")))


def _clock(rule: dict[str, str]) -> list[str]:
    hour, minute = rule.get("BYHOUR", ""), rule.get("BYMINUTE", "0")
    return [f"{int(hour):02}:{int(minute):02}"] if hour.isdigit() and minute.isdigit() else []


def _first_day(rule: dict[str, str], today: date) -> list[date]:
    """The first day of a weekly rule from `today` on."""
    weekdays = {_WEEKDAYS.index(day) for day in rule.get("BYDAY", "").split(",") if day in _WEEKDAYS}
    week = (today + timedelta(days=ahead) for ahead in range(7))
    return [day for day in week if day.weekday() in weekdays][:1]


def _is_clock(one: TimeSpan, moment: datetime, at: datetime) -> bool:
    """`dinner`, `this afternoon` and `now` are no clocks; `half five` and `at noon` are."""
    return moment != at and (one.type != "range" or any(map(str.isdigit, one.text)) or bool(_NOON.search(one.text)))


def _names_day(one: TimeSpan) -> bool:
    """A clock alone stands on the day of the message without saying so."""
    return one.type == "datetime" or (one.type == "range" and "T" in one.value.split("/")[0])
