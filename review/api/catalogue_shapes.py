"""The shapes of the catalogue: items, their names, links and prices."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NotRequired, TypedDict

from ledger.actions.catalog_links import NameSuggestions
from ledger.actions.prices import ImportedPrices
from ledger.models import CatalogItem, CatalogLink
from ledger.reads.catalogue import ItemPrices
from ledger.rules.catalogue import CONFIDENT
from ledger.rules.catalogue.prices import Price, SupplierFigures, plain_amount

MAX_LISTED = 200


class SynonymShape(TypedDict):
    id: int
    name: str


class SupplierFiguresShape(TypedDict):
    """What one supplier asks per `unit` in one currency; amounts are decimal texts. The spread reaches from `low` to `high`."""

    supplier: str
    currency: str
    unit: str
    count: int
    median: str
    low: str
    high: str
    last: str
    last_at: datetime


class PriceShape(TypedDict):
    """One observation; `ref` where a claim says so, else `name` as the supplier wrote it."""

    id: int | None
    supplier: str
    amount: str
    unit: str
    currency: str
    at: datetime
    name: str
    ref: str | None


class CatalogItemShape(TypedDict):
    """A canonical item; where one is asked for, with its suppliers' figures and its newest prices."""

    id: int
    scope: str
    name: str
    unit: str
    synonyms: list[SynonymShape]
    status: str
    version: int
    prices_count: NotRequired[int]
    suppliers: NotRequired[list[SupplierFiguresShape]]
    prices: NotRequired[list[PriceShape]]
    event: NotRequired[int]


class LinkedItemShape(TypedDict):
    id: int
    name: str
    unit: str


class CatalogLinkShape(TypedDict):
    """A mapping to a canonical item, of a name or of the claim `ref`; `why` says what both names share."""

    id: int
    scope: str
    name: str
    ref: str | None
    item: LinkedItemShape
    confidence: float
    status: str
    confirmed_by: str
    version: int
    why: NotRequired[str]
    event: NotRequired[int]


class SuggestionShape(TypedDict):
    """`suggestions` are worth one key (at most one, unless it is decided); `unsure` is what a person chooses from."""

    name: str
    suggestions: list[CatalogLinkShape]
    unsure: list[CatalogLinkShape]


class SuggestionsShape(TypedDict):
    """`facts` are links of claims that state a price; `threshold` is the confidence from which one key is enough."""

    items: list[SuggestionShape]
    facts: list[CatalogLinkShape]
    threshold: float


class FaultShape(TypedDict):
    """What is wrong with one row, by its line in the list and its field."""

    line: int
    field: str
    message: str


class ImportShape(TypedDict):
    """`items` were made for names that nothing had; `waiting` are names that an item may be meant by."""

    kept: int
    duplicates: int
    errors: list[FaultShape]
    items: list[CatalogItemShape]
    waiting: list[SuggestionShape]
    event: int | None


def item_shape(row: CatalogItem, counts: Mapping[int, int] | None = None) -> CatalogItemShape:
    """`row` holds its synonyms as `also`, where it has any."""
    also: Sequence[Any] = getattr(row, "also", ())
    shape: CatalogItemShape = {
        "id": row.pk,
        "scope": row.scope.path,
        "name": row.name,
        "unit": row.unit,
        "synonyms": [{"id": one.pk, "name": one.name} for one in also],
        "status": row.status,
        "version": row.version,
    }
    if counts is not None:
        shape["prices_count"] = counts.get(row.pk, 0)
    return shape


def priced_shape(row: CatalogItem, found: ItemPrices) -> CatalogItemShape:
    return {
        **item_shape(row),
        "prices_count": len(found.prices),
        "suppliers": [_figures_shape(one) for one in found.figures],
        "prices": [_price_shape(one) for one in found.prices[:MAX_LISTED]],
    }


def _figures_shape(one: SupplierFigures) -> SupplierFiguresShape:
    return {
        "supplier": one.supplier,
        "currency": one.currency,
        "unit": one.unit,
        "count": one.count,
        "median": plain_amount(one.median),
        "low": plain_amount(one.low),
        "high": plain_amount(one.high),
        "last": plain_amount(one.last),
        "last_at": one.last_at,
    }


def _price_shape(one: Price) -> PriceShape:
    return {
        "id": one.id,
        "supplier": one.supplier,
        "amount": plain_amount(one.amount),
        "unit": one.unit,
        "currency": one.currency,
        "at": one.at,
        "name": one.name,
        "ref": one.ref or None,
    }


def link_shape(row: CatalogLink, why: str | None = None) -> CatalogLinkShape:
    shape: CatalogLinkShape = {
        "id": row.pk,
        "scope": row.scope.path,
        "name": row.name,
        "ref": row.claim.ref if row.claim else None,
        "item": {"id": row.item_id, "name": row.item.name, "unit": row.item.unit},
        "confidence": row.confidence,
        "status": row.status,
        "confirmed_by": row.confirmed_by,
        "version": row.version,
    }
    return shape if why is None else {**shape, "why": why}


def suggestion_shape(found: NameSuggestions) -> SuggestionShape:
    sure = {link.pk for link in found.confident}
    links = [(link.pk in sure, link_shape(link, found.why.get(link.pk, ""))) for link in found.links]
    return {
        "name": found.name,
        "suggestions": [shape for confident, shape in links if confident],
        "unsure": [shape for confident, shape in links if not confident],
    }


def suggestions_shape(found: Sequence[NameSuggestions], facts: Sequence[CatalogLink]) -> SuggestionsShape:
    return {
        "items": [suggestion_shape(one) for one in found],
        "facts": [link_shape(one) for one in facts],
        "threshold": CONFIDENT,
    }


def import_shape(done: ImportedPrices) -> ImportShape:
    return {
        "kept": done.kept,
        "duplicates": done.duplicates,
        "errors": [{"line": one.line, "field": one.field, "message": one.message} for one in done.faults],
        "items": [item_shape(one) for one in done.items],
        "waiting": [suggestion_shape(one) for one in done.waiting],
        "event": done.event.pk if done.event else None,
    }
