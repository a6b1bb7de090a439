"""Chat logs in which people marked what answers what: `[hh:mm] <nick> words`, beside them lines `a b -` (b answers a)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from extraction.chat.messages import ChatMessage
from extraction.chat.reply_links import link
from extraction.evaluation.scores import Score, share

_LINE = re.compile(r"\[(\d\d):(\d\d)\] (?:<([^>]*)>|\* (\S+)) ?(.*)")
_LINK = re.compile(r"\s*(\d+)\s+(\d+)\b.*")
_FIRST_DAY = datetime(2000, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class AnnotatedLog:
    """`links` holds for each annotated message what it answers; itself where it starts something. Line numbers from 0."""

    name: str
    messages: list[ChatMessage]
    links: dict[int, set[int]]


@dataclass(frozen=True, slots=True)
class LinkScore:
    """Links found, links marked, and those that are both."""

    found: int = 0
    marked: int = 0
    right: int = 0

    @property
    def precision(self) -> float:
        return share(self.right, self.found)

    @property
    def recall(self) -> float:
        return share(self.right, self.marked)

    @property
    def f1(self) -> float:
        return share(2 * self.right, self.found + self.marked)

    def __add__(self, other: "LinkScore") -> "LinkScore":
        return LinkScore(self.found + other.found, self.marked + other.marked, self.right + other.right)


def is_log_folder(path: Path) -> bool:
    """Whether a folder holds annotated logs (`*.annotation.txt` beside `*.raw.txt`)."""
    return path.is_dir() and any(path.glob("*.annotation.txt"))


def link_lines(path: Path) -> list[dict[str, Any]]:
    """One line: which earlier message each message answers."""
    scores = [score_links(log, link(log.messages)) for log in read_logs(path)]
    total = sum(scores, LinkScore())
    counted = Score.counted(len(scores), gold=total.marked, hits=total.found, right=total.right)
    return [{"file": path.name, "measure": "links", **counted.figures()}]


def read_logs(path: Path) -> Iterator[AnnotatedLog]:
    """The annotated logs below a folder, or one `.annotation.txt`. Raises OSError, and ValueError for a broken line."""
    files = [path] if path.is_file() else sorted(path.rglob("*.annotation.txt"))
    for file in files:
        stem = file.name.removesuffix(".annotation.txt")
        raw = next(one for end in ("raw", "ascii") if (one := file.with_name(f"{stem}.{end}.txt")).exists())
        yield AnnotatedLog(stem, _messages(raw), _links(file))


def score_links(log: AnnotatedLog, found: list[list[int]]) -> LinkScore:
    """Counts every marked link, those of a message to itself too; only the marked part of the log is looked at."""
    first, last = min(log.links, default=0), max(log.links, default=-1)
    # What nobody could place has no mark; between the marks it counts as found wrongly, as the published figures do.
    looked_at = range(first, min(last + 1, len(log.messages)))
    marks = [log.links.get(at, set()) for at in looked_at]
    return LinkScore(
        sum(len(found[at]) for at in looked_at),
        sum(map(len, marks)),
        sum(len(marked.intersection(found[at])) for at, marked in zip(looked_at, marks, strict=True)),
    )


def _messages(path: Path) -> list[ChatMessage]:
    """One message a line; clocks have minutes and no days, so a clock that falls back is the next day."""
    messages: list[ChatMessage] = []
    day = last = 0
    for line in path.read_text(encoding="utf-8", errors="replace").split("\n"):
        said = _LINE.fullmatch(line)
        if said is None:
            messages.append(ChatMessage("", line))
            continue
        clock = int(said[1]) * 60 + int(said[2])
        day += clock < last - 12 * 60
        last = clock
        messages.append(ChatMessage(said[3] or said[4], said[5], _FIRST_DAY + timedelta(days=day, minutes=clock)))
    if messages and not messages[-1].text:
        messages.pop()
    return messages


def _links(path: Path) -> dict[int, set[int]]:
    links: dict[int, set[int]] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        found = _LINK.fullmatch(line)
        if found:
            one, other = sorted(map(int, found.groups()))
            links.setdefault(other, set()).add(one)
        elif line.strip():
            raise ValueError(f"{path.name}:{number}: not a line `a b -`")
    return links
