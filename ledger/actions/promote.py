"""Countersign a candidate: it joins what holds, replaces it, contradicts it openly, or is simply new."""

import uuid
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from ledger.actions.approve import approve_first, asks_for_two, require_one_place, risky_by_now
from ledger.actions.edit import edit
from ledger.actions.locking import begin, slot_lock_name
from ledger.actions.reconcile_conflicts import reconcile_promoted
from ledger.actor import Actor
from ledger.errors import DecisionNeeded, Forbidden, Invalid
from ledger.journal import Step
from ledger.models import Claim, JournalEvent
from ledger.reads.policies.in_force import promoting_policies
from ledger.reads.rivals import meeting_of
from ledger.rules.reconcile import PromotionOutcome, PromotionPreview
from ledger.verbs import Verb


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
        also = _other_slots(claim)
        claim, active = begin(Verb.PROMOTE, claim, actor=actor, expected_version=expected_version, also=also)
        require_one_place(claim)
        live, preview = meeting_of(claim)
        if actor.kind == "policy":
            _refuse_policy(claim, preview, actor)
        if preview.outcome is PromotionOutcome.SAME:
            target = _one_of(preview.against, into, live)
            with Step(Verb.PROMOTE, actor=actor, scope=claim.scope, ref=claim.ref, reason=reason, batch=batch) as step:
                step.change(claim, status="merged", successor_id=target.pk, deferred_until=None)
            return step.event
        # What must be chosen is asked of the first of two people too.
        replaced = _replaced(preview, on_conflict, live)
        grown_from = list(_memory(claim).select_for_update(no_key=True).filter(status="active"))
        asked_by = asks_for_two(claim)
        approval = approve_first(claim, asked_by, actor=actor, reason=reason, batch=batch)
        if approval is not None:
            return approval
        # What two people stand behind is of high risk in the row too: the database asks for both of them (law 5).
        risk = claim.high_risk or bool(asked_by)
        with Step(Verb.PROMOTE, actor=actor, scope=claim.scope, ref=claim.ref, reason=reason, batch=batch) as step:
            # What gives way goes first: an edit may have made the entity say exactly what its memory says. The memory that
            # it came from becomes a frozen pointer to it (P16).
            for row in replaced:
                step.change(row, status="superseded", successor_id=claim.pk)
            for row in grown_from:
                step.change(row, status="graduated", successor_id=claim.pk, implicit=True)
            since = claim.promoted_at or timezone.now()
            step.change(claim, status=active, promoted_at=since, deferred_until=None, high_risk=risk)
            met = [live[ref] for ref in preview.against if ref in live]
            reconcile_promoted(step, claim, [*replaced, *grown_from], met)
        return step.event


def _memory(claim: Claim) -> QuerySet[Claim]:
    """The memory that the claim grew out of, where it did."""
    return Claim.objects.filter(pk__in=[claim.graduates_id] if claim.graduates_id else [])


def _refuse_policy(claim: Claim, preview: PromotionPreview, actor: Actor) -> None:
    """Law 5, whoever calls in a policy's name: it is on here, nothing is at risk, and there is nothing to choose."""
    name = actor.name.removeprefix("policy:").partition("@")[0]
    if actor.name not in promoting_policies(claim.scope):
        raise Forbidden(f"the policy {name} is not on in {claim.scope.path}")
    if risky_by_now(claim) or claim.needs_review or not preview.is_clear:
        raise Forbidden(f"{claim.ref} is for a person to decide")


def _other_slots(claim: Claim) -> list[str]:
    """What the text names as replaced, or the memory it grew out of, may hold another slot: locked with its own."""
    named = Claim.objects.filter(ref__in=[name.upper() for name in claim.names_replaced], scope=claim.scope_id)
    return [slot_lock_name(row) for row in named | _memory(claim)]


def _one_of(against: tuple[str, ...], into: str | None, live: dict[str, Claim]) -> Claim:
    if into is not None:
        if into not in against:
            raise Invalid(f"{into} does not say the same", field="into")
        return live[into]
    if len(against) > 1:
        raise DecisionNeeded(
            "several claims already say this; choose which to join",
            choices=[{"into": ref, "statement": live[ref].statement} for ref in against],
        )
    return live[against[0]]


def _replaced(preview: PromotionPreview, on_conflict: str | None, live: dict[str, Claim]) -> list[Claim]:
    """The claims that give way. A trusted value never does: it is not among `live` (it cannot lose to a claim)."""
    if preview.outcome is PromotionOutcome.SUPERSEDES and on_conflict is None:
        raise DecisionNeeded(
            "this replaces what holds now; confirm it or let both stand",
            choices=[{"on_conflict": choice, "against": list(preview.against)} for choice in ("supersede", "coexist")],
        )
    if on_conflict != "supersede":
        return []
    return [live[ref] for ref in preview.against if ref in live]
