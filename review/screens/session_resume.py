"""Signed out while a form was open: nothing is decided, and what was typed comes back after signing in, without JavaScript too."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, Final

from django.contrib.auth import login
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import redirect, render
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from ledger.reads.claims import claim_at
from review.access import actor_of_request
from review.passkeys import begin_signing
from review.screens.claims import show_claim
from review.screens.frame import ScreenRequest, from_queue, parameters_of
from review.screens.queue import show_desk
from review.screens.refusal import signed_in_again
from review.second_factor import finish_sign_in, has_second_factor

KEPT: Final = "kept-"
MAX_FIELDS: Final = 500
# What is shown of it as a sign that it is kept; the rest is carried along unseen.
SHOWN_FIELDS: Final = ("statement", "value", "reason")


def kept_for_signed_out[**P](
    view: Callable[Concatenate[HttpRequest, P], HttpResponseBase],
) -> Callable[Concatenate[HttpRequest, P], HttpResponseBase]:
    """A form about `ref` that is sent after the session ended is answered with a sign-in that carries its fields along."""

    @wraps(view)
    def kept(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        signed_out = request.method == "POST" and not request.user.is_authenticated
        if signed_out and not request.headers.get("HX-Request"):
            return _ask(request, str(kwargs["ref"]), request.POST)
        return view(request, *args, **kwargs)

    return kept


def _ask(request: HttpRequest, ref: str, posted: QueryDict, *, wrong: bool = False, to_sign: str = "") -> HttpResponse:
    fields = [(name, word) for name, words in posted.lists() for word in words if name != "csrfmiddlewaretoken"]
    context = {
        "ref": ref[:60],
        "kept": [(KEPT + name, word) for name, word in fields[:MAX_FIELDS]],
        "typed": [(name, word) for name, word in fields if name in SHOWN_FIELDS and word.strip()],
        "wrong": wrong,
        "to_sign": to_sign,
    }
    return render(request, "review/sign_in_again.html", context, status=401)


@sensitive_post_parameters("password", "code")
@require_POST
def sign_in_again(request: HttpRequest, ref: str) -> HttpResponse:
    """Signs in and shows the card with what was typed; nothing is written until its button is pressed again."""
    kept = QueryDict(mutable=True)
    for name, words in request.POST.lists():
        if name.startswith(KEPT):
            kept.setlist(name.removeprefix(KEPT), words)
    form = AuthenticationForm(request, data={name: request.POST.get(name, "") for name in ("username", "password")})
    user = form.get_user() if form.is_valid() else None
    if not isinstance(user, User):
        return _ask(request, ref, kept, wrong=True)
    if has_second_factor(user):
        if not finish_sign_in(request, user):
            return _ask(request, ref, kept, wrong=True, to_sign=begin_signing(request, user))
    else:
        login(request, user)
    return _shown(request, ref, kept)


def _shown(request: HttpRequest, ref: str, kept: QueryDict) -> HttpResponse:
    asked: ScreenRequest = request  # type: ignore[assignment]
    asked.actor = actor_of_request(request)
    asked.POST = kept  # type: ignore[assignment]
    claim = claim_at(ref, asked.actor.access)
    if not kept:
        return redirect("candidate", claim.ref)
    refusal = signed_in_again(claim, kept)
    if from_queue(asked):
        return show_desk(asked, parameters_of(asked), card=claim.ref, refusal=refusal)
    return show_claim(asked, claim.ref, refusal=refusal)
