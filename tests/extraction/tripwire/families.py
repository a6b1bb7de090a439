"""Our own family chats, by hand: all but `blind_*` are there to fit weights on, those are kept back from that for good.

A line is `HH:MM sender label text`: `+` coordinates by itself, `c` does in its thread, `-` does not. What coordinates: who
fetches, brings or minds whom; what takes place when and where, what must come along, and that it changed; permission for such
a thing; yes, no and the details of it; that somebody is there or has them. What does not: thanks and joy, jokes about it,
chores and shopping, what is over, and wishes of children that change nothing.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from extraction.tripwire import Member, Message

FOLDER = Path(__file__).parent / "families"
LINE = re.compile(r"(\d\d):(\d\d) (\S+) ([+c-]) (.*)")
PERSON = re.compile(r"(.+?)(?: \((.+)\))? (\w+)")


@dataclass(frozen=True)
class Line:
    """One message with what was said before it, and whether it should pass."""

    thread: str
    message: Message
    before: tuple[Message, ...]
    people: tuple[Member, ...]
    gold: str

    @property
    def coordinates(self) -> bool:
        return self.gold != "-"


def lines(part: str) -> Iterator[Line]:
    """All messages of the files `part*.txt`, in their order."""
    for path in sorted(FOLDER.glob(f"{part}*.txt")):
        people: tuple[Member, ...] = ()
        thread, before = "", list[Message]()
        for row in path.read_text(encoding="utf-8").splitlines():
            if row.startswith("people: "):
                people = tuple(_member(one) for one in row.removeprefix("people: ").split("; "))
            elif row.startswith("== "):
                thread, before = f"{path.stem}/{row[3:]}", []
            elif found := LINE.fullmatch(row):
                hour, minute, sender, gold, text = found.groups()
                message = Message(text, sender, datetime(2026, 3, 4, int(hour), int(minute), tzinfo=UTC))
                yield Line(thread, message, tuple(before), people, gold)
                before.append(message)
            else:
                raise ValueError(f"{path.name}: {row!r}")


def _member(words: str) -> Member:
    found = PERSON.fullmatch(words)
    if found is None:
        raise ValueError(words)
    name, aliases, role = found.groups()
    return Member((name, *(aliases.split(", ") if aliases else ())), role)
