"""Extraction passes and what they log."""

from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path, reverse
from django.views.decorators.http import require_POST

from ledger.actions.run import retry_run
from ledger.models import Gate, Pattern, Run, RunHit, Wave
from ledger.rules.permissions import Right
from review.admin.base import LedgerAdmin, number
from review.admin.bulk import ListAction, ListedRow, action
from review.admin.date_filter import when
from review.admin.filters import ScopeFilter, scope_at
from review.admin.forms import attempt
from review.admin.visibility import actor_of


def _lines(request: HttpRequest, runs: list[Any]) -> list[ListedRow]:
    access = actor_of(request).access
    return [
        ListedRow(
            run.pk,
            f"run {run.pk}",
            reverse("admin:ledger_run_change", args=[run.pk]),
            run.error[:200],
            (run.extractor, run.scope.path, run.status),
            hindrance=(f"it has {run.status}" if run.status != "failed" else "")
            if access.may(Right.INGEST, run.scope.path)
            else "you may not send here",
        )
        for run in runs
    ]


retry_selected = action(
    "retry_selected",
    ListAction(
        "Retry",
        "Queued again",
        lambda run, actor, data, version, batch: retry_run(run, actor=actor),
        _lines,
        ("Extractor", "Scope", "Status"),
        lambda run: f"run {run.pk}",
        form=forms.Form,
        undone_together=False,
        says="Error",
    ),
)


@admin.register(Run)
class RunAdmin(LedgerAdmin):
    change_form_template = "admin/countersign/run.html"
    list_display = (
        "id",
        "status",
        "extractor",
        "source_id",
        "scope",
        "attempts",
        "requested_by",
        "created_at",
        "finished_at",
    )
    list_select_related = ("scope",)
    list_filter = (ScopeFilter, "status", "forced", "dry")
    list_defer = ("raw_answer", "stats")
    page_related = ("scope", "source")
    page_defer = ("source__text",)
    linked = ("source__id__exact", "extractor__exact")
    search_fields = ("id",)
    search_help_text = "The number of a run"
    actions = (retry_selected,)

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(require_POST(self.retry_view))
        return [path("<int:pk>/retry/", view, name="ledger_run_retry"), *super().get_urls()]

    def retry_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        run: Run = self.get_object(request, str(pk))
        attempt(request, lambda: retry_run(run, actor=actor_of(request)), f"Queued again: run {pk}.")
        return redirect("admin:ledger_run_change", pk)

    def page_context(self, request: HttpRequest, row: Run) -> dict[str, Any]:
        may_retry = row.status == "failed" and self.may(request, Right.INGEST, row.scope.path)
        return {
            "retry_url": reverse("admin:ledger_run_retry", args=[row.pk]) if may_retry else "",
            "links": [
                (f"{reverse('admin:ledger_claim_changelist')}?run__id__exact={row.pk}", "Claims it proposed"),
                (f"{reverse('admin:ledger_runhit_changelist')}?run__id__exact={row.pk}", "Hits that became no claim"),
                (f"{reverse('admin:ledger_gate_changelist')}?run__id__exact={row.pk}", "Checks"),
            ],
        }


@admin.register(RunHit)
class RunHitAdmin(LedgerAdmin):
    scope_lookups = ("run__scope",)
    list_display = ("id", "run_id", "number", "fate", "why", "admitted_id")
    list_filter = (scope_at("run__scope"), "fate")
    list_defer = ("hit",)
    page_related = ("run", "admitted")
    page_defer = ("admitted__search", "run__raw_answer")
    linked = ("run__id__exact",)
    search_fields = ("run__id",)
    search_help_text = "The number of a run"

    def find(self, rows: QuerySet[Any], term: str) -> QuerySet[Any]:
        return rows.filter(run=int(term)) if number(term) else rows.none()


@admin.register(Gate)
class GateAdmin(LedgerAdmin):
    scope_lookups = ("source__scope",)
    list_display = ("id", "stage", "type", "score", "threshold", "passed", "decision", "source_id", "run_id", "at")
    list_filter = (scope_at("source__scope"), "passed")
    page_related = ("source", "run")
    page_defer = ("source__text", "run__raw_answer")
    linked = ("source__id__exact", "run__id__exact", "stage__exact")
    search_fields = ("source__id",)
    search_help_text = "The number of a source"

    def find(self, rows: QuerySet[Any], term: str) -> QuerySet[Any]:
        return rows.filter(source=int(term)) if number(term) else rows.none()


@admin.register(Wave)
class WaveAdmin(LedgerAdmin):
    list_display = ("id", "label", "by", "scope", "created_at")
    list_select_related = ("scope",)
    list_filter = (ScopeFilter, when("created_at"))
    page_related = ("scope",)
    search_fields = ("label",)
    # What it took along is a list of any length: the wave's own page counts it.
    exclude = ("taken_along",)

    def page_context(self, request: HttpRequest, row: Wave) -> dict[str, Any]:
        return {
            "links": [
                (reverse("wave", args=[row.pk]), "Its report"),
                (f"{reverse('admin:ledger_source_changelist')}?wave__id__exact={row.pk}", "Sources that came with it"),
            ]
        }

    def find(self, rows: QuerySet[Any], term: str) -> QuerySet[Any]:
        """Waves are few beside what came in them."""
        return rows.filter(label__icontains=term)


@admin.register(Pattern)
class PatternAdmin(LedgerAdmin):
    list_display = ("ref", "type", "claim_id", "auto_detected", "scope", "detected_at")
    list_select_related = ("scope",)
    list_filter = (ScopeFilter, "type", "auto_detected")
    list_defer = ("description",)
    page_related = ("scope", "claim")
    page_defer = ("claim__search",)
    # The sources are a list of any length, and their texts are long: they are reached through the claim's evidence.
    exclude = ("sources",)
    search_fields = ("ref",)
    search_help_text = "A ref"

    def find(self, rows: QuerySet[Any], term: str) -> QuerySet[Any]:
        return rows.filter(ref=term.upper())
