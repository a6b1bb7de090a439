"""The journal: read it, follow it, check it, take decisions back."""

from collections.abc import Callable
from functools import partial
from threading import BoundedSemaphore
from time import monotonic, sleep
from typing import Annotated, TypedDict
from uuid import UUID

from django.http import HttpResponse
from ninja import Field, Router

from ledger.actions.idempotency import once_per_key
from ledger.actions.undo import undo, undo_batch
from ledger.actor import ActorRequest
from ledger.errors import Forbidden
from ledger.reads.history import event_at, event_rows
from ledger.reads.journal import JournalPage, batch_id, check_chain, journal_page
from ledger.rules.permissions import Right
from review.api.answers import event_answer
from review.api.bodies import UndoIn
from review.api.event_shapes import EventShape, event_shape
from review.api.shapes import answer, page, tagged

router = Router(tags=["journal"])


class VerifiedShape(TypedDict):
    ok: bool
    events: int
    sealed: int
    root: str
    redacted: int
    broken: list[int]


class UndoneShape(TypedDict):
    event: EventShape


class UndoneBatchShape(TypedDict):
    events: list[EventShape]
    batch: UUID | None


class JournalPageShape(TypedDict):
    items: list[EventShape]
    next: str | None
    cursor: str


# A page that waits keeps a thread of the server: so many at once, and whoever comes then is answered at once.
MAX_WAIT_S = 25
waiting = BoundedSemaphore(4)


@router.get("/journal", response=JournalPageShape, openapi_extra={"responses": {304: {"description": "Not Modified"}}})
def list_journal(
    request: ActorRequest,
    after: str | None = None,
    cursor: str | None = None,
    scope: str | None = None,
    descend: bool = False,
    ref: str | None = None,
    batch: str | None = None,
    policy: str | None = None,
    verb: str = "",
    kind: str = "",
    order: str = "oldest",
    wait: Annotated[int, Field(ge=0, le=MAX_WAIT_S)] = 0,
    limit: int = 50,
) -> HttpResponse:
    """`{"items": [V], "next", "cursor"}`, the oldest first, `order=newest` the other way. Who follows the journal gives `cursor`
    back as `after`, and with `wait` is answered when something has happened, or after so many seconds. `verb` asks for one verb,
    `kind` for what happened to claims of a kind; `policy` lists what a policy did. The same page has the same ETag: 304 where the
    caller has it."""
    access = request.actor.access
    asked = partial(
        journal_page,
        access,
        after=after or cursor,
        scope=scope,
        descend=descend,
        ref=ref,
        batch=batch,
        policy=policy,
        verb=verb,
        kind=kind,
        newest=order == "newest",
        limit=limit,
    )
    found = _awaited(asked, wait)
    return tagged(request, page(found, [event_shape(event, access) for event in found.items]))


def _awaited(asked: Callable[[], JournalPage], wait_s: int) -> JournalPage:
    """The first page that holds something, or the last empty one."""
    until = monotonic() + wait_s
    found = asked()
    if found.items or not wait_s or not waiting.acquire(blocking=False):
        return found
    try:
        while not found.items and monotonic() < until:
            sleep(0.5)
            found = asked()
    finally:
        waiting.release()
    return found


@router.get("/journal/verify", response=VerifiedShape)
def verify_journal(request: ActorRequest) -> HttpResponse:
    """Every digest of the chain computed again: `{ok, events, sealed, root, redacted}`."""
    access = request.actor.access
    if not any(access.may(Right.READ, root) for root in access.roots()):
        raise Forbidden("the journal is verified by those who may read some of it")
    return answer(check_chain())


@router.get("/journal/{id}", response=EventShape)
def get_event(request: ActorRequest, id: str) -> HttpResponse:
    """One event."""
    access = request.actor.access
    return answer(event_shape(event_at(id, access, right=Right.READ), access))


@router.post("/journal/{id}/undo", response=UndoneShape)
def undo_event(request: ActorRequest, id: str, body: UndoIn | None = None) -> HttpResponse:
    """Take a decision back: `{"event": V}`. 409 `in_the_way` names the later event whose work would be lost."""
    actor, body = request.actor, body or UndoIn()
    event = event_at(id, actor.access)
    done = once_per_key(
        request,
        f"undo:{event.pk}",
        lambda: (200, {"event": undo(event, actor=actor, reason=body.reason).pk}),
    )
    shape: UndoneShape = {"event": event_answer(done.outcome["event"], actor)}
    return answer(shape, done.status)


@router.post("/journal/batch/{batch}/undo", response=UndoneBatchShape)
def undo_whole_batch(request: ActorRequest, batch: str, body: UndoIn | None = None) -> HttpResponse:
    """Take all of a batch back, or nothing: `{"events": [V], "batch"}`, the undo's own batch."""
    actor, body = request.actor, body or UndoIn()
    named = batch_id(batch)

    def write() -> tuple[int, list[int]]:
        return 200, [event.pk for event in undo_batch(named, actor=actor, reason=body.reason)]

    done = once_per_key(request, f"undo-batch:{named}", write)
    events = list(event_rows().filter(pk__in=done.outcome).order_by("pk"))
    shapes = [event_answer(event, actor) for event in events]
    shape: UndoneBatchShape = {"events": shapes, "batch": shapes[0]["batch"] if shapes else None}
    return answer(shape, done.status)
