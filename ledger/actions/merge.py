"""Say that one claim is another one in other words: its evidence joins, its row points there."""

import uuid

from django.db import transaction

from ledger.actions.locking import begin, lock_claim, slot_lock_name
from ledger.actions.reconcile_conflicts import reconcile_around
from ledger.actor import Actor
from ledger.errors import BadTransition, Invalid
from ledger.journal import Step
from ledger.models import Claim, JournalEvent
from ledger.rules.states import UNDECIDED_OR_LIVE, Status
from ledger.verbs import Verb


def merge(
    claim: Claim,
    *,
    into: Claim,
    actor: Actor,
    expected_version: int | None = None,
    reason: str = "",
    batch: uuid.UUID | None = None,
) -> JournalEvent:
    """`claim` (in the queue or active) becomes merged into `into` (in the queue or active, same scope)."""
    if claim.pk == into.pk:
        raise Invalid("a claim cannot be merged into itself", field="into")
    with transaction.atomic(savepoint=False):
        also = [slot_lock_name(into)]
        claim, merged = begin(Verb.MERGE, claim, actor=actor, expected_version=expected_version, also=also)
        target = lock_claim(into)
        if target.scope_id != claim.scope_id:
            raise Invalid("both claims must be of one scope", field="into")
        if target.status not in UNDECIDED_OR_LIVE:
            raise BadTransition(f"{target.ref} is {target.status}: nothing can be merged into it", state=target.status)
        if claim.status == Status.ACTIVE and target.status != Status.ACTIVE:
            raise BadTransition(f"{claim.ref} holds already; {target.ref} is only proposed", state=target.status)
        was_live = claim.status == Status.ACTIVE
        with Step(Verb.MERGE, actor=actor, scope=claim.scope, ref=claim.ref, reason=reason, batch=batch) as step:
            step.change(claim, status=merged, successor_id=target.pk, deferred_until=None)
            if was_live:
                reconcile_around(step, [claim])
        return step.event
