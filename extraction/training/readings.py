"""Labelled chats as the tripwire and the reader of commitments read them, line by line beside what people marked.

Beside the chats that `chats.py` tells of, it knows threads: `people: NAME (alias, …) ROLE; …`, then `== n`, then lines `hh:mm
sender | words | label`. A label is a status, or `> who, who @n`: who takes it on, in answer to the n-th line of the thread (0:
it says all itself).
"""

import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import NamedTuple
from zoneinfo import ZoneInfo

from extraction.chat.commitments import (
    SHIPPED_ATTRIBUTION,
    AttributionSettings,
    DialogueAct,
    Roster,
    ThreadReader,
)
from extraction.chat.messages import ChatMessage
from extraction.chat.tripwire import Tripwire, score
from extraction.evaluation.household import WatchedReader
from extraction.training.chats import LINE, THREADS, ChatFile, LabelledLine, people_told

Judged = tuple[LabelledLine, bool]

ZONE = "Europe/Berlin"
PACK = Path(__file__).parents[2] / "ledger" / "packs" / "household.toml"
_THREAD_LINE = re.compile(r"(\d\S*) (\S+) \| (.*?)(?: \| ?(.*))?")
_TAKES = re.compile(r"> (.+) @(\d+)")


def household_tripwire() -> Tripwire:
    """That of the shipped pack."""
    tripwire = Tripwire.from_packs([tomllib.loads(PACK.read_text(encoding="utf-8"))])
    if tripwire is None:
        raise ValueError(f"{PACK.name} has no tripwire")
    return tripwire


def judged_by(tripwire: Tripwire, lines: Iterable[LabelledLine]) -> list[Judged]:
    """Each line, and whether the tripwire lets it pass."""
    return [(line, score(tripwire, line.message, line.before, line.people).passed) for line in lines]


def precision_and_recall(judged: Sequence[Judged]) -> tuple[float, float]:
    right = sum(line.coordinates and passed for line, passed in judged)
    passing, wanted = sum(passed for _, passed in judged), sum(line.coordinates for line, _ in judged)
    return right / max(1, passing), right / max(1, wanted)


class Talk:
    """Messages said one after the other on one day, read behind the tripwire where it is `watched`, as in a scope."""

    def __init__(
        self,
        people: Roster,
        tripwire: Tripwire,
        *,
        watched: bool = False,
        reader: type[ThreadReader] = ThreadReader,
        day: str = "2026-05-04",
        zone: str = ZONE,
        settings: AttributionSettings = SHIPPED_ATTRIBUTION,
    ) -> None:
        self.settings, self.day, self.zone = settings, day, zone
        self.reader = reader(people, zone, settings, tripwire=tripwire)
        self.watched = WatchedReader(self.reader, people, tripwire if watched else None)
        self.ids: list[str] = []

    def say(self, clock: str, sender: str, text: str, reply_to: str = "") -> DialogueAct:
        self.ids.append(f"m{len(self.ids) + 1}")
        at = datetime.fromisoformat(f"{self.day}T{clock}").replace(tzinfo=ZoneInfo(self.zone))
        return self.watched.read(ChatMessage(sender, text, at, self.ids[-1], reply_to))


@dataclass(frozen=True)
class ReadLine:
    """A line as it was read. `who` and `source` are what was marked; `status` where only that was, in a chat whether it
    coordinates (`+`, `c`, `-`). `family` counts from 1."""

    name: str
    family: int
    place: int
    act: DialogueAct
    passed: bool
    status: str
    who: frozenset[str]
    source: int | None

    @property
    def assignee_right(self) -> bool:
        return {one.name for one in self.act.assignees} == self.who

    @property
    def source_right(self) -> bool:
        return self.act.source == self.source


class _Marked(NamedTuple):
    """A line of a file, taken apart: who takes something on, and in answer to which line of the thread."""

    clock: str
    sender: str
    text: str
    status: str
    takes: str
    answers: int


def read_lines(
    file: ChatFile,
    tripwire: Tripwire,
    *,
    watched: bool = False,
    reader: type[ThreadReader] = ThreadReader,
) -> Iterator[ReadLine]:
    """The lines of one file, each read with what stands before it in its thread. `watched`: behind the tripwire."""
    people, family, thread = Roster(()), 0, ""
    talk = Talk(people, tripwire)
    for line in filter(str.strip, file.text.splitlines()):
        if line.startswith("people: "):
            people, family = Roster(people_told(line)), family + 1
            continue
        if line.startswith("=="):
            talk, thread = Talk(people, tripwire, watched=watched, reader=reader), line.strip("= ")
            continue
        marked = _marked(line, file)
        act = talk.say(marked.clock, marked.sender, marked.text)
        name = f"{file.name} {family}/{thread}: {marked.sender}: {marked.text}"
        who = frozenset(people.of(one.strip()).name for one in marked.takes.split(",") if one.strip())
        source = marked.answers - 1 if marked.answers else None
        yield ReadLine(name, family, len(talk.ids) - 1, act, talk.watched.passed, marked.status, who, source)


def _marked(line: str, file: ChatFile) -> _Marked:
    if file.voice != THREADS:
        found = LINE.fullmatch(line)
        if found is None:
            raise ValueError(f"{file.name}: {line!r}")
        hour, minute, sender, status, text, takes, answers = found.groups()
        return _Marked(f"{hour}:{minute}", sender, text, status, takes or "", int(answers or 0))
    found = _THREAD_LINE.fullmatch(line)
    if found is None:
        raise ValueError(f"{file.name}: {line!r}")
    clock, sender, text, label = found.groups()
    if taken := _TAKES.fullmatch(label or ""):
        return _Marked(clock, sender, text, "", taken[1], int(taken[2]))
    return _Marked(clock, sender, text, label or "", "", 0)
