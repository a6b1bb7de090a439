"""Decisions about candidates, one or many at a time."""

import hashlib
import uuid
from typing import Any, TypedDict

from django.db import IntegrityError
from django.http import HttpResponse
from ninja import Router

from ledger.actions.idempotency import at_most_once, once_per_key
from ledger.actions.locking import retry_lost_races
from ledger.actor import Actor, ActorRequest
from ledger.errors import DomainError, Forbidden, Invalid
from ledger.models import Claim
from ledger.reads.claims import claim_at
from ledger.rules.permissions import Right
from ledger.verbs import Verb
from review.api.answers import DecisionShape, add_plain_verbs, decide_once
from review.api.bodies import DecideIn, DeferIn, HandOverIn, KeepApartIn, MergeIn, Named, PromoteIn
from review.api.shapes import answer

router = Router(tags=["candidates"])
WAITS = "approved, waits for a second person"


class SkippedShape(TypedDict):
    id: Named
    why: str


class BatchDecisionShape(TypedDict):
    done: list[int]
    skipped: list[SkippedShape]
    approved: list[int]
    batch: uuid.UUID


@router.post("/candidates/decide", response=BatchDecisionShape)
def decide_many(request: ActorRequest, body: DecideIn) -> HttpResponse:
    """One action on many, each in its own transaction under one batch id: `{done, skipped: [{id, why}], approved, batch}`.

    What cannot be done is skipped with its reason and the rest is kept; `batch` undoes all of it. With an
    Idempotency-Key a request that broke off is resumed where it stood. Where two people decide, what the first one promotes
    is among `approved`, and among `skipped` with that reason.
    """
    actor = request.actor
    if actor.access.agent:
        raise Forbidden("an agent does not decide")
    if (body.into is None) is (body.action == Verb.MERGE):
        raise Invalid("into names what the others are merged into, for merge only", field="into")
    named = once_per_key(request, "decide", lambda: (200, {"batch": str(uuid.uuid4())}))
    batch = uuid.UUID(named.outcome["batch"])
    key = request.headers.get("Idempotency-Key", "")
    own_key = hashlib.sha256(key.encode()).hexdigest() if key else ""
    into = claim_at(body.into, actor.access, right=Right.REVIEW) if body.into is not None else None
    claims, skipped, refused = _claims(body.ids, actor)
    done: list[int] = []
    approved: list[int] = []
    # In the order of their ids, as every batch goes: two batches wait for each other, never crosswise.
    for claim, given in sorted(claims.values(), key=lambda pair: pair[0].pk):
        try:
            if _one(claim, given, into, body, actor, batch, own_key) == Verb.APPROVE:
                approved.append(claim.pk)
                skipped.append({"id": given, "why": WAITS})
            else:
                done.append(claim.pk)
        except (DomainError, IntegrityError) as error:
            refused += isinstance(error, Forbidden)
            why = error.message if isinstance(error, DomainError) else "the database refused this"
            skipped.append({"id": given, "why": why})
    if refused and not done and refused == len(skipped):
        raise Forbidden(f"{actor.name} may not decide about any of these")
    shape: BatchDecisionShape = {"done": done, "skipped": skipped, "approved": approved, "batch": batch}
    return answer(shape)


def _claims(ids: list[Named], actor: Actor) -> tuple[dict[int, tuple[Claim, Named]], list[SkippedShape], int]:
    """Each claim once, with the name it was called by; what is not there or not for this caller is skipped, and how many
    were the latter."""
    found: dict[int, tuple[Claim, Named]] = {}
    skipped: list[SkippedShape] = []
    refused = 0
    for named in ids:
        try:
            claim = claim_at(named, actor.access, right=Right.REVIEW)
        except DomainError as error:
            refused += isinstance(error, Forbidden)
            skipped.append({"id": named, "why": error.message})
        else:
            found.setdefault(claim.pk, (claim, named))
    return found, skipped, refused


def _one(
    claim: Claim, given: Named, into: Claim | None, body: DecideIn, actor: Actor, batch: uuid.UUID, key: str
) -> str:
    """The verb that it came to."""
    verb = Verb(body.action)
    actor.require(verb.row.right, claim.scope)
    offered = {"on_conflict": body.on_conflict, "until": body.until, "into": into}
    arguments = {name: offered[name] for name in verb.row.takes if name in offered}
    version = body.versions.get(str(given), body.versions.get(str(claim.pk)))

    def write() -> tuple[int, dict[str, Any]]:
        event = verb.function()(
            claim, actor=actor, expected_version=version, reason=body.reason, batch=batch, **arguments
        )
        return 200, {"event": event.pk, "verb": event.verb}

    decide_claim = retry_lost_races(at_most_once)
    done = decide_claim(actor, "decide-one", f"{key}:{claim.pk}" if key else "", body.action, write)
    return str(done.outcome.get("verb", body.action))


@router.post("/candidates/{id}/promote", response={200: DecisionShape, 202: DecisionShape})
def promote_candidate(request: ActorRequest, id: str, body: PromoteIn | None = None) -> HttpResponse:
    """Countersign. 409 `decision_needed` with `choices` where only a person can choose.

    Where two people decide about what is risky, the first one gets 202: `entity` is null, the event is `approve`, and the
    candidate waits on with its `approvals`. 409 `second_person_needed` where the same person comes again.
    """
    access, body = request.actor.access, body or PromoteIn()
    claim = claim_at(id, access, right=Right.REVIEW)
    into = claim_at(body.into, access, right=Right.REVIEW).ref if body.into is not None else None
    changes = body.changes.given() if body.changes else None
    arguments = {"on_conflict": body.on_conflict, "into": into, "changes": changes}
    return decide_once(request, Verb.PROMOTE, claim, body, arguments)


@router.post("/candidates/{id}/defer", response=DecisionShape)
def defer_candidate(request: ActorRequest, id: str, body: DeferIn | None = None) -> HttpResponse:
    """Put off, for good or `until` a time to come."""
    body = body or DeferIn()
    claim = claim_at(id, request.actor.access, right=Right.REVIEW)
    return decide_once(request, Verb.DEFER, claim, body, {"until": body.until})


@router.post("/candidates/{id}/merge", response=DecisionShape)
def merge_candidate(request: ActorRequest, id: str, body: MergeIn) -> HttpResponse:
    """Say that it is another one in other words; `into` is that one's id or ref."""
    access = request.actor.access
    claim = claim_at(id, access, right=Right.REVIEW)
    return decide_once(request, Verb.MERGE, claim, body, {"into": claim_at(body.into, access, right=Right.REVIEW)})


@router.post("/candidates/{id}/hand_over", response=DecisionShape)
def hand_over_candidate(request: ActorRequest, id: str, body: HandOverIn) -> HttpResponse:
    """Pass it on to somebody who may decide there, with a note; it waits on. 422 for anybody else."""
    claim = claim_at(id, request.actor.access, right=Right.REVIEW)
    return decide_once(request, Verb.HAND_OVER, claim, body, {"to": body.to})


@router.post("/candidates/{id}/keep_apart", response=DecisionShape)
def keep_candidate_apart(request: ActorRequest, id: str, body: KeepApartIn) -> HttpResponse:
    """Say that it is not the same as `other`, an id or ref: a merge of the two is not suggested again."""
    access = request.actor.access
    claim = claim_at(id, access, right=Right.REVIEW)
    return decide_once(
        request, Verb.KEEP_APART, claim, body, {"other": claim_at(body.other, access, right=Right.REVIEW)}
    )


add_plain_verbs(router, "candidates", claim_at, operation_id="{}_candidate", summary="{} Candidate")
