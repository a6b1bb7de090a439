"""Tokens: made here, shown once, revoked here."""

from django.contrib import messages
from django.contrib.auth.models import User
from django.db.models import Q
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_POST

from ledger.errors import DomainError, NotFound
from ledger.models import Speaker
from ledger.reads.page import MAX_ID
from ledger.reads.scopes import visible
from ledger.rules.permissions import AGENT_GRANTS, USER_GRANTS, Right
from review.models import AgentToken
from review.screens.frame import ScreenRequest, page, screen, telling_refusals
from review.tokens import create_token, revoke_token

MAX_TOKENS = 200


@require_GET
@screen
def token_list(request: ScreenRequest) -> HttpResponse:
    return show_tokens(request)


def show_tokens(request: ScreenRequest, *, secret: str = "", error: DomainError | None = None) -> HttpResponse:
    """One's own tokens, and the agents' tokens of the scopes one owns; the page comes back with what was wrong."""
    access = request.actor.access
    owned = list(visible(access, right=Right.ADMINISTER).order_by("path").values_list("path", flat=True)[:MAX_TOKENS])
    mine = Q(user=request.user.pk) | Q(kind="agent", scopes__contained_by=owned)
    context = {
        "tokens": list(AgentToken.objects.filter(mine).select_related("user").order_by("-pk")[:MAX_TOKENS]),
        "scopes": list(visible(access).order_by("path").values_list("path", flat=True)[:MAX_TOKENS]),
        "owns": bool(owned),
        "agent_grants": sorted(AGENT_GRANTS),
        "user_grants": sorted(USER_GRANTS),
        "speakers": Speaker.values,
        "secret": secret,
        "here": "tokens",
    }
    return page(request, "review/tokens.html", context, error=error)


@require_POST
@screen
def make_token(request: ScreenRequest) -> HttpResponse:
    """The one answer that shows the secret; it is not a redirect, because nothing keeps the secret."""
    posted, user = request.POST, request.user
    try:
        _, secret = create_token(
            name=posted.get("name", ""), kind=posted.get("kind", ""), scopes=posted.getlist("scopes"),
            grants=posted.getlist("grants"), speakers=posted.getlist("speakers") or None, actor=request.actor,
            user=user if isinstance(user, User) and posted.get("kind") == "user" else None,
        )  # fmt: skip
    except DomainError as error:
        return show_tokens(request, error=error)
    answer = show_tokens(request, secret=secret)
    answer["Cache-Control"] = "no-store"
    return answer


@require_POST
@screen
def revoke(request: ScreenRequest, pk: int) -> HttpResponse:
    """From the next request on it opens nothing."""
    token = AgentToken.objects.filter(pk=pk).first() if pk <= MAX_ID else None
    access = request.actor.access
    if token is None or not (token.user_id == request.user.pk or all(access.sees(path) for path in token.scopes)):
        raise NotFound(f"no token {pk}")
    with telling_refusals(request):
        revoke_token(token, actor=request.actor)
        messages.success(request, f"{token.name} is revoked")
    return redirect("tokens")
