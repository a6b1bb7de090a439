"""Calendars (iCalendar): one text for each event, with its changed occurrences and the zones that it names beside it.

Kept is what an event says. When it was exported, alarms, attachments and what a program notes for itself are left out, so that the
same event exported again is the same text.
"""

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

from extraction.importers.decoding import whole
from extraction.importers.files import File
from extraction.importers.found import Found, Ids, Into, short
from ledger.actions.ingest import Incoming
from ledger.rules.calendar_files.reading import FILE_BEGINS
from ledger.rules.calendar_files.zones import is_zone
from ledger.rules.sections import SectionSpan

_FOLD: Final = re.compile(rb"\r?\n[ \t]")
_LINES: Final = re.compile(r"\r?\n|\r")
_NAME: Final = re.compile(r"[A-Za-z0-9-]+")
_TZID: Final = re.compile(r';TZID=(?:"([^"]*)"|([^:;,]*))')
_PASSING: Final = re.compile(
    r"(?:DTSTAMP|ATTACH|X-MOZ-[\w-]+|X-ALT-DESC|X-APPLE-STRUCTURED-LOCATION|ACKNOWLEDGED)[;:]", re.I
)
_STAMP: Final = re.compile(r"\d{8}T\d{6}Z?\Z")
ID_PREFIX: Final = "ics:"


@dataclass(slots=True)
class _Component:
    """A component of a calendar: its own lines, without those that pass, and the values of its properties by their names."""

    name: str
    lines: list[str] = field(default_factory=list)
    said: dict[str, str] = field(default_factory=dict)

    def add(self, line: str) -> None:
        name = _NAME.match(line)
        if name is not None and not _PASSING.match(line):
            self.lines.append(line)
            self.said.setdefault(name[0].upper(), line.partition(":")[2].strip())


def read(file: File, into: Into) -> Iterator[Found]:
    with file.open() as stream:
        # Lines are folded by bytes, also in the middle of a letter.
        text = whole(io.BytesIO(_FOLD.sub(b"", stream.read())))
    ids = Ids()
    for calendar in _calendars(text):
        zones = {one.said.get("TZID", ""): one for one in calendar if one.name == "VTIMEZONE"}
        head = [line for one in calendar if one.name == "VCALENDAR" for line in one.lines]
        events: dict[str, list[_Component]] = {}
        for one in calendar:
            if one.name == "VEVENT":
                events.setdefault(one.said.get("UID") or ids.of(*one.lines), []).append(one)
            elif one.name in ("VTODO", "VJOURNAL", "VFREEBUSY"):
                yield file.skipped(f"a {one.name}, no event", one.said.get("UID", ""))
        for uid, components in events.items():
            yield file.kept(uid[:200], _text_of(uid, components, zones, head))


def _calendars(text: str) -> Iterator[list[_Component]]:
    """The components of each calendar: itself, zones, events. What lies inside an event (alarms) is left out."""
    open_: list[_Component] = []
    found: list[_Component] = []
    for line in _LINES.split(text):
        word, _, name = line.strip().partition(":")
        word, name = word.upper(), name.strip().upper()
        if word == "BEGIN":
            if name == "VCALENDAR":
                open_, found = [], []
            open_.append(_Component(name))
            if len(open_) <= 2:
                found.append(open_[-1])
        elif word == "END" and open_:
            _close(open_, line)
            if name == "VCALENDAR":
                yield found
        elif open_:
            open_[-1].add(line)
    if open_:
        yield found


def _close(open_: list[_Component], line: str) -> None:
    done = open_.pop()
    done.lines = [f"BEGIN:{done.name}", *done.lines, f"END:{done.name}"] if done.name != "VCALENDAR" else done.lines
    if open_ and open_[-1].name == "VTIMEZONE":
        open_[-1].lines += done.lines


def _text_of(uid: str, events: list[_Component], zones: dict[str, _Component], head: list[str]) -> Incoming:
    named = dict.fromkeys(one[1] or one[2] for event in events for line in event.lines for one in _TZID.finditer(line))
    needed = [line for tzid in named if tzid in zones and not is_zone(tzid) for line in zones[tzid].lines]
    method = [line for line in head if line.upper().startswith("METHOD:")]
    lines = [FILE_BEGINS, *method, *needed, *(line for event in events for line in event.lines), "END:VCALENDAR"]
    text = "\n".join(lines).replace("\0", "") + "\n"
    told = [at for event in events if (at := _moment(event.said.get("LAST-MODIFIED") or event.said.get("CREATED", "")))]
    return Incoming(
        text=text,
        sections=(SectionSpan("", "document", (), 0, len(text)),),
        sent_at=max(told, default=None),
        external_id=ID_PREFIX + short(uid, 400),
        title=events[0].said.get("SUMMARY", "").replace("\\", "").replace("\0", "")[:500],
    )


def _moment(stamp: str) -> datetime | None:
    try:
        return datetime.strptime(stamp[:15], "%Y%m%dT%H%M%S").replace(tzinfo=UTC) if _STAMP.match(stamp) else None
    except ValueError:
        return None
