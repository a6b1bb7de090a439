"""Items: the table of a project's, and each with its fields, over which a person may type (T10, T11)."""

from collections.abc import Iterator, Sequence

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_POST

from ledger.actions.locking import retry_lost_races
from ledger.actions.override import override, release
from ledger.errors import DomainError, Forbidden
from ledger.models import JournalEvent, Scope, Tier
from ledger.packs import KeySpec
from ledger.projections.items import Item, ItemField, columns_of, item_at, items_of, items_with
from ledger.reads.packs import packs_of
from ledger.reads.scopes import scope_at, visible
from ledger.reads.sql import in_steps
from ledger.rules.permissions import Access, Right
from ledger.verbs import Verb
from review.desk.evidence import Quoted, quotes_of
from review.desk.fields import value_from_input
from review.desk.item_table import csv_lines, in_order_of, item_rows
from review.screens.frame import ScreenRequest, page, screen
from review.screens.verbs import reason_of

MAX_ITEMS = 500
AT_ONCE = 200


@require_GET
@screen
def item_list(request: ScreenRequest) -> HttpResponse:
    """The items at and below a scope, sorted by a column; without a scope, where there are items to choose from."""
    access, path, sort = request.actor.access, request.GET.get("scope", ""), request.GET.get("sort", "")
    scopes = projects_with_items(access)
    if not path:
        return page(request, "review/items.html", {"scopes": scopes, "here": "scopes"})
    scope = scope_at(path, access)
    found = list(items_below(scope, access).order_by("path")[: MAX_ITEMS + 1])
    columns = columns_of(packs_of(found[0] if found else scope))
    context = {
        "scope": scope,
        "scopes": scopes,
        "columns": columns,
        "sort": sort,
        "rows": in_order_of(item_rows(items_with(columns, found[:MAX_ITEMS])), columns, sort),
        "more": len(found) > MAX_ITEMS,
        "here": "scopes",
    }
    return page(request, "review/items.html", context)


@require_GET
@screen
def items_csv(request: ScreenRequest) -> HttpResponse:
    """The same table for a spreadsheet, all items of it, some hundred at a time."""
    access = request.actor.access
    scope = scope_at(request.GET.get("scope", ""), access)
    rows = items_below(scope, access)
    first = rows.order_by("path").first()
    columns = columns_of(packs_of(first or scope))
    return HttpResponse(
        csv_lines(_in_steps(rows, columns), columns),
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{scope.path.replace("/", "-")}-items.csv"'},
    )


def _in_steps(rows: QuerySet[Scope], columns: Sequence[KeySpec]) -> Iterator[Item]:
    for step in in_steps(rows, AT_ONCE):
        yield from items_with(columns, step)


def items_below(scope: Scope, access: Access) -> QuerySet[Scope]:
    return visible(access, root=scope.path).filter(tier=Tier.ITEM)


def projects_with_items(access: Access) -> list[str]:
    parents = visible(access).filter(children__tier=Tier.ITEM).order_by("path").distinct()
    return list(parents.values_list("path", flat=True)[:MAX_ITEMS])


@require_GET
@screen
def item(request: ScreenRequest, pk: int) -> HttpResponse:
    """One item, each field with its value, its origin and its source."""
    return show_item(request, item_at(pk, request.actor.access))


def show_item(request: ScreenRequest, scope: Scope, *, error: DomainError | None = None) -> HttpResponse:
    """Where a value is refused, the page says why, and what was typed stands in its field."""
    access = request.actor.access
    (found,) = items_of([scope])
    everything = bool(request.GET.get("all") or error)
    shown = [field for field in found.fields if field.claim or field.spec.required or everything]
    context = {
        "scope": scope,
        "fields": with_sources(shown, access),
        "left_out": len(found.fields) - len(shown),
        "typed": {"key": request.POST.get("key", ""), "value": request.POST.get("value", "")},
        "may_write": access.may(Right.REVIEW, scope.path),
        "here": "scopes",
    }
    return page(request, "review/item.html", context, error=error)


def with_sources(fields: Sequence[ItemField], access: Access) -> list[tuple[ItemField, Quoted | None]]:
    """Each with the latest words that support it, as the reader may see them. One query."""
    quotes = quotes_of([field.claim.pk for field in fields if field.claim], access)
    return [(field, _latest(quotes[field.claim.pk]) if field.claim else None) for field in fields]


def _latest(words: Sequence[Quoted]) -> Quoted | None:
    return next((one for one in reversed(words) if one.cited.stance == "supports"), None)


@require_POST
@screen
def write_field(request: ScreenRequest, pk: int) -> HttpResponse:
    """Type over a field, or give up what was typed."""
    scope = item_at(pk, request.actor.access, right=Right.REVIEW)
    try:
        event = _written(request, scope)
    except Forbidden:
        raise
    except DomainError as error:
        return show_item(request, scope, error=error)
    done = "is typed over" if event.verb == Verb.OVERRIDE else "goes by the facts again"
    messages.success(request, f"{request.POST.get('key', '')} of {scope.name} {done}", extra_tags=f"event:{event.pk}")
    return redirect("item", scope.pk)


@retry_lost_races
def _written(request: ScreenRequest, scope: Scope) -> JournalEvent:
    posted = request.POST
    key, seen, typed = posted.get("key", ""), posted.get("seen"), posted.get("value", "").strip()
    if posted.get("action") == Verb.RELEASE:
        return release(scope, key, actor=request.actor, seen=seen, reason=reason_of(posted))
    value = value_from_input(typed) if typed[:1] in ("{", "[") else typed
    return override(scope, key, value, actor=request.actor, seen=seen, reason=reason_of(posted))
