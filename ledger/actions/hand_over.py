"""Pass a candidate on to a colleague, with a note; or take it off their desk again."""

import uuid

from django.db import transaction

from ledger.actions.locking import begin
from ledger.actor import Actor
from ledger.errors import BadTransition, Invalid
from ledger.journal import Step
from ledger.models import Claim, Handover, JournalEvent, Standing
from ledger.reads.teamwork import reviewers_of
from ledger.verbs import Verb

MAX_NAMED = 20


def hand_over(
    claim: Claim,
    *,
    to: str,
    actor: Actor,
    expected_version: int | None = None,
    reason: str = "",
    batch: uuid.UUID | None = None,
) -> JournalEvent:
    """From now on it is with `to`, a user name; with an empty one it is nobody's in particular again. `reason` is the note for
    them. What the candidate says stays as it is, and so does its version.

    Raises `Invalid` (field `to`) for whoever may not decide there, `BadTransition` where it is there already.
    """
    with transaction.atomic(savepoint=False):
        claim, _ = begin(Verb.HAND_OVER, claim, actor=actor, expected_version=expected_version)
        user_id = _reviewer(claim, to)
        before = Handover.objects.filter(claim=claim, status=Standing.CURRENT).first()
        if (before.user_id if before else None) == user_id:
            raise BadTransition(f"{claim.ref} is with {to or 'nobody in particular'} already", state=claim.status)
        with Step(Verb.HAND_OVER, actor=actor, scope=claim.scope, ref=claim.ref, reason=reason, batch=batch) as step:
            if before is not None:
                step.change(before, status=Standing.WITHDRAWN)
            if user_id is not None:
                step.created(Handover.objects.create(claim=claim, user_id=user_id, to=to, by=actor.name))
        return step.event


def _reviewer(claim: Claim, name: str) -> int | None:
    if not name:
        return None
    known = reviewers_of(claim.scope)
    if name not in known:
        names = ", ".join(sorted(known)[:MAX_NAMED])
        raise Invalid(f"{name[:60]!r} may not decide in {claim.scope.path}; who may: {names or 'nobody'}", field="to")
    return known[name]
