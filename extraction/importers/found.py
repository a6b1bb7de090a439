"""What an importer yields: texts, what it passed over and why, and what a reader should know of what it kept."""

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from ledger.actions.ingest import Incoming

WORDLESS = "a message without any words"
# As many ids are kept in mind as equal messages can stand apart; older ones can no longer be told from a first one.
REMEMBERED = 100_000
MARKS = dict.fromkeys(map(ord, "\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff"))
BLANKS = dict.fromkeys(map(ord, "\u00a0\u202f\u2009\u2007"), " ")


@dataclass(frozen=True, slots=True)
class Skipped:
    """What was passed over: its path, with its place in the file behind `#`, and why."""

    path: str
    why: str
    asked_for: bool = False


@dataclass(frozen=True, slots=True)
class Remark:
    """What was kept, but not without a doubt that a person should know of."""

    path: str
    what: str


type Found = Incoming | Skipped | Remark


@dataclass(frozen=True, slots=True)
class Into:
    """Where texts go: the scope's path, the zone of times that name none, and the scope's conversation that holds some of the
    given external ids already, if one does (chats without ids of their own are recognised by it under another file name)."""

    scope: str
    zone: ZoneInfo = field(default_factory=lambda: ZoneInfo("UTC"))
    known_conversation: Callable[[Sequence[str]], str] = field(default=lambda ids: "")
    now: datetime = field(default_factory=lambda: datetime.now(UTC))
    # Of CSV: which column holds which field, where its head does not say so.
    columns: Mapping[str, str] = field(default_factory=dict)


class Ids:
    """Ids for messages that have none: a print of what the message is, and its number among equals, so that a longer export
    gives the same message the same id wherever it begins (design §4)."""

    def __init__(self) -> None:
        self._seen: OrderedDict[str, int] = OrderedDict()

    def of(self, *parts: str) -> str:
        name = hashlib.sha256("\x1f".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]
        number = self._seen.pop(name, 0) + 1
        self._seen[name] = number
        if len(self._seen) > REMEMBERED:
            self._seen.popitem(last=False)
        return f"{name}-{number}"


def plain(name: str) -> str:
    """A file's name as text: bytes that are no UTF-8 are written out."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace").replace("\0", "\\0")


def short(name: str, most: int = 500) -> str:
    """At most `most` characters; a longer name keeps its end and a print of the whole."""
    if len(name) <= most:
        return name
    return f"{hashlib.sha256(name.encode('utf-8', 'replace')).hexdigest()[:16]}…{name[-(most - 100) :]}"


def named(name: object) -> str:
    """Who sent it, in at most 200 characters, without the marks that only steer the direction of writing."""
    text = str(name or "")
    return " ".join((text if text.isascii() else text.translate(MARKS)).replace("\0", "").split())[:200]
