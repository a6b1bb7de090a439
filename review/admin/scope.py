"""Scopes with their settings, members and people. Each change is a verb of the ledger and an event in the journal."""

import zoneinfo
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.contrib import admin, messages
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path, reverse
from django.views.decorators.http import require_POST

from ledger.actions.scope import CHANGEABLE, add_person, create_scope, remove_member, set_member, update_scope
from ledger.models import Member, Person, Role, Scope, SecretsSetting, Tier
from ledger.packs import CORE
from ledger.reads.packs import newest_packs, packs_in_force
from ledger.rules.permissions import Right
from review.admin.base import LedgerAdmin
from review.admin.filters import ScopeField, ScopeFilter
from review.admin.forms import JsonField, attempt, form_page, split
from review.admin.visibility import actor_of

MAX_MEMBERS_SHOWN = 200


def pack_choices() -> list[tuple[str, str]]:
    """What a scope may choose. The core pack is no choice: every scope has it."""
    shown = ((one, f"{one.name}: {one.title} {one.version} ({one.digest[:12]})") for one in newest_packs())
    return [(one.name, label) for one, label in shown if one.name != CORE]


def timezone_choices() -> list[tuple[str, str]]:
    return [(name, name) for name in sorted(zoneinfo.available_timezones())]


class SettingsForm(forms.Form):
    """The columns of `ledger.actions.scope.CHANGEABLE`."""

    version = forms.IntegerField(min_value=1, required=False, widget=forms.HiddenInput)
    name = forms.CharField(max_length=200)
    packs = forms.MultipleChoiceField(choices=pack_choices, required=False, widget=forms.CheckboxSelectMultiple)
    timezone = forms.ChoiceField(choices=timezone_choices)
    stage = forms.CharField(max_length=60, required=False)
    retention_days = forms.IntegerField(min_value=1, max_value=2**31 - 1, required=False)
    policies = JsonField(
        help_text="an object: name → settings for on, false for off; a name that is absent is as above"
    )
    allowed_endpoints = forms.CharField(max_length=2000, required=False, help_text="joined by commas")
    secrets = forms.ChoiceField(
        choices=[("", "as the scope above"), *SecretsSetting.choices],
        required=False,
        help_text="passwords, keys, card numbers",
    )
    second_factor = forms.BooleanField(required=False, help_text="for everybody with a role here, above or below")
    reason = forms.CharField(max_length=1000, required=False, help_text="for the journal")


class CreateForm(forms.Form):
    path = forms.CharField(max_length=400, help_text="such as studio/backdrop; the parent must exist")
    tier = forms.ChoiceField(choices=[c for c in Tier.choices if c[0] != Tier.GLOBAL], initial=Tier.PROJECT)
    name = forms.CharField(max_length=200, required=False)
    packs = forms.MultipleChoiceField(choices=pack_choices, required=False, widget=forms.CheckboxSelectMultiple)
    timezone = forms.ChoiceField(choices=timezone_choices, initial="UTC")
    stage = forms.CharField(max_length=60, required=False)


class PersonForm(forms.Form):
    name = forms.CharField(max_length=200)
    aliases = forms.CharField(max_length=2000, required=False, help_text="joined by commas")
    role = forms.CharField(max_length=60, required=False, help_text="such as guardian, child, bot")
    username = forms.CharField(max_length=150, required=False, help_text="the user of this site they are, if any")
    telegram_id = forms.IntegerField(required=False, min_value=-(2**63), max_value=2**63 - 1)


class MemberForm(forms.Form):
    username = forms.CharField(max_length=150)
    role = forms.ChoiceField(choices=Role.choices)


