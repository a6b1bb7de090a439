"""Whole texts, to the byte: Markdown, plain text, minutes."""

import re
from collections.abc import Iterator
from datetime import datetime

from extraction.importers.clock import local
from extraction.importers.decoding import whole
from extraction.importers.files import File
from extraction.importers.found import Found, Into, short
from ledger.actions.ingest import Incoming

DATED = re.compile(r"(?<!\d)(20\d\d|19\d\d)[-_.]?(0[1-9]|1[0-2])[-_.]?(0[1-9]|[12]\d|3[01])(?!\d)")
WRITTEN = re.compile(r"(?<!\d)(20\d\d|19\d\d)-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(?!\d)")
DAY_FIRST = re.compile(
    r"\b([0-3]?\d)(?:st|nd|rd|th)?\s+(January|February|March|April|May|June|July|August|September|October|November|December),?"
    r"\s+((?:19|20)\d\d)\b",
    re.I,
)
MONTHS = "january february march april may june july august september october november december".split()
# How far down minutes say when they were.
TOP = 2000


def read(file: File, into: Into) -> Iterator[Found]:
    with file.open() as stream:
        text = whole(stream)
    yield file.kept("", Incoming(text=text, external_id=short(file.name), title=file.path.name[:500]))


def read_minutes(file: File, into: Into) -> Iterator[Found]:
    """Minutes stay one document, whole: what was decided is read where it stands, under its topic and beside who spoke. Their
    time is the day that the file's name or their top says, at midnight of the scope."""
    with file.open() as stream:
        text = whole(stream)
    wall = day_of(file.path.name, text)
    yield file.kept("", Incoming(
        text=text, external_id=short(file.name), title=file.path.name[:500],
        sent_at=local(wall, into.zone)[0] if wall else None,
    ))  # fmt: skip


def day_of(name: str, text: str) -> datetime | None:
    found = DATED.search(name) or WRITTEN.search(text[:TOP])
    try:
        if found:
            return datetime(int(found[1]), int(found[2]), int(found[3]))
        if named := DAY_FIRST.search(text[:TOP]):
            return datetime(int(named[3]), MONTHS.index(named[2].lower()) + 1, int(named[1]))
    except ValueError:
        return None
    return None
