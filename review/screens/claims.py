"""One claim on a page of its own, as candidate or as entity: why it holds, what happened to it, and what it was at a time."""

from collections.abc import Iterable
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_GET

from ledger.errors import NotFound
from ledger.models import Claim, ConflictMember, TrustedState
from ledger.reads.as_of import claim_as_of
from ledger.reads.claims import claim_at, claim_rows
from ledger.reads.rivals import previews
from ledger.reads.standing import shown_counts, standing_of
from ledger.reads.teamwork import colleagues_of
from ledger.reads.why import why
from ledger.rules.permissions import Access, Right
from ledger.verbs import Verb, hindrance
from review.desk.cards import cards_of
from review.desk.fields import difference
from review.desk.history import history_of
from review.screens.as_of import as_of_from
from review.screens.frame import ScreenRequest, page, screen
from review.screens.queue import choices
from review.screens.refusal import Refusal

MAX_GROWN = 20
MAX_KIN = 100
MAX_TRUSTED = 50


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
    context = {"here": "entities" if claim.promoted_at else "queue", **claim_context(request, claim, refusal)}
    return page(request, "review/claim.html", context, status=refusal.status if refusal else 200)


def claim_context(request: ScreenRequest, claim: Claim, refusal: Refusal | None = None) -> dict[str, Any]:
    """What `_claim.html` shows of a claim read with its scope, kind, successor and run, to `request.actor`."""
    actor, path = request.actor, claim.scope.path
    (card,) = cards_of([claim], actor, previews([claim]))
    if refusal:
        card.refuse(refusal)
    return {
        "card": card,
        "steps": verbs_offered(claim),
        "may_observe": actor.access.may(Right.OBSERVE, path),
        "may_curate": actor.access.may(Right.CURATE, path),
        "may_read_again": bool(card.quotes) and actor.access.may(Right.INGEST, path),
        **history_of("claim", claim.pk, claim.ref, actor.access, request.GET),
        **as_it_was(request, claim),
        "colleagues": colleagues_of(actor.access) if card.waits else [],
        **relations(claim, actor.access),
        **choices(request),
    }


def verbs_offered(claim: Claim) -> list[Verb]:
    """What can be done to the claim as it stands; first what leaves its status alone."""
    offered = [verb for verb in Verb if verb.row.label and not hindrance(verb, claim)]
    return sorted(offered, key=lambda verb: bool(verb.row.target))


def as_it_was(request: ScreenRequest, claim: Claim) -> dict[str, Any]:
    """What the claim was at the time that the address asks for, and how that differs from now."""
    clocks = as_of_from(request.GET, claim.scope.timezone)
    name = "entity" if claim.promoted_at else "candidate"
    shown: dict[str, Any] = {"clocks": clocks, "clocks_at": reverse(name, args=[claim.ref])}
    if clocks.asked:
        found = claim_as_of(claim, as_of=clocks.as_of, believed_at=clocks.believed_at)
        then = found.claim.statement if found.claim else claim.statement
        shown["as_of"] = found
        shown["as_of_pieces"] = difference(then, claim.statement) if then != claim.statement else []
    return shown


def relations(claim: Claim, access: Access) -> dict[str, Any]:
    """What points at the claim: what it replaced or took in, what it grew from (P16) and into, what trusts it, what contradicts
    it, why it is there, and how it stands."""
    scoped = Claim.objects.select_related("scope")
    memories = scoped.filter(pk__in=[claim.graduates_id] if claim.graduates_id else []).defer("search")
    grown = scoped.filter(graduates=claim.pk).order_by("-pk")
    kin = scoped.filter(successor=claim.pk).only("ref", "status", "statement", "scope__path").order_by("pk")
    trusted = TrustedState.objects.filter(cites__contains=[claim.ref], status="current").select_related("scope")
    disputes = ConflictMember.objects.filter(claim=claim.pk, conflict__status="open")
    return {
        "grown_from": next(iter(_readable(memories, access)), None),
        "grows_into": _readable(grown[:MAX_GROWN], access),
        "kin": _readable(kin[:MAX_KIN], access),
        "trusted": _readable(trusted.order_by("pk")[:MAX_TRUSTED], access),
        "conflict_ids": list(disputes.values_list("conflict_id", flat=True)),
        "why": why(claim.ref, access) if claim.promoted_at else None,
        "stands": _standing_words(claim) if claim.promoted_at else [],
    }


def _standing_words(claim: Claim) -> list[str]:
    return [*standing_of([claim])[claim.pk].words, shown_counts(claim.ref).words]


def _readable[Row: (Claim, TrustedState)](rows: Iterable[Row], access: Access) -> list[Row]:
    return [row for row in rows if access.may(Right.READ, row.scope.path)]
