"""Countersign a candidate: it joins what holds, replaces it, contradicts it openly, or is simply new."""

import uuid
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from ledger.actions.approve import approve_first, asks_for_two, risky_by_now
from ledger.actions.edit import edit
from ledger.actions.locking import hold, slot_lock_name
from ledger.actions.reconcile_conflicts import settle
from ledger.actions.transition import reach
from ledger.actor import Actor
from ledger.errors import DecisionNeeded, Forbidden, Invalid
from ledger.journal import Step
from ledger.models import Claim, JournalEvent
from ledger.reads.policies.in_force import policies_in_force
from ledger.reads.rivals import compared_claim, compared_trusted, latest_evidence, rivals
from ledger.rules.permissions import Right
from ledger.rules.reconcile import PromotionOutcome, PromotionPreview, reconcile


def promote(
    claim: Claim,
    *,
    actor: Actor,
    expected_version: int | None = None,
    reason: str = "",
    on_conflict: str | None = None,
    into: str | None = None,
    changes: dict[str, Any] | None = None,
    batch: uuid.UUID | None = None,
) -> JournalEvent:
    """Reconcile under the slot's lock (design §4) and write one event.

    `on_conflict` is None, `supersede` or `coexist`; `into` names the claim to join where two fit; `changes` are edits
    made first. Raises `DecisionNeeded` for an unconfirmed supersession, an unchosen anchor or two merges that fit,
    `StaleVersion`, `BadTransition`, `Forbidden`.

    Where the scope asks for four eyes, the first person's promotion of what is risky is the event `approve`: the claim waits
    on for another person's. Raises `SecondPersonNeeded` where the same person comes again.
    """
    if on_conflict not in (None, "supersede", "coexist"):
        raise Invalid("on_conflict is supersede or coexist", field="on_conflict")
    with transaction.atomic(savepoint=False):
        if changes:
            edit(claim, actor=actor, expected_version=expected_version, changes=changes, batch=batch)
            expected_version = None
        claim = hold(claim, expected_version=expected_version, also=_other_slots(claim))
        actor.require(Right.REVIEW, claim.scope)
        active = reach("promote", claim)
        if claim.anchors_to_choose:
            raise DecisionNeeded(
                f"{claim.ref}: its words stand in several places; choose one",
                choices=[{"anchor": i, **place} for i, place in enumerate(claim.anchors_to_choose)],
            )
        rows, preview = _preview(claim)
        if actor.kind == "policy":
            _refuse_policy(claim, preview, actor)
        replaced: list[Claim] = []
        asked_by = ""
        if preview.outcome is not PromotionOutcome.SAME:
            # What must be chosen is asked of the first person too.
            replaced = _replaced(preview, on_conflict, rows)
            asked_by = asks_for_two(claim)
            approval = approve_first(claim, asked_by, actor=actor, reason=reason, batch=batch)
            if approval is not None:
                return approval
        with Step("promote", actor=actor, scope=claim.scope, ref=claim.ref, reason=reason, batch=batch) as step:
            if preview.outcome is PromotionOutcome.SAME:
                target = _one_of(preview.against, into, rows)
                step.change(claim, status="merged", successor_id=target.pk, deferred_until=None)
                return step.event
            for row in replaced:
                step.change(row, status="superseded", successor_id=claim.pk)
            # What gives way goes first: an edit may have made the entity say exactly what its memory says.
            memory = _graduate_memory(step, claim, claim.graduates_id) if claim.graduates_id is not None else None
            # What two people stand behind is of high risk in the row too: the database asks for both of them (law 5).
            risk = claim.high_risk or bool(asked_by)
            since = claim.promoted_at or timezone.now()
            step.change(claim, status=active, promoted_at=since, deferred_until=None, high_risk=risk)
            if memory is not None:
                settle(step, memory.scope_id, {memory.slot})
            settle(step, claim.scope_id, {claim.slot, *(row.slot for row in replaced)})
        return step.event


def _refuse_policy(claim: Claim, preview: PromotionPreview, actor: Actor) -> None:
    """Law 5, whoever calls in a policy's name: it is on here, nothing is at risk, and there is nothing to choose."""
    name = actor.name.removeprefix("policy:").partition("@")[0]
    policy = policies_in_force(claim.scope).get(name)
    if policy is None or not policy.on or policy.settings.act != "promote" or actor.name != policy.policy.actor_name:
        raise Forbidden(f"the policy {name} is not on in {claim.scope.path}")
    if risky_by_now(claim) or claim.needs_review or not preview.is_clear:
        raise Forbidden(f"{claim.ref} is for a person to decide")


def _other_slots(claim: Claim) -> list[str]:
    """What the text names as replaced, or the memory it grew out of, may hold another slot: locked with its own."""
    wanted = Q()
    if claim.names_replaced:
        wanted |= Q(ref__in=[name.upper() for name in claim.names_replaced], scope=claim.scope_id)
    if claim.graduates_id is not None:
        wanted |= Q(pk=claim.graduates_id)
    return [slot_lock_name(row) for row in Claim.objects.filter(wanted)] if wanted else []


def _preview(claim: Claim) -> tuple[dict[str, Claim], PromotionPreview]:
    against, trusted = rivals([claim])
    found = against[claim.pk]
    said = latest_evidence([claim, *found])
    held = [compared_claim(row, said) for row in found] + [compared_trusted(row) for row in trusted[claim.pk]]
    return {row.ref: row for row in found}, reconcile(
        compared_claim(claim, said), held, names_replaced=claim.names_replaced
    )


def _one_of(against: tuple[str, ...], into: str | None, rows: dict[str, Claim]) -> Claim:
    if into is not None:
        if into not in against:
            raise Invalid(f"{into} does not say the same", field="into")
        return rows[into]
    if len(against) > 1:
        raise DecisionNeeded(
            "several claims already say this; choose which to join",
            choices=[{"into": ref, "statement": rows[ref].statement} for ref in against],
        )
    return rows[against[0]]


def _replaced(preview: PromotionPreview, on_conflict: str | None, rows: dict[str, Claim]) -> list[Claim]:
    """The claims that give way. A trusted value never does: it is not among `rows` (it cannot lose to a claim)."""
    if preview.outcome is PromotionOutcome.SUPERSEDES and on_conflict is None:
        raise DecisionNeeded(
            "this replaces what holds now; confirm it or let both stand",
            choices=[{"on_conflict": choice, "against": list(preview.against)} for choice in ("supersede", "coexist")],
        )
    if on_conflict != "supersede":
        return []
    return [rows[ref] for ref in preview.against if ref in rows]


def _graduate_memory(step: Step, claim: Claim, memory_id: int) -> Claim | None:
    """The memory that a promoted entity came from becomes a frozen pointer to it (P16); None where it holds no more."""
    memory = Claim.objects.select_for_update(no_key=True).get(pk=memory_id)
    if memory.status != "active":
        return None
    step.change(memory, status="graduated", successor_id=claim.pk, implicit=True)
    return memory
