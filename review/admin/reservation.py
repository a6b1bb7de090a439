"""Who is reading which candidate just now."""

from django.contrib import admin

from review.admin.base import LedgerAdmin
from review.models import Reservation


@admin.register(Reservation)
class ReservationAdmin(LedgerAdmin):
    """Shown to who may see the candidate; it ends by itself."""

    scope_lookups = ("claim__scope",)
    list_display = ("ref", "user", "until")
    list_select_related = ("claim", "user")
    list_defer = page_defer = ("claim__search", "claim__proposed", "claim__statement", "claim__summary", "claim__value")
    page_related = ("claim", "user")

    @admin.display(description="candidate")
    def ref(self, reservation: Reservation) -> str:
        return reservation.claim.ref
