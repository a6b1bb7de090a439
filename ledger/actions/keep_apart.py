"""Say that two claims that look alike are not the same: they are not suggested for a merge again."""

import uuid

from django.db import transaction

from ledger.actions.locking import begin, lock_claim, slot_lock_name
from ledger.actor import Actor
from ledger.errors import Duplicate, Invalid
from ledger.journal import Step
from ledger.models import Claim, JournalEvent, KeptApart, Standing
from ledger.verbs import Verb


def keep_apart(
    claim: Claim,
    *,
    other: Claim,
    actor: Actor,
    expected_version: int | None = None,
    reason: str = "",
    batch: uuid.UUID | None = None,
) -> JournalEvent:
    """Both stay as they are. Raises `Invalid` (field `other`) for itself and for one of another scope, `Duplicate` where
    somebody has said so before."""
    with transaction.atomic(savepoint=False):
        claim, _ = begin(
            Verb.KEEP_APART, claim, actor=actor, expected_version=expected_version, also=[slot_lock_name(other)]
        )
        other = lock_claim(other)
        if claim.pk == other.pk or claim.scope_id != other.scope_id:
            raise Invalid("the other one is another claim of the same scope", field="other")
        first, second = sorted((claim, other), key=lambda one: one.pk)
        if KeptApart.objects.filter(first=first, second=second, status=Standing.CURRENT).exists():
            raise Duplicate(f"{claim.ref} and {other.ref} are kept apart already", ref=other.ref)
        with Step(Verb.KEEP_APART, actor=actor, scope=claim.scope, ref=claim.ref, reason=reason, batch=batch) as step:
            step.created(KeptApart.objects.create(scope=claim.scope, first=first, second=second, by=actor.name))
        return step.event
