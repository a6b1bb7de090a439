"""Pending actions: what was read from chats, calendars and elsewhere and would be written to the calendar once somebody confirms it
(O10, O11)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.db.models import F, QuerySet
from django.utils import timezone

from ledger.models import Claim, JournalEvent, Scope
from ledger.reads.calendar import KINDS
from ledger.rules.calendar import CalendarEntry, Occurrence, entry_of, occurrences_of
from ledger.rules.calendar_words import shortened, told, told_rule

MAX_SUMMARY: Final = 140
MAX_NEXT: Final = 3
AHEAD: Final = timedelta(days=366)
DECIDED: Final = ("active", "rejected", "expired")


@dataclass(frozen=True, slots=True)
class PendingAction:
    """`claim` waits, or was decided by `decided_by`. `entry` is what would be written, `next` when it takes place first."""

    claim: Claim
    entry: CalendarEntry | None
    next: Sequence[Occurrence]
    decided_by: str = ""
    decided_at: datetime | None = None

    @property
    def summary(self) -> str:
        return shortened(" ".join((self.claim.summary or self.claim.statement).split()), MAX_SUMMARY)

    @property
    def writes(self) -> str:
        """In a line, what a confirmation writes."""
        return told(self.entry) if self.entry is not None else self.claim.statement

    @property
    def recurs(self) -> str:
        return told_rule(self.entry.rule) if self.entry is not None else ""


def pending_claims(status: str = "pending") -> QuerySet[Claim]:
    """What would be written to a calendar, or was; the first to expire comes first, then the newest."""
    rows = Claim.objects.filter(kind__in=KINDS, status=status).select_related("scope", "kind").defer("search")
    return rows.order_by(F("expires_at").asc(nulls_last=True), "-id") if status == "pending" else rows.order_by("-id")


def pending_actions(scope: Scope) -> list[PendingAction]:
    """All that wait in one scope."""
    return actions_of(pending_claims().filter(scope=scope)[:200])


def actions_of(claims: Iterable[Claim]) -> list[PendingAction]:
    """With who decided, where somebody did. One query more."""
    claims = list(claims)
    decided = _decisions([claim for claim in claims if claim.status in DECIDED])
    now = timezone.now()
    return [_action(claim, decided.get(claim.ref), now) for claim in claims]


def _action(claim: Claim, decision: JournalEvent | None, now: datetime) -> PendingAction:
    value: Any = claim.value
    entry = entry_of(claim.ref, claim.kind_id, value, claim.scope.timezone)
    ahead = occurrences_of(entry, now, now + AHEAD) if entry is not None else iter(())
    first = [one for _, one in zip(range(MAX_NEXT), ahead, strict=False)]
    return PendingAction(
        claim, entry, first, decision.actor_name if decision else "", decision.at if decision else None
    )


def _decisions(claims: Sequence[Claim]) -> Mapping[str, JournalEvent]:
    rows = JournalEvent.objects.filter(
        ref__in=[claim.ref for claim in claims], verb__in=("promote", "reject", "expire")
    )
    return {row.ref: row for row in rows.order_by("id")}
