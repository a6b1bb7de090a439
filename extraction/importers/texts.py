"""Whole texts, to the byte: Markdown, plain text, minutes."""

import re
from collections.abc import Iterator
from datetime import datetime

from extraction.importers.clock import local
from extraction.importers.decoding import whole
from extraction.importers.files import File
from extraction.importers.found import Found, Into, short
from extraction.importers.names import day_in, day_of_name
from ledger.actions.ingest import Incoming

MARKDOWN = (".md", ".markdown", ".mdown")
# How far down a text says when it was.
TOP = 2000
# Where Markdown says it: the front matter, a heading, a line with a label.
FRONT_MATTER = re.compile(r"\A\ufeff?---[ \t]*\r?\n(?:[^\n]*\n){0,60}?(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)")
DATED = re.compile(r"^(?:date|day|created|when|meeting[-_ ]date)[ \t]*:(.{0,200})", re.I | re.M)
SAID = re.compile(
    r"^(?:\#{1,3} (?!.*\d\.\d+\.\d).*|[ \t>*_|-]*(?:meeting )?(?:date|when|day|datum|fecha)\b[*_ \t]*[:|].*)$",
    re.I | re.M,
)


def read(file: File, into: Into) -> Iterator[Found]:
    """Any text, whole. Markdown's time is the day that its front matter, its name, a heading or a line `Date:` at its top says."""
    text = _whole(file)
    top = text[:TOP] if file.suffix in MARKDOWN else ""
    day = day_in(_front_matter(top)) or day_of_name(file.path.name) or day_in(SAID.findall(top)) if top else None
    yield document(file, text, day, into)


def read_minutes(file: File, into: Into) -> Iterator[Found]:
    """Minutes stay one document, whole: what was decided is read where it stands, under its topic and beside who spoke. Their
    time is the day that the file's name or their top says, at midnight of the scope."""
    text = _whole(file)
    yield document(file, text, top_day(text, file.path.name), into)


def top_day(text: str, name: str) -> datetime | None:
    """The day that a text's front matter, its file's name or its top says."""
    top = text[:TOP]
    return day_in(_front_matter(top)) or day_of_name(name) or day_in(SAID.findall(top)) or day_in([top])


def _whole(file: File) -> str:
    with file.open() as stream:
        return whole(stream)


def document(file: File, text: str, day: datetime | None, into: Into, *, empty: str = "empty") -> Found:
    """The whole file as one text; `empty` is said of one without any words."""
    sent = local(day, into.zone)[0] if day else None
    incoming = Incoming(text=text, external_id=short(file.name), title=file.path.name[:500], sent_at=sent)
    return file.kept("", incoming, empty=empty)


def _front_matter(top: str) -> list[str]:
    found = FRONT_MATTER.match(top)
    return DATED.findall(found[0]) if found else []
