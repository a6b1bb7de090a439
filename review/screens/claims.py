"""One claim on a page of its own, as candidate or as entity, and the list of entities."""

from typing import Any

from django.http import HttpResponse
from django.views.decorators.http import require_GET

from ledger.errors import NotFound
from ledger.models import Claim, ConflictMember, TrustedState
from ledger.reads.claims import claim_at, claim_rows
from ledger.reads.history import history
from ledger.reads.queue import Wanted
from ledger.reads.queue import queue as list_claims
from ledger.reads.why import why
from ledger.recall.citing import in_open_conflict
from ledger.rules.permissions import Access, Right
from ledger.rules.states import CLAIM_STEPS
from review.screens.cards import cards_of
from review.screens.desk import Filters
from review.screens.frame import Asked, page, screen
from review.screens.past import past
from review.screens.queue import choices
from review.screens.refusal import Refusal

PER_PAGE = 50
HELD = ("active", "superseded", "archived", "graduated", "withdrawn", "merged")


@require_GET
@screen
def candidate(request: Asked, ref: str) -> HttpResponse:
    return show_claim(request, ref)


@require_GET
@screen
def entity(request: Asked, ref: str) -> HttpResponse:
    """Why it holds, what happened to it, and what can be done. 404 for what nobody ever promoted."""
    if claim_at(ref, request.actor.access).promoted_at is None:
        raise NotFound(f"{ref} was never promoted")
    return show_claim(request, ref)


def show_claim(request: Asked, ref: str, *, refusal: Refusal | None = None) -> HttpResponse:
    """The claim as it stands, with its history and the steps its state allows."""
    claim = claim_at(ref, request.actor.access, claims=claim_rows().select_related("scope", "kind", "successor", "run"))
    shown = {"here": "entities" if claim.promoted_at else "queue", **shown_claim(request, claim, refusal)}
    return page(request, "review/claim.html", shown, status=refusal.status if refusal else 200)


def shown_claim(request: Asked, claim: Claim, refusal: Refusal | None = None) -> dict[str, Any]:
    """What `_claim.html` shows of a claim read with its scope, kind, successor and run, to `request.actor`."""
    actor = request.actor
    (card,) = cards_of([claim], actor)
    if refusal is not None:
        card.refusal = refusal
        card.fields |= refusal.fields
    events = list(reversed(history(claim, actor.access)))
    return {
        "card": card,
        "past": past(events, actor.access),
        "steps": [verb for verb, (origins, _) in CLAIM_STEPS.items() if claim.status in origins],
        "may_observe": actor.access.may(Right.OBSERVE, claim.scope.path),
        "may_curate": actor.access.may(Right.CURATE, claim.scope.path),
        **around(claim, actor.access),
        **choices(request),
    }


def around(claim: Claim, access: Access) -> dict[str, Any]:
    """What points at the claim: what it replaced or took in, what trusts it, what contradicts it, and why it is there."""
    kin = (
        Claim.objects.filter(successor=claim.pk)
        .select_related("scope")
        .only("ref", "status", "statement", "scope__path")
    )
    trusted = TrustedState.objects.filter(cites__contains=[claim.ref], status="current").select_related("scope")
    disputes = ConflictMember.objects.filter(claim=claim.pk, conflict__status="open").values_list(
        "conflict_id", flat=True
    )
    return {
        "kin": [row for row in kin.order_by("pk")[:100] if access.may(Right.READ, row.scope.path)],
        "trusted": [row for row in trusted.order_by("pk")[:50] if access.may(Right.READ, row.scope.path)],
        "conflict_ids": list(disputes),
        "why": why(claim.ref, access) if claim.promoted_at else None,
    }


@require_GET
@screen
def entities(request: Asked) -> HttpResponse:
    """What holds, newest first, with filters for what once held."""
    filters = Filters.read(request.GET)
    wanted = Wanted(status=filters.status or "active", kind=filters.kind, q=filters.q, promoted=True)
    found = list_claims(
        request.actor.access, wanted, scope=filters.scope or None, descend=True, limit=PER_PAGE,
        cursor=filters.cursor or None,
    )  # fmt: skip
    context = {
        "claims": found.items,
        "contradicted": in_open_conflict([claim.pk for claim in found.items]),
        "next_page": filters.query(cursor=found.next) if found.next else "",
        "filters": filters,
        "here": "entities",
        **choices(request),
        "statuses": HELD,
    }
    return page(request, "review/entities.html", context)
