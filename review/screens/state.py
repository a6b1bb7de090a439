"""Trusted state: few values, typed by hand by a curator, and taken back the same way (law 4)."""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_GET, require_POST

from ledger.actions.curate import curate, retract
from ledger.errors import DomainError, Forbidden, Invalid, NotFound, StaleVersion
from ledger.models import Claim, Scope, TrustedState
from ledger.reads.claims import claim_rows
from ledger.reads.conflicts import trusted_in_open_conflict
from ledger.reads.queue.listing import ClaimFilter, claims_page
from ledger.reads.scopes import ancestor_paths, scope_at, visible
from ledger.reads.state import TrustedValue, trusted_state
from ledger.reads.why import why
from ledger.rules.columns import storable
from ledger.rules.permissions import Access, Right
from review.desk.fields import difference, value_from_input
from review.desk.history import history_of
from review.screens.frame import ScreenRequest, page, screen
from review.screens.verbs import reason_of, version_of

MAX_SCOPES = 500
MAX_VALUES = 500
MAX_CITED = 50
MAX_CITABLE = 20
MAX_EARLIER = 20
_BETWEEN = re.compile(r"[\s,;]+")


@require_GET
@screen
def state(request: ScreenRequest) -> HttpResponse:
    """Of one scope with its ancestors' values, or of all scopes in sight."""
    return show_state(request, request.GET.get("scope", ""), typed=request.GET.dict())


def show_state(
    request: ScreenRequest, path: str, *, typed: dict[str, Any], error: DomainError | None = None
) -> HttpResponse:
    """The values, and for curators the form; `error` says why it was not taken, `typed` what stood in it."""
    access = request.actor.access
    scope = scope_at(path, access) if path else None
    earlier = _earlier(scope.pk, typed.get("key", "").strip()) if scope else []
    chosen = _chosen(request, typed)
    begun = any(typed.get(name) for name in ("key", "find", "cites", "cite", "statement"))
    context = {
        "items": trusted_state(scope) if scope else _everywhere(access),
        "scope": scope,
        "typed": typed,
        "scopes": _paths(access, Right.READ),
        "curated": _paths(access, Right.CURATE),
        "earlier": earlier,
        "replaced": next((row for row in earlier if row.status == "current"), None),
        "citable": citable_rows(typed, chosen, access) if begun else [],
        "begun": begun,
        "chosen": chosen,
        "here": "state",
    }
    return page(request, "review/state.html", context, error=error)


def _chosen(request: ScreenRequest, typed: Mapping[str, str]) -> list[str]:
    """The refs that the form cites: typed by commas, blanks or lines, and ticked in the list."""
    form = request.POST if request.method == "POST" else request.GET
    return [ref for ref in _BETWEEN.split(typed.get("cites", "")) if ref] + form.getlist("cite")[:MAX_CITED]


def citable_rows(typed: Mapping[str, str], chosen: Sequence[str], access: Access) -> list[Claim]:
    """What a trusted value of the scope may cite: those already chosen, then what holds there or above and fits the words; its
    newest entities where none are given."""
    path, words = typed.get("scope", ""), typed.get("find", "").strip()
    refs = [storable(ref, "cites").upper() for ref in chosen[:MAX_CITED]]
    picked = [row for row in claim_rows().filter(ref__in=refs).order_by("pk") if access.may(Right.READ, row.scope.path)]
    if not path or not access.sees(path):
        return picked
    wanted = ClaimFilter(status="active", q=words, promoted=True)
    found: list[Claim] = []
    for place in reversed(ancestor_paths(path)):
        if access.may(Right.READ, place) and len(found) < MAX_CITABLE:
            found += claims_page(access, wanted, scope=place, limit=MAX_CITABLE - len(found)).items
    known = {row.pk for row in picked}
    return [*picked, *(row for row in found if row.pk not in known)]


