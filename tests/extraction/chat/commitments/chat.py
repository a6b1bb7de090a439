"""Short chats for tests, and the labelled threads beside this file and in `tests/extraction/chats`.

The format of a chat is told in `tests/extraction/chat/tripwire/families.py`. A thread file: `people: NAME (alias, …) ROLE; …`, then
`== n`, then lines `hh:mm sender | words | label`. A label is a status, or `> who, who @n`: who takes it on, in answer to the n-th
line of the thread (0: it says all itself). Another family of the same file
begins with its own `people:`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from extraction.chat.commitments import Attribution, Frame, Roster, ThreadReader, Told, claims_of, roster, shape_of
from extraction.chat.reply_links import Message
from extraction.chat.tripwire import Member, Tripwire, score
from extraction.chat.tripwire import Message as Heard
from extraction.extractors.documents import Hit
from tests.extraction.chat.tripwire.families import LINE
from tests.extraction.chat.tripwire.fit import compiled

THREADS = Path(__file__).parent / "threads"
CHATS = Path(__file__).parents[2] / "chats"
FAMILIES = Path(__file__).parents[1] / "tripwire" / "families"
ZONE = "Europe/Berlin"
TRIPWIRE = compiled()
MILLERS = roster([("John", [], "guardian"), ("Sarah", [], "guardian"), ("Leo", [], "child"), ("Mia", [], "child")])


class Chat:
    """Messages said one after the other on one day; each answers its frame."""

    def __init__(
        self,
        day: str = "2026-05-04",
        people: Roster = MILLERS,
        zone: str = ZONE,
        watched: bool = False,
        reader: type[ThreadReader] = ThreadReader,
        tripwire: Tripwire = TRIPWIRE,
        **settings: float,
    ) -> None:
        """`watched`: the household's tripwire stands before the reader, as it does in a scope."""
        self.settings = Attribution(**settings)
        self.tripwire = tripwire
        self.reader = reader(people, zone, self.settings, tripwire=tripwire)
        self.day, self.zone = day, zone
        self.ids: list[str] = []
        self.watched, self.heard, self.passed = watched, list[Heard](), True
        self.members = tuple(Member((one.name, *one.aliases), one.role) for one in people.members)

    def say(self, clock: str, sender: str, text: str, reply_to: str = "", passed: bool | None = None) -> Frame:
        """`passed`: what the tripwire says, where it is not asked."""
        self.ids.append(f"m{len(self.ids) + 1}")
        at = datetime.fromisoformat(f"{self.day}T{clock}").replace(tzinfo=ZoneInfo(self.zone))
        if passed is None:
            passed = not self.watched or score(self.tripwire, Heard(text, sender, at), self.heard, self.members).passed
        self.passed = passed
        self.heard.append(Heard(text, sender, at))
        return self.reader.read(Message(sender, text, at, self.ids[-1], reply_to), passed=passed, sure=self.watched)

    def shape(self, frame: Frame) -> dict:
        return shape_of(frame, self.ids, self.settings)

    def hits(self, frame: Frame) -> list[Hit]:
        ids = [*range(101, 100 + len(self.ids)), 0]
        return claims_of(frame, Told(ids, self.reader.frames, self.zone), self.settings)


@dataclass(frozen=True)
class Line:
    """A line as it was read. `who` and `source` are what was marked; `status` where only that was, in a chat whether it
    coordinates (`+`, `c`, `-`). `family` counts from 1."""

    name: str
    family: int
    place: int
    frame: Frame
    passed: bool
    status: str
    who: frozenset[str]
    source: int | None

    @property
    def assignee_right(self) -> bool:
        return {one.name for one in self.frame.assignees} == self.who

    @property
    def source_right(self) -> bool:
        return self.frame.source == self.source


def told(
    path: Path,
    *,
    watched: bool = False,
    reader: type[ThreadReader] = ThreadReader,
    marks: bool = False,
    tripwire: Tripwire = TRIPWIRE,
) -> Iterator[Line]:
    """The lines of one file, each read with what stands before it in its thread. `watched`: behind the tripwire; `marks`: behind
    one that passes what people marked as coordinating, which threads tell where the same lines stand among the families."""
    known = _marks(path) if marks else {}
    family = at = 0
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("people: "):
            people, family = roster([_person(one) for one in line.removeprefix("people: ").split("; ")]), family + 1
            continue
        if line.startswith("=="):
            chat = Chat(people=people, watched=watched, reader=reader, tripwire=tripwire)
            thread = line.strip("= ")
            continue
        if not line.strip():
            continue
        clock, sender, text, status, takes, answers = _row(line, path)
        frame = chat.say(clock, sender, text, passed=known.get(at))
        at += 1
        name = f"{path.stem} {family}/{thread}: {sender}: {text}"
        who = frozenset(people.of(one.strip()).name for one in takes.split(",")) if takes else frozenset()
        source = answers - 1 if answers else None
        yield Line(name, family, len(chat.ids) - 1, frame, chat.passed, status, who, source)


def _row(line: str, path: Path) -> tuple[str, str, str, str, str, int]:
    """Clock, sender, text, status, who takes something on, and in answer to which line."""
    if path.parent == CHATS:
        hour, minute, sender, status, text, takes, answers = LINE.fullmatch(line).groups()
        return f"{hour}:{minute}", sender, text, status, takes or "", int(answers or 0)
    clock, sender, text, label = re.fullmatch(r"(\S+) (\S+) \| (.*?)(?: \| ?(.*))?", line).groups()
    if taken := re.fullmatch(r"> (.+) @(\d+)", label or ""):
        return clock, sender, text, "", taken[1], int(taken[2])
    return clock, sender, text, label or "", "", 0


def _marks(path: Path) -> dict[int, bool]:
    """By the line's place in the file whether it was marked as coordinating; nothing where its words are others there."""
    if path.parent == CHATS:
        found = [one[4] for line in path.read_text(encoding="utf-8").splitlines() if (one := LINE.fullmatch(line))]
        return {at: label != "-" for at, label in enumerate(found)}
    beside = FAMILIES / path.name
    if not beside.exists():
        return {}
    rows = [re.fullmatch(r"\S+ \S+ ([-+c]) (.*)", line) for line in beside.read_text(encoding="utf-8").splitlines()]
    here = [
        re.fullmatch(r"\d\S+ \S+ \| (.*?)(?: \| ?.*)?", line) for line in path.read_text(encoding="utf-8").splitlines()
    ]
    pairs = zip([one for one in rows if one], [one for one in here if one], strict=False)
    return {at: row[1] != "-" for at, (row, line) in enumerate(pairs) if row[2].strip() == line[1].strip()}


def _person(said: str) -> tuple[str, list[str], str]:
    name, aliases, role = re.fullmatch(r"(.+?)(?: \((.+)\))? (\w+)", said.strip()).groups()
    return name, [one.strip() for one in (aliases or "").split(",") if one], role
