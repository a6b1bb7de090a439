"""What decisions answer: the row as it now stands and the event, built from ids, so that a repeated request answers alike."""

from collections.abc import Callable
from typing import Any

from django.http import HttpResponse

from ledger.actions.once import once
from ledger.actor import Actor, ActorRequest
from ledger.models import Claim, Conflict, JournalEvent, Scope, TrustedState
from ledger.reads.claims import claim_rows
from ledger.reads.history import event_by_id
from ledger.rules.permissions import Access, Right
from review.api.shapes import Shape, answer, candidate_shapes, entity_shapes, event_shape, withheld
from review.api.state_shapes import conflict_shapes, scope_shape, trusted_shape


def decide_once(
    request: ActorRequest, route: str, claim: Claim, do: Callable[[], JournalEvent], **more: Any
) -> HttpResponse:
    """Run one decision on a claim, at most once under its Idempotency-Key, and answer it."""
    actor = request.actor
    key = request.headers.get("Idempotency-Key", "")

    def write() -> tuple[int, Shape]:
        event = do()
        # Where two people decide, the first one's word is taken and nothing is promoted yet.
        return 202 if event.verb == "approve" else 200, {"claim": claim.pk, "event": event.pk}

    done = once(actor, f"{route}:{claim.pk}", key, request.body, write)
    return answer(decision(done.outcome["claim"], done.outcome["event"], actor) | more, done.status)


def decision(claim_id: int, event_id: int | None, actor: Actor, *, own: bool = False) -> Shape:
    """`{"candidate": C, "entity": N | null, "event": V | null}`. What joined an entity shows the one it joined.

    To a token that may not read it tells ids and states only, unless the words are the caller's `own`.
    """
    claim = claim_rows().select_related("scope", "successor__scope").get(pk=claim_id)
    entity = claim if claim.promoted_at else claim.successor if claim.status == "merged" else None
    if entity is not None and entity.promoted_at is None:
        entity = None
    shown = own or actor.access.may(Right.READ, claim.scope.path)
    candidate = candidate_shapes([claim], actor.access)[0]
    held = entity_shapes([entity], actor.access)[0] if entity else None
    return {
        "candidate": candidate if shown else withheld(candidate),
        "entity": held if shown or held is None else withheld(held),
        "event": event_answer(event_id, actor, own=own) if event_id else None,
    }


def event_answer(event: JournalEvent | int, actor: Actor, *, own: bool = False) -> Shape:
    """V; without its changes for a token that may not read them."""
    event = event_by_id(event) if isinstance(event, int) else event
    shown = own or actor.access.may(Right.READ, event.scope.path)
    return event_shape(event, actor.access) | ({} if shown else {"changes": []})


def conflict_answer(row: Conflict, access: Access) -> Shape:
    """A conflict; without its members for a token that may not read them."""
    shape = conflict_shapes([row], access)[0]
    return shape if access.may(Right.READ, row.scope.path) else shape | {"members": []}


def shape_row(request: ActorRequest, row: Any) -> Shape | None:
    """The current row of a `StaleVersion`: C for a claim, else the shape its own list has."""
    access = request.actor.access
    if isinstance(row, Claim):
        shape = candidate_shapes([row], access)[0]
        return shape if access.may(Right.READ, row.scope.path) else withheld(shape)
    if isinstance(row, Conflict):
        return conflict_answer(row, access)
    if isinstance(row, TrustedState):
        return trusted_shape(row, disputed=False)
    if isinstance(row, Scope):
        return scope_shape(row)
    return None
