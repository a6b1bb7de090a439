"""Filters that neither count nor search through a table to offer their choices."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.admin.widgets import AutocompleteSelect
from django.db.models import QuerySet
from django.http import HttpRequest

from ledger.models import Claim, Scope
from ledger.reads.scopes import below
from review.admin.sight import MOST_LITERALS, scopes_in_sight

PARAMETER = "scope"


def scope_field(request: HttpRequest, site: admin.AdminSite, **options: Any) -> forms.ModelChoiceField[Scope]:
    """A scope within sight, found by typing part of its path; never a list of all of them."""
    widget = AutocompleteSelect(Claim._meta.get_field("scope"), site)
    return forms.ModelChoiceField(queryset=scopes_in_sight(request), widget=widget, **options)


class ScopeFilter(admin.ListFilter):
    """A scope and all below it."""

    title = "scope"
    template = "admin/countersign/scope_filter.html"
    lookup = "scope"

    def __init__(self, request: HttpRequest, params: dict[str, Any], model: Any, model_admin: Any) -> None:
        super().__init__(request, params, model, model_admin)
        given = params.pop(PARAMETER, None)
        self.scope: Scope | None = None
        self.unknown = False
        if given and given[-1]:
            word = given[-1]
            self.used_parameters[PARAMETER] = word
            number = int(word) if word.isascii() and word.isdigit() and len(word) <= 18 else 0
            self.scope = scopes_in_sight(request).filter(pk=number).first()
            self.unknown = self.scope is None
        form = type(
            "ScopeForm", (forms.Form,), {PARAMETER: scope_field(request, model_admin.admin_site, required=False)}
        )
        self.form: forms.Form = form(initial={PARAMETER: self.scope.pk if self.scope else None}, auto_id="filter_%s")

    def has_output(self) -> bool:
        return True

    def expected_parameters(self) -> list[str | None]:
        return [PARAMETER]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        if self.unknown:
            return queryset.none()
        if self.scope is None:
            return queryset
        inside = Scope.objects.filter(below(self.scope.path)).order_by()
        ids = list(inside.values_list("pk", flat=True)[: MOST_LITERALS + 1])
        return queryset.filter(**{f"{self.lookup}__in": ids if len(ids) <= MOST_LITERALS else inside})

    def choices(self, changelist: Any) -> list[dict[str, Any]]:  # type: ignore[override]
        """One choice, which is the form; the other filters ride along as hidden fields."""
        kept = [
            (name, value)
            for name, values in changelist.filter_params.items()
            if name != PARAMETER
            for value in (values if isinstance(values, list) else [values])
        ]
        return [{"field": self.form[PARAMETER], "kept": kept, "clear": changelist.get_query_string(remove=[PARAMETER])}]


def scope_at(path: str) -> type[ScopeFilter]:
    """The scope filter for rows whose scope lies elsewhere: `claim__scope`, `source__scope`."""
    return type("ScopeFilter", (ScopeFilter,), {"lookup": path})
