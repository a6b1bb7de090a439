"""Policies at work: turned on by a scope's owner, carried out in passes of the sweep, listed and taken back as one (law 5)."""

import datetime as dt
import uuid
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final

from django.db import IntegrityError, connection, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from ledger.actions.locking import alone, lock_scope
from ledger.actions.promote import promote
from ledger.actions.scope import update_scope
from ledger.actions.undo import undo_each
from ledger.actor import Actor, policy_actor
from ledger.errors import DomainError, Invalid
from ledger.models import Claim, JournalEvent, Scope
from ledger.reads.policies.in_force import governed_scopes, policies_in_force, policies_turned_on
from ledger.reads.policies.matches import MAX_ID, PolicyMatch, policy_matches
from ledger.reads.scopes import below
from ledger.reads.sql import fetch_column
from ledger.rules.permissions import Right
from ledger.rules.policies import FOUR_EYES, POLICIES
from ledger.verbs import Verb

# A pass looks at the newest and at the next stretch of all others, so that it costs the same however many wait.
NEWEST: Final = 5_000
STRETCH: Final = 50_000
MAX_AT_ONCE: Final = 200
MAX_UNDONE: Final = 1_000
PASS_LOCK: Final = 5


def set_policy(
    scope: Scope,
    name: str,
    *,
    actor: Actor,
    on: bool | None,
    settings: Mapping[str, Any] | None = None,
    expected_version: int | None = None,
    reason: str = "",
) -> Scope:
    """Turn a policy, or `four_eyes`, on with its settings here and below; off (`on` false); or leave it to the scopes above
    (None). Without `settings` those it had stay. Raises `Invalid` naming the setting, `Forbidden` for who is no owner."""
    if name not in POLICIES and name != FOUR_EYES:
        raise Invalid(f"there is no policy {name[:60]!r}: {', '.join((*POLICIES, FOUR_EYES))}", field="name")
    if settings and not on:
        raise Invalid("settings are for a policy that is on", field="settings")
    with transaction.atomic(savepoint=False):
        scope = lock_scope(Verb.UPDATE_SCOPE, scope, actor=actor, expected_version=expected_version)
        policies = dict(scope.policies)
        kept = policies.pop(name, False)
        if on is not None:
            policies[name] = on and dict(kept or {} if settings is None else settings)
        return update_scope(scope, actor=actor, changes={"policies": policies}, reason=reason)


def run_policies(*, now: dt.datetime | None = None) -> int:
    """One pass of every policy that is on; returns how many candidates it decided. Each policy's work in each scope where it
    was turned on is one batch. Safe to call at any time and from several processes: one of them does the work."""
    on = policies_turned_on()
    if not on:
        return 0
    with alone(PASS_LOCK) as is_alone:
        return _run_alone(on, now or timezone.now()) if is_alone else 0


def _run_alone(on: Sequence[tuple[Scope, str]], now: dt.datetime) -> int:
    last = Claim.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
    start = _cursor()
    begun = start if start < last else 0
    newest = max(begun + STRETCH, last - NEWEST)
    reached: list[int] = []
    done = 0
    for root, name in on:
        policy = policies_in_force(root)[name]
        if policy.settings.act != "promote":
            continue
        look = partial(policy_matches, name, policy.settings, governed_scopes(root, name), now=now, most=MAX_AT_ONCE)
        found, stopped_at = look(low=begun, high=begun + STRETCH)
        reached.append(stopped_at or begun + STRETCH)
        if newest < last:
            found += look(low=newest)[0]
        done += _promote_each(found, policy_actor(policy.policy.actor_name), uuid.uuid4())
    if reached:
        _go_on_from(min(reached))
    return done


def promote_proposed(
    scope: Scope, name: str, *, actor: Actor, refs: Sequence[str], reason: str = ""
) -> tuple[uuid.UUID, list[JournalEvent], list[tuple[str, str]]]:
    """A person promotes what a policy proposes, of what they were shown: one batch, the events, and what was left with its
    reason. Every one is a transaction of its own, so that one that changed meanwhile keeps no other."""
    actor.require(Right.REVIEW, scope)
    batch, events, left = uuid.uuid4(), list[JournalEvent](), list[tuple[str, str]]()
    offered = {one.claim.ref: one.claim for one in proposed(scope, name)}
    for ref in dict.fromkeys(refs):
        claim = offered.get(ref)
        if claim is None:
            left.append((ref, "it is not proposed any more"))
            continue
        try:
            events.append(promote(claim, actor=actor, expected_version=claim.version, reason=reason, batch=batch))
        except DomainError as error:
            left.append((ref, error.message))
    return batch, events, left


def proposed(scope: Scope, name: str) -> list[PolicyMatch]:
    """What the policy would take now in this scope and below, at most `MAX_AT_ONCE`."""
    policy = policies_in_force(scope)[name]
    return policy_matches(name, policy.settings, governed_scopes(scope, name), now=timezone.now(), most=MAX_AT_ONCE)[0]


def undo_policy(
    scope: Scope, name: str, *, actor: Actor, since: dt.datetime | None = None, reason: str = ""
) -> tuple[list[JournalEvent], list[tuple[JournalEvent, str]]]:
    """Take back all that a policy, of whichever version, did in this scope and below, since a time or ever: the undoing events,
    which share a batch, and what was left because somebody has built on it since, with the reason."""
    if name not in POLICIES:
        raise Invalid(f"there is no policy {name[:60]!r}: {', '.join(POLICIES)}", field="name")
    actor.require(Right.REVIEW, scope)
    rows = done_by(name).filter(scope__in=Scope.objects.filter(below(scope.path)))
    if since is not None:
        rows = rows.filter(at__gte=since)
    events = list(rows.select_related("scope", "undoes").order_by("-pk")[: MAX_UNDONE + 1])
    if len(events) > MAX_UNDONE:
        raise Invalid(f"that is more than {MAX_UNDONE} decisions: choose a later time", field="since")
    return undo_each(events, actor=actor, reason=reason)


def done_by(name: str) -> QuerySet[JournalEvent]:
    """The promotions in a policy's name that nobody has undone, or whose undo was undone in its turn."""
    rows = JournalEvent.objects.filter(actor_kind="policy", actor_name__startswith=f"policy:{name}@", verb="promote")
    return rows.filter(Q(undone_by=None) | Q(undone_by__undone_by__isnull=False))


def _promote_each(found: Sequence[PolicyMatch], actor: Actor, batch: uuid.UUID) -> int:
    done = 0
    for one in found:
        try:
            promote(one.claim, actor=actor, expected_version=one.claim.version, reason=one.why, batch=batch)
            done += 1
        except (DomainError, IntegrityError):
            # Somebody decided, edited or turned the policy off meanwhile; the database has the last word (law 5).
            continue
    return done


def _cursor() -> int:
    return next(iter(fetch_column("SELECT claim FROM ledger_policycursor")), 0)


def _go_on_from(claim: int) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO ledger_policycursor (one, claim) VALUES (true, %s) ON CONFLICT (one) DO UPDATE SET claim = excluded.claim",
            [min(claim, MAX_ID)],
        )
