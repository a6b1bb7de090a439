"""Webhooks of a scope, for its owners: who is told of decisions, and whether it arrives."""

from collections.abc import Callable
from typing import Final

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from ledger.actions.webhook import add_webhook, change_webhook, remove_webhook
from ledger.errors import DomainError, Invalid, NotFound
from ledger.models import Scope, Webhook
from ledger.reads.page import newest_page
from ledger.reads.scopes import scope_at
from ledger.reads.webhooks import VERBS, webhook_at, webhooks_of
from ledger.rules.permissions import Right
from review.screens.frame import ScreenRequest, page, screen, telling_refusals
from review.webhooks.signing import secret_of

MAX_DELIVERIES: Final = 50


@require_http_methods(["GET", "POST"])
@screen
def webhooks(request: ScreenRequest, path: str) -> HttpResponse:
    """The list with a form for one more; with `hook`, the deliveries of one. A secret stands only on the answer that made it."""
    scope = scope_at(path, request.actor.access, Right.ADMINISTER)
    if request.method == "GET":
        return _show(request, scope)
    action = request.POST.get("action", "")
    if action == "add":
        return _add(request, scope)
    hook = _hook(request, scope, request.POST.get("hook", ""))
    if action == "new_secret":
        hook = change_webhook(hook, actor=request.actor, changes={}, new_secret=True)
        return _show(request, scope, secret=secret_of(hook))
    with telling_refusals(request):
        ACTIONS.get(action, _no_action)(request, hook)
    return redirect("webhooks", scope.path)


def _show(request: ScreenRequest, scope: Scope, *, secret: str = "", error: DomainError | None = None) -> HttpResponse:
    access = request.actor.access
    hook = _hook(request, scope, request.GET["hook"]) if "hook" in request.GET else None
    log = newest_page(hook.deliveries.all(), request.GET.get("cursor"), MAX_DELIVERIES) if hook else None
    context = {
        "scope": scope,
        "hooks": list(webhooks_of(scope).order_by("-pk")),
        "hook": hook,
        "log": log,
        "verbs": VERBS,
        "secret": secret,
        "may_read": access.may(Right.READ, scope.path),
        "here": "scopes",
    }
    answer = page(request, "review/webhooks.html", context, error=error)
    if secret:
        answer["Cache-Control"] = "no-store"
    return answer


def _hook(request: ScreenRequest, scope: Scope, number: str) -> Webhook:
    hook = webhook_at(number, request.actor.access)
    if hook.scope_id != scope.pk:
        raise NotFound(f"no webhook {number[:20]} here")
    return hook


def _add(request: ScreenRequest, scope: Scope) -> HttpResponse:
    """The one answer that shows the secret; it is not a redirect, because nothing keeps the secret."""
    posted = request.POST
    try:
        hook = add_webhook(
            scope, posted.get("url", "").strip(), actor=request.actor, verbs=posted.getlist("verbs"),
            words=bool(posted.get("words")),
        )  # fmt: skip
    except Invalid as error:
        return _show(request, scope, error=error)
    return _show(request, scope, secret=secret_of(hook))


def _off(request: ScreenRequest, hook: Webhook) -> None:
    change_webhook(hook, actor=request.actor, changes={"status": "off"})
    messages.success(request, f"{hook.host} is told nothing any more; what happens meanwhile waits.")


def _on(request: ScreenRequest, hook: Webhook) -> None:
    change_webhook(hook, actor=request.actor, changes={"status": "on"}, skip=bool(request.POST.get("skip")))
    messages.success(request, f"{hook.host} is told again.")


def _remove(request: ScreenRequest, hook: Webhook) -> None:
    remove_webhook(hook, actor=request.actor)
    messages.success(request, f"{hook.host} is removed.")


def _no_action(request: ScreenRequest, hook: Webhook) -> None:
    raise Invalid("no such action", field="action")


ACTIONS: Final[dict[str, Callable[[ScreenRequest, Webhook], None]]] = {"off": _off, "on": _on, "remove": _remove}
