"""Chats of a scope: which group chats write into it, whose account at a chat service is whose, and the end of each."""

from collections.abc import Callable
from typing import Final

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from ledger.actions.chat_account import confirm_account, end_account
from ledger.actions.chat_link import end_chat_link
from ledger.errors import Invalid, NotFound
from ledger.models import ChatLink, Person, Scope
from ledger.reads.chats import chat_changes, links_with_last_message
from ledger.reads.scopes import require_sight, row_id, scope_at
from ledger.rules.permissions import Right
from review.desk.history import history_entries
from review.screens.frame import ScreenRequest, page, screen, telling_refusals

MAX_SHOWN: Final = 50


@require_http_methods(["GET", "POST"])
@screen
def chats(request: ScreenRequest, path: str) -> HttpResponse:
    """One's own accounts for whoever reads here; links, everybody's accounts and what was changed of them for owners."""
    scope = scope_at(path, request.actor.access)
    if request.method == "POST":
        with telling_refusals(request):
            ACTIONS.get(request.POST.get("action", ""), _no_action)(request, scope)
        return redirect("chats", scope.path)
    owns = request.actor.access.may(Right.ADMINISTER, scope.path)
    people = Person.objects.filter(scope=scope).select_related("user")
    known = people.exclude(accounts=[], telegram_id=None)
    context = {
        "scope": scope,
        "owns": owns,
        "me": people.filter(user=request.user.pk).order_by("pk").first(),
        "people": known[:MAX_SHOWN] if owns else [],
        "links": links_with_last_message(scope)[:MAX_SHOWN] if owns else [],
        "history": history_entries(chat_changes(scope)[:MAX_SHOWN], request.actor.access) if owns else [],
        "here": "scopes",
    }
    return page(request, "review/chats.html", context)


def _confirm(request: ScreenRequest, scope: Scope) -> None:
    person = confirm_account(scope, request.POST.get("code", ""), actor=request.actor)
    messages.success(request, f"What you press in a chat now counts as {person.name}'s.")


def _end(request: ScreenRequest, scope: Scope) -> None:
    row = ChatLink.objects.filter(pk=row_id(request.POST.get("link", "")), scope=scope).select_related("scope").first()
    link = require_sight(row, request.actor.access, "no such chat here", right=Right.ADMINISTER)
    end_chat_link(link, actor=request.actor)
    messages.success(request, f"What is said in {link} is not kept any more.")


def _end_account(request: ScreenRequest, scope: Scope) -> None:
    row = Person.objects.filter(pk=row_id(request.POST.get("person", "")), scope=scope).first()
    if row is None:
        raise NotFound("no such person here")
    end_account(row, request.POST.get("account", ""), actor=request.actor)
    messages.success(request, f"That account is not {row.name}'s any more.")


def _no_action(request: ScreenRequest, scope: Scope) -> None:
    raise Invalid("no such action", field="action")


ACTIONS: Final[dict[str, Callable[[ScreenRequest, Scope], None]]] = {
    "confirm": _confirm, "end": _end, "end_account": _end_account,
}  # fmt: skip
