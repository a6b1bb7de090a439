"""Events of an iCalendar text as values of claims (contract §2), each with the place of its words. Plain values.

What recurs stays a rule; an occurrence that was moved or called off is an event of its own that names the start it had.
"""

import re
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from icalendar import Component, Event
from icalendar.error import GloballyUniqueTZIDGuessed
from icalendar.prop import vDDDLists

from ledger.rules.calendar_files.zones import zone_of

# Zones are named here, not by what the parser guesses.
warnings.simplefilter("ignore", GloballyUniqueTZIDGuessed)

FILE_BEGINS: Final = "BEGIN:VCALENDAR"
_BLOCK: Final = re.compile(r"^BEGIN:(VEVENT|VTIMEZONE)[ \t]*\r?\n.*?^END:\1\b", re.M | re.S | re.I)
_TZID: Final = re.compile(r"^TZID[^:\n]*:([^\r\n]*(?:\r?\n[ \t][^\r\n]*)*)", re.M | re.I)
_CANCELS: Final = re.compile(r"^METHOD[^:\n]*:[ \t]*CANCEL\b", re.M | re.I)
_MAX_TITLE: Final = 300
_MAX_PEOPLE: Final = 50
_MAX_DATES: Final = 2_000


@dataclass(frozen=True, slots=True)
class FileEvent:
    """A VEVENT at `start:end` of the text. `value` as an event's claim has it; `doubts` is what of it could not be kept."""

    start: int
    end: int
    value: Mapping[str, Any]
    sequence: int
    doubts: Sequence[str]

    @property
    def identity(self) -> tuple[str, str]:
        """What two versions of it share. An event without a UID is only itself."""
        return self.value.get("uid") or f"at {self.start}", self.value.get("recurrence_id", "")


@dataclass(frozen=True, slots=True)
class UnreadEvent:
    start: int
    end: int
    why: str


def is_calendar(text: str) -> bool:
    return text.lstrip("\ufeff \r\n\t")[: len(FILE_BEGINS)].upper() == FILE_BEGINS


def events_in(text: str) -> list[FileEvent | UnreadEvent]:
    """Each VEVENT of a text, in its order. Of several versions of one that with the highest SEQUENCE counts."""
    blocks = list(_BLOCK.finditer(text))
    zones = {_tzid_of(one[0]): one[0] + "\n" for one in blocks if one[1].upper() == "VTIMEZONE"}
    cancels = _CANCELS.search(text) is not None
    found = [_event(one, zones, cancels=cancels) for one in blocks if one[1].upper() == "VEVENT"]
    newest: dict[tuple[str, str], int] = {}
    for event in found:
        if isinstance(event, FileEvent):
            newest[event.identity] = max(event.sequence, newest.get(event.identity, 0))
    return [one for one in found if isinstance(one, UnreadEvent) or one.sequence == newest[one.identity]]


def _tzid_of(definition: str) -> str:
    found = _TZID.search(definition)
    return re.sub(r"\r?\n[ \t]", "", found[1]).strip() if found else ""


def _event(block: re.Match[str], zones: Mapping[str, str], *, cancels: bool) -> FileEvent | UnreadEvent:
    try:
        found = Event.from_ical(block[0])
        reader = _Properties(found, zones)
        value = reader.value()
    except Exception as error:  # noqa: BLE001 - whatever a broken event makes the parser raise is that event's fault alone
        return UnreadEvent(block.start(), block.end(), f"cannot be read as an event: {str(error)[:120]}")
    if "start" not in value:
        return UnreadEvent(block.start(), block.end(), "an event without a start")
    if cancels or str(found.get("STATUS", "")).upper() == "CANCELLED":
        value["cancelled"] = True
    sequence = max(0, int(found.get("SEQUENCE", 0))) if str(found.get("SEQUENCE", 0)).isdigit() else 0
    return FileEvent(block.start(), block.end(), value, sequence, tuple(dict.fromkeys(reader.doubts)))


