"""Sections of a source: who speaks where, under which headings (design §3). Written once, never parsed again."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Final

from ledger.language.outline import Heading, headings, mask_code, one_break
from ledger.language.transcript import turn_at, turns_of

LONGEST_NAME = 200


@dataclass(frozen=True, slots=True)
class SectionSpan:
    """A labelled range `start:end` of a text, in code points, half-open. `name` is the heading (empty before the first),
    `heading_path` the headings it stands under, its own last."""

    name: str
    speaker: str
    heading_path: tuple[str, ...]
    start: int
    end: int


class SectionedText:
    """Pieces in their order. Each section is the range from one `section` call to the next; together they tile the text."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._length = 0
        self._open: tuple[str, str, tuple[str, ...], int] | None = None
        self._sections: list[SectionSpan] = []

    def section(self, name: str, speaker: str, path: tuple[str, ...] = ()) -> None:
        """What is written from here on stands in this section."""
        self._close()
        self._open = (name, speaker, path, self._length)

    def write(self, piece: str) -> None:
        self._pieces.append(piece)
        self._length += len(piece)

    def built(self) -> tuple[str, tuple[SectionSpan, ...]]:
        self._close()
        self._open = None
        return "".join(self._pieces), tuple(self._sections)

    def _close(self) -> None:
        if self._open is None:
            return
        name, speaker, path, start = self._open
        if self._length > start:
            self._sections.append(SectionSpan(name, speaker, path, start, self._length))


def anyone(speaker: str) -> bool:
    """A caller who may name any speaker."""
    return True


def sections_of(
    text: str, *, kind: str, sender_kind: str, may_speak_as: Callable[[str], bool] = anyone
) -> list[SectionSpan]:
    """Sections that tile `text`: they cover it in order, without gap or overlap; none for an empty text.

    Documents are split at Markdown, reStructuredText and HTML headings outside fenced code. A talk that somebody pasted or
    kept as one text is split at its turns, and each speaks for itself; but no name in a text makes more of its words than its
    sender may say (law 8): whoever may not speak as a user quotes one, and what an agent or a tool sends stays theirs.
    A document speaks as `document` unless `sender_kind` says who else does.
    """
    if not text:
        return []
    speaker = sender_kind or ("document" if kind == "document" else "user")
    masked = mask_code(one_break(text)) if kind in _READ else ""
    found = headings(masked) if kind == "document" else []
    turns = []
    if speaker in _HOLDS_TALKS:
        turns = turns_of(masked, prose=kind == "document", part_end=partial(_part_end, found))
    paths = _heading_paths(found)
    path: tuple[str, ...] = ()
    named = {turn.start: turn.name for turn in turns}
    sections = []
    for start, end in pairwise(sorted({0, len(text), *paths, *named, *(turn.end for turn in turns)})):
        path = paths.get(start, path)
        name = named.get(start) or "".join(path[-1:])
        turn = turn_at(turns, start)
        spoken_by = speaker if turn is None else _allowed(turn.speaker, speaker, may_speak_as)
        sections.append(SectionSpan(name, spoken_by, path, start, end))
    return sections


# Kinds whose text is no one's but its sender's to order; turns and episodes come in sections of their own.
_READ: Final = frozenset({"document", "message", "note", "interaction"})
_HOLDS_TALKS: Final = frozenset({"user", "document"})


def _heading_paths(found: Sequence[Heading]) -> dict[int, tuple[str, ...]]:
    """By where each heading begins the titles that it stands under, its own last."""
    paths = {}
    above: list[Heading] = []
    for heading in found:
        above = [*(one for one in above if one.level < heading.level), heading]
        paths[heading.start] = tuple(one.title[:LONGEST_NAME] for one in above)
    return paths


def _allowed(speaker: str, sender: str, may_speak_as: Callable[[str], bool]) -> str:
    if may_speak_as(speaker):
        return speaker
    return sender if speaker == "user" else "agent"


def _part_end(found: Sequence[Heading], first: int, last: int) -> int:
    """Where the part of a document ends in which a talk stands that begins at `first` and whose last turn begins at `last`: at
    the next heading as wide as the one over it, -1 where there is none. The title of the document is over all of it."""
    own = next((heading.level for heading in found if heading.start == first), 7)
    over = next((one for one in reversed(found) if one.start < first and one.level < own), None)
    if over is None or over is found[0]:
        return -1
    return next((heading.start for heading in found if heading.start > last and heading.level <= over.level), -1)
