"""Digests: who is told that something has waited too long, set by owners for each of their scopes."""

from dataclasses import dataclass
from typing import Final

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_POST

from ledger.errors import Invalid
from ledger.models import Scope
from ledger.reads.scopes import scope_at, visible
from ledger.rules.permissions import Right
from review.digest.digests import addresses_of, no_digest, set_digest
from review.models import Digest
from review.screens.frame import ScreenRequest, page, screen
from review.screens.verbs import number
from review.webhooks.signing import digest_secret

MAX_SCOPES: Final = 500
TO_LOG: Final = "console"


@dataclass(frozen=True, slots=True)
class DigestRow:
    """A scope's digest as its owner sees it, with the secret that its webhook is signed with."""

    row: Digest
    addresses: list[str]
    secret: str


@require_GET
@screen
def digest_list(request: ScreenRequest) -> HttpResponse:
    """Those of the scopes that one owns, and a form for one more."""
    owned = visible(request.actor.access, right=Right.ADMINISTER)
    rows = Digest.objects.filter(scope__in=owned).select_related("scope").order_by("scope__path")[:MAX_SCOPES]
    have = {row.scope_id for row in rows}
    context = {
        "digests": [DigestRow(row, addresses_of(row.scope), digest_secret(row) if row.webhook else "") for row in rows],
        "without": [scope.path for scope in owned.order_by("path")[:MAX_SCOPES] if scope.pk not in have],
        "mail_is_logged": TO_LOG in settings.MAILERS["default"]["BACKEND"],
        "here": "digests",
    }
    return page(request, "review/digests.html", context)


@require_POST
@screen
def change_digest(request: ScreenRequest) -> HttpResponse:
    """`action` set or end, for `scope`."""
    posted = request.POST
    scope: Scope = scope_at(posted.get("scope", ""), request.actor.access, Right.ADMINISTER)
    action = posted.get("action", "")
    if action == "end":
        no_digest(scope, actor=request.actor)
        messages.success(request, f"{scope.path} sends no digest any more")
    elif action == "set":
        try:
            row = set_digest(
                scope, actor=request.actor, after_hours=number(posted, "after_hours"), mail=bool(posted.get("mail")),
                webhook=posted.get("webhook", ""), words=bool(posted.get("words")), new_key=bool(posted.get("new_key")),
            )  # fmt: skip
        except Invalid as error:
            messages.error(request, f"{scope.path}: {error.message}")
        else:
            hours = f"{row.after_hours} hour{'' if row.after_hours == 1 else 's'}"
            messages.success(request, f"{scope.path} tells after {hours}")
    else:
        raise Invalid(f"no action {action[:40]!r}", field="action")
    return redirect("digests")