class _Properties:
    """One event's properties as a claim's value."""

    def __init__(self, event: Component, zones: Mapping[str, str]) -> None:
        self.event, self.zones = event, zones
        self.doubts: list[str] = []

    def value(self) -> dict[str, Any]:
        start = self.event.get("DTSTART")
        if start is None or not isinstance(start.dt, date):
            return {}
        times = self.times(start)
        named = {
            "place": self.text("LOCATION"), "rrule": self.rule(), "exdates": self.dates("EXDATE"), "rdates": self.dates("RDATE"),
            "recurrence_id": self.recurrence_id(), "uid": self.text("UID"),
            "background": str(self.event.get("TRANSP", "")).upper() == "TRANSPARENT",
        }  # fmt: skip
        title = self.text("SUMMARY") or "(without a title)"
        return {"title": title, "people": self.people()} | times | {name: one for name, one in named.items() if one}

    def times(self, start: Any) -> dict[str, Any]:
        """Start, end and zone. A clock without a zone is of the place that reads it."""
        zone = self.zone(start)
        floating = isinstance(start.dt, datetime) and not zone
        found: dict[str, Any] = {"start": self.written(start.dt, zone)}
        if zone:
            found["timezone"] = zone
        if end := self.end(start, zone):
            found["end"] = end
        return found | ({"floating": True} if floating else {})

    def end(self, start: Any, zone: str) -> str:
        end, duration = self.event.get("DTEND"), self.event.get("DURATION")
        if end is not None and isinstance(end.dt, date):
            own = self.zone(end)
            # In another zone than the start it is told with its offset.
            return self.written(end.dt, own) if own == zone else self.instant(end.dt, own).isoformat()
        length = getattr(duration, "dt", None)
        if not isinstance(length, timedelta) or length <= timedelta():
            return ""
        if not isinstance(start.dt, datetime):
            return self.written(start.dt + length, zone)
        begins = self.instant(start.dt, zone)
        return self.written((begins.astimezone(UTC) + length).astimezone(begins.tzinfo), zone)

    def rule(self) -> str:
        rules = self.event.get("RRULE")
        if isinstance(rules, list):
            self.doubts.append(f"{len(rules)} rules say when it recurs; only the first is kept")
            rules = rules[0]
        if "EXRULE" in self.event:
            self.doubts.append("what its EXRULE leaves out is not kept")
        return bytes(rules.to_ical()).decode() if rules else ""

    def dates(self, name: str) -> list[str]:
        found = self.event.get(name)
        lists = [one for one in (found if isinstance(found, list) else [found]) if isinstance(one, vDDDLists)]
        moments = [(one, self.zone(listed)) for listed in lists for one in listed.dts]
        return [self.written(_first(one.dt), zone) for one, zone in moments][:_MAX_DATES]

    def recurrence_id(self) -> str:
        found = self.event.get("RECURRENCE-ID")
        if found is None or not isinstance(found.dt, date):
            return ""
        if found.params.get("RANGE"):
            self.doubts.append("it holds for all later occurrences too; only this one is changed")
        if not isinstance(self.event.get("DTSTART").dt, datetime):
            # Some programs name a whole day by its midnight in a zone, which is another day's evening elsewhere.
            return found.dt.isoformat()[: len("2026-01-31")]
        zone = self.zone(found)
        if not zone or not isinstance(found.dt, datetime):
            return self.written(found.dt, zone)
        return self.instant(found.dt, zone).isoformat()

    def people(self) -> list[str]:
        found = self.event.get("ATTENDEE", [])
        listed = found if isinstance(found, list) else [found]
        names = (" ".join(str(one.params.get("CN", "")).split()) for one in listed if hasattr(one, "params"))
        return list(dict.fromkeys(name for name in names if name and "@" not in name))[:_MAX_PEOPLE]

    def text(self, name: str) -> str:
        found = self.event.get(name)
        first = found[0] if isinstance(found, list) and found else found
        return " ".join(str(first or "").replace("\0", "").split())[:_MAX_TITLE]

    def zone(self, found: Any) -> str:
        """The IANA name for what a property says of its zone; empty for a floating time and for days."""
        moment = _first(found.dt) if hasattr(found, "dt") else next((_first(one.dt) for one in found.dts), None)
        tzid = str(found.params.get("TZID", ""))
        if not isinstance(moment, datetime) or (moment.tzinfo is None and not tzid):
            return ""
        if not tzid:
            return "UTC"
        known = zone_of(tzid, self.zones)
        if not known:
            self.doubts.append(f"no time zone is known for {tzid[:60]!r}; its times are read as those of this place")
        return known

    def written(self, moment: date, zone: str) -> str:
        """A day, or the wall clock of its zone; of UTC with its offset."""
        if not isinstance(moment, datetime):
            return moment.isoformat()
        return moment.replace(tzinfo=UTC if zone == "UTC" else None).isoformat()

    def instant(self, moment: date, zone: str) -> datetime:
        wall = moment if isinstance(moment, datetime) else datetime.combine(moment, time())
        return wall.replace(tzinfo=ZoneInfo(zone or "UTC"))


def _first(moment: Any) -> Any:
    """Of a period its start."""
    return moment[0] if isinstance(moment, tuple) else moment
