"""What a claim waits for before it may hold: that somebody chose the place it cites; and, where a scope asks for four eyes, that
two people promoted what is risky: the first one's promotion is an approval, and another person's completes it."""

import uuid

from ledger.actor import Actor
from ledger.errors import DecisionNeeded, SecondPersonNeeded
from ledger.journal import Step
from ledger.models import Approval, Claim, JournalEvent
from ledger.reads.packs import packs_of
from ledger.reads.policies.in_force import CLAIM_CONTENT, four_eyes_scope, standing_approvals
from ledger.reads.sql import fetch_column
from ledger.verbs import Verb


def risky_by_now(claim: Claim) -> bool:
    """Whether it is of high risk: it was when it was proposed, or a pack that was chosen since says so of its key."""
    if claim.high_risk or not claim.key:
        return claim.high_risk
    return packs_of(claim.scope).is_risky(claim.key)


def asks_for_two(claim: Claim) -> str:
    """The scope that asks for two people about this claim; empty where none does, or nothing is at risk."""
    if not (claim.high_risk or claim.key):
        return ""
    asked_by = four_eyes_scope(claim.scope)
    return asked_by if asked_by and risky_by_now(claim) else ""


def approve_first(
    claim: Claim, asked_by: str, *, actor: Actor, reason: str = "", batch: uuid.UUID | None = None
) -> JournalEvent | None:
    """The event `approve` where somebody else must still countersign; None where the promotion may go on.

    Called by `promote` under the claim's lock, with the choices made and what `asks_for_two` said. Raises
    `SecondPersonNeeded` where the caller has approved it already, or is nobody with an account: two tokens of one user are one
    person, and a command line is none.
    """
    if not asked_by:
        return None
    user_id = _person(claim, actor, asked_by)
    approved_by = _approved_by(claim)
    if approved_by - {user_id}:
        return None
    if approved_by:
        raise SecondPersonNeeded(
            f"{actor.name} has approved {claim.ref} already; {asked_by} asks for another person", ref=claim.ref
        )
    with Step(Verb.APPROVE, actor=actor, scope=claim.scope, ref=claim.ref, reason=reason, batch=batch) as step:
        approval = Approval.objects.create(claim=claim, user_id=user_id, by=actor.name, content=_content(claim))
        step.created(approval)
    return step.event


def require_second(claim: Claim, *, actor: Actor) -> None:
    """For a verb that lets a new claim hold without a promotion of its own. Raises `SecondPersonNeeded` where another
    person's approval is asked for and does not stand."""
    asked_by = asks_for_two(claim)
    if not asked_by:
        return
    if not _approved_by(claim) - {_person(claim, actor, asked_by)}:
        raise SecondPersonNeeded(
            f"{asked_by} asks for two people about what is risky: propose it, and let both promote it", ref=claim.ref
        )


def require_one_place(claim: Claim) -> None:
    """Raises `DecisionNeeded` where nobody has chosen yet which of several places in its source the claim cites."""
    if claim.anchors_to_choose:
        raise DecisionNeeded(
            f"{claim.ref}: its words stand in several places; choose one",
            choices=[{"anchor": at, **place} for at, place in enumerate(claim.anchors_to_choose)],
        )


def void_approvals(step: Step, claim: Claim, *, unless_same: bool = False) -> None:
    """As a knock-on of `step`: nobody has approved this any more. `unless_same` keeps those of the very words that now stand."""
    rows = claim.approvals.filter(status="standing")
    for approval in rows.exclude(content=CLAIM_CONTENT) if unless_same else rows:
        step.change(approval, status="void", implicit=True)


def _approved_by(claim: Claim) -> set[int | None]:
    """By user id who stands behind the claim as it now reads."""
    return {approval.user_id for approval in standing_approvals([claim.pk]).get(claim.pk, ())}


def _person(claim: Claim, actor: Actor, asked_by: str) -> int:
    if actor.kind != "human" or actor.user_id is None:
        raise SecondPersonNeeded(
            f"{asked_by} asks for two people with accounts about what is risky; {actor.name} is none", ref=claim.ref
        )
    return actor.user_id


def _content(claim: Claim) -> str:
    [content] = fetch_column("SELECT ledger_claim_content(%s)", [claim.pk])
    return str(content)
