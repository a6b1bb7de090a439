"""Events of an iCalendar text as proposals: one for each, and one for each occurrence that was moved or called off.

A newer version of what is confirmed names it as replaced. Nothing is believed because it stood in a file.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from typing import Any, Final

from extraction.extractors.documents.hits import Hit, Span
from extraction.extractors.findings import Findings, Note, Reading
from ledger.language.fold import fold
from ledger.models import Claim, Person
from ledger.rules.calendar import CalendarEntry, entry_of
from ledger.rules.calendar_files.reading import FileEvent, UnreadEvent, events_in
from ledger.rules.calendar_words import last_start, shortened, told, value_words

CALENDAR_VERSION: Final = "1"
CONFIDENCE: Final = 0.95
# A series that takes place more often than this is watched without an end.
MAX_FOLLOWED: Final = 2_000
MAX_STATEMENT: Final = 300
_WORD: Final = re.compile(r"[^\W_]+")


def calendar_findings(reading: Reading) -> Findings:
    """The events of a source that is a calendar."""
    found = events_in(reading.source.text)
    events = [one for one in found if isinstance(one, FileEvent)]
    values = [_at_home(one.value, reading) for one in events]
    held = _held(reading, [value.get("uid", "") for value in values])
    hits: list[Hit] = []
    notes = [_note(one, one.why) for one in found if isinstance(one, UnreadEvent)]
    for event, value in zip(events, values, strict=True):
        entry = entry_of("", "event", value, reading.scope.timezone)
        replaced = [ref for ref, other in held[event.identity] if other != value and other not in values]
        if entry is None:
            notes.append(_note(event, f"no calendar has this time: {value_words(value)[:200]}"))
        elif entry.cancelled and entry.changes is None and not replaced:
            notes.append(_note(event, "it is called off, and was never confirmed here"))
        else:
            hits.append(_hit(event, value, entry, replaced))
    return Findings(hits, notes)


def _note(event: FileEvent | UnreadEvent, why: str) -> Note:
    return Note(why, {"rule": "calendar.event", "kind": "event", "start": event.start, "end": event.end})


def _held(reading: Reading, uids: Sequence[str]) -> Mapping[tuple[str, str], list[tuple[str, Any]]]:
    """What is confirmed of these UIDs: by UID and changed occurrence, refs with their values. One query."""
    rows = Claim.objects.filter(scope=reading.scope, kind="event", status="active", value__uid__in=set(uids) - {""})
    found: dict[tuple[str, str], list[tuple[str, Any]]] = defaultdict(list)
    for row in rows.order_by("id").only("ref", "value"):
        value: Mapping[str, Any] = row.value or {}
        found[value.get("uid", ""), value.get("recurrence_id", "")].append((row.ref, value))
    return found


def _at_home(value: Mapping[str, Any], reading: Reading) -> dict[str, Any]:
    """With the zone of the scope for what floats, and whom it is about by the names that the scope has for them."""
    found = dict(value)
    if found.get("floating") or len(found["start"]) == len("2026-01-31"):
        found["timezone"] = reading.scope.timezone
    people = [one for one in reading.people if one.role != "bot"]
    by_name = {fold(name).strip(): one.name for one in reversed(people) for name in (one.name, *one.aliases)}
    invited = [by_name.get(fold(name).strip(), name) for name in found["people"]]
    found["people"] = list(dict.fromkeys([*_named_in(found["title"], people), *invited]))
    return found


def _named_in(title: str, people: Sequence[Person]) -> Iterator[str]:
    words = f" {' '.join(_WORD.findall(fold(title)))} "
    for one in people:
        names = (f" {' '.join(_WORD.findall(fold(name)))} " for name in (one.name, *one.aliases))
        if any(name.strip() and name in words for name in names):
            yield one.name


def _hit(event: FileEvent, value: Mapping[str, Any], entry: CalendarEntry, replaced: Sequence[str]) -> Hit:
    words = shortened(told(entry), MAX_STATEMENT)
    sort = "cancelled" if entry.cancelled else "change" if entry.changes is not None else "event"
    last = last_start(entry, MAX_FOLLOWED)
    return Hit(
        rule=f"calendar.{sort}",
        rule_class="calendar",
        explicit=True,
        kind="event",
        statement=words,
        spans=(Span(event.start, event.end, 0),),
        confidence=CONFIDENCE,
        anchored=True,
        topic=value["title"][:200],
        value_type="event",
        value=value,
        supersedes=tuple(replaced),
        needs_review=bool(event.doubts),
        summary="; ".join(event.doubts) or words,
        valid_from=entry.start.replace(tzinfo=entry.zone),
        expires_at=last and (last + entry.length + timedelta(days=1)).replace(tzinfo=entry.zone),
    )
