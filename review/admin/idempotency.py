"""Repeated writes made harmless; for superusers, since a record belongs to no scope."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from ledger.models import IdempotencyRecord
from review.admin.base import LedgerAdmin


@admin.register(IdempotencyRecord)
class IdempotencyRecordAdmin(LedgerAdmin):
    scope_lookups = ()
    list_display = ("id", "caller", "route", "key", "status", "created_at")
    page_related = ()

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_view_permission(request, obj) and bool(request.user.is_superuser)
