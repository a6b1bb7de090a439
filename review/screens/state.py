"""Trusted state: few values, typed by hand by a curator, and taken back the same way (law 4)."""

import re
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_GET, require_POST

from ledger.actions.curate import curate, retract
from ledger.errors import DomainError, Forbidden, NotFound
from ledger.models import TrustedState
from ledger.reads.history import event_rows
from ledger.reads.scopes import scope_at, visible
from ledger.reads.state import Trusted, disputed_trusted, trusted_state
from ledger.reads.why import why
from ledger.rules.permissions import Access, Right
from review.screens.frame import Asked, page, screen
from review.screens.past import past
from review.screens.values import value_from
from review.screens.verbs import reason_of, version_of

MOST_SCOPES = 500
MOST_VALUES = 500


@require_GET
@screen
def state(request: Asked) -> HttpResponse:
    """Of one scope with its ancestors' values, or of all scopes in sight."""
    return show_state(request, request.GET.get("scope", ""), typed=request.GET.dict())


def show_state(request: Asked, path: str, *, typed: dict[str, Any], error: DomainError | None = None) -> HttpResponse:
    """The values, and for curators the form; `error` says why it was not taken, `typed` what stood in it."""
    access = request.actor.access
    scope = scope_at(path, access) if path else None
    context = {
        "items": trusted_state(scope) if scope is not None else _everywhere(access),
        "scope": scope,
        "typed": typed,
        "error": error,
        "scopes": _paths(access, Right.READ),
        "curated": _paths(access, Right.CURATE),
        "earlier": _earlier(scope.pk, typed.get("key", "")) if scope is not None else [],
        "here": "state",
    }
    return page(request, "review/state.html", context, status=_status(error))


def _everywhere(access: Access) -> list[Trusted]:
    rows = TrustedState.objects.filter(status="current", scope__in=visible(access)).select_related("scope")
    found = list(rows.order_by("scope__path", "key")[:MOST_VALUES])
    disputed = disputed_trusted(found)
    return [Trusted(row, row.pk in disputed) for row in found]


def _paths(access: Access, right: Right) -> list[str]:
    return list(visible(access, right=right).order_by("path").values_list("path", flat=True)[:MOST_SCOPES])


def _earlier(scope_id: int, key: str) -> list[TrustedState]:
    """Earlier values of the key that is being typed: changed back by a person's new act, with the old value offered."""
    return list(TrustedState.objects.filter(scope=scope_id, key=key).order_by("-pk")[:20]) if key else []


def _status(error: DomainError | None) -> int:
    if error is None:
        return 200
    return 422 if hasattr(error, "field") else 409


@require_GET
@screen
def trusted(request: Asked, ref: str) -> HttpResponse:
    """One trusted value: what it rests on, each step checked, and what happened to it."""
    access = request.actor.access
    if not ref.upper().startswith("TRU-"):
        raise NotFound(f"no trusted value {ref[:60]!r}")
    reasons = why(ref, access)
    row = TrustedState.objects.select_related("scope").get(ref=reasons.ref)
    events = [
        event for event in event_rows().filter(ref=row.ref).order_by("-pk") if access.may(Right.READ, event.scope.path)
    ]
    context = {"row": row, "why": reasons, "past": past(events, access), "here": "state"}
    return page(request, "review/trusted.html", context)


@require_POST
@screen
def curate_value(request: Asked) -> HttpResponse:
    """Write one value. Refused, the page comes back with what was typed."""
    posted = request.POST
    try:
        scope = scope_at(posted.get("scope", ""), request.actor.access)
        event = curate(
            scope, posted.get("key", ""), actor=request.actor, statement=posted.get("statement", "").replace("\r\n", "\n"),
            value=value_from(posted.get("value", ""), ""), cites=refs_of(posted.get("cites", "")),
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
def retract_value(request: Asked) -> HttpResponse:
    """Take one value back; its row and its history stay."""
    posted = request.POST
    scope = scope_at(posted.get("scope", ""), request.actor.access)
    event = retract(
        scope, posted.get("key", ""), actor=request.actor, reason=reason_of(posted), expected_version=version_of(posted)
    )
    messages.success(request, f"{event.ref} retracted")
    return redirect(reverse("state") + "?" + urlencode({"scope": scope.path}))


def refs_of(text: str) -> list[str]:
    """Refs as a person writes them: by commas, blanks or lines."""
    return [ref for ref in re.split(r"[\s,;]+", text) if ref]
