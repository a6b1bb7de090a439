"""Conflicts: both sides with their words; a person says which one wins, or that there is none."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_http_methods

from ledger.actions.conflict import dismiss, resolve
from ledger.errors import BadTransition, DomainError, Invalid, StaleVersion
from ledger.models import Conflict
from ledger.reads.claims import evidence_of
from ledger.reads.conflicts import ConflictSide, conflict_at, conflict_sides, conflicts, count_conflicts
from ledger.reads.history import history_page
from ledger.reads.why import first_events
from ledger.rules.permissions import Access, Right
from review.desk.cards import Quoted, quoted
from review.desk.desk import Filters
from review.desk.fields import difference, value_text
from review.desk.history import history_entries
from review.screens.frame import ScreenRequest, page, screen
from review.screens.queue import choices
from review.screens.verbs import reason_of, version_of

PER_PAGE = 20
STATUSES = ("open", "resolved", "dismissed", "closed")
AGES = {"": "newest first", "age": "oldest first"}
EVENTS_PER_PAGE = 30


@dataclass(slots=True)
class SideCard:
    """One side as a page shows it. `pieces` is its statement against the first side's, word by word; `losers` are the refs
    that will be superseded when it wins; `may_win` is false where a trusted value takes part and this is none."""

    side: ConflictSide
    quotes: list[Quoted]
    ref: str
    statement: str
    value: str
    status: str = ""
    pieces: list[tuple[str, str]] = field(default_factory=list)
    losers: list[str] = field(default_factory=list)
    may_win: bool = False
    event: Any = None


@require_GET
@screen
def conflict_list(request: ScreenRequest) -> HttpResponse:
    """The open ones; a fixed number of queries a page."""
    filters, access = Filters.read(request.GET), request.actor.access
    order = "age" if filters.order == "age" else "newest"
    found = conflicts(
        access, scope=filters.scope or None, descend=True, status=filters.status or "open", limit=PER_PAGE,
        cursor=filters.cursor or None, order=order,
    )  # fmt: skip
    following = filters.query(cursor=found.next) if found.next else ""
    context = {
        "items": items_of(found.items, access),
        "filters": filters,
        "next_page": following,
        "counted": count_conflicts(access, scope=filters.scope or None, status=filters.status or "open"),
        "here": "conflicts",
        **choices(request),
        "statuses": STATUSES,
        "orders": AGES,
    }
    return page(request, "review/conflicts.html", context)


@require_http_methods(["GET", "POST"])
@screen
def conflict(request: ScreenRequest, pk: int) -> HttpResponse:
    """One conflict: its sides beside each other, what a decision would do, and what happened to it; posted to, it is settled."""
    return settle_conflict(request, pk) if request.method == "POST" else show_conflict(request, pk)


def show_conflict(request: ScreenRequest, pk: int, *, error: DomainError | None = None) -> HttpResponse:
    access = request.actor.access
    row = conflict_at(pk, access)
    (item,) = items_of([row], access)
    events = first_events([party.side.claim.pk for party in item["parties"] if party.side.claim])
    for party in item["parties"]:
        if party.side.claim:
            party.event = events.get(party.side.claim.pk)
    found = history_page(
        "conflict", row.pk, "", access, cursor=request.GET.get("before") or None, limit=EVENTS_PER_PAGE
    )
    context = {
        "item": item,
        "row": row,
        "error": error,
        "typed": request.POST,
        "past": history_entries(found.items, access),
        "earlier_events": found.next,
        "later_events": "before" in request.GET,
        "here": "conflicts",
    }
    status = 200 if error is None else 422 if isinstance(error, Invalid) else 409
    return page(request, "review/conflict.html", context, status=status)


def items_of(rows: Sequence[Conflict], access: Access) -> list[dict[str, Any]]:
    """Each conflict with its sides and their quotes. Two queries."""
    members = conflict_sides(rows)
    words = evidence_of(side.claim.pk for group in members.values() for side in group if side.claim)
    found = []
    for row in rows:
        parties = [_party(side, quoted(words[side.claim.pk], access) if side.claim else []) for side in members[row.pk]]
        live = [party for party in parties if party.side.live]
        trusted = any(party.side.trusted for party in live)
        for at, party in enumerate(parties):
            if at:
                party.pieces = difference(parties[0].statement, party.statement)
            party.may_win = party.side.live and bool(party.side.trusted or not trusted)
            party.losers = [other.ref for other in live if other is not party and other.side.claim]
        found.append({
            "row": row, "parties": parties, "trusted": trusted, "may_review": access.may(Right.REVIEW, row.scope.path),
        })  # fmt: skip
    return found


def _party(side: ConflictSide, quotes: list[Quoted]) -> SideCard:
    row = side.claim or side.trusted
    if row is None:
        return SideCard(side, quotes, "", "", "")
    return SideCard(
        side, quotes, row.ref, row.statement, value_text(row.value) if row.value is not None else "", row.status
    )


def settle_conflict(request: ScreenRequest, pk: int) -> HttpResponse:
    """`winner` names who wins; without one the conflict is dismissed. Refused, the page says so where it was pressed."""
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
        return show_conflict(request, pk, error=error)
    said = f"{winner} holds, the conflict is resolved" if winner else f"Conflict {pk} dismissed: both hold"
    messages.success(request, said, extra_tags=f"event:{event.pk}")
    return redirect("conflicts")
