"""One claim on a page of its own, as candidate or as entity: why it holds, what happened to it, and what it was at a time."""

from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_GET

from ledger.errors import NotFound
from ledger.models import Claim, ConflictMember, TrustedState
from ledger.reads.as_of import claim_as_of
from ledger.reads.claims import claim_at, claim_rows
from ledger.reads.history import history_page
from ledger.reads.why import why
from ledger.rules.permissions import Access, Right
from ledger.verbs import Verb, hindrance
from review.desk.cards import cards_of
from review.desk.fields import difference
from review.desk.history import history_entries
from review.screens.as_of import as_of_from
from review.screens.frame import ScreenRequest, page, screen
from review.screens.queue import choices
from review.screens.refusal import Refusal

EVENTS_PER_PAGE = 30


@require_GET
@screen
def candidate(request: ScreenRequest, ref: str) -> HttpResponse:
    return show_claim(request, ref)


@require_GET
@screen
def entity(request: ScreenRequest, ref: str) -> HttpResponse:
    """Why it holds, what happened to it, and what can be done. 404 for what nobody ever promoted."""
    if claim_at(ref, request.actor.access).promoted_at is None:
        raise NotFound(f"{ref} was never promoted")
    return show_claim(request, ref)


def show_claim(request: ScreenRequest, ref: str, *, refusal: Refusal | None = None) -> HttpResponse:
    """The claim as it stands, with its history and the steps its state allows."""
    claim = claim_at(ref, request.actor.access, claims=claim_rows().select_related("scope", "kind", "successor", "run"))
    shown = {"here": "entities" if claim.promoted_at else "queue", **shown_claim(request, claim, refusal)}
    return page(request, "review/claim.html", shown, status=refusal.status if refusal else 200)


def shown_claim(request: ScreenRequest, claim: Claim, refusal: Refusal | None = None) -> dict[str, Any]:
    """What `_claim.html` shows of a claim read with its scope, kind, successor and run, to `request.actor`."""
    actor = request.actor
    (card,) = cards_of([claim], actor)
    if refusal is not None:
        card.refusal = refusal
        card.fields |= refusal.fields
    found = history_page(
        "claim", claim.pk, claim.ref, actor.access, cursor=request.GET.get("before") or None, limit=EVENTS_PER_PAGE
    )
    return {
        "card": card,
        "past": history_entries(found.items, actor.access),
        "earlier_events": found.next,
        "later_events": "before" in request.GET,
        "steps": verbs_offered(claim),
        "may_observe": actor.access.may(Right.OBSERVE, claim.scope.path),
        "may_curate": actor.access.may(Right.CURATE, claim.scope.path),
        "may_read_again": bool(card.quotes) and actor.access.may(Right.INGEST, claim.scope.path),
        **looked_back(request, claim),
        **around(claim, actor.access),
        **choices(request),
    }


def verbs_offered(claim: Claim) -> list[Verb]:
    """What can be done to the claim as it stands; first what leaves its status alone."""
    offered = [verb for verb in Verb if verb.row.label and not hindrance(verb, claim)]
    return sorted(offered, key=lambda verb: bool(verb.row.target))


def looked_back(request: ScreenRequest, claim: Claim) -> dict[str, Any]:
    """What the claim was at the time that the address asks for, and how that differs from now."""
    moments = as_of_from(request.GET, claim.scope.timezone)
    name = "entity" if claim.promoted_at else "candidate"
    shown: dict[str, Any] = {"moments": moments, "moments_at": reverse(name, args=[claim.ref])}
    if moments.asked:
        found = claim_as_of(claim, as_of=moments.as_of, believed_at=moments.believed_at)
        same = found.claim is not None and found.claim.statement == claim.statement
        shown |= {
            "then": found,
            "then_pieces": difference(found.claim.statement, claim.statement) if found.claim and not same else [],
        }
    return shown


def around(claim: Claim, access: Access) -> dict[str, Any]:
    """What points at the claim: what it replaced or took in, what trusts it, what contradicts it, and why it is there."""
    kin = (
        Claim.objects.filter(successor=claim.pk)
        .select_related("scope")
        .only("ref", "status", "statement", "scope__path")
    )
    grown = Claim.objects.filter(graduates=claim.pk).select_related("scope").order_by("-pk")[:20]
    trusted = TrustedState.objects.filter(cites__contains=[claim.ref], status="current").select_related("scope")
    disputes = ConflictMember.objects.filter(claim=claim.pk, conflict__status="open").values_list(
        "conflict_id", flat=True
    )
    return {
        "grown_from": _memory(claim, access),
        "grows_into": [row for row in grown if access.may(Right.READ, row.scope.path)],
        "kin": [row for row in kin.order_by("pk")[:100] if access.may(Right.READ, row.scope.path)],
        "trusted": [row for row in trusted.order_by("pk")[:50] if access.may(Right.READ, row.scope.path)],
        "conflict_ids": list(disputes),
        "why": why(claim.ref, access) if claim.promoted_at else None,
    }


def _memory(claim: Claim, access: Access) -> Claim | None:
    """The memory that this entity was proposed from (P16)."""
    if claim.graduates_id is None:
        return None
    row = Claim.objects.select_related("scope").defer("search").get(pk=claim.graduates_id)
    return row if access.may(Right.READ, row.scope.path) else None
