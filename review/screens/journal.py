"""The journal: every decision, newest first, with its undo."""

from django.http import HttpResponse
from django.views.decorators.http import require_GET

from ledger.reads.journal import journal
from review.screens.desk import Filters
from review.screens.frame import Asked, page, screen
from review.screens.past import past
from review.screens.queue import choices

PER_PAGE = 50


@require_GET
@screen
def journal_list(request: Asked) -> HttpResponse:
    """Of all scopes in sight, or of one scope, one ref, one batch or one policy."""
    filters = Filters.read(request.GET)
    ref, batch = request.GET.get("ref", "").strip(), request.GET.get("batch", "").strip()
    policy = request.GET.get("policy", "").strip()[:60]
    found = journal(
        request.actor.access, after=filters.cursor or None, scope=filters.scope or None, descend=True,
        ref=ref or None, batch=batch or None, policy=policy or None, newest=True, limit=PER_PAGE,
    )  # fmt: skip
    context = {
        "past": past(found.items, request.actor.access),
        "filters": filters,
        "ref": ref,
        "batch": batch,
        "policy": policy,
        "next_page": filters.query(cursor=found.next, ref=ref, batch=batch, policy=policy) if found.next else "",
        "here": "journal",
        **choices(request),
    }
    return page(request, "review/journal.html", context)
