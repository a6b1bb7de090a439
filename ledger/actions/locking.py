"""Locks that verbs take, always in this order: a scope's proposals, slots (sorted), sources, rows. Two verbs on one slot
meet here, not in a conflict; and what starts anew where two met crosswise all the same."""

import random
import re
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial, wraps
from types import MappingProxyType
from typing import Any

from django.db import InterfaceError, InternalError, OperationalError, connection, transaction
from django.db.models import QuerySet

from ledger.actor import Actor
from ledger.errors import Duplicate, NotFound, StaleVersion
from ledger.models import Claim, Conflict, Scope, Webhook
from ledger.reads.sql import fetch_column
from ledger.rules.slots import key_of_slot
from ledger.verbs import Verb, next_status

# SQLSTATE of a deadlock and of a failed serialization: nothing was written, and again it may well succeed.
LOST_RACE = {"40P01", "40001"}
# SQLSTATE of a connection that is gone and of a server that stops or starts; without any it was the driver that saw the connection
# break. And of a transaction that the server ended because it took too long: a clock that jumps forward is enough.
LOST_CONNECTION = re.compile(r"|08...|57P..|25P0[34]")
MAX_TRIES = 3
# By these a claim comes to hold, and may contradict by its words what stands on another slot, or on none.
MAKE_HOLD = frozenset({Verb.PROMOTE, Verb.RESTORE, Verb.SUPERSEDE})
AS_IT_IS: Mapping[str, Any] = MappingProxyType({})


def lost_race(error: BaseException) -> bool:
    """Whether the database gave this transaction up for another one."""
    return getattr(error.__cause__, "sqlstate", None) in LOST_RACE


def lost_connection(error: BaseException) -> bool:
    """Whether the server, or the way to it, went away: nothing of the transaction is there, and nobody's words are at fault."""
    state = getattr(error.__cause__, "sqlstate", None) or ""
    return isinstance(error, (InterfaceError, InternalError, OperationalError)) and bool(
        LOST_CONNECTION.fullmatch(state)
    )


def retry_lost_races[**P, T](transact: Callable[P, T]) -> Callable[P, T]:
    """Wraps what is whole transactions: a deadlock's loser starts anew, at most twice. Inside a transaction of the caller's
    there is nothing that could start anew here."""

    return wraps(transact)(partial(_try_again, transact))


