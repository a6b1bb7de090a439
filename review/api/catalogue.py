"""The catalogue: canonical items, what they are also called, what is linked to them and what they cost (T12)."""

from typing import Annotated, Any

from django.http import HttpResponse
from ninja import Router
from pydantic import Field, model_validator

from ledger.actions.catalog_links import confirm_link, link_name, reject_link, suggest_facts, suggest_links
from ledger.actions.catalogue import (
    add_catalog_item,
    add_synonym,
    change_catalog_item,
    remove_synonym,
    withdraw_catalog_item,
)
from ledger.actions.idempotency import once_per_key
from ledger.actions.prices import import_prices
from ledger.actor import ActorRequest
from ledger.errors import NotFound
from ledger.models import CatalogItem, JournalEvent, Synonym
from ledger.reads.catalogue import catalogue_page, item_at, link_at, links_page, price_counts, prices_of
from ledger.reads.page import check_choice
from ledger.reads.scopes import scope_at
from ledger.rules.catalogue.prices import rows_of_csv
from ledger.rules.permissions import Right
from review.api.bodies import MAX_ID, DecisionIn, Given, Reason, ScopePath, Strict
from review.api.catalogue_shapes import (
    CatalogItemShape,
    CatalogLinkShape,
    ImportShape,
    SuggestionsShape,
    import_shape,
    item_shape,
    link_shape,
    priced_shape,
    suggestions_shape,
)
from review.api.shapes import PageShape, answer, page

router = Router(tags=["catalogue"])
Name = Annotated[str, Field(min_length=1, max_length=200)]
LINK_STATUSES = ("", "suggested", "confirmed", "rejected", "withdrawn")
Id = Annotated[int, Field(ge=1, le=MAX_ID)]


class CatalogItemIn(Strict):
    scope: ScopePath
    name: Name
    unit: Annotated[str, Field(max_length=30)] = ""
    synonyms: Annotated[list[Name], Field(max_length=100)] = []
    reason: Reason = ""


class CatalogItemChanges(DecisionIn, Given):
    name: Name | None = None
    unit: Annotated[str, Field(max_length=30)] | None = None


class SynonymIn(Strict):
    name: Name
    reason: Reason = ""


class SuggestIn(Strict):
    """With `facts` the prices that hold in the scope, too: the item that each speaks of."""

    scope: ScopePath
    names: Annotated[list[Name], Field(max_length=200)] = []
    facts: bool = False

    @model_validator(mode="after")
    def _something(self) -> "SuggestIn":
        if not (self.names or self.facts):
            raise ValueError("give names, or facts")
        return self


class LinkIn(Strict):
    """A person's own mapping of a name."""

    scope: ScopePath
    name: Name
    item: Id
    reason: Reason = ""


class PricesIn(Strict):
    """`rows` (`name, supplier, amount, unit, currency, date`) or `csv` with a heading line; `supplier`, `currency` and `date`
    stand for what a row leaves out. With `new_items` off, names that nothing has make no items."""

    scope: ScopePath
    rows: Annotated[list[dict[str, Any]], Field(max_length=2_000)] | None = None
    csv: Annotated[str, Field(max_length=2_000_000)] | None = None
    supplier: Annotated[str, Field(max_length=200)] = ""
    currency: Annotated[str, Field(max_length=20)] = ""
    date: Annotated[str, Field(max_length=40)] = ""
    new_items: bool = True
    reason: Reason = ""

    @model_validator(mode="after")
    def _one_of_both(self) -> "PricesIn":
        if (self.rows is None) == (self.csv is None):
            raise ValueError("give rows or csv")
        return self

    def numbered(self) -> list[tuple[int, dict[str, Any]]]:
        return rows_of_csv(self.csv) if self.csv is not None else list(enumerate(self.rows or (), 1))

    def defaults(self) -> dict[str, str]:
        given = {"supplier": self.supplier, "currency": self.currency, "date": self.date}
        return {name: value for name, value in given.items() if value}


