"""What was measured against labelled texts; for superusers, since a measure belongs to no scope."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from ledger.models import Evaluation
from review.admin.base import LedgerAdmin


@admin.register(Evaluation)
class EvaluationAdmin(LedgerAdmin):
    """The curves over time are under insights."""

    scope_lookups = ()
    list_display = ("id", "gold", "measure", "version", "by", "at")
    list_filter = ("measure",)
    page_related = ()

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_view_permission(request, obj) and bool(request.user.is_superuser)
