"""Erasure, for owners: first the list of what would go, then that it goes. Names stand in no address, so in no log or history."""

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from ledger.actions.erase import erase, list_erasure
from ledger.errors import DomainError, NotFound
from ledger.models import Erasure, Scope, Source
from ledger.reads.erasure import ErasureList
from ledger.reads.policies.in_force import four_eyes_scope
from ledger.reads.scopes import row_id, scope_at
from ledger.rules.permissions import Right, covers
from review.screens.frame import ScreenRequest, page, screen, telling_refusals
from review.screens.verbs import reason_of

DONE = {
    "done": "Erased. What is left is told below; `manage.py erase --compact` rewrites the files.",
    "waiting": "Noted. Another owner has to ask for the same; until then nothing goes.",
    "nothing": "Nothing of that name is here.",
}


@require_http_methods(["GET", "POST"])
@screen
def erasure(request: ScreenRequest, path: str) -> HttpResponse:
    """The form; with a name or a number, the list; with its button, the erasure."""
    scope = scope_at(path, request.actor.access, Right.ADMINISTER)
    if request.POST.get("action") == "erase":
        return carry_out(request, scope)
    context = {
        "scope": scope,
        "waiting": Erasure.objects.filter(scope=scope, status="waiting"),
        "four_eyes": four_eyes_scope(scope),
        "here": "scopes",
        **(looked_over(request.POST, scope) if request.method == "POST" else {}),
    }
    return page(request, "review/erasure.html", context, status=422 if context.get("error") else 200)


def looked_over(posted: QueryDict, scope: Scope) -> dict[str, object]:
    """What would go, or why that cannot be said."""
    try:
        return {"found": list_erasure(scope, person=posted.get("person", ""), source=source_of(posted, scope))}
    except DomainError as error:
        return {"error": error}


def carry_out(request: ScreenRequest, scope: Scope) -> HttpResponse:
    """Of others' texts those go that were ticked on the list; what came since is not among them."""
    posted = request.POST
    with telling_refusals(request, titled=True):
        source, name = source_of(posted, scope), posted.get("person", "")
        found = list_erasure(scope, person=name, source=source)
        ticked = {row_id(one) for one in posted.getlist("goes")}
        result = erase(
            scope, actor=request.actor, person=name, source=source, keep=others(found) - ticked, also=ticked,
            reason=reason_of(posted),
        )  # fmt: skip
        messages.success(request, DONE[result.status])
    return redirect(reverse("erasure", args=[scope.path]))


def others(found: ErasureList) -> set[int]:
    return {one.id for one in found.mentions}


def source_of(posted: QueryDict, scope: Scope) -> Source | None:
    """The source that the form names, which has to be in this scope or below it."""
    number = posted.get("source", "").strip()
    if not number:
        return None
    found = Source.objects.select_related("scope").defer("text").filter(pk=row_id(number)).first()
    if found is None or not covers(scope.path, found.scope.path):
        raise NotFound(f"no source {number[:20]} here")
    return found