@router.get("/catalogue", response=PageShape[CatalogItemShape])
def list_catalogue(
    request: ActorRequest,
    scope: str | None = None,
    q: str = "",
    limit: int = 50,
    cursor: str | None = None,
    count: bool = False,
) -> HttpResponse:
    """Canonical items by name: those that `scope` can name (its own and those above it), else all in sight; `q` is looked for
    in names and synonyms."""
    access = request.actor.access
    found = catalogue_page(access, scope=scope, q=q, cursor=cursor, limit=limit, count=count)
    counts = price_counts(found.items)
    return page(found, [item_shape(row, counts) for row in found.items])


@router.post("/catalogue", response={201: CatalogItemShape})
def post_catalogue_item(request: ActorRequest, body: CatalogItemIn) -> HttpResponse:
    """A new canonical item of a scope; 409 where it has one of that name."""
    actor = request.actor

    def write() -> tuple[int, int]:
        item = add_catalog_item(
            scope_at(body.scope, actor.access, Right.ADMINISTER), body.name, actor=actor, unit=body.unit, synonyms=body.synonyms,
            reason=body.reason,
        )  # fmt: skip
        return 201, item.pk

    done = once_per_key(request, "catalogue", write)
    return answer(item_shape(item_at(done.outcome, actor.access, right=None)), done.status)


@router.post("/catalogue/suggest", response=SuggestionsShape)
def post_suggest(request: ActorRequest, body: SuggestIn) -> HttpResponse:
    """Which items the names can mean, by fixed rules, with a confidence: links that wait for a person. Numbers, units and
    words of one class decide: M6 is never M8, 2.5 mm never 25 mm, red never black. What was rejected is not suggested again."""
    actor, scope = request.actor, scope_at(body.scope, request.actor.access)
    found = suggest_links(scope, body.names, actor=actor) if body.names else []
    facts = suggest_facts(scope, actor=actor) if body.facts else []
    return answer(suggestions_shape(found, facts))


@router.get("/catalogue/links", response=PageShape[CatalogLinkShape])
def list_links(
    request: ActorRequest,
    scope: str | None = None,
    status: str = "",
    limit: int = 50,
    cursor: str | None = None,
    count: bool = False,
) -> HttpResponse:
    """Links, the newest first; `status` suggested, confirmed, rejected or withdrawn."""
    check_choice(status, LINK_STATUSES, "status")
    found = links_page(request.actor.access, scope=scope, status=status, cursor=cursor, limit=limit, count=count)
    return page(found, [link_shape(row) for row in found.items])


@router.post("/catalogue/links", response={201: CatalogLinkShape})
def post_link(request: ActorRequest, body: LinkIn) -> HttpResponse:
    """Link a name to an item that was not suggested; 409 where the name is linked to another one."""
    actor = request.actor

    def write() -> tuple[int, int]:
        scope, item = scope_at(body.scope, actor.access, Right.ADMINISTER), item_at(body.item, actor.access)
        return 201, link_name(scope, body.name, item, actor=actor, reason=body.reason).pk

    done = once_per_key(request, "catalogue links", write)
    return answer(link_shape(link_at(done.outcome, actor.access)), done.status)


@router.post("/catalogue/links/{id}/confirm", response=CatalogLinkShape)
def post_confirm(request: ActorRequest, id: int, body: DecisionIn | None = None) -> HttpResponse:
    """The name, or the claim, is about the item: a mapping decision, undone like any other."""
    return _decide(request, id, body or DecisionIn(), "catalogue confirm", confirm_link)


@router.post("/catalogue/links/{id}/reject", response=CatalogLinkShape)
def post_reject(request: ActorRequest, id: int, body: DecisionIn | None = None) -> HttpResponse:
    """It is another thing. The no is remembered: the same is not suggested again."""
    return _decide(request, id, body or DecisionIn(), "catalogue reject", reject_link)


