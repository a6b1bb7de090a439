"""Trusted state: few values, typed by hand by a curator, and taken back the same way (law 4)."""

import re
from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_GET, require_POST

from ledger.actions.curate import curate, retract
from ledger.errors import DomainError, Forbidden, Invalid, NotFound, StaleVersion
from ledger.models import Claim, TrustedState
from ledger.reads.claims import claim_rows
from ledger.reads.conflicts import trusted_in_open_conflict
from ledger.reads.history import history_page
from ledger.reads.queue.listing import ClaimFilter
from ledger.reads.queue.listing import claims_page as list_claims
from ledger.reads.scopes import ancestor_paths, scope_at, visible
from ledger.reads.state import TrustedValue, trusted_state
from ledger.reads.why import why
from ledger.rules.columns import storable
from ledger.rules.permissions import Access, Right
from review.desk.fields import difference, value_from_input
from review.desk.history import history_entries
from review.screens.frame import ScreenRequest, page, screen
from review.screens.verbs import reason_of, version_of

MAX_SCOPES = 500
MAX_VALUES = 500
MAX_CITED = 50
MAX_CITABLE = 20


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
    earlier = _earlier(scope.pk, typed.get("key", "").strip()) if scope is not None else []
    chosen = refs_of(typed.get("cites", "")) + _ticked(request)
    begun = any(typed.get(name) for name in ("key", "find", "cites", "cite", "statement"))
    context = {
        "items": trusted_state(scope) if scope is not None else _everywhere(access),
        "scope": scope,
        "typed": typed,
        "error": error,
        "scopes": _paths(access, Right.READ),
        "curated": _paths(access, Right.CURATE),
        "earlier": earlier,
        "replaced": next((row for row in earlier if row.status == "current"), None),
        "citable": citable_rows(typed.get("scope", ""), typed.get("find", ""), chosen, access) if begun else [],
        "begun": begun,
        "chosen": chosen,
        "here": "state",
    }
    return page(request, "review/state.html", context, status=_status(error))


def _ticked(request: ScreenRequest) -> list[str]:
    return (request.POST if request.method == "POST" else request.GET).getlist("cite")[:MAX_CITED]


def citable_rows(path: str, find: str, chosen: Sequence[str], access: Access) -> list[Claim]:
    """What a trusted value of the scope may cite: those already chosen, then what holds there or above and fits the words; its
    newest entities where none are given."""
    picked = list(
        claim_rows().filter(ref__in=[storable(ref, "cites").upper() for ref in chosen[:MAX_CITED]]).order_by("pk")
    )
    picked = [row for row in picked if access.may(Right.READ, row.scope.path)]
    if not path or not access.sees(path):
        return picked
    found: list[Claim] = []
    for place in reversed(ancestor_paths(path)):
        if access.may(Right.READ, place) and len(found) < MAX_CITABLE:
            wanted = ClaimFilter(status="active", q=find.strip(), promoted=True)
            found += list_claims(access, wanted, scope=place, limit=MAX_CITABLE - len(found)).items
    return [*picked, *(row for row in found if row.pk not in {one.pk for one in picked})]


@screen
def citable(request: ScreenRequest) -> HttpResponse:
    """What may be cited: for htmx the list alone, else (a form without JavaScript) the whole page with what was typed."""
    if request.method == "POST":
        return show_state(request, request.POST.get("scope", ""), typed=request.POST.dict())
    asked = request.GET
    chosen = refs_of(asked.get("cites", "")) + _ticked(request)
    try:
        rows = citable_rows(asked.get("scope", ""), asked.get("find", ""), chosen, request.actor.access)
    except Invalid as error:
        return render(request, "review/_citable.html", {"error": error, "chosen": chosen, "citable": []})
    return render(request, "review/_citable.html", {"citable": rows, "chosen": chosen})


def _everywhere(access: Access) -> list[TrustedValue]:
    rows = TrustedState.objects.filter(status="current", scope__in=visible(access)).select_related("scope")
    found = list(rows.order_by("scope__path", "key")[:MAX_VALUES])
    disputed = trusted_in_open_conflict([row.pk for row in found])
    return [TrustedValue(row, row.pk in disputed) for row in found]


def _paths(access: Access, right: Right) -> list[str]:
    return list(visible(access, right=right).order_by("path").values_list("path", flat=True)[:MAX_SCOPES])


def _earlier(scope_id: int, key: str) -> list[TrustedState]:
    """Earlier values of the key that is being typed: changed back by a person's new act, with the old value offered."""
    return list(TrustedState.objects.filter(scope=scope_id, key=key).order_by("-pk")[:20]) if key else []


def _status(error: DomainError | None) -> int:
    if error is None:
        return 200
    return 422 if hasattr(error, "field") else 409


@require_GET
@screen
def trusted(request: ScreenRequest, ref: str) -> HttpResponse:
    """One trusted value: what it rests on, each step checked, and what happened to it."""
    access = request.actor.access
    if not ref.upper().startswith("TRU-"):
        raise NotFound(f"no trusted value {ref[:60]!r}")
    reasons = why(ref, access)
    row = TrustedState.objects.select_related("scope").get(ref=reasons.ref)
    found = history_page("trusted", row.pk, row.ref, access, cursor=request.GET.get("before") or None)
    context = {
        "row": row,
        "why": reasons,
        "past": history_entries(found.items, access),
        "earlier_events": found.next,
        "later_events": "before" in request.GET,
        "values": _values(row),
        "disputed": row.pk in trusted_in_open_conflict([row.pk]),
        "may_curate": access.may(Right.CURATE, row.scope.path),
        "here": "state",
    }
    return page(request, "review/trusted.html", context)


def _values(row: TrustedState) -> list[dict[str, Any]]:
    """What this key held in its scope, newest first, each with its difference from the one before."""
    rows = _earlier(row.scope_id, row.key)
    return [
        {"row": one, "pieces": difference(rows[at + 1].statement, one.statement) if at + 1 < len(rows) else []}
        for at, one in enumerate(rows)
    ]


@require_POST
@screen
def curate_value(request: ScreenRequest) -> HttpResponse:
    """Write one value. Refused, the page comes back with what was typed."""
    posted = request.POST
    try:
        scope = scope_at(posted.get("scope", ""), request.actor.access)
        cites = list(dict.fromkeys(ref.upper() for ref in refs_of(posted.get("cites", "")) + _ticked(request)))
        event = curate(
            scope, posted.get("key", ""), actor=request.actor, statement=posted.get("statement", "").replace("\r\n", "\n"),
            value=value_from_input(posted.get("value", ""), ""), cites=cites,
            reason=reason_of(posted), expected_version=version_of(posted),
        )  # fmt: skip
    except DomainError as error:
        if isinstance(error, NotFound | Forbidden):
            raise
        return show_state(request, posted.get("scope", ""), typed=posted.dict(), error=error)
    messages.success(request, f"{event.ref} is trusted now")
    return redirect(reverse("state") + "?" + urlencode({"scope": scope.path}))


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
    except (StaleVersion, Invalid) as error:
        messages.error(request, f"Not retracted: {error.message}")
        return redirect(reverse("state") + "?" + urlencode({"scope": scope.path}))
    messages.success(request, f"{event.ref} retracted")
    return redirect(reverse("state") + "?" + urlencode({"scope": scope.path}))


def refs_of(text: str) -> list[str]:
    """Refs as a person writes them: by commas, blanks or lines."""
    return [ref for ref in re.split(r"[\s,;]+", text) if ref]
