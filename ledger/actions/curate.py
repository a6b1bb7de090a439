"""Trusted state: what a person types or confirms with their own hand, and takes back the same way (laws 4, P14)."""

from collections.abc import Sequence
from typing import Any

from django.db import transaction

from ledger.actions.locking import lock_names, slot_lock
from ledger.actions.reconcile_conflicts import mark_contested_by_key, reconcile_conflicts
from ledger.actor import Actor
from ledger.errors import Invalid, NotFound, StaleVersion
from ledger.journal import Step, next_refs
from ledger.models import Claim, JournalEvent, Scope, TrustedState
from ledger.reads.scopes import ancestor_paths
from ledger.rules.columns import check_columns, check_members
from ledger.rules.permissions import Right
from ledger.rules.secrets import masked_in
from ledger.verbs import Verb

PREFIX = "TRU"
MAX_STATEMENT = 4000


def curate(
    scope: Scope,
    key: str,
    *,
    actor: Actor,
    statement: str = "",
    value: Any = None,
    cites: Sequence[str] = (),
    reason: str = "",
    expected_version: int | None = None,
) -> JournalEvent:
    """Set the trusted value of `key`; an older one is replaced and stays readable.

    Nothing is derived from what `cites` names: those refs are only recorded. Without `statement` it reads `key: value`.
    Raises `Invalid` for a ref that does not exist or may not be seen, `StaleVersion` where the current value is not
    the version expected (0: none yet).
    """
    key, statement = key.strip(), statement.strip()
    if not key:
        raise Invalid("a key has 1 to 200 characters", field="key")
    check_columns({"key": key, "statement": statement, "value": value})
    statement, value = masked_in(statement), masked_in(value)
    if not statement and value is None:
        raise Invalid("type a statement or a value", field="statement")
    if len(statement) > MAX_STATEMENT:
        raise Invalid(f"a statement has at most {MAX_STATEMENT} characters", field="statement")
    with transaction.atomic(savepoint=False):
        actor.require(Right.CURATE, scope)
        lock_names([slot_lock(scope.pk, key, "")])
        _check_cites(scope, cites, actor)
        current = TrustedState.objects.select_for_update().filter(scope=scope, key=key, status="current").first()
        _check_version(current, expected_version)
        (ref,) = next_refs([PREFIX])
        with Step(Verb.CURATE, actor=actor, scope=scope, ref=ref, reason=reason) as step:
            if current:
                step.change(current, status="replaced")
            row = TrustedState.objects.create(
                ref=ref, scope=scope, key=key, value=value, statement=statement or f"{key}: {value}",
                cites=list(cites), replaces=current, by=actor.name,
            )  # fmt: skip
            step.created(row)
            reconcile_conflicts(step, scope.pk, _slots_with(scope, key))
            mark_contested_by_key(scope.pk, key)
        return step.event


def retract(
    scope: Scope, key: str, *, actor: Actor, reason: str = "", expected_version: int | None = None
) -> JournalEvent:
    """Take the trusted value of `key` back; the row stays. A conflict it was part of is looked at again."""
    with transaction.atomic(savepoint=False):
        actor.require(Right.CURATE, scope)
        lock_names([slot_lock(scope.pk, key, "")])
        current = TrustedState.objects.select_for_update().filter(scope=scope, key=key, status="current").first()
        if current is None:
            raise NotFound(f"no trusted value for {key!r} in {scope.path}")
        _check_version(current, expected_version)
        with Step(Verb.RETRACT, actor=actor, scope=scope, ref=current.ref, reason=reason) as step:
            step.change(current, status="retracted")
            reconcile_conflicts(step, scope.pk, _slots_with(scope, key))
            mark_contested_by_key(scope.pk, key)
        return step.event


def _check_version(current: TrustedState | None, expected: int | None) -> None:
    version = current.version if current else 0
    if expected is not None and version != expected:
        raise StaleVersion("the trusted value has changed meanwhile", row=current)


def _check_cites(scope: Scope, cites: Sequence[str], actor: Actor) -> None:
    """A claim of the scope itself or of one above, in sight of the person."""
    claims = Claim.objects.filter(ref__in=cites, scope__path__in=ancestor_paths(scope.path))
    in_sight = {ref for ref, path in claims.values_list("ref", "scope__path") if actor.access.may(Right.READ, path)}
    check_members("cites", cites, in_sight, "no claim {!r} to cite")


def _slots_with(scope: Scope, key: str) -> set[str]:
    return set(
        Claim.objects.filter(scope=scope, key=key, status="active").exclude(slot="").values_list("slot", flat=True)
    )
