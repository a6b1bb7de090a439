"""Domains as data. Packs are loaded from their files; here they are read."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet

from ledger.models import Kind, Pack
from review.admin.base import LedgerAdmin


@admin.register(Pack)
class PackAdmin(LedgerAdmin):
    scope_lookups = ()
    list_display = ("id", "name", "version", "digest", "loaded_at")
    list_display_links = ("name",)
    list_defer = ("content",)
    page_related = ()
    search_fields = ("name",)

    def find(self, rows: QuerySet[Any], term: str) -> QuerySet[Any]:
        return rows.filter(name__icontains=term)


@admin.register(Kind)
class KindAdmin(LedgerAdmin):
    scope_lookups = ()
    keyset = "name"
    list_display = ("name", "pack", "layer", "prefix", "anchors", "many", "value_type")
    list_filter = ("layer", "many")
    page_related = ()
    search_fields = ("name",)

    def find(self, rows: QuerySet[Any], term: str) -> QuerySet[Any]:
        return rows.filter(name__icontains=term)
