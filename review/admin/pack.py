"""Domains as data. Packs are loaded from their files; here they are read."""

import json
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from ledger.models import Kind, Pack
from ledger.packs import merge
from review.admin.base import LedgerAdmin
from review.admin.visibility import scopes_in_sight

# Tables with a readable place of their own on the page.
SHOWN = ("pack", "kinds", "keys", "blocks", "stages")
MAX_SCOPES = 200


@admin.register(Pack)
class PackAdmin(LedgerAdmin):
    scope_lookups = ()
    list_display = ("id", "name", "version", "short_digest", "loaded_at")
    list_display_links = ("name",)
    list_defer = ("content",)
    page_related = ()
    search_fields = ("name",)
    change_form_template = "admin/countersign/pack.html"
    exclude = ("content",)

    def find(self, rows: QuerySet[Any], term: str) -> QuerySet[Any]:
        return rows.filter(name__icontains=term)

    @admin.display(description="digest")
    def short_digest(self, row: Pack) -> str:
        return row.digest[:12]

    def page_context(self, request: HttpRequest, row: Pack) -> dict[str, Any]:
        packs = merge([(row.name, row.digest, row.content)])
        keys = [(spec, packs.block_of(spec.key)) for spec in packs.keys.values()]
        scopes = scopes_in_sight(request).filter(packs__contains=[row.name]).order_by("path")
        return {
            "pack": row.content["pack"],
            "newest": not Pack.objects.filter(name=row.name, pk__gt=row.pk).exists(),
            "kinds": row.content.get("kinds", []),
            "keys": keys,
            "keys_closed": packs.keys_closed,
            "blocks": list(packs.blocks.values()),
            "stages": packs.stages,
            "tables": [(name, settings_told(table)) for name, table in row.content.items() if name not in SHOWN],
            "scopes": list(scopes.values_list("pk", "path")[:MAX_SCOPES]),
        }


def settings_told(table: Any) -> str:
    """One table of a pack as it reads in the file, near enough: JSON on indented lines."""
    return json.dumps(table, indent=1, ensure_ascii=False)


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
