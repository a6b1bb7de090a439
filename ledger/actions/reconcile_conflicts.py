"""Conflicts follow the live claims: what differs on one slot is flagged, what no longer differs is closed (P15)."""

from collections.abc import Collection, Iterable
from itertools import combinations

from ledger.actions.ordering import mark_contested
from ledger.journal import Step
from ledger.models import Claim, Conflict, ConflictMember, TrustedState
from ledger.rules.slots import key_of_slot, same_content


def settle(step: Step, scope_id: int, slots: Iterable[str], *, without: Collection[int] = ()) -> list[Conflict]:
    """Open, join, reopen or close the conflict of each slot as knock-on changes of `step`; returns those now open.

    Called under the slot's lock by every verb that changes which claims are live. A set of claims that a person
    dismissed as no real conflict stays dismissed until somebody new joins. `without` leaves claims out that are about
    to lose their words.
    """
    now_open = []
    slots = list(slots)
    mark_contested(scope_id, slots)
    for slot in sorted({slot for slot in slots if slot}):
        live = Claim.objects.filter(scope=scope_id, slot=slot, status="active").exclude(pk__in=without)
        claims = list(live.order_by("id"))
        key = key_of_slot(slot)
        trusted = list(TrustedState.objects.filter(scope=scope_id, key=key, status="current")) if key and claims else []
        known = Conflict.objects.filter(scope=scope_id, slot=slot).exclude(status="resolved").order_by("-id")
        by_status: dict[str, list[Conflict]] = {}
        for conflict in known:
            by_status.setdefault(conflict.status, []).append(conflict)
        current = next(iter(by_status.get("open", [])), None)
        if not _differ(claims, trusted) or any(
            _all_known(conflict, claims, trusted) for conflict in by_status.get("dismissed", [])
        ):
            if current is not None:
                step.change(current, status="closed", implicit=True)
            continue
        if current is None and "closed" in by_status:
            current = by_status["closed"][0]
            step.change(current, status="open", implicit=True)
        elif current is None:
            current = Conflict.objects.create(scope_id=scope_id, slot=slot)
            step.created(current, implicit=True)
        _join(current, claims, trusted)
        now_open.append(current)
    return now_open


def _differ(claims: list[Claim], trusted: list[TrustedState]) -> bool:
    held = [(c.value, c.statement) for c in claims] + [(t.value, t.statement) for t in trusted]
    # Each against each: where one has no value, two that differ can both say the same as it.
    return any(not same_content(*one, *other) for one, other in combinations(held, 2))


def _all_known(conflict: Conflict, claims: list[Claim], trusted: list[TrustedState]) -> bool:
    return _members(conflict) >= ({f"claim {c.pk}" for c in claims} | {f"trusted {t.pk}" for t in trusted})


def _join(conflict: Conflict, claims: list[Claim], trusted: list[TrustedState]) -> None:
    known = _members(conflict)
    ConflictMember.objects.bulk_create(
        [ConflictMember(conflict=conflict, claim=c) for c in claims if f"claim {c.pk}" not in known]
        + [ConflictMember(conflict=conflict, trusted=t) for t in trusted if f"trusted {t.pk}" not in known]
    )


def _members(conflict: Conflict) -> set[str]:
    return {f"claim {m.claim_id}" if m.claim_id else f"trusted {m.trusted_id}" for m in conflict.members.all()}
