"""Propose in the scope above what holds here (C15). The claim itself stays as it is; a person decides about the proposal there."""

from django.db import transaction

from ledger.actions.graduate import quotes_behind
from ledger.actions.propose import Draft, Proposal, propose
from ledger.actor import Actor
from ledger.errors import BadTransition, Duplicate, Invalid
from ledger.models import Claim
from ledger.rules.states import Status


def widen(claim: Claim, *, actor: Actor, reason: str = "") -> Proposal:
    """A candidate of the same words and evidence in the parent scope. Raises `Invalid` where there is none above, `BadTransition`
    for what does not hold, `Duplicate` naming what says it there already, and whatever a proposal there is refused for."""
    above = claim.scope.parent
    if above is None:
        raise Invalid(f"nothing lies above {claim.scope.path}", field="ref")
    if claim.status != Status.ACTIVE:
        raise BadTransition(f"{claim.ref} is {claim.status}: only what holds is proposed above", state=claim.status)
    draft = Draft(
        kind=claim.kind_id, statement=claim.statement, quotes=quotes_behind(claim), key=claim.key, topic=claim.topic,
        subject=claim.subject, tags=tuple(claim.tags), value_type=claim.value_type, value=claim.value,
        assignee=claim.assignee, confidence=claim.confidence, rule=claim.rule, extractor=claim.extractor,
        extractor_version=claim.extractor_version, hand_authored=claim.hand_authored, valid_from=claim.valid_from,
        valid_to=claim.valid_to, summary=f"Holds in {claim.scope.path} as {claim.ref}", needs_review=True,
    )  # fmt: skip
    with transaction.atomic():
        answer = propose(draft, scope=above, actor=actor, reason=reason)
    if answer.fate != "written":
        raise Duplicate(answer.why, ref=answer.known_as)
    return answer
