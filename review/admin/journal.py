"""The journal: every decision with its changes and its undo, and the chain of seals. It only grows."""

import re
import uuid
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path, reverse
from django.views.decorators.http import require_POST

from ledger.actions.undo import right_to_undo, root_verb, undo, undo_batch, undo_right
from ledger.models import Claim, JournalEvent, Seal
from ledger.reads.history import event_rows
from review.admin.base import LedgerAdmin, number
from review.admin.card import claim_url
from review.admin.date_filter import when
from review.admin.filters import ScopeFilter, scope_at
from review.admin.forms import attempt, undoable
from review.admin.visibility import actor_of, in_sight, reader_of
from review.desk.history import history_entries, through

# The page of a claim under one of its three names.
OF_A_CLAIM = re.compile(r"ledger/(?:claim|candidate|entity)/\d+/change/")


class UndoForm(forms.Form):
    reason = forms.CharField(max_length=2000, required=False)


@admin.register(JournalEvent)
class JournalEventAdmin(LedgerAdmin):
    change_form_template = "admin/countersign/event.html"
    list_display = ("id", "at", "verb", "ref", "by", "scope", "because")
    list_select_related = ("scope",)
    list_filter = (ScopeFilter, when("at"), "actor_kind")
    by_scope = ()
    list_defer = page_defer = ("salt",)
    page_related = ("scope", "user", "undoes", "undone_by")
    linked = ("batch__exact", "verb__exact", "door__exact", "user__id__exact", "ref__exact")
    search_fields = ("ref",)
    search_help_text = "A ref, the number of an event, or a batch"
    fields = (
        "id", "at", "verb", "ref", "scope", "actor_name", "actor_kind", "user", "token_id", "door", "reason", "request_id",
        "batch", "undoes", "redacted",
    )  # fmt: skip

    def find(self, rows: QuerySet[Any], term: str) -> QuerySet[Any]:
        if number(term):
            return rows.filter(pk=int(term))
        try:
            return rows.filter(batch=uuid.UUID(term))
        except ValueError:
            # Refs of claims are upper case; `source-5` and `token-5` are not.
            return rows.filter(ref__in=[term, term.upper()])

    @admin.display(description="by")
    def by(self, event: JournalEvent) -> str:
        kind = "" if event.actor_kind == "human" else f" ({event.actor_kind})"
        return f"{event.actor_name}{kind} {through(event.door)}"

    @admin.display(description="reason")
    def because(self, event: JournalEvent) -> str:
        return event.reason[:80]

    def get_urls(self) -> list[URLPattern]:
        def post(view: Any) -> Any:
            return self.admin_site.admin_view(require_POST(view))

        return [
            path("<int:pk>/undo/", post(self.undo_view), name="ledger_journalevent_undo"),
            path("batch/<uuid:batch>/undo/", post(self.undo_batch_view), name="ledger_journalevent_undo_batch"),
            *super().get_urls(),
        ]

    def undo_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        event: JournalEvent = self.get_object(request, str(pk))
        reason = _reason(request)
        attempt(
            request,
            lambda: undo(event, actor=actor_of(request), reason=reason),
            f"Undone: {event.verb} {event.ref}".strip() + ".",
        )
        return redirect(_back(request, reverse("admin:ledger_journalevent_change", args=[pk]), event.ref))

    def undo_batch_view(self, request: HttpRequest, batch: uuid.UUID) -> HttpResponse:
        if not self.get_queryset(request).filter(batch=batch).exists():
            raise Http404(f"no batch {batch}")
        reason = _reason(request)
        done = attempt(
            request,
            lambda: undo_batch(batch, actor=actor_of(request), reason=reason),
            "Undone: all of one batch.",
        )
        if done:
            messages.info(request, f"{len(done)} events were reversed.")
        return redirect(_back(request, f"{reverse('admin:ledger_journalevent_changelist')}?batch__exact={batch}"))

    def page_context(self, request: HttpRequest, row: JournalEvent) -> dict[str, Any]:
        allowed = undoable(row) and self.may(request, right_to_undo(row), row.scope.path)
        return {
            "undo_url": reverse("admin:ledger_journalevent_undo", args=[row.pk]) if allowed else "",
            "batch_url": reverse("admin:ledger_journalevent_undo_batch", args=[row.batch])
            if row.batch and allowed
            else "",
            "undone_by": getattr(row, "undone_by", None),
            "no_undo": not allowed and undo_right(root_verb(row)) is None,
            "history": history_entries([event_rows().get(pk=row.pk)], reader_of(request).access),
        }


@admin.register(Seal)
class SealAdmin(LedgerAdmin):
    scope_lookups = ("event__scope",)
    list_display = ("number", "event_id", "chained", "sealed_at")
    list_filter = (scope_at("event__scope"),)
    list_defer = ("payload_digest",)
    page_related = ("event",)
    page_defer = ("event__salt",)
    fields = ("number", "event", "payload", "chained", "sealed_at")
    readonly_fields = ("payload", "chained")
    search_fields = ("number",)
    search_help_text = "The number of a seal"

    @admin.display(description="digest")
    def chained(self, seal: Seal) -> str:
        return bytes(seal.digest).hex()

    @admin.display(description="payload digest")
    def payload(self, seal: Seal) -> str:
        return bytes(seal.payload_digest).hex()


def _reason(request: HttpRequest) -> str:
    form = UndoForm(request.POST)
    return str(form.cleaned_data["reason"]) if form.is_valid() else ""


def _back(request: HttpRequest, default: str, ref: str = "") -> str:
    """Back to the page that the button stood on, as long as that is one of the admin's own; from a card to the card of
    the claim that the undone event was about."""
    place, _, query = request.POST.get("back", "").partition("?")
    if not place.startswith(reverse("admin:index")) or "\\" in place or "//" in place:
        return default
    if OF_A_CLAIM.fullmatch(place.removeprefix(reverse("admin:index"))):
        claim = Claim.objects.filter(in_sight(request, "scope"), ref=ref).only("pk", "promoted_at").first()
        place = claim_url(claim, among_all="/claim/" in place) if claim is not None else place
    return f"{place}?{query}" if query else place
