"""The catalogue: what waits to be linked (one key each), the items, and what one costs (T12)."""

from collections.abc import Callable, Sequence
from itertools import groupby

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from ledger.actions.catalog_links import confirm_link, reject_link, suggest_facts, suggest_links
from ledger.actions.catalogue import (
    add_catalog_item,
    add_synonym,
    change_catalog_item,
    remove_synonym,
    withdraw_catalog_item,
)
from ledger.actions.prices import import_prices
from ledger.actor import Actor
from ledger.errors import DomainError, Forbidden, Invalid, NotFound
from ledger.models import CatalogLink, JournalEvent
from ledger.reads.catalogue import (
    catalogue_page,
    item_at,
    link_at,
    price_counts,
    prices_of,
    synonym_at,
    waiting_links,
)
from ledger.reads.scopes import scope_at
from ledger.rules.catalogue.prices import rows_of_csv
from ledger.rules.permissions import Right
from review.desk.filters import Filters
from review.insights.prices import price_plots
from review.screens.frame import ScreenRequest, back_to, page, page_or_fault, screen
from review.screens.queue import choices
from review.screens.verbs import number, reason_of, version_of

PER_PAGE = 50
MAX_WAITING = 40
MAX_PRICES = 100
MAX_FAULTS = 20


@require_GET
@screen
def catalogue(request: ScreenRequest) -> HttpResponse:
    """Items by name; above them the names that rules have suggested an item for."""
    filters, access = Filters.read(request.GET), request.actor.access
    found, error = page_or_fault(
        lambda: catalogue_page(
            access, scope=filters.scope or None, q=filters.q, cursor=filters.cursor or None, limit=PER_PAGE
        )
    )
    counts = price_counts(found.items)
    waiting = grouped(waiting_links(access, filters.scope or None, most=MAX_WAITING))
    scope = scope_at(filters.scope, access) if filters.scope else None
    context = {
        "rows": [(item, counts.get(item.pk, 0)) for item in found.items],
        "filters": filters,
        "next_page": filters.next_page(found),
        "open": waiting[0] if waiting else None,
        "waiting": waiting[1:],
        "scope": scope,
        "may_change": scope is not None and access.may(Right.ADMINISTER, scope.path),
        "may_link": bool(waiting) and access.may(Right.ADMINISTER, waiting[0][0].scope.path),
        "here": "catalogue",
        **choices(request),
    }
    return page(request, "review/catalogue.html", context, error=error)


def grouped(links: Sequence[CatalogLink]) -> list[list[CatalogLink]]:
    """What may be meant by one name, or by one claim, together; the likeliest first."""
    ordered = sorted(links, key=lambda one: (one.scope_id, one.form, one.claim_id or 0, -one.confidence))
    groups = [list(group) for _, group in groupby(ordered, key=lambda one: (one.scope_id, one.form, one.claim_id))]
    return sorted(groups, key=lambda group: -group[0].confidence)


@require_GET
@screen
def catalogue_item(request: ScreenRequest, pk: int) -> HttpResponse:
    """One item: its names, what each supplier asks, and every price."""
    access = request.actor.access
    item = item_at(pk, access)
    found = prices_of(item, access)
    context = {
        "item": item,
        "figures": found.figures,
        "plots": price_plots(found.prices, item.unit),
        "prices": found.prices[:MAX_PRICES],
        "count": len(found.prices),
        "links": item.links.filter(status="confirmed")
        .select_related("claim", "scope")
        .defer("claim__search")[:MAX_PRICES],
        "may_change": access.may(Right.ADMINISTER, item.scope.path),
        "here": "catalogue",
    }
    return page(request, "review/catalogue_item.html", context)


@require_POST
@screen
def change_catalogue(request: ScreenRequest) -> HttpResponse:
    """What one of the page's buttons says; what was typed is refused with a message, and the page comes back."""
    act = ACTIONS.get(request.POST.get("action", ""))
    if act is None:
        raise Invalid(f"no action {request.POST.get('action', '')[:40]!r}", field="action")
    try:
        said, event = act(request.POST, request.actor)
        messages.success(request, said, extra_tags=f"event:{event}" if event else "")
    except (NotFound, Forbidden):
        raise
    except DomainError as error:
        messages.error(request, f"{error.title.capitalize()}: {error.message}")
    return back_to(request, reverse("catalogue"))


