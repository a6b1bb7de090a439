"""Canonical items, their names, their prices, and what claims say about them."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet

from ledger.models import CatalogItem, CatalogLink, PriceObservation, Synonym
from review.admin.base import LedgerAdmin, ReadOnlyInline
from review.admin.filters import ScopeFilter, scope_at


class SynonymInline(ReadOnlyInline):
    model = Synonym
    fields = ("name",)


@admin.register(CatalogItem)
class CatalogItemAdmin(LedgerAdmin):
    list_display = ("id", "name", "unit", "scope", "status", "created_at")
    list_display_links = ("name",)
    list_select_related = ("scope",)
    list_filter = (ScopeFilter,)
    inlines = (SynonymInline,)
    search_fields = ("name",)

    def find(self, rows: QuerySet[Any], term: str) -> QuerySet[Any]:
        return rows.filter(name__icontains=term)


@admin.register(Synonym)
class SynonymAdmin(LedgerAdmin):
    scope_lookups = ("item__scope",)
    list_display = ("id", "name", "item")
    list_select_related = ("item",)
    list_filter = (scope_at("item__scope"),)
    page_related = ("item",)
    search_fields = ("name",)

    def find(self, rows: QuerySet[Any], term: str) -> QuerySet[Any]:
        return rows.filter(name__icontains=term)


@admin.register(PriceObservation)
class PriceObservationAdmin(LedgerAdmin):
    list_display = ("id", "name", "supplier", "amount", "currency", "unit", "observed_at", "status")
    list_select_related = ("scope",)
    list_filter = (ScopeFilter,)
    page_related = ("scope", "source")
    page_defer = ("source__text",)
    search_fields = ("name", "supplier")

    def find(self, rows: QuerySet[Any], term: str) -> QuerySet[Any]:
        return rows.filter(name__icontains=term)


@admin.register(CatalogLink)
class CatalogLinkAdmin(LedgerAdmin):
    list_display = ("id", "name", "item", "claim_id", "confidence", "status", "confirmed_by", "created_at")
    list_select_related = ("item", "scope")
    list_filter = (ScopeFilter,)
    page_related = ("scope", "item", "claim")
    page_defer = ("claim__search",)
    linked = ("item__id__exact", "claim__id__exact")
