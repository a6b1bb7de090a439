"""The queue: one card open, the list beside it (contract §4)."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET

from ledger.models import Kind, Layer
from ledger.reads.queue.backlog import backlog, snoozed
from ledger.reads.scopes import visible
from review.desk.desk import Filters, desk_of
from review.desk.filters import OLDER
from review.desk.saved_views import opening_view, views_of
from review.screens.frame import ScreenRequest, page, screen
from review.screens.refusal import Refusal
from review.screens.verbs import REASONS

MAX_SCOPES = 500
STATUSES = ("pending", "deferred", "rejected", "expired", "merged")
ORDERS = {
    "best": "Best first",
    "rank": "By rank alone",
    "risk": "High risk first",
    "age": "Oldest first",
    "newest": "Newest first",
}


@require_GET
@screen
def queue(request: ScreenRequest) -> HttpResponse:
    """What the address says; without any parameter the view that its reader wants to open with."""
    if not request.GET and not request.htmx and (query := opening_view(request.actor)):
        return redirect("/?" + query)
    return show_desk(request, request.GET, card=request.GET.get("card", ""), then=request.GET.get("then", ""))


def show_desk(
    request: ScreenRequest,
    parameters: Mapping[str, str],
    *,
    card: str = "",
    then: str = "",
    refusal: Refusal | None = None,
) -> HttpResponse:
    """The whole page, or for htmx the desk alone; a refusal stands on its card, with what was typed."""
    desk = desk_of(request.actor, Filters.read(parameters), card=card, then=then)
    status = 200
    if refusal is not None and desk.card is not None:
        desk.card.refusal, status = refusal, refusal.status
        desk.card.fields |= refusal.fields
    context = {"desk": desk, "here": "queue", **choices(request)}
    if not request.htmx or desk.card is None:
        desk.snoozed = snoozed(request.actor.access)
    if request.htmx:
        return render(request, "review/_desk.html", context | {"backlog": backlog(request.actor.access)}, status=status)
    context |= {"layers": Layer.values, "ages": list(OLDER), "views": views_of(request.actor)}
    return page(request, "review/queue.html", context, status=status)


def choices(request: ScreenRequest) -> dict[str, Any]:
    """What the selects of filters and forms offer. Two queries."""
    paths = visible(request.actor.access).order_by("path").values_list("path", flat=True)
    return {
        "scopes": list(paths[:MAX_SCOPES]),
        "kinds": list(Kind.objects.order_by("name").values_list("name", flat=True)),
        "statuses": STATUSES,
        "orders": ORDERS,
        "reasons": REASONS,
    }
