"""The days and clocks that a message names: from `ledger.language.times`, and the bare clocks of family chat."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import chain
from operator import itemgetter
from typing import NamedTuple
from zoneinfo import ZoneInfo

from extraction.chat.commitments.bare_clocks import SPELLED_HOUR, bare_clocks
from extraction.chat.commitments.replies import CORRECTS
from ledger.language.fold import fold, fold_in_place
from ledger.language.times import TimeSpan, find_times

_IN_FIGURES = re.compile(r"\d")
# `sat` and `sun` are words of their own; before a part of the day or an hour they are days.
_SHORT_DAY = re.compile(
    r"\b(sat|sun)\b(?=\s+(?:arvo|avo|afternoon|mornin\w*|night|evening|@|at|from|around|by|1?\d\b))", re.IGNORECASE
)
# Said in the afternoon it is that of the next day; a day that is named beside it counts.
_NEXT_MORNING = re.compile(r"\bin the morning\b(?!.*day\b)", re.IGNORECASE)
# `ten to 6` is no range from ten to six.
_MINUTES_TO = re.compile(
    r"\b(five|ten|twenty) to (1[0-2]|[2-9])(?![\w:./-])(?=\W*$|\W+(?:to(?:night|day|morrow)|this|on|for|at|in|and)\b)",
    re.IGNORECASE,
)
_WEEKDAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")


@dataclass(frozen=True, slots=True)
class NamedTimes:
    """`days` and `clocks` (`HH:MM`) in the order of the text, each once; `spans` where they stand. `rrule` where it recurs:
    its clock is in `clocks`, and its first day from that of the message on in `days`. `until`: the day that something lasts to."""

    days: tuple[date, ...] = ()
    clocks: tuple[str, ...] = ()
    spans: tuple[tuple[int, int], ...] = ()
    rrule: str = ""
    certain: bool = True
    until: date | None = None

    def __bool__(self) -> bool:
        return bool(self.spans)


class _NamedTime(NamedTuple):
    """What one expression of time names, and where it stands."""

    place: tuple[int, int]
    days: Sequence[date]
    clocks: Sequence[str]
    rrule: str = ""
    certain: bool = False
    until: date | None = None


def named_times(text: str, *, at: datetime, zone: str) -> NamedTimes:
    """What `text`, said at `at` in `zone`, names. A clock without a day names no day; `now`, and what is taken back, is
    left out."""
    local = at.astimezone(ZoneInfo(zone))
    today = local.date()
    text = _MINUTES_TO.sub(_in_figures, text)
    spans = [one for one in find_times(text, reference=at, zone=zone) if one.type != "duration" and one.begins != at]
    named = [*(_named(one, at, today) for one in spans), *_bare_times(text, spans, today, after_noon=local.hour >= 12)]
    taken_back = max((one.end() for one in CORRECTS.finditer(fold_in_place(text))), default=0)
    named = [one for one in named if one.place[0] >= taken_back] or named
    if not named:
        return NamedTimes()
    places, days, clocks, rules, certain, until = zip(*sorted(named, key=itemgetter(0)), strict=True)
    rule, last = next(filter(None, rules), ""), next(filter(None, until), None)
    return NamedTimes(_each_once(days), _each_once(clocks), places, rule, all(certain), last)


def _each_once[T](groups: Iterable[Iterable[T]]) -> tuple[T, ...]:
    return tuple(dict.fromkeys(chain.from_iterable(groups)))


def _named(one: TimeSpan, at: datetime, today: date) -> _NamedTime:
    place = one.start, one.end
    if one.type == "set":
        rule = dict(part.split("=", 1) for part in one.value.split(";") if "=" in part)
        return _NamedTime(place, _first_day(rule, today), _clock(rule), _without_clock(one.value), one.certain)
    moments = [one.begins, one.ends]
    clocks = [moment for moment in moments if isinstance(moment, datetime) and _is_clock(one, moment, at)]
    days = [moment.date() for moment in clocks or moments[:1] if isinstance(moment, datetime) and _names_day(one)]
    days += [moment for moment in moments[:1] if type(moment) is date]
    until = one.ends if one.begins is None and type(one.ends) is date else None
    return _NamedTime(place, days, [f"{moment:%H:%M}" for moment in clocks], "", one.certain, until)


def _bare_times(text: str, known: Sequence[TimeSpan], today: date, *, after_noon: bool) -> Iterator[_NamedTime]:
    """Days and clocks that only here are ones, where none is known."""
    for found in _SHORT_DAY.finditer(text):
        if not any(one.start <= found.start() < one.end for one in known):
            ahead = (_WEEKDAYS.index(found[1][:2].upper()) - today.weekday()) % 7
            yield _NamedTime(found.span(1), (today + timedelta(days=ahead),), ())
    for found in _NEXT_MORNING.finditer(text) if after_noon else ():
        yield _NamedTime(found.span(), (today + timedelta(days=1),), ())
    for (start, end), clocks in bare_clocks(text):
        if not any(one.start < end and start < one.end for one in known):
            yield _NamedTime((start, end), (), clocks)


def _in_figures(said: re.Match[str]) -> str:
    """The same clock as `5:50`, in as many characters."""
    minutes = {"five": 55, "ten": 50, "twenty": 40}[said[1].lower()]
    return f"{int(said[2]) - 1}:{minutes}".ljust(len(said[0]))


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
    if one.type != "range":
        return moment != at
    said = fold(one.text)
    return moment != at and bool(_IN_FIGURES.search(said) or SPELLED_HOUR.search(said))


def _names_day(one: TimeSpan) -> bool:
    """A clock alone stands on the day of the message without saying so."""
    return one.type == "datetime" or (one.type == "range" and "T" in one.value.split("/")[0])
