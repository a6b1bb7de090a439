"""Our own family chats, by hand. All but `blind_*` and `kept_*` are there to learn from, those are kept back from that for good.

A line is `HH:MM sender label text`: `+` coordinates by itself, `c` does in its thread, `-` does not. What coordinates: who
fetches, brings or minds whom; what takes place when and where, what must come along, and that it changed; permission for such
a thing; yes, no and the details of it; that somebody is there or has them. What does not: thanks and joy, jokes about it,
chores and shopping, what is over, and wishes of children that change nothing. Behind a text, `|| > who @n` says who takes
something on in answer to the thread's n-th line.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from extraction.chat.tripwire import Member, Message

FOLDERS = (Path(__file__).parent / "families", Path(__file__).parents[2] / "chats")
LINE = re.compile(r"(\d\d):(\d\d) (\S+) ([+c-]) (.*?)(?:\s+\|\| > (.+) @(\d+))?")
PERSON = re.compile(r"(.+?)(?: \((.+)\))? (\w+)")
KEPT_BACK = ("blind", "kept")
# The oldest files, by who wrote them; of later ones the name up to the first `_` says it.
OLDEST = {"tune": "old_1", "held": "old_1", "fresh_b": "old_3", "fresh": "old_2"}


@dataclass(frozen=True)
class Line:
    """One message, the `number`-th of its thread, with what was said before it, and whether it should pass. `takes` is who
    takes something on with it, in answer to the line numbered `answers`. `moved_to`: the thread that it was put into."""

    thread: str
    number: int
    message: Message
    before: tuple[Message, ...]
    people: tuple[Member, ...]
    gold: str
    takes: str = ""
    answers: int = 0
    moved_to: str = ""

    @property
    def stood_in(self) -> str:
        return self.moved_to or self.thread

    @property
    def coordinates(self) -> bool:
        return self.gold != "-"

    @property
    def author(self) -> str:
        """A voice that was learnt from is no test."""
        old = next((who for part, who in OLDEST.items() if self.thread.startswith(part)), "")
        return old or re.sub(r"^(more)[2-5]?$", "old_4", self.thread.partition("_")[0])


def every() -> Iterator[Line]:
    return lines("")


def lines(part: str) -> Iterator[Line]:
    """All messages of the files `part*.txt`, in their order."""
    for path in sorted(
        (path for folder in FOLDERS for path in folder.glob(f"{part}*.txt")), key=lambda path: path.name
    ):
        people: tuple[Member, ...] = ()
        thread, before = "", list[Message]()
        for at, row in enumerate(path.read_text(encoding="utf-8").splitlines()):
            if row.startswith("people: "):
                people = tuple(_member(one) for one in row.removeprefix("people: ").split("; "))
            elif row.startswith("== "):
                # Families of one file count their threads anew.
                thread, before = f"{path.stem}/{at + 1}/{row[3:]}", []
            elif found := LINE.fullmatch(row):
                hour, minute, sender, gold, text, takes, answers = found.groups()
                message = Message(text, sender, datetime(2026, 3, 4, int(hour), int(minute), tzinfo=UTC))
                yield Line(
                    thread, len(before) + 1, message, tuple(before), people, gold, takes or "", int(answers or 0)
                )
                before.append(message)
            elif row.strip():
                raise ValueError(f"{path.name}: {row!r}")


def _member(words: str) -> Member:
    found = PERSON.fullmatch(words)
    if found is None:
        raise ValueError(words)
    name, aliases, role = found.groups()
    return Member((name, *(aliases.split(", ") if aliases else ())), role)
