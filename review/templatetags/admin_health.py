"""How the queue fares, for the admin's front page: a few index probes, never a count over a million rows."""

import datetime as dt
from typing import Any

from django import template
from django.db.models import Min, OuterRef, Subquery
from django.http import HttpRequest
from django.utils import timezone

from ledger.models import Claim, Conflict, JournalEvent, Run
from ledger.reads.history import event_rows
from review.admin.keyset_scan import first_ids, id_at, planned
from review.admin.visibility import ids_in_sight, in_sight, reader_of, scopes_in_sight, sees_everything
from review.desk.history import history_entries

register = template.Library()

COUNTED_TO = 10_000
DAY = dt.timedelta(hours=24)
# Verbs by which a person or a policy settles a candidate.
DECIDED = ("promote", "reject", "defer", "merge")
RECENT = 10


@register.inclusion_tag("admin/countersign/health.html", takes_context=True)
def queue_health(context: dict[str, Any]) -> dict[str, Any]:
    """Counts stop at `COUNTED_TO` or are the planner's; the oldest is one probe a scope. All within the reader's sight."""
    request: HttpRequest = context["request"]
    here = in_sight(request, "scope")
    first = Claim.objects.filter(scope=OuterRef("pk"), status="pending").order_by("id").values("created_at")[:1]
    oldest = scopes_in_sight(request).order_by().annotate(oldest=Subquery(first)).aggregate(at=Min("oldest"))["at"]
    since = timezone.now() - DAY
    came = Claim.objects.filter(here, pk__gte=id_at(Claim, "created_at", since), created_at__gte=since)
    events = JournalEvent.objects.filter(here, pk__gte=id_at(JournalEvent, "at", since), at__gte=since)
    return {
        "pending": _bounded(Claim.objects.filter(here, status="pending")),
        "oldest": oldest,
        "came": _bounded(came),
        "decided": _bounded(events.filter(verb__in=DECIDED, actor_kind__in=("human", "policy"))),
        "open_conflicts": _bounded(Conflict.objects.filter(here, status="open")),
        "queued_runs": _bounded(Run.objects.filter(here, status="queued")),
        "running_runs": _bounded(Run.objects.filter(here, status="running")),
        "failed_runs": _bounded(Run.objects.filter(here, status="failed")),
        "today": f"{timezone.now():%Y-%m-%d}",
        "everything": sees_everything(request),
    }


@register.inclusion_tag("admin/countersign/recent.html", takes_context=True)
def recent_decisions(context: dict[str, Any]) -> dict[str, Any]:
    """The last events that people made, with their undo; three statements."""
    request: HttpRequest = context["request"]
    rows = JournalEvent.objects.filter(in_sight(request, "scope"), actor_kind__in=("human", "policy"))
    scopes = ids_in_sight(request)
    ids = first_ids(rows, (scopes, "", [""]) if scopes is not None else None, RECENT, descending=True)
    events = event_rows().filter(pk__in=ids).order_by("-pk")
    return {
        "history": history_entries(events, reader_of(request).access),
        "request": request,
        "csrf_token": context.get("csrf_token"),
        "undo_at": "admin:ledger_journalevent_undo",
    }


@register.filter
def about(number: int) -> str:
    """A figure that is an estimate, no more exact than it is: 1234567 → `1.2 million`, 45678 → `46 thousand`."""
    if number >= 1_000_000:
        return f"{number / 1_000_000:.1f} million"
    if number >= 10_000:
        return f"{round(number / 1000)} thousand"
    return f"{number:,}".replace(",", " ")


def _bounded(rows: Any) -> str:
    count = rows.order_by()[: COUNTED_TO + 1].count()
    return f"about {about(max(COUNTED_TO, planned(rows).rows))}" if count > COUNTED_TO else str(count)
