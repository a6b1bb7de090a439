"""The decisions that only change a claim's own state: reject, defer, reopen, expire, wake, withdraw, archive, restore."""

import datetime as dt
import uuid
from typing import Any, TypedDict, Unpack

from django.db import transaction
from django.utils import timezone

from ledger.actions.approve import void_approvals
from ledger.actions.locking import begin, lock_proposals, refuse_twin
from ledger.actions.reconcile_conflicts import mark_contested, reconcile_around
from ledger.actor import Actor
from ledger.errors import Invalid
from ledger.journal import Step
from ledger.models import Claim, JournalEvent
from ledger.rules.columns import check_time
from ledger.rules.states import IN_QUEUE, Status
from ledger.verbs import Verb


class DecisionDetails(TypedDict, total=False):
    """What any decision may say of itself: which version it was made about, why, and with which others at once."""

    expected_version: int | None
    reason: str
    batch: uuid.UUID | None


def reject(claim: Claim, *, actor: Actor, **details: Unpack[DecisionDetails]) -> JournalEvent:
    """Say no. It is remembered: the same thing is not proposed again (design §4)."""
    return change_status(Verb.REJECT, claim, actor=actor, **details)


def defer(
    claim: Claim, *, actor: Actor, until: dt.datetime | None = None, **details: Unpack[DecisionDetails]
) -> JournalEvent:
    """Put off, for good or until a time to come; the sweep wakes it then."""
    check_time("until", until)
    if until is not None and until <= timezone.now():
        raise Invalid("until must lie in the future", field="until")
    return change_status(Verb.DEFER, claim, actor=actor, deferred_until=until, **details)


def reopen(claim: Claim, *, actor: Actor, **details: Unpack[DecisionDetails]) -> JournalEvent:
    """Back into the queue what was rejected, expired, merged or deferred. Raises `Duplicate` where another one waits
    that says the same."""
    with transaction.atomic(savepoint=False):
        actor.require(Verb.REOPEN.row.right, claim.scope)
        lock_proposals([claim.scope_id])
        refuse_twin(claim, IN_QUEUE, "{} proposes this by now")
        return change_status(
            Verb.REOPEN, claim, actor=actor, successor_id=None, deferred_until=None, expires_at=None, **details
        )


def expire(claim: Claim, *, actor: Actor, batch: uuid.UUID | None = None) -> JournalEvent:
    """Nobody decided in time; unlike a no, it may be proposed again."""
    return change_status(Verb.EXPIRE, claim, actor=actor, batch=batch)


def wake(claim: Claim, *, actor: Actor, batch: uuid.UUID | None = None) -> JournalEvent:
    """The time it was deferred to has come."""
    return change_status(Verb.WAKE, claim, actor=actor, batch=batch, deferred_until=None)


def withdraw(claim: Claim, *, actor: Actor, **details: Unpack[DecisionDetails]) -> JournalEvent:
    """Take back an active claim that should not have been made."""
    return change_status(Verb.WITHDRAW, claim, actor=actor, **details)


def archive(claim: Claim, *, actor: Actor, **details: Unpack[DecisionDetails]) -> JournalEvent:
    """Retire an active claim that no longer matters."""
    return change_status(Verb.ARCHIVE, claim, actor=actor, **details)


def restore(
    claim: Claim, *, actor: Actor, expected_version: int | None = None, reason: str = "", batch: uuid.UUID | None = None
) -> JournalEvent:
    """Active again; what holds in its place meanwhile is met as a promotion would meet it: a differing one opens a conflict.
    Raises `Duplicate` where another live claim says the same."""
    with transaction.atomic(savepoint=False):
        claim, status = begin(Verb.RESTORE, claim, actor=actor, expected_version=expected_version)
        refuse_twin(claim, (Status.ACTIVE,), "{} already says this")
        with Step(Verb.RESTORE, actor=actor, scope=claim.scope, ref=claim.ref, reason=reason, batch=batch) as step:
            step.change(claim, status=status, successor_id=None)
            reconcile_around(step, [claim])
        return step.event


def change_status(
    verb: Verb,
    claim: Claim,
    *,
    actor: Actor,
    expected_version: int | None = None,
    reason: str = "",
    batch: uuid.UUID | None = None,
    **columns: Any,
) -> JournalEvent:
    """What these decisions have in common: the claim takes the status that the verb leads to, and `columns`."""
    with transaction.atomic(savepoint=False):
        claim, status = begin(verb, claim, actor=actor, expected_version=expected_version)
        was_live = claim.status == Status.ACTIVE
        with Step(verb, actor=actor, scope=claim.scope, ref=claim.ref, reason=reason, batch=batch) as step:
            step.change(claim, status=status, **columns)
            if was_live:
                reconcile_around(step, [claim])
            elif status == Status.PENDING:
                mark_contested(claim.scope_id, {claim.slot})
            elif verb == Verb.REJECT and claim.high_risk:
                void_approvals(step, claim)
        return step.event