def _try_again[**P, T](transact: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    for attempt in range(1, MAX_TRIES):
        try:
            return transact(*args, **kwargs)
        except OperationalError as error:
            if not lost_race(error) or connection.in_atomic_block:
                raise
        time.sleep(random.uniform(0.01, 0.05) * attempt)  # noqa: S311 - spreads the losers
    return transact(*args, **kwargs)


def slot_lock(scope_id: int, key: str, slot: str, kind: str = "") -> str:
    """A key locks over all kinds and the trusted value with it; what has no slot locks per (scope, kind)."""
    return f"{scope_id}|k:{key}" if key else f"{scope_id}|{slot or kind}"


def statements_lock(scope_id: int) -> str:
    """The lock under which claims of a scope come to hold, or cease to: one slot's lock keeps no other slot still."""
    return f"{scope_id}|statements"


def slot_lock_name(claim: Claim, before: Mapping[str, Any] = AS_IT_IS) -> str:
    """The lock of the slot that the claim stands on, or stood on with columns as they were `before`."""
    scope_id, key, slot, kind = (
        before.get(name, getattr(claim, name)) for name in ("scope_id", "key", "slot", "kind_id")
    )
    return slot_lock(scope_id, key, slot, kind)


def slot_lock_of(scope_id: int, slot: str) -> str:
    """The lock of a slot by its own name."""
    return slot_lock(scope_id, key_of_slot(slot), slot)


def lock_names(names: Iterable[str]) -> None:
    """Advisory locks until the transaction ends, in an order that no two callers can take crosswise."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_advisory_xact_lock(h) FROM (SELECT DISTINCT hashtextextended(n, 4711) AS h"
            " FROM unnest(%s::text[]) n ORDER BY h) AS names",
            [list(names)],
        )


@contextmanager
def alone(number: int) -> Iterator[bool]:
    """Whether nobody else is at this pass, of which each has a number. A lock of the session, since a pass is many transactions."""
    [locked] = fetch_column("SELECT pg_try_advisory_lock(4711, %s)", [number])
    try:
        yield locked
    finally:
        if locked:
            fetch_column("SELECT pg_advisory_unlock(4711, %s)", [number])


def lock_at_once(claims: Iterable[Claim]) -> None:
    """The slots of claims that came up while others are held already: not waited for, which could be crosswise. Raises
    `StaleVersion` where somebody else is at work there."""
    for claim in claims:
        if not _locked_at_once(slot_lock_name(claim)):
            raise StaleVersion(f"somebody else is at work on {claim.ref}", row=claim)


def lock_proposals(scope_ids: Iterable[int]) -> None:
    """For whoever brings something into the queue of these scopes: two equal ones could miss each other. Before slots."""
    lock_names(f"propose|{scope_id}" for scope_id in scope_ids)


def lock_slots(
    claims: QuerySet[Claim], *, before: Sequence[tuple[int, Mapping[str, Any]]] = (), also: Collection[str] = ()
) -> list[Claim]:
    """The claims as they stand, once every slot is locked on which they stand, on which those of `before` (id and columns)
    stood, and `also`: somebody may have moved a claim to another slot before its lock was ours. Then all are let go and taken
    anew together: who waits for one more while holding some could wait crosswise."""
    names: set[str] = set()
    rows = list(claims.all())
    while True:
        names |= {*also, *_slot_names(rows, before)}
        held = transaction.savepoint_create()
        lock_names(names)
        rows = list(claims.all())
        if names.issuperset(_slot_names(rows, before)):
            transaction.savepoint_commit(held)
            return rows
        transaction.savepoint_rollback(held)


def _slot_names(rows: Iterable[Claim], before: Sequence[tuple[int, Mapping[str, Any]]]) -> set[str]:
    """The locks under which nothing about the rows, or about the slots they come from, changes."""
    by_pk = {row.pk: row for row in rows}
    names = {slot_lock_name(by_pk[pk], columns) for pk, columns in before if pk in by_pk}
    return names.union(map(slot_lock_name, by_pk.values()), (statements_lock(row.scope_id) for row in by_pk.values()))


def _locked_at_once(name: str) -> bool:
    [locked] = fetch_column("SELECT pg_try_advisory_xact_lock(hashtextextended(%s, 4711))", [name])
    return bool(locked)


def lock_claim(claim: Claim, *, expected_version: int | None = None, also: Iterable[str] = ()) -> Claim:
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
    check_version(fresh, expected_version, fresh.ref)
    return fresh


def refuse_twin(claim: Claim, statuses: Collection[str], why: str, columns: Mapping[str, Any] = AS_IT_IS) -> None:
    """Raises `Duplicate` (`why` with its ref in it) where another claim in one of `statuses` says what this one says, or will say
    with `columns`. Under the locks under which nobody else can come to say it."""
    if twin := twin_of(claim, statuses, columns):
        raise Duplicate(why.format(twin.ref), ref=twin.ref)


def twin_of(claim: Claim, statuses: Collection[str], columns: Mapping[str, Any] = AS_IT_IS) -> Claim | None:
    """Another claim in one of `statuses` that says what this one says, or will say with `columns`."""
    scope, dedup = columns.get("scope_id", claim.scope_id), columns.get("dedup", claim.dedup)
    return Claim.objects.filter(scope=scope, dedup=dedup, status__in=statuses).exclude(pk=claim.pk).first()


def check_version(row: Claim | Conflict | Scope | Webhook, expected: int | None, called: str) -> None:
    """Raises `StaleVersion` where the caller decided on another version than the one that stands."""
    if expected is not None and row.version != expected:
        raise StaleVersion(f"{called} is at version {row.version}, not {expected}", row=row)


def lock_scope(verb: Verb, scope: Scope, *, actor: Actor, expected_version: int | None) -> Scope:
    """How a change of a scope's settings begins: its row locked as it stands. Raises as `begin`."""
    scope = Scope.objects.select_for_update(of=("self",)).get(pk=scope.pk)
    actor.require(verb.row.right, scope)
    check_version(scope, expected_version, scope.path)
    return scope


def begin(
    verb: Verb, claim: Claim, *, actor: Actor, expected_version: int | None = None, also: Iterable[str] = ()
) -> tuple[Claim, str]:
    """How every decision about a claim begins: the claim locked as it stands, and the status that the verb leads to.

    Raises `StaleVersion`, `NotFound` or `Forbidden` where the actor lacks the verb's right, `BadTransition`.
    """
    if verb in MAKE_HOLD:
        also = [*also, statements_lock(claim.scope_id)]
    claim = lock_claim(claim, expected_version=expected_version, also=also)
    actor.require(verb.row.right, claim.scope)
    return claim, next_status(verb, claim)
