"""Bearer tokens: who holds one and what it opens. The secret was shown once and is nowhere; its hash is not shown."""

from typing import Any

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse

from ledger.rules.permissions import Right, covers
from review.admin.base import LedgerAdmin
from review.admin.bulk import ListAction, ListedRow, action
from review.admin.visibility import actor_of, sees_everything
from review.models import AgentToken
from review.tokens import revoke_token


def _lines(request: HttpRequest, tokens: list[Any]) -> list[ListedRow]:
    return [
        ListedRow(
            token.pk,
            f"{token.prefix}…",
            reverse("admin:review_agenttoken_change", args=[token.pk]),
            token.name,
            (token.kind, ", ".join(token.scopes), ", ".join(token.grants)),
            hindrance="it is revoked already" if token.revoked_at else "",
        )
        for token in tokens
    ]


revoke_selected = action(
    "revoke_selected",
    ListAction(
        "Revoke",
        "Revoked",
        lambda token, actor, data, version, batch: revoke_token(token, actor=actor, reason=data["reason"]),
        _lines,
        ("Kind", "Scopes", "Grants"),
        str,
        undone_together=False,
        warning="A revoked token opens nothing any more, and cannot be brought back.",
        says="Name",
    ),
)


@admin.register(AgentToken)
class AgentTokenAdmin(LedgerAdmin):
    """Made on the token page of the screens, where the secret is shown; here they are watched and revoked."""

    scope_lookups = ()
    list_display = ("name", "prefix", "kind", "user", "scopes", "grants", "created_at", "last_used_at", "revoked_at")
    list_select_related = ("user",)
    list_filter = ("kind", ("revoked_at", admin.EmptyFieldListFilter))
    list_defer = page_defer = ("sha256",)
    page_related = ("user",)
    exclude = ("sha256",)
    linked = ("user__id__exact", "revoked_at__isempty")
    search_fields = ("name",)
    search_help_text = "Part of the name, or the first letters of the token"
    actions = (revoke_selected,)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """One's own, and those whose scopes all lie where one may administer."""
        rows = AgentToken.objects.all()
        if sees_everything(request):
            return rows
        actor = actor_of(request)
        owned = [root for root in actor.access.roots() if actor.access.may(Right.ADMINISTER, root)]
        ids = [
            pk
            for pk, scopes in rows.values_list("pk", "scopes")
            if scopes and all(any(covers(root, scope) for root in owned) for scope in scopes)
        ]
        return rows.filter(Q(pk__in=ids) | Q(user=actor.user_id))

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        allowed = super().has_view_permission(request)
        return allowed and (obj is None or self.get_queryset(request).filter(pk=obj.pk).exists())

    def find(self, rows: QuerySet[Any], term: str) -> QuerySet[Any]:
        return rows.filter(Q(name__icontains=term) | Q(prefix=term[:12]))
