"""Let a retired claim hold again; what holds in its place meanwhile is met as a promotion would meet it."""

import uuid

from django.db import transaction

from ledger.actions.locking import hold
from ledger.actions.reconcile_conflicts import settle
from ledger.actions.transition import reach
from ledger.actor import Actor
from ledger.errors import BadTransition, Duplicate
from ledger.journal import Step
from ledger.models import Claim, JournalEvent
from ledger.rules.permissions import Right


def restore(
    claim: Claim, *, actor: Actor, expected_version: int | None = None, reason: str = "", batch: uuid.UUID | None = None
) -> JournalEvent:
    """Active again. Raises `Duplicate` where another live claim says the same; a differing one opens a conflict."""
    with transaction.atomic(savepoint=False):
        claim = hold(claim, expected_version=expected_version)
        actor.require(Right.REVIEW, claim.scope)
        target = reach("restore", claim)
        if claim.promoted_at is None:
            raise BadTransition(f"{claim.ref} never held: reopen it instead", state=claim.status)
        twin = Claim.objects.filter(scope=claim.scope_id, dedup=claim.dedup, status="active").first()
        if twin:
            raise Duplicate(f"{twin.ref} already says this", ref=twin.ref)
        with Step("restore", actor=actor, scope=claim.scope, ref=claim.ref, reason=reason, batch=batch) as step:
            step.change(claim, status=target, successor_id=None)
            settle(step, claim.scope_id, {claim.slot})
        return step.event
