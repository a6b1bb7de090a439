"""Journal events with all that an answer shows of them."""

from django.db.models import Q, QuerySet

from ledger.models import Claim, JournalChange, JournalEvent
from ledger.rules.permissions import Access, Right


def event_rows() -> QuerySet[JournalEvent]:
    """Events with scope, changes and what undid them: two queries for any number."""
    return JournalEvent.objects.select_related("scope", "undone_by").prefetch_related("changes")


def event_by_id(pk: int) -> JournalEvent:
    return event_rows().get(pk=pk)


def history(claim: Claim, access: Access) -> list[JournalEvent]:
    """All that happened to a claim, the oldest first, knock-on changes of others' decisions included.

    Where a decision on another scope's row touched it, that event is shown only to who may read there.
    """
    touching = JournalChange.objects.filter(noun="claim", row=claim.pk).values("event_id")
    rows = event_rows().filter(Q(pk__in=touching) | Q(ref=claim.ref)).order_by("pk")
    return [event for event in rows if access.may(Right.READ, event.scope.path)]
