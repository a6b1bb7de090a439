"""What each hit of a pass is about (design §4): its speaker, where it speaks of itself; else the headings above it, where its
words alone would not say it, or the same text says the same under another heading."""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from extraction.extractors.documents import Hit
from extraction.extractors.documents.extractor import rules_of
from extraction.extractors.findings import Reading
from ledger.language.fold import normalise_statement, opening_of
from ledger.language.subjects import item_over, joined, leaves_subject_out, named_by, speaks_of_itself
from ledger.models import Section, Source

# A page's own title, as against the heading of one of its parts.
_TITLE: Final = re.compile(r"[ \t]{0,3}(?:#[ \t]|<h1\b|[^\n]{1,200}\n[ \t]{0,3}={3,}[ \t]*(?:\n|\Z))", re.I)


@dataclass(frozen=True, slots=True)
class _Place:
    """The headings over a hit that name something: those of the page's parts, and the page's own title."""

    parts: str = ""
    title: str = ""

    @property
    def nearest(self) -> str:
        return self.parts or self.title


class _Headings:
    """The headings of a page, each read once: what it names, and the form in which a statement may repeat it."""

    def __init__(self, reading: Reading) -> None:
        self.labels = labels = rules_of(reading.packs).labels
        titles = {title for section in reading.sections for title in section.heading_path}
        self.title = _title_of(reading)
        self.names = {title: named_by(title, labels) for title in titles}
        self.title_name = joined([self.names.get(self.title, "")])
        self.normal = {title: normalise_statement(title) for title in titles}

    def named(self, words: str) -> str:
        return named_by(words, self.labels)

    def over(self, section: Section, statement: str) -> _Place:
        """A heading that is the statement itself (in normal form) does not stand over it."""
        path = [title for title in section.heading_path if title != self.title and statement not in self.normal[title]]
        return _Place(joined(self.names[title] for title in path), self.title_name)


def subjects_of(hits: Sequence[Hit], reading: Reading) -> list[str]:
    """One subject a hit, in their order; empty where it needs none. The same text always gives the same."""
    openings = [opening_of(hit.statement) for hit in hits]
    personal = map(speaks_of_itself, openings)
    persons = [_speaker(hit, reading) if own else "" for hit, own in zip(hits, personal, strict=True)]
    headed = any(section.heading_path for section in reading.sections)
    if reading.source.kind not in ("document", "note") and not headed:
        return persons
    statements = [normalise_statement(hit.statement) for hit in hits]
    headings = _Headings(reading)
    places = [_place(hit, reading, headings, own) for hit, own in zip(hits, statements, strict=True)]
    said = [(hit.kind, hit.key or own) for hit, own in zip(hits, statements, strict=True)]
    bare = map(leaves_subject_out, openings)
    heading = partial(_heading, keys_closed=reading.packs.keys_closed)
    found = map(heading, hits, places, _said_twice(said, places), bare)
    return [person or heading for person, heading in zip(persons, found, strict=True)]


def _said_twice(said: Sequence[tuple[str, str]], places: Sequence[_Place]) -> list[bool]:
    """Whether each stands under several headings."""
    under = defaultdict(set)
    for what, place in zip(said, places, strict=True):
        under[what].add(place.nearest)
    return [len(under[what] - {""}) > 1 for what in said]


def _heading(hit: Hit, place: _Place, is_said_twice: bool, is_bare: bool, *, keys_closed: bool) -> str:
    if hit.topic or (hit.key and keys_closed):
        return ""  # it names its subject, or its key is one of the scope's own
    if is_said_twice or (not hit.key and is_bare):
        return place.nearest
    return place.parts if hit.key else ""


def _place(hit: Hit, reading: Reading, headings: _Headings, statement: str) -> _Place:
    found = _first_section(hit, reading)
    if not found or found[0].pk != reading.source.pk:
        return _Place()
    place, section = headings.over(found[1], statement), found[1]
    item = item_over(reading.source.text, section.start, hit.spans[0].start) if hit.spans else ""
    named = headings.named(item) if item and normalise_statement(item) != statement else ""
    return _Place(joined([place.parts, named]), place.title)


def _first_section(hit: Hit, reading: Reading) -> tuple[Source, Section] | None:
    span = next(iter(hit.spans or hit.places), None)
    if span is None:
        return None
    source, sections = reading.text_of(span.source_id) if span.source_id else (reading.source, reading.sections)
    return source, sections[span.section_index]


def _speaker(hit: Hit, reading: Reading) -> str:
    """Who says it: the one whose turn it is in a talk, else the sender."""
    found = _first_section(hit, reading)
    if found is None:
        return ""
    source, section = found
    is_turn = section.name and section.name not in section.heading_path
    return str(section.name if is_turn else source.sender)[:200]


def _title_of(reading: Reading) -> str:
    """The page's own title, where one heading stands over all of it."""
    headed = [section for section in reading.sections if section.heading_path]
    outermost = {section.heading_path[0] for section in headed}
    if len(outermost) != 1 or not _TITLE.match(reading.source.text, headed[0].start):
        return ""
    return outermost.pop()
