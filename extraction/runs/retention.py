"""Raw chat that nothing cites goes after as many days as the scope, or its packs, say (O16). What a claim rests on stays."""

import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from ledger.actions.purge import purge
from ledger.actor import retention
from ledger.errors import BadTransition, NotFound
from ledger.models import Conversation, Evidence, Outcome, Run, Scope, Source, SourceKind
from ledger.reads.packs import packs_of_each

MAX_AT_ONCE: Final = 500
UNFINISHED: Final = ("queued", "running")


@dataclass(frozen=True, slots=True)
class Overdue:
    """The messages of one scope that were kept for its `days`, the oldest first."""

    scope: Scope
    days: int
    rows: QuerySet[Source]

    @property
    def told(self) -> str:
        """A line for a report."""
        oldest = self.rows.values_list("created_at", flat=True).first()
        since = f", the oldest of {oldest:%Y-%m-%d}" if oldest else ""
        return f"{self.scope.path}: {self.rows.count()} messages that nothing cites, kept for {self.days} days{since}"


def overdue(now: datetime) -> Iterator[Overdue]:
    """By scope, where there are any. Counted are the days since a message came in, so that an old chat that is imported today is
    read first."""
    scopes = list(Scope.objects.filter(Exists(Conversation.objects.filter(scope=OuterRef("pk")))).order_by("path"))
    packs = packs_of_each(scopes)
    for scope in scopes:
        days = scope.retention_days or int(packs[scope.pk].setting("observer", "retention_days", 0))
        rows = uncited(scope, before=now - timedelta(days=days)) if days else Source.objects.none()
        if rows.exists():
            yield Overdue(scope, days, rows)


def uncited(scope: Scope, *, before: datetime) -> QuerySet[Source]:
    """Messages that came in before then, that no claim and no outcome rests on, and that nothing is still reading."""
    reading = Run.objects.filter(source=OuterRef("pk"), status__in=UNFINISHED)
    rests_on = (Evidence.objects.filter(source=OuterRef("pk")), Outcome.objects.filter(source=OuterRef("pk")), reading)
    rows = Source.objects.filter(scope=scope, kind=SourceKind.MESSAGE, purged_at=None, created_at__lt=before)
    for cited in rests_on:
        rows = rows.filter(~Exists(cited))
    return rows.defer("text").order_by("created_at", "id")


def purge_old_chat(now: datetime | None = None) -> int:
    """Returns how many were purged, in one batch; some hundreds at a time, the rest with the next sweep."""
    batch, done = uuid.uuid4(), 0
    for found in overdue(now or timezone.now()):
        reason = f"raw chat that nothing cites, kept for {found.days} days"
        for source in found.rows[: MAX_AT_ONCE - done]:
            try:
                purge(source, actor=retention(), reason=reason, batch=batch)
                done += 1
            except (BadTransition, NotFound):
                continue  # somebody purged it meanwhile
    return done
