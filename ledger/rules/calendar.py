"""Events and assignments on a calendar: each with its start and end, a series one occurrence at a time. Plain values.

What recurs is expanded as the wall clock of its zone says: `16:30` stays `16:30` when summer time ends. A start that this
clock skips is moved on by the hour that is missing, one that it shows twice is the first (RFC 5545). A start without a zone is
of the place that reads it; one without a clock is the whole day.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import lru_cache
from heapq import merge
from itertools import groupby, islice, product, takewhile
from typing import Any, Final
from zoneinfo import ZoneInfo

from dateutil.rrule import rrule, rrulestr

MINUTES_ASSUMED: Final = 60
# A series is followed through so many occurrences from its start: thirty years of every day.
MAX_OCCURRENCES: Final = 12_000
# What a rule may say. A part beyond these has no meaning in a household's plan and could run for minutes.
_FREQUENCIES: Final = frozenset({"DAILY", "WEEKLY", "MONTHLY", "YEARLY"})
_PARTS: Final = frozenset({"FREQ", "INTERVAL", "COUNT", "UNTIL", "BYDAY", "BYMONTHDAY", "BYMONTH", "BYSETPOS", "WKST"})
_LONGEST_MONTHS: Final = {2: 29, 4: 30, 6: 30, 9: 30, 11: 30}
_UNTIL: Final = re.compile(r"(\bUNTIL=\d{8})T\d{6}Z?")
# By this some programs say that no count is meant.
_NO_COUNT: Final = re.compile(r";COUNT=-1\b")
_DAY: Final = timedelta(days=1)
# Far from the ends of what a date can be, where a change of zones leads beyond them.
_YEARS: Final = range(1000, 9000)
_MAX_LENGTH: Final = timedelta(days=3660)


@dataclass(frozen=True, slots=True)
class CalendarEntry:
    """An event or assignment as it was confirmed. `start` is the wall clock of `zone`; `skipped` are the starts, or days, of
    occurrences that do not take place, `added` starts beside the rule; `background` is what holds people without keeping them
    from anything (school, work). With `changes` it stands in place of one occurrence of `series` (a ref, or an iCalendar UID):
    the one that starts then, or is on that day."""

    ref: str
    kind: str
    title: str
    people: tuple[str, ...]
    start: datetime
    length: timedelta
    zone: tzinfo
    zone_name: str
    place: str = ""
    rule: str = ""
    all_day: bool = False
    background: bool = False
    end_known: bool = True
    skipped: frozenset[date] = frozenset()
    added: tuple[datetime, ...] = ()
    uid: str = ""
    series: str = ""
    changes: date | None = None
    cancelled: bool = False
    floating: bool = False


@dataclass(frozen=True, slots=True)
class Occurrence:
    """One time that something takes place; `start` and `end` are aware, in the zone of the entry, the end exclusive."""

    entry: CalendarEntry
    start: datetime
    end: datetime

    @property
    def ref(self) -> str:
        return self.entry.ref

    @property
    def recurring(self) -> bool:
        return bool(self.entry.rule or self.entry.added)

    def overlaps(self, start: datetime, end: datetime) -> bool:
        return self.start < end and start < self.end


def entry_of(ref: str, kind: str, value: Any, zone_name: str) -> CalendarEntry | None:
    """The value of a claim as an entry; None where it names no start that the calendar has. `zone_name` is that of the scope."""
    if not isinstance(value, Mapping):
        return None
    floating = value.get("floating") is True
    zone_name = ("" if floating else _text(value, "timezone")) or zone_name
    try:
        zone = ZoneInfo(zone_name)
        start, all_day = _wall_clock(_text(value, "start"), zone)
        length, end_known = _length(value, start, zone, all_day=all_day)
        skipped = frozenset(_clock_or_day(text, zone) for text in _texts(value, "exdates"))
        added = tuple(_wall_clock(text, zone)[0] for text in _texts(value, "rdates"))
        changes = _changed(_text(value, "recurrence_id"), zone)
    except (ValueError, LookupError, OverflowError, OSError):
        return None
    if start.year not in _YEARS or length > _MAX_LENGTH:
        return None
    uid = _text(value, "uid")
    return CalendarEntry(
        ref=ref,
        kind=kind,
        title=_text(value, "title") or _text(value, "task"),
        people=tuple(dict.fromkeys([*_texts(value, "people"), *_texts(value, "assignee"), *_texts(value, "for")])),
        start=start,
        length=length,
        zone=zone,
        zone_name=zone_name,
        place=_text(value, "place"),
        rule=_rule(value, all_day=all_day) if changes is None else "",
        all_day=all_day,
        background=value.get("background") is True,
        end_known=end_known,
        skipped=skipped,
        added=tuple(sorted(added)),
        uid=uid,
        series=_text(value, "series") or uid,
        changes=changes,
        cancelled=value.get("cancelled") is True,
        floating=floating,
    )


def with_changes(entries: Iterable[CalendarEntry], *, cancelled: bool = False) -> list[CalendarEntry]:
    """The entries, the newest first, as they take place: a series without the occurrences that others change, and nothing that was
    called off, unless `cancelled`. Of two changes of one occurrence the newer holds."""
    entries = list(entries)
    off = {entry.series for entry in entries if entry.cancelled and entry.changes is None} - {""}
    changed: dict[str, dict[date, CalendarEntry]] = defaultdict(dict)
    for entry in entries:
        if entry.changes is not None:
            changed[entry.series].setdefault(entry.changes, entry)
    standing: dict[int, CalendarEntry] = {}
    for entry in entries:
        if entry.changes is not None:
            if changed[entry.series][entry.changes] is entry and (cancelled or not entry.cancelled):
                standing[id(entry)] = entry
        elif not entry.cancelled and off.isdisjoint({entry.ref, entry.uid}):
            standing[id(entry)] = _without(entry, changed.get(entry.ref, {}) | changed.get(entry.uid, {}))
    return list(standing.values())


def _without(series: CalendarEntry, changed: Iterable[date]) -> CalendarEntry:
    return replace(series, skipped=series.skipped.union(_on_wall_of(series, one) for one in changed))


def _on_wall_of(entry: CalendarEntry, moment: date) -> date:
    """A start that is named with its offset, on the wall clock of the series; a day is a day."""
    if not isinstance(moment, datetime):
        return moment
    wall = moment.astimezone(entry.zone).replace(tzinfo=None, fold=0)
    return wall.date() if entry.all_day else wall


def occurrences_of(entry: CalendarEntry, start: datetime, end: datetime) -> Iterator[Occurrence]:
    """Those that overlap the window from `start` (aware) to `end`, in order; a series that its rule does not explain takes
    place once."""
    for wall in _wall_starts(entry, end):
        if wall in entry.skipped or wall.date() in entry.skipped:
            continue
        begins = _instant(wall, entry.zone)
        ends = _end(entry, wall, begins)
        if begins < end and ends > start:
            yield Occurrence(entry, begins, ends)


def _wall_starts(entry: CalendarEntry, end: datetime) -> Iterator[datetime]:
    """The starts on the wall clock, the first ones of a series included, up to the window's end."""
    last = (end.astimezone(UTC) + 2 * _DAY).replace(tzinfo=None)
    series = series_of(entry.rule, entry.start, entry.zone_name) if entry.rule else None
    ruled: Iterable[datetime] = [entry.start] if series is None else islice(series, MAX_OCCURRENCES)
    starts = (wall for wall, _ in groupby(merge(ruled, entry.added)))
    return takewhile(lambda wall: wall <= last, starts)


