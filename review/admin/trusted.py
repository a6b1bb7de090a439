"""Trusted state: typed by a curator's own hand, here or on the screens (law 4)."""

from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path, reverse

from ledger.actions.curate import curate, retract
from ledger.models import JournalEvent, TrustedState
from ledger.rules.permissions import Right
from review.admin.base import LedgerAdmin
from review.admin.date_filter import when
from review.admin.filters import ScopeField, ScopeFilter
from review.admin.forms import JsonField, form_page, split
from review.admin.visibility import actor_of


class WordsForm(forms.Form):
    """What a curator types. `version` is that of the value it replaces; 0 where there is none yet."""

    version = forms.IntegerField(min_value=0, required=False, widget=forms.HiddenInput)
    statement = forms.CharField(
        max_length=4000, required=False, widget=forms.Textarea(attrs={"rows": 3, "class": "vLargeTextField"})
    )
    value = JsonField(help_text="a number, “words in quotes” or other JSON; empty where the statement says it all")
    cites = forms.CharField(
        max_length=4000, required=False, help_text="refs of claims, joined by commas; only recorded"
    )
    reason = forms.CharField(max_length=2000, required=False)


class RetractForm(forms.Form):
    version = forms.IntegerField(min_value=0, required=False, widget=forms.HiddenInput)
    reason = forms.CharField(max_length=2000, required=False)


@admin.register(TrustedState)
class TrustedStateAdmin(LedgerAdmin):
    change_form_template = "admin/countersign/trusted.html"
    list_display = ("ref", "status", "key", "says", "scope", "by", "at")
    list_display_links = ("ref",)
    list_select_related = ("scope",)
    list_filter = (ScopeFilter, when("at"), "status")
    page_related = ("scope", "replaces")
    search_fields = ("key",)
    search_help_text = "A ref, or part of the key or the statement"

    def find(self, rows: QuerySet[Any], term: str) -> QuerySet[Any]:
        """Trusted values are few, typed one by one."""
        return rows.filter(Q(ref=term.upper()) | Q(key__icontains=term) | Q(statement__icontains=term))

    @admin.display(description="statement")
    def says(self, row: TrustedState) -> str:
        return row.statement[:120]

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Whoever may curate in some scope is shown the way; the verb decides for the scope they name."""
        access = actor_of(request).access
        return any(access.may(Right.CURATE, root) for root in access.roots())

    def get_urls(self) -> list[URLPattern]:
        wrap = self.admin_site.admin_view
        return [
            path("<int:pk>/curate/", wrap(self.curate_view), name="ledger_trustedstate_curate"),
            path("<int:pk>/retract/", wrap(self.retract_view), name="ledger_trustedstate_retract"),
            *super().get_urls(),
        ]

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """A first value for a key; where one is current, that one's own page is the place to replace it."""
        own = {
            "scope": ScopeField(request),
            "key": forms.CharField(max_length=200),
            # No value is expected under the key: a current one is replaced on its own page, with its words in sight.
            "version": forms.IntegerField(initial=0, min_value=0, max_value=0, widget=forms.HiddenInput),
        }
        form: Any = type("CurateForm", (WordsForm,), own)
        form.base_fields = {name: form.base_fields[name] for name in ("scope", "key", *form.base_fields)}
        return form_page(
            request,
            self,
            title="Set a trusted value",
            form=form,
            do=lambda data: self._curate(request, data["scope"], data["key"], data),
            back=self._page_of,
            done="It is trusted now.",
            button="Sign",
        )

    def curate_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """New words for the key, with the old ones offered."""
        row: TrustedState = self.get_object(request, str(pk))
        self.require(request, Right.CURATE, row.scope.path)
        current = TrustedState.objects.filter(scope=row.scope_id, key=row.key, status="current").first()
        return form_page(
            request,
            self,
            title=f"Set {row.key}",
            original=row,
            form=WordsForm,
            initial={
                "version": current.version if current else 0,
                "statement": row.statement,
                "value": row.value,
                "cites": ", ".join(row.cites),
            },
            do=lambda data: self._curate(request, row.scope, row.key, data),
            back=self._page_of,
            done="It is trusted now.",
            button="Sign",
        )

    def retract_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        row: TrustedState = self.get_object(request, str(pk))
        self.require(request, Right.CURATE, row.scope.path)
        return form_page(
            request,
            self,
            title=f"Retract {row.key}",
            original=row,
            form=RetractForm,
            initial={"version": row.version},
            do=lambda data: retract(
                row.scope,
                row.key,
                actor=actor_of(request),
                reason=data["reason"],
                expected_version=data["version"],
            ),
            back=reverse("admin:ledger_trustedstate_change", args=[row.pk]),
            done=f"{row.key} is trusted no longer.",
            button="Retract",
            warning="The row stays and can be read; from now on nothing is trusted under this key.",
        )

    def _curate(self, request: HttpRequest, scope: Any, key: str, data: dict[str, Any]) -> JournalEvent:
        return curate(
            scope,
            key,
            actor=actor_of(request),
            statement=data["statement"],
            value=data["value"],
            cites=split(data["cites"]),
            reason=data["reason"],
            expected_version=data["version"],
        )

    def _page_of(self, event: JournalEvent) -> str:
        row = TrustedState.objects.only("pk").get(ref=event.ref)
        return reverse("admin:ledger_trustedstate_change", args=[row.pk])

    def page_context(self, request: HttpRequest, row: TrustedState) -> dict[str, Any]:
        may = self.may(request, Right.CURATE, row.scope.path)
        current = may and row.status == "current"
        return {
            "curate_url": reverse("admin:ledger_trustedstate_curate", args=[row.pk]) if may else "",
            "retract_url": reverse("admin:ledger_trustedstate_retract", args=[row.pk]) if current else "",
        }
