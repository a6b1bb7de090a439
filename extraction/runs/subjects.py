"""What each hit of a pass is about (design §4): its speaker, where it speaks of itself; else the headings above it, where its
words alone would not say it, or the same text says the same under another heading."""

import re
from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from extraction.extractors.documents import Hit
from extraction.extractors.documents.extractor import rules_of
from extraction.extractors.findings import Reading
from ledger.language.fold import normalise_statement
from ledger.language.subjects import leaves_subject_out, speaks_of_itself, subject_of_path
from ledger.models import Section, Source
from ledger.packs import PackSet

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


def subjects_of(hits: Sequence[Hit], reading: Reading) -> list[str]:
    """One subject a hit, in their order; empty where it needs none. The same text always gives the same."""
    persons = [_speaker(hit, reading) if speaks_of_itself(hit.statement) else "" for hit in hits]
    if reading.source.kind != "document" and not any(section.heading_path for section in reading.sections):
        return persons
    places = list(map(partial(_place, reading=reading, title=_title_of(reading)), hits))
    under = defaultdict(set)
    for hit, place in zip(hits, places, strict=True):
        under[_said(hit)].add(place.nearest)
    return [
        person or _heading(hit, place, len(under[_said(hit)] - {""}) > 1, reading.packs)
        for hit, person, place in zip(hits, persons, places, strict=True)
    ]


def _said(hit: Hit) -> Hashable:
    return hit.kind, hit.key or normalise_statement(hit.statement)


def _heading(hit: Hit, place: _Place, is_said_twice: bool, packs: PackSet) -> str:
    if hit.topic or (hit.key and packs.keys_closed):
        return ""  # it names its subject, or its key is one of the scope's own
    if is_said_twice or (not hit.key and leaves_subject_out(hit.statement)):
        return place.nearest
    return place.parts if hit.key else ""


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
    outermost = {section.heading_path[0] for section in reading.sections if section.heading_path}
    first = next(section for section in reading.sections if section.heading_path) if outermost else None
    is_title = first is not None and len(outermost) == 1 and _TITLE.match(reading.source.text, first.start)
    return outermost.pop() if is_title else ""


def _place(hit: Hit, *, reading: Reading, title: str) -> _Place:
    found = _first_section(hit, reading)
    if found is None or found[0].pk != reading.source.pk:
        return _Place()
    # A heading that is the statement itself does not stand over it.
    own = normalise_statement(hit.statement)
    path = [one for one in found[1].heading_path if own not in normalise_statement(one)]
    labels = rules_of(reading.packs).labels
    parts = [one for one in path if one != title]
    return _Place(subject_of_path(parts, labels), subject_of_path([title], labels))
