"""Similar ones decided together: one batch id, so that all of it can be taken back as one."""

import uuid
from collections.abc import Callable, Sequence
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.views.decorators.http import require_POST

from ledger.actions.decide import defer, reject
from ledger.actions.promote import promote
from ledger.actor import Actor
from ledger.errors import DomainError, Forbidden, Invalid
from ledger.models import JournalEvent
from ledger.reads.claims import claim_at
from review.screens.frame import Asked, back_to, screen
from review.screens.verbs import reason_of
from review.screens.words import DONE

MOST = 200
VERBS: dict[str, Callable[..., JournalEvent]] = {"promote": promote, "reject": reject, "defer": defer}


@require_POST
@screen
def decide_many(request: Asked) -> HttpResponse:
    """Each that can be decided is; what was left out is named with its reason."""
    action, refs = request.POST.get("action", ""), request.POST.getlist("refs")
    if action not in VERBS:
        raise Invalid(f"no action {action[:40]!r}", field="action")
    batch = uuid.uuid4()
    done, left, refused = decide_each(
        refs[:MOST], action, actor=request.actor, batch=batch, reason=reason_of(request.POST)
    )
    if refused and refused == len(left) and not done:
        raise Forbidden("you may not decide about any of these")
    if done:
        messages.success(request, f"{done} {DONE[action]}", extra_tags=f"batch:{batch}")
    for why in left[:5] if refs else ["Select some first: the boxes in the list, or the key x."]:
        messages.warning(request, why)
    return back_to(request, "/")


def decide_each(
    refs: Sequence[str], action: str, *, actor: Actor, batch: uuid.UUID, reason: str
) -> tuple[int, list[str], int]:
    """How many were decided, a line for each that was not, and how many of those the actor may not decide about. Every one
    is a transaction of its own."""
    done, refused, left = 0, 0, []
    common: dict[str, Any] = {"actor": actor, "batch": batch, "reason": reason}
    for ref in dict.fromkeys(refs):
        try:
            VERBS[action](claim_at(ref, actor.access), **common)
            done += 1
        except DomainError as error:
            refused += isinstance(error, Forbidden)
            left.append(f"{ref}: {error.message}")
    return done, left, refused
