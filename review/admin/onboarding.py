"""A colleague in one page: a user, a role in a scope, and a link by which they set their own password."""

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.models import User
from django.contrib.auth.tokens import default_token_generator
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from ledger.actions.scope import set_member
from ledger.errors import DomainError
from ledger.models.scope import Role
from ledger.reads.scopes import scope_at
from ledger.rules.permissions import Right
from review.admin.filters import paths_offered
from review.admin.forms import explain
from review.admin.visibility import actor_of

MAY = {
    Role.VIEWER: "reads",
    Role.REVIEWER: "sends, proposes and decides",
    Role.CURATOR: "writes trusted values too",
    Role.OWNER: "changes settings and members too",
}


class OnboardingForm(forms.Form):
    username = forms.CharField(
        max_length=150,
        validators=[UnicodeUsernameValidator()],
        help_text="Their name here, for signing in and in the journal: letters, digits and @ . + - _",
    )
    email = forms.EmailField(
        required=False,
        label="Email address",
        widget=forms.TextInput({"inputmode": "email", "autocomplete": "off"}),
        help_text="Where digests of what waits reach them",
    )
    scope = forms.CharField(
        max_length=400,
        widget=forms.TextInput({"list": "scopes-in-sight", "autocomplete": "off"}),
        help_text="Where they work; the role holds below it as well",
    )
    role = forms.ChoiceField(
        choices=[(role, f"{role}: {may}") for role, may in MAY.items()], initial=Role.REVIEWER, label="Role there"
    )

    def clean_username(self) -> str:
        name: str = User.normalize_username(self.cleaned_data["username"])
        if User.objects.filter(username__iexact=name).exists():
            raise forms.ValidationError("Somebody is called so already. Choose another name.")
        return name


def onboard(request: HttpRequest, *, admin_context: dict[str, Any], may_add: bool) -> HttpResponse:
    """The form; sent, the user with the role, and the link to hand over."""
    if not may_add:
        raise PermissionDenied
    form = OnboardingForm(request.POST or None, initial={"scope": request.GET.get("scope", "")})
    made = welcomed(request, form) if request.method == "POST" and form.is_valid() else None
    context = admin_context | {
        "title": "Welcome a colleague",
        "form": form,
        "made": made,
        "link": link_for(request, made) if made else "",
        "button": "Make the user",
        "paths": paths_offered(request),
        "opts": User._meta,
    }
    return render(request, "admin/countersign/onboard.html", context)


def welcomed(request: HttpRequest, form: OnboardingForm) -> User | None:
    """Both or neither; what a verb refuses stands above the form."""
    said, actor = form.cleaned_data, actor_of(request)
    try:
        with transaction.atomic():
            scope = scope_at(said["scope"], actor.access, Right.ADMINISTER)
            user: User = User.objects.create_user(said["username"], said["email"])
            set_member(scope, user.username, role=said["role"], actor=actor)
    except DomainError as error:
        form.add_error("scope", explain(error))
        return None
    messages.success(request, f"{user.username} is {said['role']} in {scope.path}")
    return user


def link_for(request: HttpRequest, user: User) -> str:
    """Good once, for as long as Django's own (PASSWORD_RESET_TIMEOUT, three days)."""
    uid = urlsafe_base64_encode(force_bytes(user.pk))
    return request.build_absolute_uri(reverse("set_password", args=[uid, default_token_generator.make_token(user)]))
