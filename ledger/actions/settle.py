"""Conflicts follow the live claims: what differs on one slot is flagged, what no longer differs is closed (P15)."""

from collections.abc import Iterable

from ledger.journal import Step
from ledger.models import Claim, Conflict, ConflictMember, TrustedState
from ledger.rules.slots import same_content


def settle(step: Step, scope_id: int, slots: Iterable[str]) -> list[Conflict]:
    """Open, join, reopen or close the conflict of each slot as knock-on changes of `step`; returns those now open.

    Called under the slot's lock by every verb that changes which claims are live. A set of claims that a person
    dismissed as no real conflict stays dismissed until somebody new joins.
    """
    now_open = []
    for slot in sorted({slot for slot in slots if slot}):
        claims = list(Claim.objects.filter(scope=scope_id, slot=slot, status="active").order_by("id"))
        key = slot.split("|k:", 1)[1] if "|k:" in slot else ""
        trusted = list(TrustedState.objects.filter(scope=scope_id, key=key, status="current")) if key and claims else []
        conflict = Conflict.objects.filter(scope=scope_id, slot=slot).exclude(status="resolved").order_by("-id").first()
        if conflict is not None and conflict.status == "dismissed" and _all_known(conflict, claims, trusted):
            continue
        if not _differ(claims, trusted):
            if conflict is not None and conflict.status == "open":
                step.change(conflict, status="closed", implicit=True)
            continue
        if conflict is None or conflict.status == "dismissed":
            conflict = Conflict.objects.create(scope_id=scope_id, slot=slot)
            step.created(conflict, implicit=True)
        elif conflict.status == "closed":
            step.change(conflict, status="open", implicit=True)
        _join(conflict, claims, trusted)
        now_open.append(conflict)
    return now_open


def _differ(claims: list[Claim], trusted: list[TrustedState]) -> bool:
    held = [(c.value, c.statement) for c in claims] + [(t.value, t.statement) for t in trusted]
    return any(not same_content(*held[0], *other) for other in held[1:]) if held else False


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
