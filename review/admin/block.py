"""What is derived for people to read: knowledge blocks and notices."""

from django.contrib import admin

from ledger.models import Block, Notice
from review.admin.base import LedgerAdmin
from review.admin.filters import ScopeFilter


@admin.register(Block)
class BlockAdmin(LedgerAdmin):
    list_display = ("id", "key", "scope", "revision", "author", "updated_at")
    list_select_related = ("scope",)
    list_filter = (ScopeFilter,)


@admin.register(Notice)
class NoticeAdmin(LedgerAdmin):
    list_display = ("id", "rule", "text", "scope", "claim_id", "created_at")
    list_select_related = ("scope",)
    list_filter = (ScopeFilter,)
    page_related = ("scope", "claim")
    page_defer = ("claim__search",)