@screen
def citable(request: ScreenRequest) -> HttpResponse:
    """What may be cited: for htmx the list alone, else (a form without JavaScript) the whole page with what was typed."""
    if request.method == "POST":
        return show_state(request, request.POST.get("scope", ""), typed=request.POST.dict())
    context: dict[str, Any] = {"chosen": _chosen(request, request.GET), "citable": []}
    try:
        context["citable"] = citable_rows(request.GET, context["chosen"], request.actor.access)
    except Invalid as error:
        context["error"] = error
    return render(request, "review/_citable.html", context)


def _everywhere(access: Access) -> list[TrustedValue]:
    rows = TrustedState.objects.filter(status="current", scope__in=visible(access)).select_related("scope")
    found = list(rows.order_by("scope__path", "key")[:MAX_VALUES])
    disputed = trusted_in_open_conflict([row.pk for row in found])
    return [TrustedValue(row, row.pk in disputed) for row in found]


def _paths(access: Access, right: Right) -> list[str]:
    return list(visible(access, right=right).order_by("path").values_list("path", flat=True)[:MAX_SCOPES])


def _earlier(scope_id: int, key: str) -> list[TrustedState]:
    """Earlier values of the key that is being typed: changed back by a person's new act, with the old value offered."""
    return list(TrustedState.objects.filter(scope=scope_id, key=key).order_by("-pk")[:MAX_EARLIER]) if key else []


@require_GET
@screen
def trusted(request: ScreenRequest, ref: str) -> HttpResponse:
    """One trusted value: what it rests on, each step checked, and what happened to it."""
    access = request.actor.access
    if not ref.upper().startswith("TRU-"):
        raise NotFound(f"no trusted value {ref[:60]!r}")
    reasons = why(ref, access)
    row = TrustedState.objects.select_related("scope").get(ref=reasons.ref)
    context = {
        "row": row,
        "why": reasons,
        "values": _values(row),
        "disputed": row.pk in trusted_in_open_conflict([row.pk]),
        "may_curate": access.may(Right.CURATE, row.scope.path),
        "here": "state",
        **history_of("trusted", row.pk, row.ref, access, request.GET),
    }
    return page(request, "review/trusted.html", context)


def _values(row: TrustedState) -> list[dict[str, Any]]:
    """What this key held in its scope, newest first, each with its difference from the one before."""
    rows = _earlier(row.scope_id, row.key)
    pieces = [difference(older.statement, newer.statement) for newer, older in pairwise(rows)]
    return [{"row": one, "pieces": some} for one, some in zip(rows, [*pieces, []], strict=False)]


@require_POST
@screen
def curate_value(request: ScreenRequest) -> HttpResponse:
    """Write one value. Refused, the page comes back with what was typed."""
    posted = request.POST
    try:
        scope = scope_at(posted.get("scope", ""), request.actor.access)
        event = curate(
            scope, posted.get("key", ""), actor=request.actor, statement=posted.get("statement", "").replace("\r\n", "\n"),
            value=value_from_input(posted.get("value", "")),
            cites=list(dict.fromkeys(ref.upper() for ref in _chosen(request, posted))),
            reason=reason_of(posted), expected_version=version_of(posted),
        )  # fmt: skip
    except (NotFound, Forbidden):
        raise
    except DomainError as error:
        return show_state(request, posted.get("scope", ""), typed=posted.dict(), error=error)
    messages.success(request, f"{event.ref} is trusted now")
    return _back_to(scope)


@require_POST
@screen
def retract_value(request: ScreenRequest) -> HttpResponse:
    """Take one value back; its row and its history stay."""
    posted = request.POST
    scope = scope_at(posted.get("scope", ""), request.actor.access)
    try:
        event = retract(
            scope,
            posted.get("key", ""),
            actor=request.actor,
            reason=reason_of(posted),
            expected_version=version_of(posted),
        )
        messages.success(request, f"{event.ref} retracted")
    except (StaleVersion, Invalid) as error:
        messages.error(request, f"Not retracted: {error.message}")
    return _back_to(scope)


def _back_to(scope: Scope) -> HttpResponse:
    return redirect(reverse("state") + "?" + urlencode({"scope": scope.path}))