def _decide(request: ActorRequest, id: int, body: DecisionIn, route: str, verb: Any) -> HttpResponse:
    actor = request.actor

    def write() -> tuple[int, list[int]]:
        link = link_at(id, actor.access, right=Right.READ)
        event: JournalEvent = verb(link, actor=actor, expected_version=body.version, reason=body.reason)
        return 200, [link.pk, event.pk]

    done = once_per_key(request, f"{route} {id}", write)
    pk, event = done.outcome
    return answer({**link_shape(link_at(pk, actor.access)), "event": event}, done.status)


@router.post("/catalogue/prices", response={201: ImportShape, 200: ImportShape})
def post_prices(request: ActorRequest, body: PricesIn) -> HttpResponse:
    """Import a price list. Bad rows are named by line and field, good ones are kept: 201, or 200 where nothing was written. A
    name that nothing has becomes an item; one that an item may be meant by waits for a person."""
    actor = request.actor
    scope = scope_at(body.scope, actor.access, Right.ADMINISTER)
    done = import_prices(
        scope, body.numbered(), actor=actor, defaults=body.defaults(), new_items=body.new_items, reason=body.reason
    )
    return answer(import_shape(done), 201 if done.event else 200)


@router.get("/catalogue/{id}", response=CatalogItemShape)
def get_catalogue_item(request: ActorRequest, id: int) -> HttpResponse:
    """One item: its suppliers' figures (median, spread, last, count; by currency and unit) and its newest prices."""
    access = request.actor.access
    item = item_at(id, access)
    return answer(priced_shape(item, prices_of(item, access)))


@router.patch("/catalogue/{id}", response=CatalogItemShape)
def patch_catalogue_item(request: ActorRequest, id: int, body: CatalogItemChanges) -> HttpResponse:
    """Rename an item, or name the unit that its prices are compared per."""
    item = item_at(id, request.actor.access)
    event = change_catalog_item(
        item, actor=request.actor, name=body.name, unit=body.unit, expected_version=body.version, reason=body.reason
    )
    return _after(request, item, event)


@router.post("/catalogue/{id}/withdraw", response=CatalogItemShape)
def post_withdraw(request: ActorRequest, id: int, body: DecisionIn | None = None) -> HttpResponse:
    """Take an item out of the catalogue; its prices and links keep their rows."""
    item, body = item_at(id, request.actor.access), body or DecisionIn()
    event = withdraw_catalog_item(item, actor=request.actor, expected_version=body.version, reason=body.reason)
    return _after(request, item, event)


@router.post("/catalogue/{id}/synonyms", response={201: CatalogItemShape})
def post_synonym(request: ActorRequest, id: int, body: SynonymIn) -> HttpResponse:
    """What an item is also called; 409 where it is called so already."""
    actor = request.actor

    def write() -> tuple[int, int]:
        item = item_at(id, actor.access)
        add_synonym(item, body.name, actor=actor, reason=body.reason)
        return 201, item.pk

    done = once_per_key(request, f"catalogue synonyms {id}", write)
    return answer(item_shape(item_at(done.outcome, actor.access, right=None)), done.status)


@router.delete("/catalogue/{id}/synonyms/{synonym}", response=CatalogItemShape)
def delete_synonym(request: ActorRequest, id: int, synonym: int) -> HttpResponse:
    """An item is not called so any more."""
    item = item_at(id, request.actor.access)
    row = Synonym.objects.filter(pk=min(synonym, MAX_ID), item=item).select_related("item__scope").first()
    if row is None:
        raise NotFound(f"{item.name} has no synonym {synonym}")
    return _after(request, item, remove_synonym(row, actor=request.actor))


def _after(request: ActorRequest, item: CatalogItem, event: JournalEvent) -> HttpResponse:
    return answer({**item_shape(item_at(item.pk, request.actor.access, right=None)), "event": event.pk})
