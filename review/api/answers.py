"""What decisions answer: the row as it now stands and the event, built from ids, so that a repeated request answers alike."""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse

from ledger.actions.once import once
from ledger.actor import Actor
from ledger.models import Claim, Conflict, JournalEvent, Scope, TrustedState
from ledger.reads.claims import claim_rows
from ledger.reads.history import event_by_id
from review.api.shapes import Shape, answer, candidate_shapes, entity_shapes, event_shape
from review.api.state_shapes import conflict_shapes, scope_shape, trusted_shape


def actor_of(request: HttpRequest) -> Actor:
    actor: Actor = request.actor  # type: ignore[attr-defined]
    return actor


def decide_once(
    request: HttpRequest, route: str, claim: Claim, do: Callable[[], JournalEvent], **more: Any
) -> HttpResponse:
    """Run one decision on a claim, at most once under its Idempotency-Key, and answer it."""
    actor = actor_of(request)
    key = request.headers.get("Idempotency-Key", "")

    def write() -> tuple[int, Shape]:
        return 200, {"claim": claim.pk, "event": do().pk}

    done = once(actor, f"{route}:{claim.pk}", key, request.body, write)
    return answer(decision(done.outcome["claim"], done.outcome["event"], actor) | more, done.status)


def decision(claim_id: int, event_id: int | None, actor: Actor) -> Shape:
    """`{"candidate": C, "entity": N | null, "event": V | null}`. What joined an entity shows the one it joined."""
    claim = claim_rows().select_related("scope", "successor__scope").get(pk=claim_id)
    entity = claim if claim.promoted_at else claim.successor if claim.status == "merged" else None
    if entity is not None and entity.promoted_at is None:
        entity = None
    return {
        "candidate": candidate_shapes([claim], actor.access)[0],
        "entity": entity_shapes([entity], actor.access)[0] if entity else None,
        "event": event_shape(event_by_id(event_id)) if event_id else None,
    }


def shape_row(request: HttpRequest, row: Any) -> Shape | None:
    """The current row of a `StaleVersion`: C for a claim, else the shape its own list has."""
    access = actor_of(request).access
    if isinstance(row, Claim):
        return candidate_shapes([row], access)[0]
    if isinstance(row, Conflict):
        return conflict_shapes([row], access)[0]
    if isinstance(row, TrustedState):
        return trusted_shape(row, disputed=False)
    if isinstance(row, Scope):
        return scope_shape(row)
    return None
