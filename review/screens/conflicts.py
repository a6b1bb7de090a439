"""Conflicts: both sides with their words; a person says which one wins, or that there is none."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods

from ledger.actions.conflict import dismiss, resolve
from ledger.errors import BadTransition, DomainError, Invalid, StaleVersion
from ledger.models import Conflict, JournalEvent
from ledger.reads.conflicts import ConflictSide, conflict_at, conflict_sides, conflicts, count_conflicts
from ledger.reads.why import first_events
from ledger.rules.permissions import Access, Right
from review.desk.evidence import Quoted, quotes_of
from review.desk.fields import difference, value_text
from review.desk.filters import Filters
from review.desk.history import history_of
from review.screens.frame import ScreenRequest, back_to, page, screen
from review.screens.queue import choices
from review.screens.verbs import reason_of, version_of

PER_PAGE = 20
STATUSES = ("open", "resolved", "dismissed", "closed")
AGES = {"": "newest first", "age": "oldest first"}


@dataclass(slots=True)
class SideCard:
    """One side as a page shows it. `pieces` is its statement against the first side's, the first one's against the second's, word
    by word; `losers` are the refs
    that will be superseded when it wins; `may_win` is false where a trusted value takes part and this is none."""

    side: ConflictSide
    quotes: list[Quoted]
    ref: str
    statement: str
    value: str
    status: str
    pieces: list[tuple[str, str]] = field(default_factory=list)
    losers: list[str] = field(default_factory=list)
    may_win: bool = False
    event: JournalEvent | None = None


@require_GET
@screen
def conflict_list(request: ScreenRequest) -> HttpResponse:
    """The open ones; a fixed number of queries a page."""
    filters, access = Filters.read(request.GET), request.actor.access
    scope, status = filters.scope or None, filters.status or "open"
    found = conflicts(
        access, scope=scope, descend=True, status=status, limit=PER_PAGE, cursor=filters.cursor or None,
        order="age" if filters.order == "age" else "newest",
    )  # fmt: skip
    context = {
        "items": conflict_cards(found.items, access),
        "filters": filters,
        "next_page": filters.next_page(found),
        "counted": count_conflicts(access, scope=scope, status=status),
        "back": request.get_full_path(),
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
    (item,) = conflict_cards([row], access)
    claims = {party.side.claim.pk: party for party in item["parties"] if party.side.claim}
    for claim, event in first_events(list(claims)).items():
        claims[claim].event = event
    context = {
        "item": item,
        "row": row,
        "typed": request.POST,
        # Where it was opened from, with the filters that stood there; `back_to` looks whether it is a page of ours.
        "back": request.POST.get("back") or request.GET.get("back") or reverse("conflicts"),
        "here": "conflicts",
        **history_of("conflict", row.pk, "", access, request.GET),
    }
    return page(request, "review/conflict.html", context, error=error)


def conflict_cards(rows: Sequence[Conflict], access: Access) -> list[dict[str, Any]]:
    """Each conflict with its sides and their quotes. Two queries."""
    sides = conflict_sides(rows)
    quotes = quotes_of([side.claim.pk for group in sides.values() for side in group if side.claim], access)
    return [
        {
            "row": row,
            "parties": _side_cards(sides[row.pk], quotes),
            "may_review": access.may(Right.REVIEW, row.scope.path),
        }
        for row in rows
    ]


def _side_cards(sides: Sequence[ConflictSide], quotes: dict[int, list[Quoted]]) -> list[SideCard]:
    cards = [_side_card(side, quotes[side.claim.pk] if side.claim else []) for side in sides]
    live = [card for card in cards if card.side.live]
    trusted = any(card.side.trusted for card in live)
    for card in cards:
        card.may_win = card.side.live and bool(card.side.trusted) is trusted
        card.losers = [other.ref for other in live if other is not card and other.side.claim]
    for card in cards[1:]:
        card.pieces = difference(cards[0].statement, card.statement)
    if len(cards) > 1:
        cards[0].pieces = difference(cards[1].statement, cards[0].statement)
    return cards


def _side_card(side: ConflictSide, quotes: list[Quoted]) -> SideCard:
    row = side.row
    return SideCard(side, quotes, row.ref, row.told, value_text(row.value), row.status)


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
    done = f"{winner} holds, the conflict is resolved" if winner else f"Conflict {pk} dismissed: both hold"
    messages.success(request, done, extra_tags=f"event:{event.pk}")
    return back_to(request, reverse("conflicts"))
