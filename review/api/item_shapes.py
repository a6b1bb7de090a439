"""The shape of an item: its fields, each with value, origin and source (T10)."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, TypedDict

from ledger.projections.items import Item, ItemField, Origin
from ledger.reads.claims import evidence_of
from ledger.rules.permissions import Access
from review.api.shapes import Evidences, EvidenceShape, evidence_shape


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
