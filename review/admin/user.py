"""Django's own user admin, without deletion: a user's name stands in the journal and their roles in the ledger."""

from typing import Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path

from review.admin.onboarding import onboard

admin.site.unregister(User)


@admin.register(User)
class KeptUserAdmin(UserAdmin):  # type: ignore[type-arg]
    """Whoever leaves is made inactive. A deleted user would take memberships along without an event."""

    # Plain lists: what a role in a scope allows does not go by groups and permissions.
    filter_horizontal = ()
    list_per_page = 50
    show_facets = admin.ShowFacets.NEVER

    def get_urls(self) -> list[URLPattern]:
        own = path("onboard/", self.admin_site.admin_view(self.onboard_view), name="auth_user_onboard")
        return [own, *super().get_urls()]

    def onboard_view(self, request: HttpRequest) -> HttpResponse:
        context = self.admin_site.each_context(request)
        return onboard(request, admin_context=context, may_add=self.has_add_permission(request))

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
