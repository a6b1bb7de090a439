"""The catalogue of a scope: its own items and those of the scopes above it, with what they are also called and cost (T12)."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import Count, Exists, OuterRef, Prefetch, Q, QuerySet

from ledger.models import CatalogItem, CatalogLink, Claim, PriceObservation, Scope, Synonym
from ledger.reads.page import Page, check_limit, decode_cursor, newest_page, page_of
from ledger.reads.scopes import ancestor_paths, require_sight, row_id, scope_at, visible
from ledger.rules.catalogue import normal_form
from ledger.rules.catalogue.prices import Price, SupplierFigures, supplier_figures
from ledger.rules.catalogue.wording import price_terms, states_price
from ledger.rules.permissions import Access, Right

MAX_PRICES: Final = 2_000
CURRENT = Q(status="current")
_SYNONYMS = Prefetch("synonyms", Synonym.objects.filter(CURRENT).order_by("name", "pk"), to_attr="also")


@dataclass(frozen=True, slots=True)
class ItemPrices:
    """What an item costs: its observations, the newest first, and the figures of each supplier."""

    prices: list[Price]
    figures: list[SupplierFigures]


def items_of(scope: Scope) -> QuerySet[CatalogItem]:
    """The items that a scope can name: its own and those above it."""
    return CatalogItem.objects.filter(CURRENT, scope__path__in=ancestor_paths(scope.path))


def catalogue_page(
    access: Access,
    *,
    scope: str | None = None,
    q: str = "",
    cursor: str | None = None,
    limit: int = 50,
    count: bool = False,
) -> Page[CatalogItem]:
    """Current items by name; those that `scope` can name, else all in sight. `q` is looked for in names and synonyms."""
    rows = items_of(scope_at(scope, access)) if scope is not None else _items_in_sight(access)
    for word in q.split()[:8]:
        also = Synonym.objects.filter(CURRENT, name__icontains=word).values("item")
        rows = rows.filter(Q(name__icontains=word) | Q(pk__in=also))
    total = rows.count() if count else None
    if cursor:
        name, pk = decode_cursor(cursor, (str, int))
        rows = rows.filter(Q(name__gt=name) | Q(name=name, pk__gt=pk))
    found = rows.select_related("scope").prefetch_related(_SYNONYMS).order_by("name", "pk")[: check_limit(limit) + 1]
    return page_of(list(found), limit, lambda row: [row.name, row.pk], total=total)


def _items_in_sight(access: Access) -> QuerySet[CatalogItem]:
    return CatalogItem.objects.filter(CURRENT, scope__in=visible(access))


def item_at(pk: int | str, access: Access, *, right: Right | None = Right.READ) -> CatalogItem:
    """One item, with its synonyms as `also`. Raises `NotFound` and `Forbidden` by its scope."""
    rows = CatalogItem.objects.select_related("scope").prefetch_related(_SYNONYMS)
    return require_sight(rows.filter(pk=row_id(pk)).first(), access, f"no catalogue item {str(pk)[:60]!r}", right=right)


def link_at(pk: int | str, access: Access, *, right: Right | None = None) -> CatalogLink:
    row = link_rows().filter(pk=row_id(pk)).first()
    return require_sight(row, access, f"no catalogue link {str(pk)[:60]!r}", right=right)


def link_rows() -> QuerySet[CatalogLink]:
    return CatalogLink.objects.select_related("scope", "item__scope", "claim").defer("claim__search")


def links_page(
    access: Access,
    *,
    scope: str | None = None,
    status: str = "",
    cursor: str | None = None,
    limit: int = 50,
    count: bool = False,
) -> Page[CatalogLink]:
    """Links, the newest first; of one scope, else of all in sight."""
    rows = link_rows().filter(scope=scope_at(scope, access)) if scope else link_rows().filter(scope__in=visible(access))
    if status:
        rows = rows.filter(status=status)
    return newest_page(rows, cursor, limit, count=count)


def waiting_links(access: Access, scope: str | None, *, most: int) -> list[CatalogLink]:
    """What rules suggest and nobody has decided, the surest first; names that are linked meanwhile are left out."""
    rows = link_rows().filter(status="suggested", item__status="current")
    rows = rows.filter(scope=scope_at(scope, access)) if scope else rows.filter(scope__in=visible(access))
    decided = CatalogLink.objects.filter(status="confirmed", scope=OuterRef("scope"))
    linked = decided.filter(form=OuterRef("form"), claim=None) | decided.filter(claim=OuterRef("claim"))
    return list(rows.exclude(Exists(linked)).order_by("-confidence", "pk")[:most])


def synonym_at(pk: int, access: Access) -> Synonym:
    row = Synonym.objects.select_related("item__scope").filter(pk=row_id(pk)).first()
    require_sight(row.item if row else None, access, f"no synonym {pk}")
    return row  # type: ignore[return-value]  # it is there, or it was refused


def names_of(items: Iterable[CatalogItem]) -> list[tuple[int, str]]:
    """Every name that an item goes by, with its id; `items` hold their synonyms as `also`."""
    return [(item.pk, name) for item in items for name in (item.name, *(one.name for one in item.also))]  # type: ignore[attr-defined]


def named_items(scope: Scope) -> list[CatalogItem]:
    return list(items_of(scope).prefetch_related(_SYNONYMS).order_by("pk"))


def forms_of(items: Sequence[CatalogItem]) -> Mapping[int, set[str]]:
    """By item the normal forms under which its prices stand: of its own names, and of the names linked to it. One query."""
    forms: dict[int, set[str]] = defaultdict(set)
    for pk, name in names_of(items):
        forms[pk].add(normal_form(name))
    links = CatalogLink.objects.filter(item__in=items, status="confirmed", claim=None)
    for pk, form in links.values_list("item_id", "form"):
        forms[pk].add(form)
    return forms


def prices_of(item: CatalogItem, access: Access) -> ItemPrices:
    """What was observed in scopes that the reader may read, imported or said by claims that hold. Three queries."""
    forms = forms_of([item])[item.pk]
    places = visible(access).filter(Q(path=item.scope.path) | Q(path__startswith=_inside(item.scope.path)))
    rows = PriceObservation.objects.filter(CURRENT, scope__in=places, form__in=forms).order_by("-observed_at", "-pk")
    listed = [
        Price(row.supplier, row.amount, row.unit, row.currency, row.observed_at, row.name, id=row.pk)
        for row in rows[:MAX_PRICES]
    ]
    linked = Claim.objects.filter(
        catalogue_links__item=item, catalogue_links__status="confirmed", status="active", value_type="currency",
        scope__in=places,
    )  # fmt: skip
    said = [_price_said(claim) for claim in linked.defer("search")[:MAX_PRICES] if states_price(claim.value)]
    prices = sorted([*listed, *said], key=lambda one: one.at, reverse=True)
    return ItemPrices(prices, supplier_figures(prices, item.unit))


def _inside(path: str) -> str:
    return "" if path == "global" else path + "/"


def _price_said(claim: Claim) -> Price:
    """What a claim that holds says that something costs: from whom and per what stands in its words."""
    terms = price_terms(claim.statement)
    value: Any = claim.value
    at = claim.valid_from or claim.promoted_at or claim.created_at
    return Price(terms.supplier, terms.amount_of(value), terms.unit, value["unit"], at, claim.statement, ref=claim.ref)


def price_counts(items: Sequence[CatalogItem]) -> Mapping[int, int]:
    """By item how many imported prices it has. Two queries for any number of items."""
    forms = forms_of(items)
    wanted = set().union(*forms.values())
    counted = PriceObservation.objects.filter(CURRENT, form__in=wanted).values_list("form").annotate(Count("pk"))
    by_form = dict(counted.order_by())
    return {pk: sum(by_form.get(form, 0) for form in named) for pk, named in forms.items()}
