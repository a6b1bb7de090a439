"""A person settles a conflict: one claim wins, or it was none."""

import uuid

from django.db import transaction

from ledger.actions.locking import check_version, lock_slots, slot_lock_of
from ledger.actions.reconcile_conflicts import reconcile_around
from ledger.actor import Actor
from ledger.errors import BadTransition, Invalid, NotFound
from ledger.journal import Step
from ledger.models import Claim, Conflict, JournalEvent, TrustedState
from ledger.verbs import Verb, next_status


def resolve(
    conflict: Conflict,
    *,
    winner: str,
    actor: Actor,
    expected_version: int | None = None,
    reason: str = "",
    batch: uuid.UUID | None = None,
) -> JournalEvent:
    """`winner` is the ref of a live member; the other claims are superseded by it.

    Where a trusted value takes part, only it can win: trusted state never loses a conflict.
    """
    with transaction.atomic(savepoint=False):
        conflict, resolved = _begin(Verb.RESOLVE, conflict, actor, expected_version)
        claims, trusted = _live_members(conflict)
        if trusted and winner not in trusted:
            raise Invalid(
                f"trusted state never loses: only {' or '.join(sorted(trusted))} can win here", field="winner"
            )
        if winner not in {*claims, *trusted}:
            raise Invalid(f"{winner!r} is no live member of this conflict", field="winner")
        with Step(Verb.RESOLVE, actor=actor, scope=conflict.scope, ref=winner, reason=reason, batch=batch) as step:
            heir = claims.pop(winner, None)
            for claim in claims.values():
                step.change(claim, status=next_status(Verb.SUPERSEDE, claim), successor_id=heir and heir.pk)
            step.change(conflict, status=resolved)
            reconcile_around(step, claims.values(), slots=[(conflict.scope_id, conflict.slot)])
        return step.event


def dismiss(
    conflict: Conflict,
    *,
    actor: Actor,
    expected_version: int | None = None,
    reason: str = "",
    batch: uuid.UUID | None = None,
) -> JournalEvent:
    """No real conflict: both hold. It stays dismissed until somebody new joins the slot."""
    with transaction.atomic(savepoint=False):
        conflict, dismissed = _begin(Verb.DISMISS, conflict, actor, expected_version)
        with Step(Verb.DISMISS, actor=actor, scope=conflict.scope, reason=reason, batch=batch) as step:
            step.change(conflict, status=dismissed)
        return step.event


def _begin(verb: Verb, conflict: Conflict, actor: Actor, expected_version: int | None) -> tuple[Conflict, str]:
    """As `locking.begin`: the slot is locked first, as every verb on it does, then the row."""
    members = Claim.objects.filter(conflict_places__conflict=conflict)
    lock_slots(members, also={slot_lock_of(conflict.scope_id, conflict.slot)})
    fresh = Conflict.objects.select_for_update(of=("self",)).select_related("scope").filter(pk=conflict.pk).first()
    if fresh is None:
        raise NotFound(f"no conflict {conflict.pk}")
    check_version(fresh, expected_version, f"conflict {fresh.pk}")
    actor.require(verb.row.right, fresh.scope)
    return fresh, next_status(verb, fresh)


def _live_members(conflict: Conflict) -> tuple[dict[str, Claim], set[str]]:
    rows = Claim.objects.filter(conflict_places__conflict=conflict, status="active").order_by("conflict_places__id")
    claims = {claim.ref: claim for claim in rows}
    current = TrustedState.objects.filter(conflict_places__conflict=conflict, status="current")
    trusted = set(current.values_list("ref", flat=True))
    if len(claims) + len(trusted) < 2:
        raise BadTransition(f"conflict {conflict.pk} has fewer than two live members", state=conflict.status)
    return claims, trusted
