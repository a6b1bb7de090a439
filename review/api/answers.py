"""What decisions answer: the row as it now stands and the event, built from ids, so that a repeated request answers alike."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, TypedDict

from django.http import HttpResponse
from ninja import Router

from ledger.actions.idempotency import once_per_key
from ledger.actor import Actor, ActorRequest
from ledger.models import Claim, Conflict, JournalEvent, Scope, TrustedState
from ledger.reads.claims import claim_rows, evidence_of
from ledger.reads.history import event_by_id
from ledger.rules.permissions import Access, Right
from ledger.verbs import Verb
from review.api.bodies import DecisionIn, EditIn
from review.api.event_shapes import EventShape, event_shape
from review.api.scope_shapes import scope_shape
from review.api.shapes import CandidateShape, EntityShape, Shape, answer, candidate_shapes, entity_shapes, withheld
from review.api.state_shapes import ConflictShape, conflict_shapes, trusted_shape

NOTHING_MORE: Mapping[str, Any] = MappingProxyType({})


class DecisionShape(TypedDict):
    candidate: CandidateShape
    entity: EntityShape | None
    event: EventShape | None


def decide_once(
    request: ActorRequest,
    verb: Verb,
    claim: Claim,
    body: DecisionIn | EditIn,
    arguments: Mapping[str, Any] | Callable[[], Mapping[str, Any]] = NOTHING_MORE,
    **more: Callable[[], Any],
) -> HttpResponse:
    """Carry out a verb on a claim, at most once under its Idempotency-Key, and answer it. `arguments` are what the verb takes
    beside version and reason; a callable where finding them writes something, such as a note. What `more`
    tells afterwards joins the answer."""

    def write() -> tuple[int, Shape]:
        event = verb.function()(
            claim,
            actor=request.actor,
            expected_version=body.version,
            reason=body.reason,
            **(arguments() if callable(arguments) else arguments),
        )
        # Where two people decide, the first one's word is taken and nothing is promoted yet.
        return 202 if event.verb == Verb.APPROVE else 200, {"claim": claim.pk, "event": event.pk}

    done = once_per_key(request, f"{verb}:{claim.pk}", write)
    shape = decision(claim.pk, done.outcome["event"], request.actor)
    return answer({**shape, **{name: tell() for name, tell in more.items()}}, done.status)


def add_plain_verbs(router: Router, path: str, find: Callable[..., Claim], *, operation_id: str, summary: str) -> None:
    """An endpoint for each verb whose row names this path: what takes a version and a reason and nothing more."""
    for verb in Verb:
        if verb.row.path == path:
            router.post(
                f"/{path}/{{id}}/{verb}",
                response=DecisionShape,
                operation_id=operation_id.format(verb),
                summary=summary.format(verb.title()),
                description=verb.row.about,
            )(_plain_endpoint(verb, find))


def _plain_endpoint(verb: Verb, find: Callable[..., Claim]) -> Callable[..., HttpResponse]:
    def endpoint(request: ActorRequest, id: str, body: DecisionIn | None = None) -> HttpResponse:
        claim = find(id, request.actor.access, right=verb.row.right)
        return decide_once(request, verb, claim, body or DecisionIn())

    return endpoint


def decision(claim_id: int, event_id: int | None, actor: Actor, *, own: bool = False) -> DecisionShape:
    """`{"candidate": C, "entity": N | null, "event": V | null}`. What joined an entity shows the one it joined.

    To a token that may not read it tells ids and states only, unless the words are the caller's `own`.
    """
    claim = claim_rows().select_related("scope", "successor__scope").get(pk=claim_id)
    holding = claim.successor if claim.status == "merged" and claim.successor else claim
    words = evidence_of([claim.pk, holding.pk])
    candidate = candidate_shapes([claim], actor.access, words)[0]
    entity = entity_shapes([holding], actor.access, words)[0] if holding.promoted_at else None
    if not (own or actor.access.may(Right.READ, claim.scope.path)):
        candidate, entity = withheld(candidate), withheld(entity) if entity else None
    return {
        "candidate": candidate,
        "entity": entity,
        "event": event_answer(event_id, actor, own=own) if event_id else None,
    }


def event_answer(event: JournalEvent | int, actor: Actor, *, own: bool = False) -> EventShape:
    """V; without its changes for a token that may not read them."""
    event = event_by_id(event) if isinstance(event, int) else event
    shape = event_shape(event, actor.access)
    return shape if own or actor.access.may(Right.READ, event.scope.path) else {**shape, "changes": []}


def conflict_answer(row: Conflict, access: Access) -> ConflictShape:
    """A conflict; without its members for a token that may not read them."""
    shape = conflict_shapes([row], access)[0]
    return shape if access.may(Right.READ, row.scope.path) else {**shape, "members": []}


def claim_answer(row: Claim, access: Access) -> CandidateShape:
    """C; without its words for a token that may not read them."""
    shape = candidate_shapes([row], access)[0]
    return shape if access.may(Right.READ, row.scope.path) else withheld(shape)


def shape_row(request: ActorRequest, row: Any) -> Any:
    """The current row of a `StaleVersion`: C for a claim, else the shape its own list has."""
    shape = CURRENT_ROW.get(type(row))
    return shape(row, request.actor.access) if shape else None


CURRENT_ROW: dict[type, Callable[[Any, Access], Any]] = {
    Claim: claim_answer,
    Conflict: conflict_answer,
    TrustedState: lambda row, access: trusted_shape(row, disputed=False),
    Scope: lambda row, access: scope_shape(row),
}
