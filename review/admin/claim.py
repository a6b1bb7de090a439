"""Claims under their three names: every claim, those that wait, those that were countersigned."""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin import helpers
from django.contrib.postgres.search import SearchQuery
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.urls import URLPattern, path, reverse
from django.views.decorators.http import require_POST

from ledger.actions.decide import archive, defer, reject
from ledger.actions.edit import edit
from ledger.actions.promote import promote
from ledger.actor import operator
from ledger.models import Candidate, Claim, Entity, JournalEvent, TrustedState
from ledger.reads.claims import REF, evidence_of
from ledger.reads.held import previews
from ledger.reads.history import history
from ledger.rules.permissions import Right
from ledger.rules.states import IN_QUEUE
from review.admin.acting import MOST_AT_ONCE, attempt, decide_all, form_page, with_undo
from review.admin.base import LedgerAdmin, number
from review.admin.claim_verbs import VERBS, EditForm, edit_initial, edited, possible
from review.admin.filters import ScopeFilter
from review.admin.keyset import any_found
from review.admin.sight import actor_of, in_sight, sees_everything

BATCHED = {"promote": promote, "reject": reject, "defer": defer, "archive": archive}
DONE = {"promote": "Promoted", "reject": "Rejected", "defer": "Deferred", "archive": "Archived"}


class ReasonedActionForm(helpers.ActionForm):
    reason = forms.CharField(max_length=2000, required=False, label="Reason:")


def _decide(verb: str, model_admin: "ClaimAdmin", request: HttpRequest, rows: QuerySet[Any]) -> None:
    reason = request.POST.get("reason", "").replace("\0", "")[:2000]
    ids = list(rows.order_by("pk").values_list("pk", flat=True)[: MOST_AT_ONCE + 1])
    if len(ids) > MOST_AT_ONCE:
        messages.error(request, f"At most {MOST_AT_ONCE} claims are decided at once; nothing was done.")
        return
    actor = actor_of(request)
    decide_all(
        request,
        Claim.objects.filter(pk__in=ids).order_by("pk"),
        lambda claim, batch: BATCHED[verb](claim, actor=actor, reason=reason, batch=batch),
        name=lambda claim: claim.ref,
        done=DONE[verb],
    )


@admin.action(description="Promote selected %(verbose_name_plural)s")
def promote_selected(model_admin: "ClaimAdmin", request: HttpRequest, rows: QuerySet[Any]) -> None:
    _decide("promote", model_admin, request, rows)


@admin.action(description="Reject selected %(verbose_name_plural)s")
def reject_selected(model_admin: "ClaimAdmin", request: HttpRequest, rows: QuerySet[Any]) -> None:
    _decide("reject", model_admin, request, rows)


@admin.action(description="Defer selected %(verbose_name_plural)s")
def defer_selected(model_admin: "ClaimAdmin", request: HttpRequest, rows: QuerySet[Any]) -> None:
    _decide("defer", model_admin, request, rows)


@admin.action(description="Archive selected %(verbose_name_plural)s")
def archive_selected(model_admin: "ClaimAdmin", request: HttpRequest, rows: QuerySet[Any]) -> None:
    _decide("archive", model_admin, request, rows)


