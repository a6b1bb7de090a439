"""What of the queue's order follows from what holds: a candidate that something else stands against comes first."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.db import connection

# Reconciling itself reads values and speakers (ledger.rules.reconcile); here it is enough that something else is there.
_CONTESTED = """
    UPDATE ledger_claim p SET contested = now.contested, crowded = p.crowded AND NOT now.contested
    FROM (
        SELECT c.id,
               EXISTS (SELECT 1 FROM ledger_claim a WHERE a.scope_id = c.scope_id AND a.slot = c.slot AND a.status = 'active'
                       AND a.slot <> '' AND a.dedup <> c.dedup AND a.id IS DISTINCT FROM c.graduates_id)
               OR EXISTS (SELECT 1 FROM ledger_trustedstate t WHERE c.key <> '' AND t.scope_id = c.scope_id
                          AND t.key = c.key AND t.status = 'current'
                          AND (t.value IS DISTINCT FROM c.value
                               OR (t.value IS NULL AND lower(t.statement) <> lower(c.statement)))) AS contested
        FROM ledger_claim c
        WHERE c.scope_id = %s AND c.status IN ('pending', 'deferred') AND c.slot <> '' AND c.slot {which}
    ) now
    WHERE p.id = now.id AND p.contested <> now.contested
"""


def mark_contested(scope_id: int, slots: Iterable[str], *, only: Sequence[int] | None = None) -> None:
    """Brings `contested` of what waits on these slots up to date. Under the slots' locks, by every verb that changes what holds
    there or what waits there; one statement, none where no slot is named. No event tells of it: it is a rank.

    Who holds no lock on the slots names the rows it has just made itself (`only`), which nobody else can see yet."""
    named = sorted({slot for slot in slots if slot})
    if not named:
        return
    which = "= ANY (%s::text[])"
    params: list[Any] = [scope_id, named]
    if only is not None:
        which, params = which + " AND c.id = ANY (%s::bigint[])", [*params, list(only)]
    with connection.cursor() as cursor:
        cursor.execute(_CONTESTED.format(which=which), params)


def mark_contested_by_key(scope_id: int, key: str) -> None:
    """The same for every slot that the key names, of whichever kind: the trusted value of a key stands against them all."""
    with connection.cursor() as cursor:
        slots = "= ANY (ARRAY(SELECT k.name || %s FROM ledger_kind k))"
        cursor.execute(_CONTESTED.format(which=slots), [scope_id, f"|k:{key}"])
