"""Filters that neither count nor search through a table to offer their choices."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.admin.views.main import PAGE_VAR
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest

from ledger.models import Claim, ConflictMember, Scope
from ledger.reads.scopes import below
from review.admin.visibility import MAX_LITERALS, ids_in_sight, scopes_in_sight

PARAMETER = "scope"
MAX_OFFERED = 500


class ScopeField(forms.CharField):
    """A scope within sight, by its path; the browser offers the first of them as they are typed."""

    def __init__(self, request: HttpRequest, **options: Any) -> None:
        self.scopes = scopes_in_sight(request)
        widget = forms.TextInput(attrs={"list": "scopes-in-sight", "autocomplete": "off", "spellcheck": "false"})
        super().__init__(max_length=400, widget=widget, **options)

    def clean(self, value: Any) -> Any:
        found = scope_named(self.scopes, super().clean(value))
        if found is None and self.required:
            raise ValidationError("No such scope is in your sight.")
        return found

    def prepare_value(self, value: Any) -> Any:
        return value.path if isinstance(value, Scope) else value


def scope_named(scopes: QuerySet[Scope], word: str) -> Scope | None:
    """By path, else by number."""
    found = scopes.filter(path=word[:400]).first()
    if found is None and word.isascii() and word.isdigit() and len(word) <= 18:
        found = scopes.filter(pk=int(word)).first()
    return found


def paths_offered(request: HttpRequest) -> list[str]:
    """What a field for a scope offers while one types."""
    return list(scopes_in_sight(request).order_by("path").values_list("path", flat=True)[:MAX_OFFERED])


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
        # The scopes of the list where they are known one by one: those below the chosen one, else those in sight.
        self.ids: list[int] | None = None
        if given and given[-1]:
            word = given[-1]
            self.used_parameters[PARAMETER] = word
            self.scope = scope_named(scopes_in_sight(request), word)
            self.unknown = self.scope is None
        if self.lookup == "scope":
            self.ids = below_ids(self.scope) if self.scope else ids_in_sight(request)
        self.request = request

    def has_output(self) -> bool:
        return True

    def expected_parameters(self) -> list[str | None]:
        return [PARAMETER]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        if self.unknown:
            return queryset.none()
        if self.scope is None:
            return queryset
        ids = self.ids if self.lookup == "scope" else below_ids(self.scope)
        inside = Scope.objects.filter(below(self.scope.path)).order_by()
        return queryset.filter(**{f"{self.lookup}__in": inside if ids is None else ids})

    def choices(self, changelist: Any) -> list[dict[str, Any]]:  # type: ignore[override]
        """One choice, which is the form; the other filters ride along as hidden fields."""
        kept = [
            (name, value)
            for name, values in changelist.filter_params.items()
            if name != PARAMETER
            for value in (values if isinstance(values, list) else [values])
        ]
        return [
            {
                "path": self.scope.path if self.scope else "",
                "paths": paths_offered(self.request),
                "unknown": self.unknown,
                "kept": kept,
                "clear": changelist.get_query_string(remove=[PARAMETER, PAGE_VAR]),
            }
        ]


def below_ids(scope: Scope) -> list[int] | None:
    """The scope and all below it, where they are few enough to be named."""
    inside = Scope.objects.filter(below(scope.path)).order_by()
    ids = list(inside.values_list("pk", flat=True)[: MAX_LITERALS + 1])
    return ids if len(ids) <= MAX_LITERALS else None


class DisputedFilter(admin.SimpleListFilter):
    """Disputed as it shows: somebody objected, or the claim holds while an open conflict names it (P15)."""

    title = "disputed"
    parameter_name = "disputed"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("1", "Yes"), ("0", "No")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any] | None:
        if self.value() not in ("0", "1"):
            return None
        objected = Claim.objects.filter(disputed=True).order_by().values("pk")
        named = ConflictMember.objects.filter(conflict__status="open", claim__status="active").values("claim")
        if self.value() == "1":
            # One list of ids, from two small indexes.
            return queryset.filter(pk__in=objected.union(named, all=True))
        return queryset.exclude(pk__in=named).filter(disputed=False)


def scope_at(path: str) -> type[ScopeFilter]:
    """The scope filter for rows whose scope lies elsewhere: `claim__scope`, `source__scope`."""
    return type("ScopeFilter", (ScopeFilter,), {"lookup": path})
