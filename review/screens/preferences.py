"""What people set for themselves: saved views of the queue, keys on or off; and the page that explains how to work here."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_POST

from ledger.errors import Invalid
from review.desk.filters import Filters
from review.desk.saved_views import delete_view, open_with, save_view
from review.screens.frame import ScreenRequest, back_to, page, parameters_of, screen
from review.screens.verbs import REASONS, number

A_YEAR_S = 365 * 24 * 3600


@require_POST
@screen
def change_views(request: ScreenRequest) -> HttpResponse:
    """`action` save (`name`, `shared`, `opens`; the filters of the page the form stood on), delete or open (`view`), or close."""
    action = request.POST.get("action", "")
    change = VIEW_CHANGES.get(action)
    if change is None:
        raise Invalid(f"no action {action[:40]!r}", field="action")
    filters = Filters.read(parameters_of(request))
    messages.success(request, change(request, filters))
    query = filters.query(cursor="") if action == "save" else filters.query()
    # With no parameters of its own, never what the queue opens with.
    return redirect("/?" + (query or "order=best"))


def _save(request: ScreenRequest, filters: Filters) -> str:
    posted = request.POST
    view = save_view(
        request.actor, posted.get("name", ""), filters.query(cursor=""), scope=filters.scope,
        shared=bool(posted.get("shared")), opens=bool(posted.get("opens")),
    )  # fmt: skip
    return f"View “{view.name}” is kept"


def _delete(request: ScreenRequest, filters: Filters) -> str:
    return f"View “{delete_view(request.actor, number(request.POST, 'view'))}” is deleted"


def _open(request: ScreenRequest, filters: Filters) -> str:
    return f"The queue opens with “{open_with(request.actor, number(request.POST, 'view'))}” from now on"


def _close(request: ScreenRequest, filters: Filters) -> str:
    open_with(request.actor, None)
    return "The queue opens with everything that waits"


VIEW_CHANGES = {"save": _save, "delete": _delete, "open": _open, "close": _close}


@require_GET
@screen
def help_page(request: ScreenRequest) -> HttpResponse:
    return page(request, "review/help.html", {"reasons": REASONS, "here": "help"})


@require_POST
@screen
def keys(request: ScreenRequest) -> HttpResponse:
    """Single-key shortcuts on or off in this browser."""
    answer = back_to(request, "/help")
    chosen = "off" if request.POST.get("keys") == "off" else "on"
    answer.set_cookie("keys", chosen, max_age=A_YEAR_S, httponly=True, samesite="Lax", secure=request.is_secure())
    return answer
