"""The queue, single candidates, and proposing one."""

from typing import Annotated

from django.http import HttpResponse
from ninja import Query, Router

from ledger.actions.idempotency import once_per_key
from ledger.actor import ActorRequest
from ledger.reads.claims import claim_at
from ledger.reads.queue.listing import claims_page
from ledger.reads.scopes import scope_at
from ledger.rules.permissions import Right
from ledger.verbs import Verb
from review.api.answers import DecisionShape, decide_once, decision
from review.api.bodies import EditIn, ProposeIn
from review.api.listing import ClaimsQuery
from review.api.proposing import propose_words
from review.api.shapes import CandidateShape, PageShape, answer, candidate_shapes, page

router = Router(tags=["candidates"])


@router.get("/candidates", response=PageShape[CandidateShape])
def list_candidates(request: ActorRequest, query: Annotated[ClaimsQuery, Query()]) -> HttpResponse:
    """What waits, best first: `{"items": [C], "next"}`. `status` lists what no longer waits."""
    access = request.actor.access
    found = claims_page(access, query.wanted("pending"), **query.how())
    return page(found, candidate_shapes(found.items, access))


@router.post("/candidates", response={200: DecisionShape, 201: DecisionShape})
def propose_candidate(request: ActorRequest, body: ProposeIn) -> HttpResponse:
    """Propose one. 201 `{"candidate", "entity", "event", "duplicate"}`; 200 where it was known: its evidence was added.
    422 for an unknown key where keys are closed, and for a norm on the wrong speaker's words; 409 for a remembered no."""
    actor = request.actor
    scope = scope_at(body.scope, actor.access, Right.PROPOSE)
    done = once_per_key(request, "candidates", lambda: propose_words(body, scope, actor))
    known = done.status == 200
    shape = decision(done.outcome["claim"], done.outcome["event"], actor, own=not known)
    return answer({**shape, "duplicate": known}, done.status)


@router.get("/candidates/{id}", response=CandidateShape)
def get_candidate(request: ActorRequest, id: str) -> HttpResponse:
    """C of any claim, by id or ref, whatever became of it."""
    access = request.actor.access
    return answer(candidate_shapes([claim_at(id, access)], access)[0])


@router.patch("/candidates/{id}", response=DecisionShape)
def edit_candidate(request: ActorRequest, id: str, body: EditIn) -> HttpResponse:
    """Change what it says before anybody countersigns it."""
    claim = claim_at(id, request.actor.access, right=Right.REVIEW)
    return decide_once(request, Verb.EDIT, claim, body, {"changes": body.given()})
