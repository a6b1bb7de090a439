"""Items: their fields with value, origin and source, and a person's hand over them (T10, T11)."""

from collections.abc import Callable
from typing import TypedDict

from django.http import HttpResponse
from ninja import Router

from ledger.actions.idempotency import once_per_key
from ledger.actions.locking import retry_lost_races
from ledger.actions.override import override, release
from ledger.actor import ActorRequest
from ledger.models import JournalEvent, Scope, Tier
from ledger.projections.items import item_at, items_of
from ledger.reads.page import check_limit, decode_cursor, page_of
from ledger.reads.scopes import scope_at, visible
from ledger.rules.permissions import Right
from review.api.answers import event_answer
from review.api.bodies import FieldIn
from review.api.event_shapes import EventShape
from review.api.item_shapes import ItemFieldsShape, items_shape
from review.api.shapes import PageShape, answer, page

router = Router(tags=["items"])


class FieldWrittenShape(TypedDict):
    item: ItemFieldsShape
    event: EventShape


@router.get("/items", response=PageShape[ItemFieldsShape])
def list_items(
    request: ActorRequest, scope: str, limit: int = 50, cursor: str | None = None, count: bool = False
) -> HttpResponse:
    """The items at and below a scope, by path, each with its fields."""
    access = request.actor.access
    rows = visible(access, root=scope_at(scope, access).path).filter(tier=Tier.ITEM)
    total = rows.count() if count else None
    if cursor:
        rows = rows.filter(path__gt=decode_cursor(cursor, (str,))[0])
    found = page_of(list(rows.order_by("path")[: check_limit(limit) + 1]), limit, lambda row: [row.path], total=total)
    return page(found, items_shape(items_of(found.items), access))


@router.get("/items/{id}", response=ItemFieldsShape)
def get_item(request: ActorRequest, id: str) -> HttpResponse:
    """One item with its fields."""
    access = request.actor.access
    return answer(items_shape(items_of([item_at(id, access)]), access)[0])


@router.put("/items/{id}/fields/{path:key}", response=FieldWrittenShape)
def put_field(request: ActorRequest, id: str, key: str, body: FieldIn) -> HttpResponse:
    """Type a value over a field: it stands there whatever facts say, until somebody gives it up. Undone like any decision."""
    return _written(
        request,
        id,
        lambda item: override(item, key, body.value, actor=request.actor, seen=body.seen, reason=body.reason),
    )


@router.delete("/items/{id}/fields/{path:key}", response=FieldWrittenShape)
def delete_field(request: ActorRequest, id: str, key: str, seen: str | None = None, reason: str = "") -> HttpResponse:
    """Give up what was typed over a field: the facts hold again."""
    return _written(request, id, lambda item: release(item, key, actor=request.actor, seen=seen, reason=reason))


@retry_lost_races
def _written(request: ActorRequest, id: str, write: Callable[[Scope], JournalEvent]) -> HttpResponse:
    actor = request.actor
    item = item_at(id, actor.access, right=Right.REVIEW)
    done = once_per_key(request, f"fields/{item.pk}", lambda: (200, write(item).pk))
    shape = items_shape(items_of([item]), actor.access)[0]
    if not actor.access.may(Right.READ, item.path):
        # A token that may decide and not read is told that it is done, and no words.
        shape = {**shape, "name": "", "stage": "", "fields": []}
    return answer({"item": shape, "event": event_answer(done.outcome, actor)})
