"""What stands against what, on one slot or by its words: conflicts follow the live claims (P15), and a candidate that
something else stands against comes first in the queue."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from itertools import combinations
from typing import Any

from django.db import connection

from ledger.journal import Step
from ledger.models import Claim, Conflict, ConflictMember, TrustedState
from ledger.reads.rivals import compared_claim, contradicted_by
from ledger.rules.reconcile import cannot_both_hold
from ledger.rules.slots import key_of_slot, refs_of_pair, same_content, shared_slot

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


def reconcile_around(step: Step, claims: Iterable[Claim], *, slots: Iterable[tuple[int, str]] = ()) -> None:
    """`reconcile_conflicts` for all that these claims contend for, or have contended for, as they stand now, and for `slots`
    (scope and slot) beside it. Two queries more."""
    rows = list(claims)
    live = [claim for claim in rows if claim.status == "active"]
    pairs = {(one.scope_id, shared_slot(one, other)) for one, other in contradicted_by(live)}
    by_scope: dict[int, set[str]] = defaultdict(set)
    for scope_id, slot in {*slots, *slots_contended(rows), *pairs}:
        by_scope[scope_id].add(slot)
    for scope_id, named in sorted(by_scope.items()):
        reconcile_conflicts(step, scope_id, named)


def reconcile_promoted(step: Step, claim: Claim, gave_way: Collection[Claim], met: Iterable[Claim]) -> None:
    """The same for a claim that came to hold: what it meets is known already; what those that gave way contended for is looked
    up."""
    if gave_way:
        reconcile_around(step, [claim, *gave_way])
    else:
        reconcile_conflicts(step, claim.scope_id, {claim.slot, *(shared_slot(claim, rival) for rival in met)})


def slots_contended(claims: Collection[Claim]) -> set[tuple[int, str]]:
    """Scope and slot of all that these claims stand on, or stand in conflict about. One query."""
    known = Conflict.objects.filter(members__claim__in=[claim.pk for claim in claims]).exclude(status="resolved")
    return {*((claim.scope_id, claim.slot) for claim in claims), *known.values_list("scope_id", "slot")}


def reconcile_conflicts(step: Step, scope_id: int, slots: Iterable[str], *, without: Collection[int] = ()) -> None:
    """Open, join, reopen or close the conflict of each slot as knock-on changes of `step`.

    Called under the slot's lock by every verb that changes which claims are live. A set of claims that a person
    dismissed as no real conflict stays dismissed until somebody new joins. `without` leaves claims out that are about
    to lose their words.
    """
    named = sorted(set(slots) - {""})
    mark_contested(scope_id, [slot for slot in named if not refs_of_pair(slot)])
    for slot in named:
        live = _live(scope_id, slot, without)
        known = list(Conflict.objects.filter(scope=scope_id, slot=slot).exclude(status="resolved").order_by("id"))
        newest = {conflict.status: conflict for conflict in known}
        dismissed = [conflict for conflict in known if conflict.status == "dismissed"]
        differ = _contradict if refs_of_pair(slot) else _differ
        if differ(live.values()) and not any(_members(conflict) >= live.keys() for conflict in dismissed):
            _join(newest.get("open") or _opened(step, newest.get("closed"), scope_id, slot), live)
        elif "open" in newest:
            step.change(newest["open"], status="closed", implicit=True)


# The ids of a claim and of a trusted value, of which one is None.
type Party = tuple[int | None, int | None]


def _live(scope_id: int, slot: str, without: Collection[int]) -> dict[Party, Claim | TrustedState]:
    named = {"ref__in": pair} if (pair := refs_of_pair(slot)) else {"slot": slot}
    claims = Claim.objects.filter(scope=scope_id, status="active", **named).exclude(pk__in=without)
    live: dict[Party, Claim | TrustedState] = {(claim.pk, None): claim for claim in claims.order_by("id")}
    if live and (key := key_of_slot(slot)):
        trusted = TrustedState.objects.filter(scope=scope_id, key=key, status="current")
        live |= {(None, row.pk): row for row in trusted}
    return live


def _differ(live: Collection[Claim | TrustedState]) -> bool:
    # Each against each: where one has no value, two that differ can both say the same as it.
    return any(not same_content(a.value, a.statement, b.value, b.statement) for a, b in combinations(live, 2))


def _contradict(live: Collection[Claim | TrustedState]) -> bool:
    """Of a pair both hold, and what they say by now cannot both be true."""
    pair = [compared_claim(claim) for claim in live if isinstance(claim, Claim)]
    return len(pair) == 2 and cannot_both_hold(*pair)


def _opened(step: Step, closed: Conflict | None, scope_id: int, slot: str) -> Conflict:
    if closed is None:
        conflict = Conflict.objects.create(scope_id=scope_id, slot=slot)
        step.created(conflict, implicit=True)
        return conflict
    step.change(closed, status="open", implicit=True)
    return closed


def _join(conflict: Conflict, live: Iterable[Party]) -> None:
    known = _members(conflict)
    ConflictMember.objects.bulk_create(
        ConflictMember(conflict=conflict, claim_id=claim, trusted_id=trusted)
        for claim, trusted in live
        if (claim, trusted) not in known
    )


def _members(conflict: Conflict) -> set[Party]:
    return set(conflict.members.values_list("claim_id", "trusted_id"))


def mark_contested(scope_id: int, slots: Iterable[str], *, only: Sequence[int] | None = None) -> None:
    """Brings `contested` of what waits on these slots up to date. Under the slots' locks, by every verb that changes what holds
    there or what waits there; one statement, none where no slot is named. No event tells of it: it is a rank.

    Who holds no lock on the slots names the rows it has just made itself (`only`), which nobody else can see yet."""
    named = sorted(set(slots) - {""})
    if not named:
        return
    which = "= ANY (%s::text[])"
    params: list[Any] = [scope_id, named]
    if only is not None:
        which, params = which + " AND c.id = ANY (%s::bigint[])", [*params, list(only)]
    with connection.cursor() as cursor:
        cursor.execute(_CONTESTED.format(which=which), params)


def mark_contested_by_key(scope_id: int, key: str) -> None:
    """The same for every slot that the key names, of whichever kind and subject: its trusted value stands against them all."""
    with connection.cursor() as cursor:
        cursor.execute(_CONTESTED.format(which="<> '' AND c.key = %s"), [scope_id, key])
