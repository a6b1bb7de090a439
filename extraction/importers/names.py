"""What a file's name, its folder's, or a line of it says: what a chat is called, and which day it is of."""

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from typing import Final
from zoneinfo import ZoneInfo

from extraction.importers.clock import local
from extraction.importers.files import File

COPY = re.compile(r"[ _]?\(\d{1,3}\)$")
# Programs that call every chat alike.
CHAT_FILES: Final = {"_chat", "chat", "messages", "meeting_saved_chat", "meeting_saved_closed_caption", "meeting_saved_new_chat",
                     "closed_caption", "transcript", "captions"}  # fmt: skip
MONTHS: Final = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_YEAR, _DAY = r"(?:19|20)\d\d", r"(?:0?[1-9]|[12]\d|3[01])"
_MONTH = r"(?P<m{}>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{{0,6}}"
_TH, _CLOCK = r"(?:st|nd|rd|th)?", r"(?:\d\d:\d\d:\d\d )?"
# In digits with the year first, in words either way round, a clock between day and year or not: `Mar 4 10:02:11 2026`.
DAY: Final = re.compile(
    rf"(?<![\d.])(?P<y1>{_YEAR})(?:[-_./]|[년年]\s?)(?P<m1>0?[1-9]|1[0-2])(?:[-_./]|[월月]\s?)(?P<d1>{_DAY})(?!\d)"
    rf"|(?<![\w.])(?P<d2>{_DAY}){_TH}[ \-/]{{1,3}}(?:of )?{_MONTH.format(2)},?[ \-/]{{1,3}}(?P<y2>{_YEAR})(?!\d)"
    rf"|(?<!\w){_MONTH.format(3)}\.?[ \-]{{1,3}}(?P<d3>{_DAY}){_TH}(?:,? {{1,2}}|-){_CLOCK}(?P<y3>{_YEAR})(?!\d)"
    rf"|(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{{0,6}},? (?P<m4>0?[1-9]|1[0-2])/(?P<d4>{_DAY})/(?P<y4>{_YEAR})(?!\d)",
    re.I,
)
# Names are written without separators too, and may go on with a clock.
COMPACT: Final = re.compile(
    rf"(?<!\d)(?P<y1>{_YEAR})[-_.]?(?P<m1>0[1-9]|1[0-2])[-_.]?(?P<d1>0[1-9]|[12]\d|3[01])(?!\d)"
)
CLOCK: Final = re.compile(r"(?:[-_ T]|at){1,3}([01]\d|2[0-3])[-.:h_]?([0-5]\d)(?:[-.:_]?([0-5]\d))?(?!\d)")


def chat_name(file: File) -> str:
    """What the chat is called, from the file's name, or from that of what holds it where all chats are called alike."""
    path = file.path
    stem = path.stem.replace("\0", "")
    if stem.lower() in CHAT_FILES and (path.parent.name or file.folder):
        stem = (path.parent.name or file.folder).removesuffix(".zip").removesuffix(".ZIP")
    return COPY.sub("", stem) or file.name


def day_in(texts: Iterable[str], form: re.Pattern[str] = DAY) -> datetime | None:
    """The first day that one of the texts names, as midnight of no zone; None where none does."""
    return next((day for text in texts for _, day in _days(text, form)), None)


def _days(text: str, form: re.Pattern[str]) -> Iterator[tuple[int, datetime]]:
    """Days with where each ends."""
    for found in form.finditer(text):
        part = {name[0]: value for name, value in found.groupdict().items() if value}
        month = part["m"].lower()
        with suppress(ValueError):
            number = int(month) if month.isdigit() else MONTHS.index(month) + 1
            yield found.end(), datetime(int(part["y"]), number, int(part["d"]))


def day_of_name(*names: str) -> datetime | None:
    return day_in(names, COMPACT) or day_in(names)


def day_named(file: File) -> datetime | None:
    """The day in the file's name, or in a folder's that holds it."""
    return day_of_name(*_names(file))


def begun_named(file: File, zone: ZoneInfo) -> datetime | None:
    """When a recording began: the day in a name with the clock behind it, midnight without one; `GMT` before it says the zone."""
    for name in _names(file):
        for end, day in _days(name, COMPACT):
            clock = CLOCK.match(name, end)
            wall = day.replace(hour=int(clock[1]), minute=int(clock[2]), second=int(clock[3] or 0)) if clock else day
            return wall.replace(tzinfo=UTC) if name.startswith("GMT") else local(wall, zone)[0]
    written = day_in(_names(file))
    return local(written, zone)[0] if written else None


def _names(file: File) -> list[str]:
    return [file.path.name, *(parent.name for parent in file.path.parents), file.folder]
