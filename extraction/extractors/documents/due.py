"""By when an action is due, where its words name a day that the moment they were said fixes: `by Friday`, `due June 4th`."""

import re
from datetime import date, datetime, timedelta
from typing import Final

from ledger.language.times import TimeSpan, find_times

_DUE: Final = re.compile(
    r"\b(?:due|deadline|no later than|now|moved to|postponed to|jetzt|ahora|fällig|fecha límite)\b"
    r"\W*(?:is|date|on|at|by|am|el|für)?\W*\Z",
    re.I,
)
# `was Friday, now Tuesday`; `not by Friday but by Monday`.
_PAST: Final = re.compile(
    r"\b(?:was|were|not|originally|formerly|previously|instead of|moved from|war|nicht|era|no|était|pas)\b"
    r"(?: (?:due|planned|by|on|until|before|for|am|bis|el|para|le)\b)*\s*\Z",
    re.I,
)
LONGEST = 2000


def due_of(text: str, *, said_at: datetime | None, zone: str) -> str:
    """The ISO date or datetime of the first deadline in `text` that is certain; empty where none is.

    `before Friday` is due on Thursday, `by Friday` on Friday. Without `said_at` only a reader can tell which Friday: empty.
    """
    if said_at is None or not text:
        return ""
    words = text[:LONGEST]
    for found in find_times(words, reference=said_at, zone=zone):
        if (
            found.certain
            and not _PAST.search(words, max(0, found.start - 40), found.start)
            and (due := _due(found, words))
        ):
            return due
    return ""


def _due(found: TimeSpan, words: str) -> str:
    named = found.begins
    if found.modifier in ("by", "before"):
        # An open range excludes its end: of whole days the last one before it is meant.
        named = found.ends
        if isinstance(named, date) and not isinstance(named, datetime):
            named -= timedelta(days=1)
    elif found.type not in ("date", "datetime") or not _DUE.search(words, max(0, found.start - 40), found.start):
        return ""
    return named.isoformat() if named else ""