@admin.register(Claim)
class ClaimAdmin(LedgerAdmin):
    """Read, and decided by the verbs of the ledger; no column is ever written from a plain form."""

    change_form_template = "admin/countersign/claim.html"
    list_display = (
        "ref",
        "status",
        "kind_id",
        "layer",
        "says",
        "key",
        "scope",
        "rank",
        "confidence",
        "flags",
        "created_at",
    )
    list_display_links = ("ref",)
    list_select_related = ("scope",)
    list_filter = (
        ScopeFilter, "status", "kind", "layer", "high_risk", "needs_review", "disputed", "needs_recheck",
        "hand_authored",
    )  # fmt: skip
    list_defer = ("search", "proposed", "summary", "value", "anchors_to_choose", "names_replaced", "downstream")
    page_related = ("scope", "kind", "successor", "graduates", "run")
    page_defer = ("search", "successor__search", "graduates__search", "run__raw_answer")
    linked = ("run__id__exact", "successor__id__exact")
    search_fields = ("statement",)
    search_help_text = "A ref, or words of the key, topic and statement"
    action_form = ReasonedActionForm
    actions = (promote_selected, reject_selected, defer_selected, archive_selected)
    fieldsets = (
        (
            None,
            {
                "fields": (
                    "ref", "statement", "status", "scope", "kind", "layer", "key", "topic", "tags", "value_type", "value",
                    "assignee", "downstream", "valid_from", "valid_to",
                )
            },
        ),
        (
            "Life",
            {
                "fields": (
                    "version", "promoted_at", "successor", "graduates", "names_replaced", "deferred_until", "expires_at",
                    "disputed", "needs_recheck", "needs_review", "high_risk", "anchors_to_choose",
                )
            },
        ),
        (
            "Origin",
            {
                "fields": (
                    "run", "rule", "extractor", "extractor_version", "hand_authored", "proposed", "summary", "created_at",
                )
            },
        ),
        (
            "Counters and ranks",
            {
                "classes": ["collapse"],
                "fields": ("confidence", "confidence_word", "rank", "seen_count", "last_seen_at", "slot", "dedup"),
            },
        ),
    )  # fmt: skip

    def find(self, rows: QuerySet[Any], term: str) -> QuerySet[Any]:
        """The ref itself, else full text, else (only where that finds nothing) words nearly like it by trigrams."""
        return find_claims(rows, term)

    @admin.display(description="statement")
    def says(self, claim: Claim) -> str:
        return claim.statement if len(claim.statement) <= 120 else claim.statement[:119] + "…"

    @admin.display(description="flags")
    def flags(self, claim: Claim) -> str:
        names = ("high_risk", "needs_review", "disputed", "needs_recheck")
        return ", ".join(name.replace("_", " ") for name in names if getattr(claim, name))

    def view_on_site(self, claim: Claim) -> str:
        return f"/{'entities' if claim.promoted_at else 'candidates'}/{claim.ref}"

    def get_urls(self) -> list[URLPattern]:
        name = f"ledger_{self.opts.model_name}"
        return [
            path("<int:pk>/edit/", self.admin_site.admin_view(self.edit_view), name=f"{name}_edit"),
            path(
                "<int:pk>/decide/<slug:verb>/",
                self.admin_site.admin_view(require_POST(self.decide_view)),
                name=f"{name}_decide",
            ),
            *super().get_urls(),
        ]

    def decide_view(self, request: HttpRequest, pk: int, verb: str) -> HttpResponse:
        """POST: one decision, by the verb of that name."""
        claim: Claim = self.get_object(request, str(pk))
        back = self.page_of(claim)
        if verb not in VERBS:
            messages.error(request, f"There is no verb {verb!r}.")
            return redirect(back)
        chosen = VERBS[verb]
        form = chosen.form(request.POST, prefix=request.POST.get("prefix") or None)
        if not form.is_valid():
            for name, errors in form.errors.items():
                messages.error(request, f"{name}: {' '.join(map(str, errors))}")
            return redirect(back)
        plain_claim = Claim.objects.get(pk=claim.pk)
        attempt(
            request,
            lambda: chosen.call(plain_claim, actor_of(request), form.cleaned_data),
            f"{chosen.done}: {claim.ref}.",
        )
        return HttpResponseRedirect(self.page_of(Claim.objects.only("pk", "promoted_at").get(pk=pk)))

    def page_of(self, claim: Claim) -> str:
        """The claim's page; one that was just promoted has left the candidates."""
        model = self.opts.model_name
        if model != "claim":
            model = "entity" if claim.promoted_at else "candidate"
        return reverse(f"admin:ledger_{model}_change", args=[claim.pk])

    def edit_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        claim = Claim.objects.select_related("scope").get(pk=self.get_object(request, str(pk)).pk)
        self.require(request, Right.REVIEW, claim.scope.path)
        return form_page(
            request,
            self,
            title=f"Edit {claim.ref}",
            original=claim,
            form=EditForm,
            initial=edit_initial(claim),
            do=lambda data: edit(
                claim,
                actor=actor_of(request),
                changes=edited(claim, data),
                expected_version=data["version"],
                reason=data["reason"],
            ),
            back=self.page_of(claim),
            done=f"Edited: {claim.ref}.",
        )

    def page_context(self, request: HttpRequest, row: Claim) -> dict[str, Any]:
        actor, everything = actor_of(request), sees_everything(request)
        events = history(row, actor.access) if not everything else events_of_claim(row)
        verbs = [verb for verb in possible(row) if self.may(request, verb.right, row.scope.path)]
        initial = {"version": row.version}
        cited = [(line, everything or line.readable(actor.access)) for line in evidence_of([row.pk])[row.pk]]
        return {
            "decide_url": f"admin:ledger_{self.opts.model_name}_decide",
            "edit_url": reverse(f"admin:ledger_{self.opts.model_name}_edit", args=[row.pk])
            if row.status in IN_QUEUE and self.may(request, Right.REVIEW, row.scope.path)
            else "",
            "plain_verbs": [verb for verb in verbs if verb.plain],
            "form_verbs": [
                (verb, verb.form(initial=initial, prefix=verb.name, auto_id=f"{verb.name}_%s"))
                for verb in verbs
                if not verb.plain
            ],
            "cited": cited,
            "preview": previews([row]).get(row.pk),
            "events": with_undo(request, events),
            "trusted": TrustedState.objects.filter(
                in_sight(request, "scope"), cites__contains=[row.ref]
            ).select_related("scope"),
        }


@admin.register(Candidate)
class CandidateAdmin(ClaimAdmin):
    list_filter = (ScopeFilter, "status", "kind", "layer", "high_risk", "needs_review", "hand_authored")  # type: ignore[assignment]


@admin.register(Entity)
class EntityAdmin(ClaimAdmin):
    actions = (archive_selected,)  # type: ignore[assignment]


def find_claims(rows: QuerySet[Any], term: str) -> QuerySet[Any]:
    """Rows that `term` finds: by exact ref, by full text over the GIN index, then by trigrams over the same index."""
    if REF.fullmatch(term):
        return rows.filter(ref=term.upper())
    if number(term) and len(term) > 3 and rows.filter(pk=int(term)).exists():
        return rows.filter(pk=int(term))
    full_text = rows.filter(search=SearchQuery(term, search_type="websearch", config="english"))
    operators = '"' in term or any(word.startswith("-") for word in term.split())
    if operators or len(term) < 4 or any_found(full_text):
        return full_text
    return rows.filter(statement__trigram_word_similar=term)


def events_of_claim(claim: Claim) -> list[JournalEvent]:
    """All of a claim's events for a superuser, whose sight no role bounds."""
    return history(claim, operator("admin").access)
