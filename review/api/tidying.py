"""What a scope could be tidied by: lists made by rule, of which a person confirms what is right."""

from typing import TypedDict

from django.http import HttpResponse
from django.utils import timezone
from ninja import Router

from ledger.actor import ActorRequest
from ledger.models import Scope
from ledger.reads.compaction import StaleClaim, stale_claims
from ledger.reads.near_pairs import MergeSuggestion, merge_suggestions
from ledger.reads.scopes import scope_at
from ledger.reads.widening import WiderClaim, wider_claims
from ledger.rules.permissions import Access, Right
from review.api.shapes import answer

router = Router(tags=["scopes"])
MAX_LISTED = 200


class MergeSuggestionShape(TypedDict):
    """For `POST /candidates/{ref}/merge` with `into`. `likeness` is the share of words in common."""

    ref: str
    version: int
    statement: str
    into: str
    into_statement: str
    likeness: float
    why: str


class TidyClaimShape(TypedDict):
    ref: str
    version: int
    kind: str
    statement: str
    why: str


class TidyingShape(TypedDict):
    """At most 200 of each. `archive`: shown to nobody for long, and of little use or support, for `POST /entities/{ref}/archive`;
    `widen`: what could be proposed in the scope `above`, which is null where there is none in sight."""

    merge: list[MergeSuggestionShape]
    widen: list[TidyClaimShape]
    above: str | None
    archive: list[TidyClaimShape]


@router.get("/scope/tidying", response=TidyingShape)
def get_tidying(request: ActorRequest, scope: str) -> HttpResponse:
    """Likely duplicates, what could hold in the scope above too, and what could be archived. Nothing is changed by asking."""
    access = request.actor.access
    row = scope_at(scope, access)
    above = readable_above(row, access)
    found: TidyingShape = {
        "merge": [merge_shape(one) for one in merge_suggestions(row, most=MAX_LISTED)],
        "widen": [claim_shape(one) for one in wider_claims(row, most=MAX_LISTED)] if above else [],
        "above": above,
        "archive": [claim_shape(one) for one in stale_claims(row, now=timezone.now(), most=MAX_LISTED)],
    }
    return answer(found)


def readable_above(scope: Scope, access: Access) -> str | None:
    """What is listed tells of what the parent holds and refused: for those who may read it."""
    parent = scope.parent
    return parent.path if parent is not None and access.may(Right.READ, parent.path) else None


def merge_shape(one: MergeSuggestion) -> MergeSuggestionShape:
    return {
        "ref": one.claim.ref,
        "version": one.claim.version,
        "statement": one.claim.statement,
        "into": one.into.ref,
        "into_statement": one.into.statement,
        "likeness": one.likeness,
        "why": one.why,
    }


def claim_shape(one: StaleClaim | WiderClaim) -> TidyClaimShape:
    return {
        "ref": one.ref, "version": one.version, "kind": one.kind, "statement": one.statement, "why": one.why,
    }  # fmt: skip
