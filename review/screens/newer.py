"""What a person types in the place of a claim that no longer holds: new words on the same slot, kept as a note and cited."""

from django.http import QueryDict

from ledger.actions.propose import Draft
from ledger.actor import Actor
from ledger.errors import Invalid
from ledger.models import Claim
from ledger.rules.permissions import Right
from review.api.proposing import note
from review.desk.fields import value_from_input


def newer(claim: Claim, posted: QueryDict, actor: Actor) -> Draft:
    """Raises `Invalid` by field: `statement`, `value`, or `by` where a ref was given as well."""
    statement = posted.get("new_statement", "").replace("\r\n", "\n").strip()
    if posted.get("by", "").strip():
        raise Invalid("name a claim or type new words, not both", field="by")
    actor.require(Right.REVIEW, claim.scope)
    value = value_from_input(posted.get("new_value", ""), claim.value_type)
    return Draft(
        kind=claim.kind_id, statement=statement, quotes=(note(statement, claim.scope, actor),), key=claim.key,
        topic=claim.topic, tags=tuple(claim.tags), value_type=claim.value_type if value is not None else "", value=value,
        confidence=1.0, hand_authored=True, layer=claim.layer,
    )  # fmt: skip
