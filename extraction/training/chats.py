"""Labelled chats of invented families, written for this project, packed in `chats/` with one archive a voice.

    uv run python -m extraction.training.chats unpack FOLDER    # chats/us.tar.xz becomes FOLDER/us/us1_1.txt, …
    uv run python -m extraction.training.chats pack FOLDER      # and back; equal texts make equal bytes

A chat has a line `people: NAME (alias, …) ROLE; …`, then threads that begin with `== n`, then a line for each message, `HH:MM
sender label text`. Another family of the same file begins with its own `people:`. The label: `+` coordinates by itself, `c`
does in its thread, `-` does not. What coordinates: who fetches, brings or minds whom; what takes place when and where, what
must come along, and that it changed; permission for such a thing; yes, no and the details of it; that somebody is there or
has them. What does not: thanks and joy, jokes about it, chores and shopping, what is over, and wishes of children that change
nothing. Behind a text, `|| > who @n` says who takes something on in answer to the thread's n-th line.

All of them are there to learn from. Chats that are kept back from that for good (`kept_*`, `blind_*`) stand with the tests,
in the same form.
"""

import argparse
import re
import tarfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from io import BytesIO
from pathlib import Path

from extraction.chat.messages import ChatMessage
from extraction.chat.people import HouseholdMember

CHATS = Path(__file__).with_name("chats")
# The oldest chats, and once more most of them, labelled with what each message does; `readings.py` tells that form.
FAMILIES, THREADS = "families", "threads"
LINE = re.compile(r"(\d\d):(\d\d) (\S+) ([+c-]) (.*?)(?:\s+\|\| > (.+) @(\d+))?")
_PERSON = re.compile(r"(.+?)(?: \((.+)\))? (\w+)")
# The oldest files, by who wrote them; of later ones the name up to the first `_` says it.
OLDEST = {"tune": "old_1", "held": "old_1", "fresh_b": "old_3", "fresh": "old_2"}


@dataclass(frozen=True)
class ChatFile:
    """The text of one file, its name without ending, and the archive or folder that it stands in."""

    voice: str
    name: str
    text: str


@dataclass(frozen=True)
class LabelledLine:
    """One message, the `number`-th of its thread, with what was said before it, and whether it should pass. `takes` is who
    takes something on with it, in answer to the line numbered `answers`. `moved_to`: the thread that it was put into."""

    thread: str
    number: int
    message: ChatMessage
    before: tuple[ChatMessage, ...]
    people: tuple[HouseholdMember, ...]
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


@cache
def packed(voice: str) -> tuple[ChatFile, ...]:
    """The files of one archive, by name."""
    with tarfile.open(CHATS / f"{voice}.tar.xz") as archive:
        files = [(Path(one.name).stem, archive.extractfile(one)) for one in archive]
        return tuple(ChatFile(voice, name, file.read().decode()) for name, file in files if file)


def training_chats(part: str = "") -> list[ChatFile]:
    """The packed chats whose names begin with `part`, by name, but for the threads."""
    voices = [path.name.removesuffix(".tar.xz") for path in CHATS.glob("*.tar.xz")]
    files = [file for voice in voices if voice != THREADS for file in packed(voice) if file.name.startswith(part)]
    return sorted(files, key=lambda file: file.name)


def chats_in(folder: Path, part: str = "") -> list[ChatFile]:
    """The chats of a folder whose names begin with `part`, by name."""
    return [ChatFile(folder.name, path.stem, path.read_text("utf-8")) for path in sorted(folder.glob(f"{part}*.txt"))]


def labelled_lines(files: Iterable[ChatFile]) -> Iterator[LabelledLine]:
    """All messages of these chats in their order. Raises ValueError for a line that is none."""
    for file in files:
        people: tuple[HouseholdMember, ...] = ()
        thread, before = "", list[ChatMessage]()
        for at, row in enumerate(file.text.splitlines()):
            if row.startswith("people: "):
                people = people_told(row)
            elif row.startswith("== "):
                # Families of one file count their threads anew.
                thread, before = f"{file.name}/{at + 1}/{row[3:]}", []
            elif found := LINE.fullmatch(row):
                hour, minute, sender, gold, text, takes, answers = found.groups()
                message = ChatMessage(sender, text, datetime(2026, 3, 4, int(hour), int(minute), tzinfo=UTC))
                yield LabelledLine(
                    thread, len(before) + 1, message, tuple(before), people, gold, takes or "", int(answers or 0)
                )
                before.append(message)
            elif row.strip():
                raise ValueError(f"{file.name}: {row!r}")


def people_told(row: str) -> tuple[HouseholdMember, ...]:
    """Everybody in a line `people: …`. Raises ValueError."""
    people = []
    for words in row.removeprefix("people: ").split(";"):
        found = _PERSON.fullmatch(words.strip())
        if found is None:
            raise ValueError(words)
        name, aliases, role = found.groups(default="")
        people.append(HouseholdMember(name, tuple(filter(None, map(str.strip, aliases.split(",")))), role))
    return tuple(people)


def pack(folder: Path) -> None:
    """Writes `chats/NAME.tar.xz` for each folder NAME in `folder`: files by name, without dates and owners."""
    for voice in sorted(path for path in folder.iterdir() if path.is_dir()):
        with tarfile.open(CHATS / f"{voice.name}.tar.xz", "w:xz", preset=9, format=tarfile.USTAR_FORMAT) as archive:
            for path in sorted(voice.glob("*.txt")):
                data = path.read_bytes()
                entry = tarfile.TarInfo(f"{voice.name}/{path.name}")
                entry.size = len(data)
                archive.addfile(entry, BytesIO(data))


def unpack(folder: Path) -> None:
    for path in sorted(CHATS.glob("*.tar.xz")):
        with tarfile.open(path) as archive:
            archive.extractall(folder, filter="data")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("pack", "unpack"))
    parser.add_argument("folder", type=Path)
    given = parser.parse_args()
    (pack if given.what == "pack" else unpack)(given.folder)
