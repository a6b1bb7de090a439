"""The decisions that only change a claim's own state: reject, defer, reopen, expire, wake, withdraw, archive."""

import datetime as dt
import uuid
from typing import Any

from django.db import transaction
from django.utils import timezone

from ledger.actions.approve import void_approvals
from ledger.actions.locking import hold, lock_proposals
from ledger.actions.ordering import mark_contested
from ledger.actions.reconcile_conflicts import settle
from ledger.actions.transition import reach
from ledger.actor import Actor
from ledger.errors import Duplicate, Invalid
from ledger.journal import Step
from ledger.models import Claim, JournalEvent
from ledger.rules.columns import check_time
from ledger.rules.permissions import Right
from ledger.rules.states import IN_QUEUE


def reject(
    claim: Claim, *, actor: Actor, expected_version: int | None = None, reason: str = "", batch: uuid.UUID | None = None
) -> JournalEvent:
    """Say no. It is remembered: the same thing is not proposed again (design §4)."""
    return _move("reject", claim, actor=actor, expected_version=expected_version, reason=reason, batch=batch)


def defer(
    claim: Claim,
    *,
    actor: Actor,
    until: dt.datetime | None = None,
    expected_version: int | None = None,
    reason: str = "",
    batch: uuid.UUID | None = None,
) -> JournalEvent:
    """Put off, for good or until a time to come; the sweep wakes it then."""
    check_time("until", until)
    if until is not None and until <= timezone.now():
        raise Invalid("until must lie in the future", field="until")
    return _move(
        "defer", claim, actor=actor, expected_version=expected_version, reason=reason, batch=batch, deferred_until=until
    )


def reopen(
    claim: Claim, *, actor: Actor, expected_version: int | None = None, reason: str = "", batch: uuid.UUID | None = None
) -> JournalEvent:
    """Back into the queue what was rejected, expired, merged or deferred. Raises `Duplicate` where another one waits
    that says the same."""
    with transaction.atomic(savepoint=False):
        actor.require(Right.REVIEW, claim.scope)
        lock_proposals([claim.scope_id])
        twin = Claim.objects.filter(scope=claim.scope_id, dedup=claim.dedup, status__in=IN_QUEUE).exclude(pk=claim.pk)
        if other := twin.first():
            raise Duplicate(f"{other.ref} proposes this by now", ref=other.ref)
        return _move(
            "reopen", claim, actor=actor, expected_version=expected_version, reason=reason, batch=batch,
            successor_id=None, deferred_until=None, expires_at=None,
        )  # fmt: skip


def expire(claim: Claim, *, actor: Actor, batch: uuid.UUID | None = None) -> JournalEvent:
    """Nobody decided in time; unlike a no, it may be proposed again."""
    return _move("expire", claim, actor=actor, batch=batch, right=Right.PROPOSE)


def wake(claim: Claim, *, actor: Actor, batch: uuid.UUID | None = None) -> JournalEvent:
    """The time it was deferred to has come."""
    return _move("wake", claim, actor=actor, batch=batch, right=Right.PROPOSE, deferred_until=None)


def withdraw(
    claim: Claim, *, actor: Actor, expected_version: int | None = None, reason: str = "", batch: uuid.UUID | None = None
) -> JournalEvent:
    """Take back an active claim that should not have been made."""
    return _move("withdraw", claim, actor=actor, expected_version=expected_version, reason=reason, batch=batch)


def archive(
    claim: Claim, *, actor: Actor, expected_version: int | None = None, reason: str = "", batch: uuid.UUID | None = None
) -> JournalEvent:
    """Retire an active claim that no longer matters."""
    return _move("archive", claim, actor=actor, expected_version=expected_version, reason=reason, batch=batch)


def _move(
    verb: str,
    claim: Claim,
    *,
    actor: Actor,
    expected_version: int | None = None,
    reason: str = "",
    batch: uuid.UUID | None = None,
    right: Right = Right.REVIEW,
    **columns: Any,
) -> JournalEvent:
    with transaction.atomic(savepoint=False):
        claim = hold(claim, expected_version=expected_version)
        actor.require(right, claim.scope)
        target = reach(verb, claim)
        was_live = claim.status == "active"
        with Step(verb, actor=actor, scope=claim.scope, ref=claim.ref, reason=reason, batch=batch) as step:
            step.change(claim, status=target, **columns)
            if was_live:
                settle(step, claim.scope_id, {claim.slot})
            elif target == "pending":
                mark_contested(claim.scope_id, {claim.slot})
            elif verb == "reject" and claim.high_risk:
                void_approvals(step, claim)
        return step.event
