"""What people set for themselves: saved views of the queue, keys on or off; and the page that explains how to work here."""

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_POST

from ledger.errors import Invalid
from review.desk.filters import Filters
from review.desk.saved_views import delete_view, open_with, save_view
from review.screens.frame import ScreenRequest, back_to, page, parameters_of, screen
from review.screens.verbs import REASONS, number


@require_POST
@screen
def change_views(request: ScreenRequest) -> HttpResponse:
    """`action` save (`name`, `shared`, `opens`; the filters of the page the form stood on), delete or open (`view`), or close."""
    posted, back = request.POST, parameters_of(request)
    action = posted.get("action", "")
    if action == "save":
        filters = Filters.read(back).without("cursor")
        view = save_view(
            request.actor, posted.get("name", ""), filters.query(), scope=filters.scope,
            shared=bool(posted.get("shared")), opens=bool(posted.get("opens")),
        )  # fmt: skip
        messages.success(request, f"View “{view.name}” is kept")
        return to_queue(view.query)
    if action == "delete":
        messages.success(request, f"View “{delete_view(request.actor, number(posted, 'view'))}” is deleted")
    elif action == "open":
        name = open_with(request.actor, number(posted, "view"))
        messages.success(request, f"The queue opens with “{name}” from now on")
    elif action == "close":
        open_with(request.actor, None)
        messages.success(request, "The queue opens with everything that waits")
    else:
        raise Invalid(f"no action {action[:40]!r}", field="action")
    return to_queue(Filters.read(back).query())


def to_queue(query: str) -> HttpResponse:
    """The queue with these parameters; with none of its own, never what it opens with."""
    return redirect("/?" + (query or QueryDict("order=best").urlencode()))


A_YEAR_S = 365 * 24 * 3600


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
