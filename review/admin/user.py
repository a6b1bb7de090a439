"""Django's own admin of users and groups; no user is deleted, whose name stands in the journal and whose roles in the ledger."""

from typing import Any

from django.contrib import admin, messages
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.models import Group, User
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path
from django_otp.plugins.otp_static.admin import StaticDevice
from django_otp.plugins.otp_totp.admin import TOTPDevice

from review.admin.base import NamedList
from review.admin.onboarding import onboard
from review.second_factor import remove_second_factor

admin.site.unregister((User, Group))
# Keys of phones and recovery codes are nobody's to look at.
for device in (TOTPDevice, StaticDevice):
    admin.site.unregister(device)


@admin.register(User)
class KeptUserAdmin(NamedList, UserAdmin):  # type: ignore[type-arg]
    """Whoever leaves is made inactive. A deleted user would take memberships along without an event."""

    # Plain lists: what a role in a scope allows does not go by groups and permissions.
    filter_horizontal = ()

    actions = ("reset_second_factor",)

    @admin.action(
        description="Reset the second factor: phone, passkeys and recovery codes are lost", permissions=["change"]
    )
    def reset_second_factor(self, request: HttpRequest, users: QuerySet[User]) -> None:
        """Their sessions end too. Only a superuser resets a superuser's; nobody their own, which takes a code."""
        users = users.exclude(username=request.user.get_username())
        if not request.user.is_superuser:
            users = users.filter(is_superuser=False)
        for user in users:
            remove_second_factor(user, by=request.user.get_username())
            self.log_change(request, user, "Second factor reset.")
        messages.success(request, f"Reset for: {', '.join(user.username for user in users) or 'nobody'}")

    def get_urls(self) -> list[URLPattern]:
        own = path("onboard/", self.admin_site.admin_view(self.onboard_view), name="auth_user_onboard")
        return [own, *super().get_urls()]

    def onboard_view(self, request: HttpRequest) -> HttpResponse:
        context = self.admin_site.each_context(request)
        return onboard(request, admin_context=context, may_add=self.has_add_permission(request))

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Group)
class NamedGroupAdmin(NamedList, GroupAdmin):
    """As Django's own."""

    filter_horizontal = ()
