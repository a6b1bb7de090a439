"""Extraction passes and what they log."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path, reverse
from django.views.decorators.http import require_POST

from ledger.actions.run import retry_run
from ledger.models import Gate, Pattern, Run, RunHit, Wave
from ledger.rules.permissions import Right
from review.admin.acting import MOST_AT_ONCE, attempt, decide_all
from review.admin.base import LedgerAdmin, number
from review.admin.filters import ScopeFilter, scope_at
from review.admin.sight import actor_of


@admin.action(description="Retry selected runs")
def retry_selected(model_admin: "RunAdmin", request: HttpRequest, rows: QuerySet[Any]) -> None:
    actor = actor_of(request)
    ids = list(rows.order_by("pk").values_list("pk", flat=True)[:MOST_AT_ONCE])
    decide_all(
        request,
        Run.objects.filter(pk__in=ids).order_by("pk"),
        lambda run, _: retry_run(run, actor=actor),
        name=lambda run: f"run {run.pk}",
        done="Queued again",
        batched=False,
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
    list_defer = ("raw_answer", "error", "stats")
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
                (f"{reverse('admin:ledger_gate_changelist')}?run__id__exact={row.pk}", "Gates"),
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
    list_filter = (ScopeFilter,)
    date_hierarchy = "created_at"
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