type Done = tuple[str, int | None]


def _latest(actor: Actor) -> int | None:
    return JournalEvent.objects.filter(request_id=actor.request_id).order_by("-pk").values_list("pk", flat=True).first()


def _add(posted: QueryDict, actor: Actor) -> Done:
    scope = scope_at(posted.get("scope", ""), actor.access, Right.ADMINISTER)
    synonyms = [line for line in posted.get("synonyms", "").replace("\r\n", "\n").split("\n") if line.strip()]
    item = add_catalog_item(scope, posted.get("name", ""), actor=actor, unit=posted.get("unit", ""), synonyms=synonyms)
    return f"{item.name} is in the catalogue", _latest(actor)


def _rename(posted: QueryDict, actor: Actor) -> Done:
    event = change_catalog_item(
        item_at(number(posted, "item"), actor.access), actor=actor, name=posted.get("name", ""), unit=posted.get("unit", ""),
        expected_version=version_of(posted), reason=reason_of(posted),
    )  # fmt: skip
    return "Changed", event.pk


def _withdraw(posted: QueryDict, actor: Actor) -> Done:
    item = item_at(number(posted, "item"), actor.access)
    event = withdraw_catalog_item(item, actor=actor, expected_version=version_of(posted), reason=reason_of(posted))
    return f"{item.name} is withdrawn", event.pk


def _synonym(posted: QueryDict, actor: Actor) -> Done:
    synonym = add_synonym(item_at(number(posted, "item"), actor.access), posted.get("name", ""), actor=actor)
    return f"Also called {synonym.name}", _latest(actor)


def _unname(posted: QueryDict, actor: Actor) -> Done:
    synonym = synonym_at(number(posted, "synonym"), actor.access)
    return f"Not called {synonym.name} any more", remove_synonym(synonym, actor=actor).pk


def _link(posted: QueryDict, actor: Actor) -> Done:
    link = link_at(number(posted, "link"), actor.access)
    event = confirm_link(link, actor=actor, expected_version=version_of(posted), reason=reason_of(posted))
    return f"{link.called} is {link.item.name}", event.pk


def _unlink(posted: QueryDict, actor: Actor) -> Done:
    link = link_at(number(posted, "link"), actor.access)
    event = reject_link(link, actor=actor, expected_version=version_of(posted), reason=reason_of(posted))
    return f"{link.called} is not {link.item.name}", event.pk


def _suggest(posted: QueryDict, actor: Actor) -> Done:
    scope = scope_at(posted.get("scope", ""), actor.access)
    names = [line.strip() for line in posted.get("names", "").replace("\r\n", "\n").split("\n") if line.strip()]
    found = suggest_links(scope, names, actor=actor) if names else []
    facts = suggest_facts(scope, actor=actor)
    sure = sum(bool(one.confident) for one in found)
    return f"{sure} of {len(found)} names have a sure suggestion; {len(facts)} prices found in what holds", None


def _prices(posted: QueryDict, actor: Actor) -> Done:
    scope = scope_at(posted.get("scope", ""), actor.access, Right.ADMINISTER)
    defaults = {name: posted.get(name, "").strip() for name in ("supplier", "currency", "date")}
    given = {name: value for name, value in defaults.items() if value}
    done = import_prices(scope, rows_of_csv(posted.get("csv", "")), actor=actor, defaults=given)
    faults = "; ".join(f"line {one.line}, {one.field}: {one.message}" for one in done.faults[:MAX_FAULTS])
    said = f"{done.kept} prices kept, {done.duplicates} known before, {len(done.items)} new items, {len(done.waiting)} to link"
    return said + (f". Not kept: {faults}" if faults else ""), done.event.pk if done.event else None


ACTIONS: dict[str, Callable[[QueryDict, Actor], Done]] = {
    "add": _add,
    "rename": _rename,
    "withdraw": _withdraw,
    "synonym": _synonym,
    "unname": _unname,
    "link": _link,
    "unlink": _unlink,
    "suggest": _suggest,
    "prices": _prices,
}