@lru_cache(maxsize=1024)
def series_of(rule: str, start: datetime, zone_name: str) -> rrule | None:
    """The rule as dateutil reads it, over the wall clock; None for one that says nothing, or nothing a calendar has."""
    parts = dict(part.partition("=")[::2] for part in rule.split(";"))
    if parts.get("FREQ") not in _FREQUENCIES or not parts.keys() <= _PARTS or not _names_some_day(parts):
        return None
    try:
        if "UNTIL" in parts:
            parts["UNTIL"] = _last_on_the_wall(parts["UNTIL"], ZoneInfo(zone_name))
        found = rrulestr(";".join("=".join(part) for part in parts.items()), dtstart=start, cache=True)
    except (ValueError, TypeError, AttributeError):
        return None
    return found if isinstance(found, rrule) else None


def _last_on_the_wall(until: str, zone: tzinfo) -> str:
    """UNTIL as the zone's wall clock has it; of a day its end. Raises ValueError."""
    if until.endswith("Z"):
        local = datetime.strptime(until, "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC).astimezone(zone)
        return local.strftime("%Y%m%dT%H%M%S")
    return f"{until}T235959" if len(until) == len("20260131") else until


def _names_some_day(parts: Mapping[str, str]) -> bool:
    """Whether it goes on, and one of its months has one of its days: the 30th of February would be looked for for ever."""
    if "BYSETPOS" in parts and parts["FREQ"] not in ("MONTHLY", "YEARLY"):
        return False
    if not parts.get("COUNT", "1").isdigit() or parts.get("COUNT") == "0":
        return False
    numbers = _numbers_in(parts, "INTERVAL", "BYMONTH", "BYMONTHDAY", "BYSETPOS")
    if numbers is None:
        return False
    intervals, months, days, places = numbers
    if len(intervals) > 1 or intervals[0] < 1 or max(map(abs, places)) > 5:
        return False
    return any(0 < abs(day) <= _LONGEST_MONTHS.get(month, 31) for month, day in product(months, days))


def _numbers_in(parts: Mapping[str, str], *names: str) -> list[list[int]] | None:
    """The numbers of each of these parts, 1 where it says none; None where one of them is no number."""
    try:
        return [[int(number) for number in parts.get(name, "1").split(",")] for name in names]
    except ValueError:
        return None


def _wall_clock(text: str, zone: tzinfo) -> tuple[datetime, bool]:
    """The time on the zone's wall clock, and whether it is a day without a clock. Raises ValueError."""
    if len(text) == len("2026-01-31"):
        return datetime.combine(date.fromisoformat(text), time()), True
    moment = datetime.fromisoformat(text)
    return (moment.astimezone(zone) if moment.tzinfo else moment).replace(tzinfo=None, fold=0), False


def _rule(value: Mapping[str, Any], *, all_day: bool) -> str:
    """The RRULE; of what takes whole days the last day is told without a clock, whatever its writer put there."""
    rule = _NO_COUNT.sub("", _text(value, "rrule").removeprefix("RRULE:").upper())
    return _UNTIL.sub(r"\1", rule) if all_day else rule


def _clock_or_day(text: str, zone: tzinfo) -> date:
    wall, is_day = _wall_clock(text, zone)
    return wall.date() if is_day else wall


def _changed(text: str, zone: tzinfo) -> date | None:
    """The start, with its offset, or the day of the occurrence that an entry stands for."""
    if not text:
        return None
    found = _clock_or_day(text, zone)
    return _instant(found, zone) if isinstance(found, datetime) else found


def _length(value: Mapping[str, Any], start: datetime, zone: tzinfo, *, all_day: bool) -> tuple[timedelta, bool]:
    """How long it takes, and whether that was told: a day for a whole day, else an hour is taken for it."""
    assumed = _DAY if all_day else timedelta(minutes=MINUTES_ASSUMED)
    if not (text := _text(value, "end")):
        return assumed, all_day
    end, _ = _wall_clock(text, zone)
    if all_day:
        return max(end - start, _DAY), True
    # Two times of one zone would be taken apart by their clocks alone.
    told = _instant(end, zone).astimezone(UTC) - _instant(start, zone).astimezone(UTC)
    return (told, True) if told > timedelta() else (assumed, False)


def _end(entry: CalendarEntry, wall: datetime, begins: datetime) -> datetime:
    """A day ends at midnight however many hours it had; all else takes as long as it takes."""
    if entry.all_day:
        return _instant(wall + entry.length, entry.zone)
    return (begins.astimezone(UTC) + entry.length).astimezone(entry.zone)


def _instant(wall: datetime, zone: tzinfo) -> datetime:
    """By way of UTC, so that a clock time which the zone skips becomes the one that people see."""
    return wall.replace(tzinfo=zone).astimezone(UTC).astimezone(zone)


def _text(value: Mapping[str, Any], name: str) -> str:
    found = value.get(name)
    return found.strip() if isinstance(found, str) else ""


def _texts(value: Mapping[str, Any], name: str) -> list[str]:
    """A name, or a list of names."""
    found = value.get(name)
    listed = found if isinstance(found, list) else [found]
    return [one.strip() for one in listed if isinstance(one, str) and one.strip()]
