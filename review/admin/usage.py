"""What was shown to whom, and what came of it; logs."""

from django.contrib import admin

from ledger.models import Exposure, Outcome
from review.admin.base import LedgerAdmin
from review.admin.filters import ScopeFilter


@admin.register(Exposure)
class ExposureAdmin(LedgerAdmin):
    list_display = ("id", "channel", "shown_to", "scope", "conversation", "how_many", "shown_at")
    list_select_related = ("scope",)
    list_filter = (ScopeFilter, "channel")
    search_fields = ("id",)
    search_help_text = "The number of an exposure"

    @admin.display(description="refs")
    def how_many(self, exposure: Exposure) -> int:
        return len(exposure.refs)


@admin.register(Outcome)
class OutcomeAdmin(LedgerAdmin):
    list_display = ("id", "type", "conversation", "scope", "reported_by", "source_id", "at")
    list_select_related = ("scope",)
    list_filter = (ScopeFilter, "type")
    page_related = ("scope", "source")
    page_defer = ("source__text",)
    search_fields = ("id",)
    search_help_text = "The number of an outcome"
