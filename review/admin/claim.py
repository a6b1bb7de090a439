"""Claims under their three names: every claim, those that wait, those that were countersigned."""

import re
from typing import Any

from django.contrib import admin
from django.db.models import BooleanField, QuerySet
from django.db.models.expressions import RawSQL
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path
from django.utils.html import format_html
from django.views.decorators.http import require_POST

from ledger.models import Candidate, Claim, Entity
from ledger.reads.claims import claims_in_open_conflict
from ledger.reads.queue.listing import search_conditions
from ledger.rules.states import Status
from review.admin.base import LedgerAdmin, number
from review.admin.bulk import claim_actions
from review.admin.card import card_context, decide
from review.admin.date_filter import when
from review.admin.filters import DisputedFilter, ScopeFilter
from review.admin.keyset_scan import any_found

# The alias under which `ledger.reads.queue.listing` writes its conditions.
ALIAS = re.compile(r"\bc\.")


@admin.register(Claim)
class ClaimAdmin(LedgerAdmin):
    """Read, and decided by the verbs of the ledger; no column is ever written from a plain form."""

    change_form_template = "admin/countersign/claim.html"
    list_display = ("ref", "says", "state", "scope", "marks", "ranked", "created_at")
    list_display_links = ("ref",)
    list_select_related = ("scope",)
    list_filter = (
        ScopeFilter, when("created_at"), "status", "kind", "layer", "high_risk", "needs_review", DisputedFilter,
        "needs_recheck", "hand_authored",
    )  # fmt: skip
    list_defer = ("search", "proposed", "summary", "value", "anchors_to_choose", "names_replaced", "downstream")
    # Between the scope and the id of the index that a list of one scope walks along.
    by_scope = ("status", Status.values)
    page_related = ("scope", "kind", "successor", "graduates", "run")
    page_defer = ("search", "successor__search", "graduates__search", "run__raw_answer")
    linked = ("run__id__exact", "successor__id__exact")
    search_fields = ("statement",)
    search_help_text = "A ref, or words of the key, topic and statement"
    actions = claim_actions("candidate", "entity")
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
            {"fields": ("confidence", "confidence_word", "rank", "seen_count", "last_seen_at", "slot", "dedup")},
        ),
    )  # fmt: skip

    def find(self, rows: QuerySet[Any], term: str) -> QuerySet[Any]:
        """What the queue's own search finds: a ref, else full text, else words nearly like it. A number is an id."""
        if number(term) and len(term) > 3 and rows.filter(pk=int(term)).exists():
            return rows.filter(pk=int(term))
        ways = [rows.filter(_holds(*way)) for way in search_conditions(term)]
        if '"' in term or any(word.startswith("-") for word in term.split()):
            # Somebody who quotes or leaves out words wants no guesses.
            return ways[0]
        return next((found for found in ways[:-1] if any_found(found)), ways[-1])

    def prepare(self, rows: list[Any]) -> None:
        """Which of a page's claims an open conflict names; one query."""
        contradicted = claims_in_open_conflict([row.pk for row in rows])
        for row in rows:
            row.contradicted = row.pk in contradicted

    @admin.display(description="statement")
    def says(self, claim: Claim) -> str:
        said = claim.statement if len(claim.statement) <= 160 else claim.statement[:159] + "…"
        of_what = " · ".join(filter(None, [claim.kind_id.replace("_", " "), claim.key]))
        return format_html(
            '<span class="says" dir="auto">{}</span> <span class="of-what" dir="auto">{}</span>', said, of_what
        )

    @admin.display(description="status")
    def state(self, claim: Claim) -> str:
        return format_html('<span class="badge">{}</span>', claim.status)

    @admin.display(description="marks", empty_value="")
    def marks(self, claim: Claim) -> str:
        """As the queue shows them: disputed is what somebody objected to or an open conflict names (P15)."""
        marks = {
            "high risk": claim.high_risk,
            "disputed": claim.disputed or getattr(claim, "contradicted", False),
            "needs recheck": claim.needs_recheck,
            "needs review": claim.needs_review,
        }
        return ", ".join(mark for mark, holds in marks.items() if holds)

    @admin.display(description="rank")
    def ranked(self, claim: Claim) -> str:
        return f"{claim.rank:.2f}"

    def view_on_site(self, claim: Claim) -> str:
        return f"/{'entities' if claim.promoted_at else 'candidates'}/{claim.ref}"

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(require_POST(self.decide_view))
        return [path("at/<str:ref>/decide/", view, name=f"ledger_{self.opts.model_name}_decide"), *super().get_urls()]

    def decide_view(self, request: HttpRequest, ref: str) -> HttpResponse:
        """POST: what a button of the card says."""
        return decide(self, request, ref)

    def page_context(self, request: HttpRequest, row: Claim) -> dict[str, Any]:
        return card_context(self, request, row)


@admin.register(Candidate)
class CandidateAdmin(ClaimAdmin):
    list_filter = (  # type: ignore[assignment]
        ScopeFilter, when("created_at"), "status", "kind", "layer", "high_risk", "needs_review", "hand_authored",
    )  # fmt: skip
    actions = claim_actions("candidate")


@admin.register(Entity)
class EntityAdmin(ClaimAdmin):
    actions = claim_actions("entity")


def _holds(conditions: list[str], params: list[Any]) -> RawSQL:
    sql = ALIAS.sub('"ledger_claim".', " AND ".join(conditions))
    return RawSQL(sql, params, output_field=BooleanField())  # noqa: S611 (the conditions are the queue's own text)
