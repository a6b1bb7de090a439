"""Django's own user admin, without deletion: a user's name stands in the journal and their roles in the ledger."""

from typing import Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.models import User
from django.http import HttpRequest

admin.site.unregister(User)


@admin.register(User)
class KeptUserAdmin(UserAdmin):  # type: ignore[type-arg]
    """Whoever leaves is made inactive. A deleted user would take memberships along without an event."""

    # Plain lists: what a role in a scope allows does not go by groups and permissions.
    filter_horizontal = ()
    list_per_page = 50
    show_facets = admin.ShowFacets.NEVER

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
