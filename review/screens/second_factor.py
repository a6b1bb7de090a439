"""Signing in, in one step or two, and the page where people set their second factor up."""

from typing import Any, cast

import segno
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.models import User
from django.contrib.auth.views import LoginView, PasswordResetConfirmView
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from review.models import AppCode, Passkey
from review.passkeys import TO_MAKE, begin_passkey, begin_signing, host_takes_passkeys, passkey_to_make
from review.screens.frame import ScreenRequest, page, screen_without_second_factor
from review.second_factor import (
    VERIFIED,
    begin_set_up,
    codes_left,
    finish_passkey,
    finish_set_up,
    finish_sign_in,
    has_second_factor,
    knows_password,
    new_recovery_codes,
    proof_of,
    remove_passkey,
    remove_second_factor,
    sign_in,
    unfinished_set_up,
    waiting_user,
)
from review.single_sign_on import is_configured

WRONG_CODE = (
    "That code is not right, was used already, or came too soon after a wrong one. Wait until the app shows the next."
)


class SignIn(LoginView):
    template_name = "review/sign_in.html"

    def get_context_data(self, **context: Any) -> dict[str, Any]:
        named = settings.COUNTERSIGN_OIDC_NAME if is_configured() else ""
        return super().get_context_data(**context, single_sign_on=named)

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        if sign_in(self.request, form.get_user()):
            return HttpResponseRedirect(self.get_success_url())
        return to_second_step(self.get_redirect_url())


class SetPassword(PasswordResetConfirmView):
    """Where the link leads that a new colleague is handed. It stands for the password only."""

    template_name = "review/set_password.html"

    def form_valid(self, form: object) -> HttpResponse:
        super().form_valid(form)  # type: ignore[arg-type]
        user = cast(User, self.user)
        user.refresh_from_db()
        return redirect("queue") if sign_in(self.request, user) else to_second_step("")

    def get_success_url(self) -> str:
        return reverse("queue")


def to_second_step(next_page: str) -> HttpResponse:
    following = QueryDict(mutable=True)
    following["next"] = next_page
    return redirect(f"{reverse('second_step')}?{following.urlencode(safe='/')}")


@sensitive_post_parameters("code")
@require_http_methods(["GET", "POST"])
def second_step(request: HttpRequest) -> HttpResponse:
    """The code or the passkey, after the password was right. Who takes longer than ten minutes begins anew."""
    user = waiting_user(request)
    if user is None:
        return redirect("sign_in")
    next_page = request.POST.get("next", request.GET.get("next", ""))
    if request.method == "POST" and finish_sign_in(request, user):
        fits = url_has_allowed_host_and_scheme(next_page, request.get_host(), require_https=request.is_secure())
        return HttpResponseRedirect(next_page if fits else "/")
    wrong = WRONG_CODE if request.method == "POST" else ""
    context = {"next": next_page, "wrong": wrong, "to_sign": begin_signing(request, user)}
    return render(request, "review/second_step.html", context)


@require_GET
@screen_without_second_factor
def second_factor(request: ScreenRequest) -> HttpResponse:
    return show_second_factor(request)


def show_second_factor(request: ScreenRequest, *, codes: list[str] | None = None, wrong: str = "") -> HttpResponse:
    """`codes` are shown this once; nothing keeps them."""
    user = cast(User, request.user)
    unfinished = None if codes else unfinished_set_up(user)
    context = {
        "in_force": has_second_factor(user),
        "has_app": AppCode.objects.filter(user=user, confirmed=True).exists(),
        "passkeys": Passkey.objects.filter(user=user),
        "to_sign": begin_signing(request, user),
        "to_make": passkey_to_make(request),
        "host_takes_passkeys": host_takes_passkeys(request),
        "needed": request.second_factor_needed,
        "key": in_fours(unfinished) if unfinished else "",
        "picture": segno.make(unfinished.config_url, error="m").svg_data_uri(scale=4) if unfinished else "",
        "codes": codes,
        "codes_left": codes_left(user),
        "wrong": wrong,
        "has_password": user.has_usable_password(),
        "here": "second_factor",
    }
    answer = page(request, "review/second_factor.html", context)
    answer["Cache-Control"] = "no-store"
    return answer


def in_fours(device: AppCode) -> str:
    key = device.readable_key
    return " ".join(key[at : at + 4] for at in range(0, len(key), 4))


@sensitive_post_parameters("code", "password")
@require_POST
@screen_without_second_factor
def change_second_factor(request: ScreenRequest) -> HttpResponse:
    """One of the small forms of the page. What is in force is changed only by a code of it, or a recovery code."""
    change = CHANGES.get(request.POST.get("action", "").partition(" ")[0])
    return change(request, cast(User, request.user)) if change else redirect("second_factor")


def _begin(request: ScreenRequest, user: User) -> HttpResponse:
    if wrong := _not_theirs(request, user):
        return show_second_factor(request, wrong=wrong)
    if request.POST["action"] == "begin":
        begin_set_up(user)
    elif host_takes_passkeys(request):
        begin_passkey(request, user)
    return redirect("second_factor")


def _not_theirs(request: ScreenRequest, user: User) -> str:
    """What is wrong with the password, or with the proof of what is in force."""
    if not knows_password(request, user, request.POST.get("password", "")):
        return "That is not your password."
    return WRONG_CODE if has_second_factor(user) and not proof_of(request, user) else ""


def _finish(request: ScreenRequest, user: User) -> HttpResponse:
    codes = finish_set_up(request, user, request.POST.get("code", ""))
    if codes:
        return show_second_factor(request, codes=codes)
    return show_second_factor(request, wrong=WRONG_CODE)


def _finish_passkey(request: ScreenRequest, user: User) -> HttpResponse:
    passkey, codes = finish_passkey(request, user)
    if passkey is None:
        return show_second_factor(request, wrong="That did not become a passkey. Begin anew.")
    messages.success(request, f"Added: {passkey.name}")
    return show_second_factor(request, codes=codes) if codes else redirect("second_factor")


def _forget_passkey(request: ScreenRequest, user: User) -> HttpResponse:
    request.session.pop(TO_MAKE, None)
    return redirect("second_factor")


def _renew(request: ScreenRequest, user: User) -> HttpResponse:
    if not proof_of(request, user):
        return show_second_factor(request, wrong=WRONG_CODE)
    return show_second_factor(request, codes=new_recovery_codes(user))


def _remove(request: ScreenRequest, user: User) -> HttpResponse:
    """The passkey that the button names, else all there is."""
    if not proof_of(request, user):
        return show_second_factor(request, wrong=WRONG_CODE)
    which = request.POST["action"].removeprefix("remove").strip()
    if which:
        remove_passkey(user, int(which) if which.isdecimal() and len(which) < 19 else 0)
    else:
        remove_second_factor(user, by=user.get_username())
    if not has_second_factor(user):
        request.session.pop(VERIFIED, None)
        messages.success(request, "Your second factor is gone: the password alone signs you in")
    return redirect("second_factor")


CHANGES = {
    "begin": _begin,
    "finish": _finish,
    "begin_passkey": _begin,
    "finish_passkey": _finish_passkey,
    "forget_passkey": _forget_passkey,
    "renew": _renew,
    "remove": _remove,
}
