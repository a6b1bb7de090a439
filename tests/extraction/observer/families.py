"""Families of our own with what the observer should say to them, written as plain text.

A file has a line `family: NAME | ZONE`, one `people: NAME (alias, …) ROLE; …`, one `resource: NAME` for each shared thing, and
one for each thing in the calendar: `weekly: WHO, WHO | TITLE | DAYS | HH:MM-HH:MM | PLACE [| background]` and `once: WHO | TITLE |
DATE | HH:MM-HH:MM | PLACE`. Then threads, `== NUMBER DATE`, with a line for each message, `HH:MM SENDER TEXT`, and behind them the
decisions: `! RULE FROM UNTIL [OTHER_RULE]` (one notice is due between these lines, counted from 1) and `. LINE` (silence there).
"""

import re
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

_DAYS = {
    "MO": "mon mo lun", "TU": "tue di mar", "WE": "wed mi mie", "TH": "thu do jue", "FR": "fri fr vie", "SA": "sat sa sab",
    "SU": "sun so dom",
}  # fmt: skip
_WEEKDAYS = {name: (day, at) for at, (day, names) in enumerate(_DAYS.items()) for name in names.split()}
_PERSON = re.compile(r"(.+?)(?: \((.+)\))? (\w+)")
_MESSAGE = re.compile(r"(\d\d:\d\d) (\S+) (.+)")


@dataclass
class Due:
    """One notice that is due between two messages (places from 0)."""

    rules: tuple[str, ...]
    first: int
    last: int


@dataclass
class ObservedThread:
    name: str
    day: str
    messages: list[dict[str, Any]] = field(default_factory=list)
    due: list[Due] = field(default_factory=list)
    silent: list[int] = field(default_factory=list)


@dataclass
class ObservedFamily:
    name: str
    zone: str
    people: list[tuple[str, tuple[str, ...], str]] = field(default_factory=list)
    resources: list[str] = field(default_factory=list)
    events: list[dict[str, Any]] = field(default_factory=list)
    threads: list[ObservedThread] = field(default_factory=list)


def read_family(path: Path) -> ObservedFamily:
    family = ObservedFamily("", "UTC")
    for line in filter(None, map(str.strip, path.read_text(encoding="utf-8").splitlines())):
        word, _, rest = line.partition(" ")
        match word:
            case "family:":
                family.name, family.zone = map(str.strip, rest.split("|"))
            case "people:":
                family.people = [_person(one) for one in rest.split(";")]
            case "resource:":
                family.resources.append(rest)
            case "weekly:" | "once:":
                family.events.append(_event(word, [part.strip() for part in rest.split("|")], family.zone))
            case "==":
                number, day = rest.split()
                family.threads.append(ObservedThread(f"{family.name}-{number}", day))
            case "!":
                rule, first, last, *others = rest.split()
                family.threads[-1].due.append(Due((rule, *others), int(first) - 1, int(last) - 1))
            case ".":
                family.threads[-1].silent.append(int(rest.split()[0]) - 1)
            case _:
                family.threads[-1].messages.append(_message(line, family))
    return family


def _person(text: str) -> tuple[str, tuple[str, ...], str]:
    found = _PERSON.fullmatch(text.strip())
    assert found is not None, text
    name, aliases, role = found.groups()
    return name, tuple(one.strip() for one in (aliases or "").split(",") if one.strip()), role


def _event(word: str, parts: list[str], zone: str) -> dict[str, Any]:
    who, title, days, clocks, place, *more = parts
    begins, ends = clocks.split("-")
    value: dict[str, Any] = {
        "title": title, "people": [one.strip() for one in who.split(",")], "timezone": zone, "place": place
    }  # fmt: skip
    first = days
    if word == "weekly:":
        named = [_WEEKDAYS[day] for day in days.split()]
        # The last of August 2026 was a Monday.
        first = "2026-08-31" if not named[0][1] else f"2026-09-0{named[0][1]}"
        value["rrule"] = "FREQ=WEEKLY;BYDAY=" + ",".join(day for day, _ in named)
    value |= {"start": f"{first}T{begins}:00", "end": f"{first}T{ends}:00"}
    return value | ({"background": True} if more else {})


def _message(line: str, family: ObservedFamily) -> dict[str, Any]:
    found = _MESSAGE.fullmatch(line)
    assert found is not None, line
    clock, sender, text = found.groups()
    thread = family.threads[-1]
    at = datetime.fromisoformat(f"{thread.day}T{clock}:00").replace(tzinfo=ZoneInfo(family.zone))
    return {"id": f"{thread.name}-m{len(thread.messages) + 1}", "sender": sender, "text": text, "sent_at": at}
