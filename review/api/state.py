"""Trusted state, read by anybody who may read, written by a signed-in person only; conflicts; why and why not."""

from collections.abc import Callable
from typing import TypedDict

from django.http import HttpResponse
from ninja import Router

from ledger.actions.conflict import dismiss, resolve
from ledger.actions.curate import curate, retract
from ledger.actions.idempotency import once_per_key
from ledger.actor import Actor, ActorRequest
from ledger.errors import Forbidden, Invalid
from ledger.models import Conflict, JournalEvent, Scope, TrustedState
from ledger.reads.conflicts import conflict_at, conflict_sides, conflicts, trusted_in_open_conflict
from ledger.reads.history import event_by_id
from ledger.reads.scopes import scope_at
from ledger.reads.state import trusted_state
from ledger.reads.why import why
from ledger.reads.why_not import why_not
from ledger.rules.permissions import Right
from review.api.answers import conflict_answer, event_answer
from review.api.bodies import CurateIn, DecisionIn, Moment, Reason, ResolveIn, RetractIn, ScopePath
from review.api.event_shapes import EventShape, event_shape
from review.api.shapes import PageShape, answer, page
from review.api.state_shapes import (
    ConflictShape,
    ReasonShape,
    TrustedShape,
    WhyShape,
    conflict_shapes,
    reason_shape,
    trusted_shape,
    why_shape,
)

router = Router(tags=["state"])


class CuratedShape(TypedDict):
    item: TrustedShape
    event: EventShape


class SettledShape(TypedDict):
    conflict: ConflictShape
    event: EventShape


class WhyNotShape(TypedDict):
    answers: list[ReasonShape]


@router.get("/state", response=PageShape[TrustedShape])
def get_state(request: ActorRequest, scope: str, as_of: Moment | None = None) -> HttpResponse:
    """The trusted values in force: the scope's own and its ancestors', the nearest of each key."""
    place = scope_at(scope, request.actor.access)
    items = [trusted_shape(one.row, disputed=one.disputed) for one in trusted_state(place, at=as_of)]
    shape: PageShape[TrustedShape] = {"items": items, "next": None}
    return answer(shape)


@router.put("/state/{path:key}", response=CuratedShape)
def put_state(request: ActorRequest, key: str, body: CurateIn) -> HttpResponse:
    """Set a trusted value: words that a signed-in person typed or confirmed. A bearer token is refused (law 4)."""
    actor, scope = _by_hand(request, body.scope)
    return _curated(
        request,
        actor,
        scope,
        key,
        lambda: curate(
            scope,
            key,
            statement=body.statement,
            value=body.value,
            cites=body.cites,
            reason=body.reason,
            expected_version=body.version,
            actor=actor,
        ),
    )


@router.delete("/state/{path:key}", response=CuratedShape)
def delete_state(
    request: ActorRequest, key: str, body: RetractIn | None = None, scope: ScopePath | None = None, reason: Reason = ""
) -> HttpResponse:
    """Retract a trusted value; the row stays. `scope` and `reason` stand in the body or in the query."""
    body = body or RetractIn(scope=scope or "", reason=reason)
    actor, place = _by_hand(request, body.scope)
    return _curated(
        request,
        actor,
        place,
        key,
        lambda: retract(place, key.strip(), reason=body.reason, expected_version=body.version, actor=actor),
    )


def _by_hand(request: ActorRequest, path: str) -> tuple[Actor, Scope]:
    """The signed-in person as the screens' door knows them, and the scope."""
    actor = request.actor
    if not path:
        raise Invalid("name the scope", field="scope")
    scope = scope_at(path, actor.access)
    if actor.token_id is not None or actor.user_id is None:
        raise Forbidden("trusted state changes by a person's own hand, signed in; a bearer token never curates")
    return actor.through("screen"), scope


