"""Locks that verbs take, always in this order: a scope's proposals, slots (sorted), sources, rows. Two verbs on one slot
meet here, not in a conflict; and what starts anew where two met crosswise all the same."""

import random
import time
from collections.abc import Callable, Iterable
from functools import wraps

from django.db import OperationalError, connection

from ledger.errors import NotFound, StaleVersion
from ledger.models import Claim
from ledger.rules.slots import key_of_slot

# SQLSTATE of a deadlock and of a failed serialization: nothing was written, and again it may well succeed.
LOST_RACE = {"40P01", "40001"}
MAX_TRIES = 3


def lost_race(error: BaseException) -> bool:
    """Whether the database gave this transaction up for another one."""
    return getattr(error.__cause__, "sqlstate", None) in LOST_RACE


def retry_lost_races[**P, T](transact: Callable[P, T]) -> Callable[P, T]:
    """Wraps what is whole transactions: a deadlock's loser starts anew, at most twice. Inside a transaction of the caller's
    there is nothing that could start anew here."""

    @wraps(transact)
    def again(*args: P.args, **kwargs: P.kwargs) -> T:
        for attempt in range(1, MAX_TRIES):
            try:
                return transact(*args, **kwargs)
            except OperationalError as error:
                if not lost_race(error) or connection.in_atomic_block:
                    raise
            time.sleep(random.uniform(0.01, 0.05) * attempt)  # noqa: S311 - spreads the losers
        return transact(*args, **kwargs)

    return again


def slot_lock_name(claim: Claim) -> str:
    """A key locks over all kinds and the trusted value with it; what has no slot locks per (scope, kind)."""
    if claim.key:
        return f"{claim.scope_id}|k:{claim.key}"
    return f"{claim.scope_id}|{claim.slot or claim.kind_id}"


def lock_names(names: Iterable[str]) -> None:
    """Advisory locks until the transaction ends, in an order that no two callers can take crosswise."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_advisory_xact_lock(h) FROM (SELECT DISTINCT hashtextextended(n, 4711) AS h"
            " FROM unnest(%s::text[]) n ORDER BY h) AS names",
            [list(names)],
        )


def lock_proposals(scope_ids: Iterable[int]) -> None:
    """For whoever brings something into the queue of these scopes: two equal ones could miss each other. Before slots."""
    lock_names(f"propose|{scope_id}" for scope_id in scope_ids)


def slot_lock_of(scope_id: int, slot: str) -> str:
    """The lock of a slot by its own name, as `slot_lock_name` gives it for the claims on it."""
    key = key_of_slot(slot)
    return f"{scope_id}|k:{key}" if key else f"{scope_id}|{slot}"


def _locked_at_once(name: str) -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(hashtextextended(%s, 4711))", [name])
        return bool(cursor.fetchone()[0])


def hold(claim: Claim, *, expected_version: int | None = None, also: Iterable[str] = ()) -> Claim:
    """The claim as it now stands, its slot and row locked. Raises `StaleVersion` if it is not the version expected.

    The slot is locked before the row is read. If the row moved to another slot meanwhile, that one is locked as well, but
    not waited for: who waits for a slot while holding a row could wait crosswise.
    """
    name = slot_lock_name(claim)
    lock_names([name, *also])
    try:
        # No key of it changes, so rows that only refer to it need not wait.
        fresh = (
            Claim.objects.select_for_update(of=("self",), no_key=True).select_related("scope", "kind").get(pk=claim.pk)
        )
    except Claim.DoesNotExist:
        raise NotFound(f"no claim {claim.pk}") from None
    if slot_lock_name(fresh) != name and not _locked_at_once(slot_lock_name(fresh)):
        raise StaleVersion(f"{fresh.ref} moved to a slot where somebody else is at work", row=fresh)
    if expected_version is not None and fresh.version != expected_version:
        raise StaleVersion(f"{fresh.ref} is at version {fresh.version}, not {expected_version}", row=fresh)
    return fresh