@admin.register(Scope)
class ScopeAdmin(LedgerAdmin):
    scope_lookups = ()
    keyset = "path"
    change_form_template = "admin/countersign/scope.html"
    list_display = ("path", "name", "tier", "packs", "timezone", "stage", "created_at")
    list_filter = ("tier",)
    page_related = ("parent",)
    search_fields = ("path",)
    search_help_text = "Part of the path or of the name"
    ordering = ("path",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        from review.admin.visibility import scopes_in_sight

        return scopes_in_sight(request)

    def find(self, rows: QuerySet[Any], term: str) -> QuerySet[Any]:
        return rows.filter(Q(path__contains=term.lower()) | Q(name__icontains=term))

    def view_on_site(self, scope: Scope) -> str:
        return f"/scopes/{scope.path}"

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        allowed = super().has_view_permission(request)
        return allowed and (obj is None or self.get_queryset(request).filter(pk=obj.pk).exists())

    def has_add_permission(self, request: HttpRequest) -> bool:
        access = actor_of(request).access
        return access.may_make_top_level() or any(access.may(Right.ADMINISTER, root) for root in access.roots())

    def get_urls(self) -> list[URLPattern]:
        wrap = self.admin_site.admin_view
        return [
            path("<int:pk>/settings/", wrap(self.settings_view), name="ledger_scope_settings"),
            path("<int:pk>/members/", wrap(require_POST(self.member_view)), name="ledger_scope_member"),
            path("<int:pk>/members/remove/", wrap(require_POST(self.remove_view)), name="ledger_scope_remove_member"),
            *super().get_urls(),
        ]

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        return form_page(
            request,
            self,
            title="Create a scope",
            form=CreateForm,
            do=lambda data: create_scope(data.pop("path"), actor=actor_of(request), **data),
            back=lambda scope: reverse("admin:ledger_scope_change", args=[scope.pk]),
            done="The scope is there.",
            button="Create",
        )

    def settings_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        scope: Scope = self.get_object(request, str(pk))
        self.require(request, Right.ADMINISTER, scope.path)
        initial = {name: getattr(scope, name) for name in ("version", *CHANGEABLE)}
        initial["allowed_endpoints"] = ", ".join(scope.allowed_endpoints)
        return form_page(
            request,
            self,
            title=f"Settings of {scope.path}",
            original=scope,
            form=SettingsForm,
            initial=initial,
            do=lambda data: update_scope(
                scope,
                actor=actor_of(request),
                changes=_changed(scope, data),
                expected_version=data["version"],
                reason=data["reason"],
            ),
            back=reverse("admin:ledger_scope_change", args=[scope.pk]),
            done="The settings are in force.",
        )

    def member_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """POST: give a user a role here and below, or change it."""
        scope: Scope = self.get_object(request, str(pk))
        form = MemberForm(request.POST)
        if form.is_valid():
            user, role = form.cleaned_data["username"], form.cleaned_data["role"]
            attempt(
                request,
                lambda: set_member(scope, user, role=role, actor=actor_of(request)),
                f"{user} is {role} of {scope.path} now.",
            )
        else:
            messages.error(request, "Name a user and a role.")
        return redirect("admin:ledger_scope_change", pk)

    def remove_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """POST: take a role away."""
        scope: Scope = self.get_object(request, str(pk))
        user = request.POST.get("username", "").replace("\0", "")[:150]
        attempt(
            request,
            lambda: remove_member(scope, user, actor=actor_of(request)),
            f"{user} has no role of their own in {scope.path} any more.",
        )
        return redirect("admin:ledger_scope_change", pk)

    def page_context(self, request: HttpRequest, row: Scope) -> dict[str, Any]:
        may = self.may(request, Right.ADMINISTER, row.path)
        members = row.members.select_related("user").order_by("user__username")[: MAX_MEMBERS_SHOWN + 1]
        person_url = f"{reverse('admin:ledger_person_add')}?{urlencode({'scope': row.path})}"
        return {
            "settings_url": reverse("admin:ledger_scope_settings", args=[row.pk]) if may else "",
            "member_url": reverse("admin:ledger_scope_member", args=[row.pk]) if may else "",
            "remove_url": reverse("admin:ledger_scope_remove_member", args=[row.pk]) if may else "",
            "person_url": person_url if may else "",
            "members": list(members)[:MAX_MEMBERS_SHOWN],
            "more_members": len(members) > MAX_MEMBERS_SHOWN,
            "roles": Role.choices,
            "member_form": MemberForm(auto_id="member_%s"),
            "packs_in_force": packs_in_force(row),
        }


def _changed(scope: Scope, data: dict[str, Any]) -> dict[str, Any]:
    wanted = {name: data[name] for name in CHANGEABLE}
    wanted["packs"] = [
        *(p for p in scope.packs if p in data["packs"]),
        *(p for p in data["packs"] if p not in scope.packs),
    ]
    wanted["allowed_endpoints"] = split(data["allowed_endpoints"])
    wanted["policies"] = {} if data["policies"] is None else data["policies"]
    return {name: value for name, value in wanted.items() if value != getattr(scope, name)}


@admin.register(Member)
class MemberAdmin(LedgerAdmin):
    """A list over all scopes; roles are given and taken on the scope's own page."""

    list_display = ("id", "user", "role", "scope", "created_at")
    list_select_related = ("user", "scope")
    list_filter = (ScopeFilter, "role")
    page_related = ("user", "scope")
    linked = ("user__id__exact",)
    search_fields = ("user__username",)
    search_help_text = "A user's name, in full"

    def find(self, rows: QuerySet[Any], term: str) -> QuerySet[Any]:
        return rows.filter(user__username=term)


@admin.register(Person)
class PersonAdmin(LedgerAdmin):
    """Entries are made and brought up to date by the verb add_person: the same name in the same scope is the same entry."""

    change_form_template = "admin/countersign/person.html"
    list_display = ("id", "name", "role", "aliases", "scope", "user", "telegram_id")
    list_display_links = ("name",)
    list_select_related = ("scope", "user")
    list_filter = (ScopeFilter,)
    page_related = ("scope", "user")
    search_fields = ("name",)
    search_help_text = "Part of the name"

    def find(self, rows: QuerySet[Any], term: str) -> QuerySet[Any]:
        return rows.filter(Q(name__icontains=term) | Q(aliases__contains=[term]))

    def has_add_permission(self, request: HttpRequest) -> bool:
        access = actor_of(request).access
        return any(access.may(Right.ADMINISTER, root) for root in access.roots())

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.edit_view)
        return [path("<int:pk>/edit/", view, name="ledger_person_edit"), *super().get_urls()]

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        form = type("AddForm", (PersonForm,), {"scope": ScopeField(request)})
        given = request.GET.get("scope", "").replace("\0", "")[:400]
        return form_page(
            request,
            self,
            title="Add a person",
            form=form,
            initial={"scope": given},
            do=lambda data: self._add(request, data.pop("scope"), data),
            back=lambda person: reverse("admin:ledger_person_change", args=[person.pk]),
            done="The person is known here.",
        )

    def edit_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        person: Person = self.get_object(request, str(pk))
        self.require(request, Right.ADMINISTER, person.scope.path)
        fixed = forms.CharField(max_length=200, disabled=True)
        return form_page(
            request,
            self,
            title=f"Edit {person.name}",
            original=person,
            form=type("EditForm", (PersonForm,), {"name": fixed}),
            initial={
                "name": person.name,
                "aliases": ", ".join(person.aliases),
                "role": person.role,
                "username": person.user.get_username() if person.user else "",
                "telegram_id": person.telegram_id,
            },
            do=lambda data: self._add(request, person.scope, data),
            back=reverse("admin:ledger_person_change", args=[person.pk]),
            done=f"{person.name} is up to date.",
        )

    def _add(self, request: HttpRequest, scope: Scope, data: dict[str, Any]) -> Person:
        return add_person(
            scope,
            data["name"],
            actor=actor_of(request),
            aliases=split(data["aliases"]),
            role=data["role"],
            username=data["username"],
            telegram_id=data["telegram_id"],
        )

    def page_context(self, request: HttpRequest, row: Person) -> dict[str, Any]:
        may = self.may(request, Right.ADMINISTER, row.scope.path)
        return {"edit_url": reverse("admin:ledger_person_edit", args=[row.pk]) if may else ""}
