"""Items: their fields with value, origin and source, and a person's hand over them (T10, T11)."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, TypedDict

from django.http import HttpResponse
from ninja import Router

from ledger.actions.idempotency import once_per_key
from ledger.actions.locking import retry_lost_races
from ledger.actions.override import override, release
from ledger.actor import ActorRequest
from ledger.models import JournalEvent, Scope, Tier
from ledger.projections.items import Item, ItemField, Origin, item_at, items_of
from ledger.reads.claims import evidence_of
from ledger.reads.page import check_limit, decode_cursor, page_of
from ledger.reads.scopes import scope_at, visible
from ledger.rules.permissions import Access, Right
from review.api.answers import event_answer
from review.api.bodies import FieldIn
from review.api.event_shapes import EventShape
from review.api.shapes import Evidences, EvidenceShape, PageShape, answer, evidence_shape, page

router = Router(tags=["items"])


class FieldShape(TypedDict):
    """One field. `origin`: what somebody typed over it, else the newest fact that holds, else the key's default, else none. `ref`
    is the claim that says it, `source` the words that it rests on; `others` hold on the key beside it, and `newer` are those of
    them that say otherwise since somebody typed over the field, which makes it `stale`."""

    key: str
    title: str
    value: Any
    value_type: str
    unit: str
    required: bool
    high_risk: bool
    origin: Origin
    ref: str | None
    since: datetime | None
    source: EvidenceShape | None
    others: list[str]
    newer: list[str]
    stale: bool


class ItemFieldsShape(TypedDict):
    """A scope of tier item with its fields."""

    id: int
    scope: str
    project: str
    name: str
    stage: str
    fields: list[FieldShape]


class FieldWrittenShape(TypedDict):
    item: ItemFieldsShape
    event: EventShape


def items_shape(items: Sequence[Item], access: Access) -> list[ItemFieldsShape]:
    """One query for the words of all of them."""
    words = evidence_of(claim.pk for item in items for claim in item.claims)
    return [
        {
            "id": item.scope.pk,
            "scope": item.scope.path,
            "project": item.scope.path.rpartition("/")[0],
            "name": item.scope.name,
            "stage": item.scope.stage,
            "fields": [_field_shape(field, words, access) for field in item.fields],
        }
        for item in items
    ]


def _field_shape(field: ItemField, words: Evidences, access: Access) -> FieldShape:
    spec, claim, newer = field.spec, field.claim, field.newer
    said = [one for one in words[claim.pk] if one.stance == "supports"] if claim else []
    return {
        "key": spec.key,
        "title": spec.title or spec.key,
        "value": field.value,
        "value_type": spec.value_type or (claim.value_type if claim else ""),
        "unit": spec.unit,
        "required": spec.required,
        "high_risk": spec.high_risk,
        "origin": field.origin,
        "ref": claim.ref if claim else None,
        "since": claim.promoted_at if claim else None,
        "source": evidence_shape(said[-1], access) if said else None,
        "others": [one.ref for one in field.others],
        "newer": [one.ref for one in newer],
        "stale": bool(newer),
    }


@router.get("/items", response=PageShape[ItemFieldsShape])
def list_items(request: ActorRequest, scope: str, limit: int = 50, cursor: str | None = None) -> HttpResponse:
    """The items at and below a scope, by path, each with its fields."""
    access = request.actor.access
    rows = visible(access, root=scope_at(scope, access).path).filter(tier=Tier.ITEM)
    if cursor:
        rows = rows.filter(path__gt=decode_cursor(cursor, (str,))[0])
    found = page_of(list(rows.order_by("path")[: check_limit(limit) + 1]), limit, lambda row: [row.path])
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
        shape["fields"] = []
    return answer({"item": shape, "event": event_answer(done.outcome, actor)})
