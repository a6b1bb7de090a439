"""What an event's value says, in one line for people: `Piano, Tue 2026-05-05 16:30, every week on Tue until 2026-12-15, Elm St`."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from itertools import islice
from typing import Any, Final

from ledger.rules.calendar import CalendarEntry, series_of

_UNITS: Final = {"DAILY": "day", "WEEKLY": "week", "MONTHLY": "month", "YEARLY": "year"}
_DAYS: Final = {"MO": "Mon", "TU": "Tue", "WE": "Wed", "TH": "Thu", "FR": "Fri", "SA": "Sat", "SU": "Sun"}

_MAX_LISTED: Final = 8


def told(entry: CalendarEntry) -> str:
    """What takes place, when, how often and where; of a changed occurrence what becomes of it."""
    when = _clock(entry.start, all_day=entry.all_day)
    if entry.changes is not None:
        was = _was(entry)
        words = f"No {entry.title} on {was}" if entry.cancelled else f"{entry.title} of {was} takes place {when}"
    elif entry.cancelled:
        words = f"{entry.title} is called off, {when}"
    else:
        words = f"{entry.title}, {when}"
    rest = [] if entry.cancelled else [told_rule(entry.rule), *_exceptions(entry), entry.place, _others(entry)]
    return ", ".join(filter(None, [words, *rest]))


def _exceptions(entry: CalendarEntry) -> Iterator[str]:
    left_out = [f"{one:%Y-%m-%d}" for one in sorted(entry.skipped, key=str)]
    added = [f"{one:%Y-%m-%d %H:%M}" for one in entry.added]
    for word, days in (("not", left_out), ("also", added)):
        more = f" and {len(days) - _MAX_LISTED} more" if len(days) > _MAX_LISTED else ""
        if days:
            yield f"{word} {' '.join(days[:_MAX_LISTED])}{more}"


def _others(entry: CalendarEntry) -> str:
    """Those whom its title does not name."""
    names = [name for name in entry.people if name.casefold() not in entry.title.casefold()]
    return f"with {' and '.join(names)}" if names else ""


def told_rule(rule: str) -> str:
    """`every 2 weeks on Tue, Thu until 2026-12-15`; empty where it takes place once."""
    parts: Mapping[str, str] = dict(part.partition("=")[::2] for part in rule.split(";"))
    unit = _UNITS.get(parts.get("FREQ", ""))
    if unit is None:
        return ""
    interval, until = parts.get("INTERVAL", "1"), parts.get("UNTIL", "")
    days = ", ".join(_day(one) for one in parts.get("BYDAY", "").split(",") if one)
    pieces = (
        f"every {unit}" if interval == "1" else f"every {interval} {unit}s",
        days and f"on {days}",
        f"until {until[:4]}-{until[4:6]}-{until[6:8]}" if until else "",
        f"{parts['COUNT']} times" if "COUNT" in parts else "",
    )
    return " ".join(filter(None, pieces))


def last_start(entry: CalendarEntry, most: int) -> datetime | None:
    """When it starts for the last time, on its wall clock; None where that is further off than `most` occurrences, or never."""
    series = series_of(entry.rule, entry.start, entry.zone_name) if entry.rule else None
    if series is None:
        return max([entry.start, *entry.added])
    starts = list(islice(series, most + 1))
    return None if len(starts) > most else max([entry.start, *starts, *entry.added])


def _was(entry: CalendarEntry) -> str:
    if not isinstance(entry.changes, datetime):
        return f"{entry.changes:%a %Y-%m-%d}"
    return _clock(entry.changes.astimezone(entry.zone), all_day=entry.all_day)


def _clock(moment: datetime, *, all_day: bool) -> str:
    return f"{moment:%a %Y-%m-%d}" if all_day else f"{moment:%a %Y-%m-%d %H:%M}"


def _day(part: str) -> str:
    """`2SU` is the second Sunday, `-1FR` the last Friday."""
    place, day = part[:-2].lstrip("+"), _DAYS.get(part[-2:], part[-2:])
    return f"the last {day}" if place == "-1" else f"{day} no. {place}" if place else day


def shortened(words: str, most: int) -> str:
    return words if len(words) <= most else words[: most - 1].rstrip() + "…"


def value_words(value: Mapping[str, Any]) -> str:
    """Its time as it is written, where the calendar has no such time."""
    return " ".join(filter(None, [str(value.get("title", "")), str(value.get("start", ""))]))
