"""By when it is to be done: deadlines of action items in words."""

import re
from datetime import date, datetime, timedelta
from typing import Final

from ledger.language.fold import STRUCK
from ledger.language.times import TimeSpan, find_times

_DEADLINE: Final = re.compile(
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
# `by Friday, no wait, Monday`; `Friday week` is a week later, `Friday -> Tuesday` another day.
_CORRECTED: Final = re.compile(
    r"\s*(?:[,.;:–—-]+\s*(?:no|nein|sorry|i mean|rather|actually|correction|make (?:it|that)|oops|ach nein|besser|mejor|digo"
    r"|ou plutôt)\b"
    r"|(?:->|→|=>|⇒)|\bweek\b)",
    re.I,
)
MAX_DUE_TEXT = 2000


def due_of(text: str, *, said_at: datetime | None, zone: str) -> str:
    """The ISO date or datetime of the first deadline in `text` that is certain; empty where none is.

    `before Friday` is due on Thursday, `by Friday` on Friday. Without `said_at` only a reader can tell which Friday: empty.
    """
    if said_at is None or not text:
        return ""
    words = STRUCK.sub(lambda struck: " " * len(struck[0]), text[:MAX_DUE_TEXT])
    for span in find_times(words, reference=said_at, zone=zone):
        if (
            span.certain
            and not _PAST.search(words, max(0, span.start - 40), span.start)
            and not _CORRECTED.match(words, span.end)
            and (due := _deadline(span, words))
        ):
            return due
    return ""


def _deadline(span: TimeSpan, words: str) -> str:
    named = span.begins
    if span.modifier in ("by", "before"):
        # An open range excludes its end: of whole days the last one before it is meant.
        named = span.ends
        if isinstance(named, date) and not isinstance(named, datetime):
            named -= timedelta(days=1)
    elif span.type not in ("date", "datetime") or not _DEADLINE.search(words, max(0, span.start - 40), span.start):
        return ""
    return named.isoformat() if named else ""
