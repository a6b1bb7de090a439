"""Conflicts: both sides with their words; a person says which one wins, or that there is none."""

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_POST

from ledger.actions.conflict import dismiss, resolve
from ledger.errors import BadTransition, DomainError, Invalid, StaleVersion
from ledger.models import Conflict
from ledger.reads.claims import evidence_of
from ledger.reads.conflicts import conflict_at, conflicts, sides
from ledger.rules.permissions import Access, Right
from review.screens.cards import quoted
from review.screens.desk import Filters
from review.screens.frame import Asked, page, screen
from review.screens.queue import choices
from review.screens.verbs import reason_of, version_of

PER_PAGE = 20
STATUSES = ("open", "resolved", "dismissed", "closed")


@require_GET
@screen
def conflict_list(request: Asked) -> HttpResponse:
    """The open ones, newest first; a fixed number of queries a page."""
    filters, access = Filters.read(request.GET), request.actor.access
    found = conflicts(
        access, scope=filters.scope or None, descend=True, status=filters.status or "open", limit=PER_PAGE,
        cursor=filters.cursor or None,
    )  # fmt: skip
    following = filters.query(cursor=found.next) if found.next else ""
    context = {"items": items_of(found.items, access), "filters": filters, "next_page": following, "here": "conflicts"}
    return page(request, "review/conflicts.html", {**context, **choices(request), "statuses": STATUSES})


def items_of(rows: Sequence[Conflict], access: Access) -> list[dict[str, Any]]:
    """Each conflict with its sides and their quotes. Two queries."""
    members = sides(rows)
    words = evidence_of(side.claim.pk for group in members.values() for side in group if side.claim)
    return [
        {
            "row": row,
            "sides": [(side, quoted(words[side.claim.pk], access) if side.claim else []) for side in members[row.pk]],
            "trusted": [side.trusted for side in members[row.pk] if side.trusted],
            "may_review": access.may(Right.REVIEW, row.scope.path),
        }
        for row in rows
    ]


@require_POST
@screen
def settle_conflict(request: Asked, pk: int) -> HttpResponse:
    """`winner` names who wins; without one the conflict is dismissed."""
    row = conflict_at(pk, request.actor.access)
    winner = request.POST.get("winner", "")
    try:
        common: dict[str, Any] = {
            "actor": request.actor,
            "expected_version": version_of(request.POST),
            "reason": reason_of(request.POST),
        }
        event = resolve(row, winner=winner, **common) if winner else dismiss(row, **common)
    except (StaleVersion, BadTransition, Invalid) as error:
        return not_settled(request, error)
    said = f"{winner} holds, the conflict is resolved" if winner else f"Conflict {pk} dismissed: both hold"
    messages.success(request, said, extra_tags=f"event:{event.pk}")
    return redirect("conflicts")


def not_settled(request: Asked, error: DomainError) -> HttpResponse:
    messages.error(request, f"{error.title.capitalize()}: {error.message}")
    return redirect("conflicts")