def _curated(
    request: ActorRequest, actor: Actor, scope: Scope, key: str, do: Callable[[], JournalEvent]
) -> HttpResponse:
    """`{"item", "event"}`: the row that the event set or retracted."""

    def write() -> tuple[int, dict[str, int]]:
        return 200, {"event": do().pk}

    route = f"{request.method} state {scope.pk} {key}"[:200]
    done = once_per_key(request, route, write)
    event = event_by_id(done.outcome["event"])
    row = TrustedState.objects.select_related("scope").get(ref=event.ref)
    item = trusted_shape(row, disputed=bool(trusted_in_open_conflict([row.pk])))
    shape: CuratedShape = {"item": item, "event": event_shape(event, request.actor.access)}
    return answer(shape)


@router.get("/conflicts", response=PageShape[ConflictShape])
def list_conflicts(
    request: ActorRequest,
    scope: str | None = None,
    descend: bool = False,
    status: str = "open",
    limit: int = 50,
    cursor: str | None = None,
    count: bool = False,
) -> HttpResponse:
    """Claims that cannot all be true, the newest conflict first."""
    access = request.actor.access
    found = conflicts(access, scope=scope, descend=descend, status=status, limit=limit, cursor=cursor, count=count)
    return page(found, conflict_shapes(found.items, access))


@router.get("/conflicts/{id}", response=ConflictShape)
def get_conflict(request: ActorRequest, id: str) -> HttpResponse:
    """One conflict with its members."""
    access = request.actor.access
    return answer(conflict_shapes([conflict_at(id, access)], access)[0])


@router.post("/conflicts/{id}/resolve", response=SettledShape)
def resolve_conflict(request: ActorRequest, id: str, body: ResolveIn) -> HttpResponse:
    """`winner` (id or ref) holds, the others are superseded by it. Trusted state never loses. `{"conflict", "event"}`."""
    actor = request.actor
    row = conflict_at(id, actor.access, right=Right.REVIEW)
    winner = body.winner.strip().upper()
    by_id = {str(side.claim.pk): side.claim.ref for side in conflict_sides([row])[row.pk] if side.claim}
    winner = by_id.get(winner, winner)
    return _settled(
        request,
        row,
        lambda: resolve(row, winner=winner, actor=actor, expected_version=body.version, reason=body.reason),
    )


@router.post("/conflicts/{id}/dismiss", response=SettledShape)
def dismiss_conflict(request: ActorRequest, id: str, body: DecisionIn | None = None) -> HttpResponse:
    """No real conflict: all of it holds. `{"conflict", "event"}`."""
    actor, body = request.actor, body or DecisionIn()
    row = conflict_at(id, actor.access, right=Right.REVIEW)
    return _settled(request, row, lambda: dismiss(row, actor=actor, expected_version=body.version, reason=body.reason))


def _settled(request: ActorRequest, row: Conflict, do: Callable[[], JournalEvent]) -> HttpResponse:
    actor = request.actor
    route = f"{request.resolver_match.url_name if request.resolver_match else 'conflict'}:{row.pk}"

    def write() -> tuple[int, dict[str, int]]:
        return 200, {"event": do().pk}

    done = once_per_key(request, route, write)
    fresh = Conflict.objects.select_related("scope").get(pk=row.pk)
    shape: SettledShape = {
        "conflict": conflict_answer(fresh, actor.access),
        "event": event_answer(done.outcome["event"], actor),
    }
    return answer(shape)


@router.get("/why", response=WhyShape)
def get_why(request: ActorRequest, ref: str) -> HttpResponse:
    """Why a trusted value or a claim is there, each step checked while it is read."""
    access = request.actor.access
    return answer(why_shape(why(ref, access), access))


@router.get("/why-not", response=WhyNotShape)
def get_why_not(request: ActorRequest, scope: str, q: str) -> HttpResponse:
    """Why something does not hold here: `{"answers": [{ref?, statement, reason, event?}]}`. `q` is words, a question or a ref;
    without an answer nobody said this, as far as the caller may read."""
    access = request.actor.access
    answers = why_not(scope_at(scope, access), q, access)
    shape: WhyNotShape = {"answers": [reason_shape(one, access) for one in answers]}
    return answer(shape)
