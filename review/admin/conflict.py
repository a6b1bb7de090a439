"""Live claims that cannot all be true, and weighted objections to one."""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path, reverse
from django.views.decorators.http import require_POST

from ledger.actions.conflict import dismiss, resolve
from ledger.models import Conflict, ConflictMember, Dispute
from ledger.rules.permissions import Right
from ledger.verbs import Verb
from review.admin.base import LedgerAdmin
from review.admin.bulk import ListAction, ListedRow, action, skipped_because
from review.admin.date_filter import when
from review.admin.filters import ScopeFilter, scope_at
from review.admin.forms import attempt
from review.admin.visibility import actor_of, reader_of
from review.desk.evidence import quotes_of


class SettleForm(forms.Form):
    version = forms.IntegerField(min_value=1, required=False, widget=forms.HiddenInput)
    winner = forms.CharField(max_length=40, required=False)
    reason = forms.CharField(max_length=2000, required=False, widget=forms.TextInput(attrs={"size": 60}))


def _lines(request: HttpRequest, conflicts: list[Any]) -> list[ListedRow]:
    access = actor_of(request).access
    members: dict[int, list[str]] = {}
    rows = ConflictMember.objects.filter(conflict__in=conflicts).select_related("claim", "trusted").order_by("pk")
    for member in rows.only(
        "conflict", "claim__ref", "claim__statement", "claim__subject", "trusted__ref", "trusted__statement"
    ):
        row = member.claim or member.trusted
        members.setdefault(member.conflict_id, []).append(f"{row.ref}: {row.told[:120]}" if row else "")
    return [
        ListedRow(
            conflict.pk,
            f"conflict {conflict.pk}",
            reverse("admin:ledger_conflict_change", args=[conflict.pk]),
            "\n".join(members.get(conflict.pk, [])),
            (conflict.scope.path, conflict.status),
            conflict.version,
            skipped_because(Verb.DISMISS, conflict)
            if access.may(Verb.DISMISS.row.right, conflict.scope.path)
            else "you may not decide here",
        )
        for conflict in conflicts
    ]


dismiss_selected = action(
    "dismiss_selected",
    ListAction(
        "Dismiss",
        "Dismissed: all their members hold",
        lambda conflict, actor, data, version, batch: dismiss(
            conflict, actor=actor, reason=data["reason"], expected_version=version, batch=batch
        ),
        _lines,
        ("Scope", "Status"),
        lambda conflict: f"conflict {conflict.pk}",
        says="Members",
    ),
)


@admin.register(Conflict)
class ConflictAdmin(LedgerAdmin):
    change_form_template = "admin/countersign/conflict.html"
    list_display = ("id", "status", "slot", "scope", "opened_at")
    list_select_related = ("scope",)
    list_filter = (ScopeFilter, when("opened_at"), "status")
    actions = (dismiss_selected,)
    search_fields = ("slot",)
    search_help_text = "A slot, or the ref of a member"

    def find(self, rows: QuerySet[Any], term: str) -> QuerySet[Any]:
        members = ConflictMember.objects.filter(claim__ref=term.upper()).values("conflict_id")
        return rows.filter(slot__icontains=term) | rows.filter(pk__in=members)

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(require_POST(self.settle_view))
        return [path("<int:pk>/settle/<slug:verb>/", view, name="ledger_conflict_settle"), *super().get_urls()]

    def settle_view(self, request: HttpRequest, pk: int, verb: str) -> HttpResponse:
        """POST: `resolve` for the member named as winner, or `dismiss`."""
        conflict: Conflict = self.get_object(request, str(pk))
        form = SettleForm(request.POST)
        if not form.is_valid() or verb not in ("resolve", "dismiss"):
            messages.error(request, "That is no way to settle a conflict.")
            return redirect("admin:ledger_conflict_change", pk)
        said, actor = form.cleaned_data, actor_of(request)
        told = {"actor": actor, "expected_version": said["version"], "reason": said["reason"]}
        if verb == "resolve":
            attempt(
                request, lambda: resolve(conflict, winner=said["winner"], **told), f"Resolved: {said['winner']} holds."
            )
        else:
            attempt(request, lambda: dismiss(conflict, **told), "Dismissed: both hold.")
        return redirect("admin:ledger_conflict_change", pk)

    def page_context(self, request: HttpRequest, row: Conflict) -> dict[str, Any]:
        members = list(row.members.select_related("claim", "trusted").defer("claim__search", "claim__proposed"))
        has_trusted = any(m.trusted and m.trusted.status == "current" for m in members)
        open_ = row.status == "open" and self.may(request, Right.REVIEW, row.scope.path)
        quotes = quotes_of([m.claim_id for m in members if m.claim_id is not None], reader_of(request).access)
        return {
            "sides": [
                {
                    "row": m.claim or m.trusted,
                    "trusted": m.trusted is not None,
                    "can_win": open_ and _can_win(m, has_trusted=has_trusted),
                    "quotes": quotes.get(m.claim_id or 0, []),
                }
                for m in members
            ],
            "resolve_url": reverse("admin:ledger_conflict_settle", args=[row.pk, "resolve"]) if open_ else "",
            "dismiss_url": reverse("admin:ledger_conflict_settle", args=[row.pk, "dismiss"]) if open_ else "",
        }


def _can_win(member: ConflictMember, *, has_trusted: bool) -> bool:
    """Trusted state never loses: where it takes part, only it can win."""
    if member.trusted is not None:
        return member.trusted.status == "current"
    return member.claim is not None and member.claim.status == "active" and not has_trusted


@admin.register(Dispute)
class DisputeAdmin(LedgerAdmin):
    """Raised and voided on the claim's own page, by dispute and recheck."""

    scope_lookups = ("claim__scope",)
    list_display = ("id", "status", "ref", "weight", "created_at")
    list_select_related = ("claim",)
    list_filter = (scope_at("claim__scope"), "status")
    list_defer = ("claim__search", "claim__proposed", "claim__statement", "claim__summary", "claim__value")
    page_related = ("claim", "evidence")
    page_defer = ("claim__search",)
    search_fields = ("claim__ref",)
    search_help_text = "The ref of a claim"

    def find(self, rows: QuerySet[Any], term: str) -> QuerySet[Any]:
        return rows.filter(claim__ref=term.upper())

    @admin.display(description="claim")
    def ref(self, dispute: Dispute) -> str:
        return dispute.claim.ref
