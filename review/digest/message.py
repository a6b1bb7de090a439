"""What a digest says, as a mail and as a webhook's message."""

import datetime as dt
import unicodedata
from dataclasses import dataclass
from typing import Any, Final

from django.conf import settings

from ledger.language.shorten import shortened
from ledger.reads.queue.backlog import MAX_COUNTED, Overdue, OverdueClaim
from review.models import Digest

MAX_QUOTE: Final = 160


def plain(text: str, most: int) -> str:
    """Words of a source in one line: no control or direction characters, so that they neither break a line nor hide one."""
    kept = "".join(" " if unicodedata.category(c)[0] in "CZ" else c for c in text[: most * 4])
    return shortened(" ".join(kept.split()), most)


def count_of(count: int) -> str:
    return str(count) if count <= MAX_COUNTED else f"more than {MAX_COUNTED}"


def hours_of(wait: dt.timedelta) -> str:
    hours = int(wait.total_seconds() // 3600)
    return f"{hours // 24} days" if hours >= 48 else f"{hours} hours"


@dataclass(frozen=True, slots=True)
class DigestText:
    """`found` is what waits in the digest's scope `now`; at least one candidate does."""

    row: Digest
    found: Overdue
    now: dt.datetime

    @property
    def link(self) -> str:
        """Where the oldest stand first; empty where nobody said under which address this is reached."""
        base = settings.COUNTERSIGN_URL.rstrip("/")
        return f"{base}/?scope={self.row.scope.path}&order=age" if base else ""

    def subject(self) -> str:
        """Numbers and the scope's path, never words of a source."""
        return f"[Countersign] {count_of(self.found.pending)} waiting in {plain(self.row.scope.path, 200)}"

    def body(self) -> str:
        """The mail: plain text, a line for each of the oldest."""
        path, found = self.row.scope.path, self.found
        waits = hours_of(self.now - found.oldest[0].since)
        lines = [
            f"{count_of(found.pending)} candidates wait in {path}; the oldest for {waits}.",
            f"Of them {count_of(found.urgent)} are contradicted or of high risk. Open conflicts: {count_of(found.conflicts)}.",
            "",
            *(line for one in found.oldest for line in self._lines(one)),
            *(["", self.link] if self.link else []),
            "",
            f"You get this because you may decide in {path}. An owner changes or ends it under Digests.",
        ]
        return "\n".join(lines) + "\n"

    def _lines(self, one: OverdueClaim) -> list[str]:
        risk = ", high risk" if one.high_risk else ""
        line = f"  {one.ref}, {plain(one.kind.replace('_', ' '), 40)}, {hours_of(self.now - one.since)}{risk}"
        return [line, f"    “{plain(one.statement, MAX_QUOTE)}”"] if self.row.words else [line]

    def message(self) -> dict[str, Any]:
        """The webhook's."""
        row, found = self.row, self.found
        return {
            "type": "queue.overdue",
            "at": self.now.isoformat(),
            "scope": row.scope.path,
            "limit_hours": row.after_hours,
            "pending": min(found.pending, MAX_COUNTED),
            "pending_is_at_least": found.pending > MAX_COUNTED,
            "urgent": min(found.urgent, MAX_COUNTED),
            "open_conflicts": min(found.conflicts, MAX_COUNTED),
            "oldest_seconds": int((self.now - found.oldest[0].since).total_seconds()),
            "oldest": [self._named(one) for one in found.oldest],
            "url": self.link,
        }

    def _named(self, one: OverdueClaim) -> dict[str, Any]:
        words = {"statement": plain(one.statement, MAX_QUOTE)} if self.row.words else {}
        return {
            "ref": one.ref,
            "kind": one.kind,
            "scope": one.scope,
            "since": one.since.isoformat(),
            "high_risk": one.high_risk,
            **words,
        }
