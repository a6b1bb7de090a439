"""Replace an active claim by another one, or by new words that a person says now."""

import uuid

from django.db import transaction
from django.utils import timezone

from ledger.actions.approve import require_second
from ledger.actions.locking import hold, lock_proposals, slot_lock_name
from ledger.actions.propose import Draft, draft_lock, propose
from ledger.actions.reconcile_conflicts import settle
from ledger.actions.transition import reach
from ledger.actor import Actor
from ledger.errors import BadTransition, DecisionNeeded, Duplicate, Invalid, StaleVersion
from ledger.journal import Step
from ledger.models import Claim, JournalEvent
from ledger.rules.permissions import Right


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
    if (by is None) == (draft is None):
        raise Invalid("name either by or a new statement", field="by")
    with transaction.atomic(savepoint=False):
        also = [slot_lock_name(by)] if by else []
        if draft:
            lock_proposals([claim.scope_id])
            also = [draft_lock(draft, claim.scope)]
        claim = hold(claim, expected_version=expected_version, also=also)
        actor.require(Right.REVIEW, claim.scope)
        superseded = reach("supersede", claim)
        batch = batch or (uuid.uuid4() if draft else None)
        newcomer = _newcomer(claim, by, draft, actor, batch)
        with Step("supersede", actor=actor, scope=claim.scope, ref=claim.ref, reason=reason, batch=batch) as step:
            step.change(claim, status=superseded, successor_id=newcomer.pk)
            if newcomer.status != "active":
                require_second(newcomer, actor=actor)
                step.change(newcomer, status=reach("promote", newcomer), promoted_at=timezone.now())
            settle(step, claim.scope_id, {claim.slot, newcomer.slot})
        return step.event


def _newcomer(claim: Claim, by: Claim | None, draft: Draft | None, actor: Actor, batch: uuid.UUID | None) -> Claim:
    if by is not None:
        by = hold(by)
        if by.pk == claim.pk:
            raise Invalid("a claim cannot supersede itself", field="by")
        if by.scope_id != claim.scope_id:
            raise Invalid("both claims must be of one scope", field="by")
        if by.status != "active":
            raise BadTransition(f"{by.ref} is {by.status}: promote it first", state=by.status)
        return by
    assert draft is not None  # noqa: S101 (checked by the caller; tells the type checker)
    answer = propose(
        draft, scope=claim.scope, actor=actor, reason=f"supersedes {claim.ref}", batch=batch, right=Right.REVIEW
    )
    if answer.claim is None or answer.fate == "rejected":
        raise Duplicate(answer.why, ref=answer.claim.ref if answer.claim else "")
    newcomer = hold(answer.claim)
    twin = Claim.objects.filter(scope=newcomer.scope_id, dedup=newcomer.dedup, status="active").exclude(pk=newcomer.pk)
    if newcomer.status != "active" and (other := twin.first()):
        # It came back between the look for duplicates and the lock; the next try takes it.
        raise StaleVersion(f"{other.ref} has come to say this meanwhile", row=claim)
    if newcomer.status == "merged":
        raise Duplicate(f"{newcomer.ref} says this and was merged", ref=newcomer.ref)
    if newcomer.anchors_to_choose:
        raise DecisionNeeded(
            f"{newcomer.ref}: its words stand in several places; choose one",
            choices=[{"anchor": at, **place} for at, place in enumerate(newcomer.anchors_to_choose)],
        )
    if newcomer.pk == claim.pk:
        raise Duplicate(f"{claim.ref} says this already", ref=claim.ref)
    return newcomer
