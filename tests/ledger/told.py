"""What an event says it did, for comparing at a glance."""

from typing import Any

from ledger.models import Claim, JournalEvent


def told(event: JournalEvent, row: Claim | None = None) -> dict[str, tuple[Any, Any]]:
    """Column by column before and after, of the event's own decision (or of one claim in it)."""
    changes = event.changes.filter(noun="claim", row=row.pk) if row else event.changes.filter(implicit=False)
    found: dict[str, tuple[Any, Any]] = {}
    for change in changes:
        for name, value in (change.after or {}).items():
            found[name] = ((change.before or {}).get(name), value)
    return found


def statuses(*claims: Claim) -> tuple[str, ...]:
    for claim in claims:
        claim.refresh_from_db()
    return tuple(claim.status for claim in claims)
