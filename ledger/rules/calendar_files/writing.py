"""A calendar as an iCalendar text: what recurs as a rule, a changed occurrence beside its series, and the zones it needs."""

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Final

from icalendar import Calendar, Event, vCalAddress, vRecur

from ledger.rules.calendar import CalendarEntry, occurrences_of, with_changes

_PRODUCT: Final = "-//Countersign//Calendar//EN"
# How long after the last start zones are told for what goes on.
_ZONES_AHEAD: Final = timedelta(days=3660)
_NOBODY: Final = "invalid:nomail"


def calendar_text(name: str, entries: Sequence[CalendarEntry], confirmed_at: Mapping[str, datetime]) -> bytes:
    """The entries of a calendar, the newest first; `confirmed_at` by their refs. The same rows give the same bytes."""
    calendar = Calendar()
    for word, value in (
        ("prodid", _PRODUCT),
        ("version", "2.0"),
        ("method", "PUBLISH"),
        ("x-wr-calname", _plain(name)),
    ):
        calendar.add(word, value)
    series = {key: one for one in entries if one.changes is None for key in (one.uid, one.ref) if key}
    shown = {entry.ref for entry in with_changes(entries, cancelled=True)}
    shown |= {entry.ref for entry in entries if entry.cancelled and entry.changes is None}
    for entry in sorted(entries, key=lambda one: (one.start, one.ref)):
        if entry.ref in shown and (event := _event(entry, series)) is not None:
            event.add("dtstamp", confirmed_at.get(entry.ref, datetime(2000, 1, 1, tzinfo=UTC)).astimezone(UTC))
            calendar.add_component(event)
    years = [entry.start.date() for entry in entries]
    if years:
        calendar.add_missing_timezones(first_date=min(years), last_date=_ahead(max(years)))
    text: bytes = calendar.to_ical()
    return text


def _event(entry: CalendarEntry, series: Mapping[str, CalendarEntry]) -> Event | None:
    """None for a change that nothing is left to be one of, where it says only what does not take place."""
    event = Event()
    changed = series.get(entry.series) if entry.changes is not None else None
    if entry.changes is not None and changed is None and entry.cancelled:
        return None
    event.add("uid", uid_of(changed or entry))
    event.add("summary", _plain(entry.title))
    event.add("dtstart", _moment(entry, entry.start))
    event.add("dtend", _end(entry))
    if changed is not None and entry.changes is not None:
        event.add("recurrence-id", _start_of(changed, entry.changes))
    _add_series(event, entry)
    _add_details(event, entry)
    return event


def _add_series(event: Event, entry: CalendarEntry) -> None:
    if "FREQ=" in entry.rule:
        event.add("rrule", vRecur.from_ical(entry.rule))
    for name, moments in (("exdate", sorted(entry.skipped, key=str)), ("rdate", entry.added)):
        for moment in moments:
            event.add(name, _moment(entry, moment))


def _add_details(event: Event, entry: CalendarEntry) -> None:
    told = {
        "description": entry.ref, "location": _plain(entry.place), "transp": "TRANSPARENT" if entry.background else "",
        "status": "CANCELLED" if entry.cancelled else "",
    }  # fmt: skip
    for name, words in told.items():
        if words:
            event.add(name, words)
    for person in entry.people:
        address = vCalAddress(_NOBODY)
        address.params["CN"] = _plain(person).replace('"', "'")
        event.add("attendee", address, encode=False)


def uid_of(entry: CalendarEntry) -> str:
    return entry.uid or f"{entry.ref}@countersign"


def _moment(entry: CalendarEntry, wall: date) -> date:
    """A day, a clock that floats, or one with its zone."""
    if entry.all_day or not isinstance(wall, datetime):
        return wall.date() if isinstance(wall, datetime) else wall
    if entry.floating:
        return wall
    return wall.replace(tzinfo=UTC if entry.zone_name == "UTC" else entry.zone)


def _end(entry: CalendarEntry) -> date:
    if entry.all_day:
        return (entry.start + entry.length).date()
    begins = entry.start.replace(tzinfo=entry.zone).astimezone(UTC)
    return _moment(entry, (begins + entry.length).astimezone(entry.zone).replace(tzinfo=None))


def _start_of(series: CalendarEntry, changed: date) -> date:
    """The occurrence that is meant as its series tells it; of a day the first one there."""
    if isinstance(changed, datetime):
        return _moment(series, changed.astimezone(series.zone).replace(tzinfo=None))
    midnight = datetime.combine(changed, time(), tzinfo=series.zone)
    first = next(iter(occurrences_of(series, midnight, midnight + timedelta(days=1))), None)
    return changed if first is None else _moment(series, first.start.replace(tzinfo=None))


def _ahead(day: date) -> date:
    return day + _ZONES_AHEAD if day.year < 2100 else day


def _plain(words: str) -> str:
    return " ".join("".join(sign if sign.isprintable() else " " for sign in words).split())
