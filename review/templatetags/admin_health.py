"""How the queue fares, for the admin's front page: a few index probes, never a count over a million rows."""

from typing import Any

from django import template
from django.db.models import Min, OuterRef, Subquery
from django.http import HttpRequest
from django.utils import timezone

from ledger.models import Claim, Conflict, Run
from review.admin.sight import in_sight, scopes_in_sight

register = template.Library()

COUNTED_TO = 10_000


@register.inclusion_tag("admin/countersign/health.html", takes_context=True)
def queue_health(context: dict[str, Any]) -> dict[str, Any]:
    """Counts stop at `COUNTED_TO`; the oldest is one probe a scope. All within the reader's sight."""
    request: HttpRequest = context["request"]
    here = in_sight(request, "scope")
    first = Claim.objects.filter(scope=OuterRef("pk"), status="pending").order_by("id").values("created_at")[:1]
    oldest = scopes_in_sight(request).order_by().annotate(oldest=Subquery(first)).aggregate(at=Min("oldest"))["at"]
    return {
        "pending": _bounded(Claim.objects.filter(here, status="pending")),
        "oldest": oldest,
        "oldest_days": (timezone.now() - oldest).days if oldest else None,
        "open_conflicts": _bounded(Conflict.objects.filter(here, status="open")),
        "queued_runs": _bounded(Run.objects.filter(here, status="queued")),
        "failed_runs": _bounded(Run.objects.filter(here, status="failed")),
    }


def _bounded(rows: Any) -> str:
    count = rows.order_by()[: COUNTED_TO + 1].count()
    return f"more than {COUNTED_TO:,}".replace(",", " ") if count > COUNTED_TO else str(count)
