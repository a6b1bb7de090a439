"""Replace an active claim by another one, or by new words that a person says now."""

import uuid

from django.db import transaction
from django.utils import timezone

from ledger.actions.approve import require_one_place, require_second
from ledger.actions.locking import begin, lock_claim, lock_proposals, slot_lock_name, twin_of
from ledger.actions.propose import Draft, draft_lock, propose
from ledger.actions.reconcile_conflicts import reconcile_around
from ledger.actor import Actor
from ledger.errors import BadTransition, Duplicate, Invalid, StaleVersion
from ledger.journal import Step
from ledger.models import Claim, JournalEvent
from ledger.verbs import Verb, next_status


def supersede(
    claim: Claim,
    *,
    actor: Actor,
    by: Claim | None = None,
    draft: Draft | None = None,
    expected_version: int | None = None,
    reason: str = "",
    batch: uuid.UUID | None = None,
) -> JournalEvent:
    """`claim` gives way to `by` (active) or to `draft`, which is proposed and becomes active in the same step.

    With a draft there are two events of one batch: the proposal and the supersession.
    """
    with transaction.atomic(savepoint=False):
        if draft is not None and by is None:
            lock_proposals([claim.scope_id])
            also = [draft_lock(draft, claim.scope)]
            claim, superseded = begin(Verb.SUPERSEDE, claim, actor=actor, expected_version=expected_version, also=also)
            batch = batch or uuid.uuid4()
            newcomer = _proposed(claim, draft, actor, batch)
        elif by is not None and draft is None:
            also = [slot_lock_name(by)]
            claim, superseded = begin(Verb.SUPERSEDE, claim, actor=actor, expected_version=expected_version, also=also)
            newcomer = _named(claim, by)
        else:
            raise Invalid("name either by or a new statement", field="by")
        with Step(Verb.SUPERSEDE, actor=actor, scope=claim.scope, ref=claim.ref, reason=reason, batch=batch) as step:
            step.change(claim, status=superseded, successor_id=newcomer.pk)
            if newcomer.status != "active":
                require_second(newcomer, actor=actor)
                step.change(newcomer, status=next_status(Verb.PROMOTE, newcomer), promoted_at=timezone.now())
            reconcile_around(step, [claim, newcomer])
        return step.event


def _named(claim: Claim, by: Claim) -> Claim:
    by = lock_claim(by)
    if by.pk == claim.pk:
        raise Invalid("a claim cannot supersede itself", field="by")
    if by.scope_id != claim.scope_id:
        raise Invalid("both claims must be of one scope", field="by")
    if by.status != "active":
        raise BadTransition(f"{by.ref} is {by.status}: promote it first", state=by.status)
    return by


def _proposed(claim: Claim, draft: Draft, actor: Actor, batch: uuid.UUID) -> Claim:
    """The claim of the new words, or the one that says them already. Raises `Duplicate` where that one cannot take over."""
    answer = propose(
        draft, scope=claim.scope, actor=actor, reason=f"supersedes {claim.ref}", batch=batch,
        right=Verb.SUPERSEDE.row.right, slots_held=True,
    )  # fmt: skip
    if answer.stands_in is None:
        raise Duplicate(answer.why, ref=answer.known_as)
    newcomer = lock_claim(answer.stands_in)
    if newcomer.status != "active" and (other := twin_of(newcomer, ("active",))):
        # It came back between the look for duplicates and the lock; the next try takes it.
        raise StaleVersion(f"{other.ref} has come to say this meanwhile", row=claim)
    if newcomer.status == "merged":
        raise Duplicate(f"{newcomer.ref} says this and was merged", ref=newcomer.ref)
    require_one_place(newcomer)
    if newcomer.pk == claim.pk:
        raise Duplicate(f"{claim.ref} says this already", ref=claim.ref)
    return newcomer
