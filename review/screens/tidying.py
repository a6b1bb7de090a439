"""Tidying up a scope: likely duplicates to merge, what could hold above too, and, for owners, what could be archived."""

import uuid
from collections.abc import Callable
from typing import Final

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from ledger.actions.keep_apart import keep_apart
from ledger.actions.merge import merge
from ledger.actions.widen import widen
from ledger.errors import Invalid
from ledger.models import Scope
from ledger.reads.claims import claim_at
from ledger.reads.compaction import stale_claims
from ledger.reads.near_pairs import merge_suggestions
from ledger.reads.scopes import scope_at
from ledger.reads.widening import wider_claims
from ledger.rules.permissions import Right
from ledger.verbs import Verb
from review.screens.batch import Report, decide_each, named_in, tell_left
from review.screens.decide import tag_of
from review.screens.frame import ScreenRequest, page, screen, telling_refusals
from review.screens.verbs import named, reason_of, version_of

MAX_SHOWN: Final = 100


@require_http_methods(["GET", "POST"])
@screen
def tidying(request: ScreenRequest, path: str) -> HttpResponse:
    """The three lists; a button does what stands beside it, to the version that was shown."""
    access = request.actor.access
    scope = scope_at(path, access, Right.REVIEW)
    if request.method == "POST":
        return carry_out(request, scope)
    may_archive = access.may(Right.ADMINISTER, scope.path)
    may_widen = scope.parent is not None and access.may(Right.PROPOSE, scope.parent.path)
    context = {
        "scope": scope,
        "may_archive": may_archive,
        "may_widen": may_widen,
        "merges": merge_suggestions(scope, most=MAX_SHOWN),
        "wider": wider_claims(scope, most=MAX_SHOWN) if may_widen else [],
        "stale": stale_claims(scope, now=timezone.now(), most=MAX_SHOWN) if may_archive else [],
        "most": MAX_SHOWN,
        "here": "scopes",
    }
    return page(request, "review/tidying.html", context)


def carry_out(request: ScreenRequest, scope: Scope) -> HttpResponse:
    action = request.POST.get("action", "")
    with telling_refusals(request, titled=True):
        if action not in ACTIONS:
            raise Invalid(f"no action {action[:40]!r}", field="action")
        ACTIONS[action](request, scope, request.POST)
    return redirect("tidying", scope.path)


def merge_one(request: ScreenRequest, scope: Scope, posted: QueryDict) -> None:
    claim, into = named(posted, "ref", request.actor), named(posted, "into", request.actor)
    event = merge(claim, into=into, actor=request.actor, expected_version=version_of(posted), reason=reason_of(posted))
    messages.success(request, f"{claim.ref} merged into {into.ref}", extra_tags=tag_of(event))


def keep_two(request: ScreenRequest, scope: Scope, posted: QueryDict) -> None:
    claim, other = named(posted, "ref", request.actor), named(posted, "into", request.actor)
    event = keep_apart(claim, other=other, actor=request.actor, reason=reason_of(posted))
    messages.success(request, f"{claim.ref} and {other.ref} kept apart", extra_tags=tag_of(event))


def widen_one(request: ScreenRequest, scope: Scope, posted: QueryDict) -> None:
    claim = claim_at(posted.get("ref", ""), request.actor.access)
    answer = widen(claim, actor=request.actor, reason=reason_of(posted))
    messages.success(request, f"{answer.known_as} waits in {scope.parent} for a decision")


def archive_ticked(request: ScreenRequest, scope: Scope, posted: QueryDict) -> None:
    """What was ticked and can still be archived; one batch, so one undo."""
    scope_at(scope.path, request.actor.access, Right.ADMINISTER)
    here = {one.named: one for one in stale_claims(scope, now=timezone.now())}
    chosen = [one for one in named_in(posted.getlist("shown")) if f"{one.ref}:{one.version}" in here]
    report = Report(uuid.uuid4())
    decide_each(chosen, Verb.ARCHIVE, report, actor=request.actor, reason=reason_of(posted) or "compaction")
    if report.done:
        messages.success(request, report.said, extra_tags=f"batch:{report.batch}")
    else:
        messages.warning(request, "Tick some first; what somebody saw or decided about since then stays.")
    tell_left(request, report)


ACTIONS: Final[dict[str, Callable[[ScreenRequest, Scope, QueryDict], None]]] = {
    "merge": merge_one,
    "apart": keep_two,
    "widen": widen_one,
    "archive": archive_ticked,
}
