"""The exact words that claims rest on; insert-only."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet

from ledger.models import Evidence
from review.admin.base import LedgerAdmin, number
from review.admin.filters import scope_at


@admin.register(Evidence)
class EvidenceAdmin(LedgerAdmin):
    """Shown to who may see both the claim and the source."""

    scope_lookups = ("claim__scope", "source__scope")
    list_display = ("id", "ref", "says", "speaker", "stance", "anchor", "source_id", "start", "end", "redacted")
    list_select_related = ("claim",)
    list_filter = (scope_at("claim__scope"), "stance", "anchor", "redacted")
    list_defer = ("claim__search", "claim__proposed", "claim__statement", "claim__summary", "claim__value")
    page_related = ("claim", "source", "section")
    page_defer = ("claim__search", "source__text")
    linked = ("source__id__exact", "claim__id__exact")
    search_fields = ("claim__ref",)
    search_help_text = "The ref of a claim, or the number of a source"

    def find(self, rows: QuerySet[Any], term: str) -> QuerySet[Any]:
        return rows.filter(source=int(term)) if number(term) else rows.filter(claim__ref=term.upper())

    @admin.display(description="claim")
    def ref(self, evidence: Evidence) -> str:
        return evidence.claim.ref

    @admin.display(description="quote")
    def says(self, evidence: Evidence) -> str:
        return evidence.quote[:120] or "(redacted)"

    def view_on_site(self, evidence: Evidence) -> str:
        return f"/sources/{evidence.source_id}"
