"""What a person has countersigned: lists, single entities, and the decisions about them."""

from datetime import datetime
from typing import Annotated, Any, TypedDict

from django.http import HttpResponse
from ninja import Query, Router

from ledger.actions.idempotency import once_per_key
from ledger.actions.note import note
from ledger.actions.propose import Draft
from ledger.actor import Actor, ActorRequest
from ledger.errors import Invalid, NotFound
from ledger.models import Claim
from ledger.reads.claims import claim_at
from ledger.reads.history import claim_history
from ledger.reads.queue.listing import claims_page
from ledger.reads.standing import ShownCounts, shown_counts, standing_of
from ledger.reads.why import why
from ledger.rules.credit import Standing
from ledger.rules.permissions import Access, Right
from ledger.verbs import Verb
from review.api.answers import DecisionShape, add_plain_verbs, decide_once, decision
from review.api.bodies import DisputeIn, GraduateIn, ReExtractIn, SupersedeIn
from review.api.event_shapes import EventShape, event_shape
from review.api.listing import ClaimsQuery
from review.api.proposing import located, source_to_cite
from review.api.shapes import EntityShape, PageShape, answer, entity_shapes, page
from review.api.state_shapes import WhyShape, why_shape
from review.reading_again import read_again

router = Router(tags=["entities"])


class CreditShape(TypedDict):
    """`support` and `objections` count texts by whose words they are, `opposed` is what the objections weigh; `wins` and `losses`
    are conversations, `shown` counts answers by channel."""

    ref: str
    truth: float | None
    utility: float | None
    support: dict[str, int]
    objections: dict[str, int]
    opposed: float
    wins: int
    losses: int
    shown: dict[str, int]
    last_shown: datetime | None
    words: list[str]


def entity_at(id: str, access: Access, *, right: Right = Right.READ) -> Claim:
    """A claim that was promoted. Raises `NotFound` for one that never was, `Forbidden` in sight without `right`."""
    claim = claim_at(id, access, right=right)
    if claim.promoted_at is None:
        raise NotFound(f"no entity {id[:60]!r}")
    return claim


@router.get("/entities", response=PageShape[EntityShape])
def list_entities(request: ActorRequest, query: Annotated[ClaimsQuery, Query()]) -> HttpResponse:
    """What holds, the newest first: `{"items": [N], "next"}`; `status` lists what was retired."""
    access = request.actor.access
    found = claims_page(access, query.wanted("active", promoted=True), **query.how())
    return page(found, entity_shapes(found.items, access))


@router.get("/entities/{id}", response=EntityShape)
def get_entity(request: ActorRequest, id: str) -> HttpResponse:
    """N, by id or ref, once it was promoted."""
    access = request.actor.access
    return answer(entity_shapes([entity_at(id, access)], access)[0])


@router.get("/entities/{id}/history", response=PageShape[EventShape])
def get_history(request: ActorRequest, id: str) -> HttpResponse:
    """Every event that touched it, the oldest first."""
    access = request.actor.access
    return answer(
        {"items": [event_shape(event, access) for event in claim_history(entity_at(id, access), access)], "next": None}
    )


@router.get("/entities/{id}/credit", response=CreditShape)
def get_credit(request: ActorRequest, id: str) -> HttpResponse:
    """What its truth and utility are made of, how often it was shown, and the same in words."""
    claim = entity_at(id, request.actor.access)
    return answer(_credit(claim.ref, standing_of([claim])[claim.pk], shown_counts(claim.ref)))


def _credit(ref: str, standing: Standing, shown: ShownCounts) -> CreditShape:
    return {
        "ref": ref,
        "truth": standing.truth,
        "utility": standing.utility,
        "support": dict(standing.support),
        "objections": dict(standing.objections),
        "opposed": standing.opposed,
        "wins": standing.wins,
        "losses": standing.losses,
        "shown": shown.by_channel,
        "last_shown": shown.last,
        "words": [*standing.words, shown.words],
    }


@router.get("/entities/{id}/why", response=WhyShape)
def get_entity_why(request: ActorRequest, id: str) -> HttpResponse:
    """Why it is there, each step checked while it is read."""
    access = request.actor.access
    return answer(why_shape(why(entity_at(id, access).pk, access), access))


@router.post("/entities/{id}/supersede", response=DecisionShape)
def supersede_entity(request: ActorRequest, id: str, body: SupersedeIn) -> HttpResponse:
    """It gives way to `by`, or to a new statement, which becomes active in the same step."""
    actor = request.actor
    claim = entity_at(id, actor.access, right=Right.REVIEW)
    by = claim_at(body.by, actor.access, right=Right.REVIEW) if body.by is not None else None
    if (by is None) == (body.statement.strip() == ""):
        raise Invalid("name either by or a new statement", field="by")
    return decide_once(
        request, Verb.SUPERSEDE, claim, body, {"by": by} if by else lambda: {"draft": _newcomer(claim, body, actor)}
    )


def _newcomer(claim: Claim, body: SupersedeIn, actor: Actor) -> Draft:
    """The new words on the old one's slot."""
    quotes, places = located(body.evidence, claim.kind_id, actor, right=Right.REVIEW)
    if places:
        raise Invalid("the quote stands in several places; give its start", field="evidence")
    return Draft(
        kind=claim.kind_id,
        statement=body.statement.strip(),
        quotes=quotes or (note(body.statement, claim.scope, actor),),
        key=claim.key,
        topic=claim.topic,
        subject=claim.subject,
        tags=tuple(claim.tags),
        value_type=claim.value_type if body.value is not None else "",
        value=body.value,
        confidence=1.0,
        hand_authored=True,
        layer=claim.layer,
    )


@router.post("/entities/{id}/graduate", response=DecisionShape)
def graduate_entity(request: ActorRequest, id: str, body: GraduateIn | None = None) -> HttpResponse:
    """Propose the entity that a memory has grown into. `candidate` is the memory, `graduate` the new candidate's ref."""
    body = body or GraduateIn()
    claim = entity_at(id, request.actor.access, right=Right.REVIEW)
    grown = Claim.objects.filter(graduates=claim).order_by("-pk").values_list("ref", flat=True)
    return decide_once(request, Verb.GRADUATE, claim, body, {"kind": body.kind}, graduate=grown.first)


@router.post("/entities/{id}/dispute", response=DecisionShape)
def dispute_entity(request: ActorRequest, id: str, body: DisputeIn) -> HttpResponse:
    """Object, with words of a source that speak against it."""
    actor = request.actor
    claim = entity_at(id, actor.access, right=Right.OBSERVE)

    def objection() -> dict[str, Any]:
        source = source_to_cite(body.source, actor, field="source", right=Right.OBSERVE)
        return {"source": source, "quote": body.quote, "start": body.start, "end": body.end}

    return decide_once(request, Verb.DISPUTE, claim, body, objection)


@router.post("/entities/{id}/re-extract", response=DecisionShape)
def re_extract_entity(request: ActorRequest, id: str, body: ReExtractIn | None = None) -> HttpResponse:
    """Read its sources again: a forced run of each, which proposes beside what is there. `runs` are their ids."""
    actor, body = request.actor, body or ReExtractIn()
    claim = entity_at(id, actor.access, right=Right.INGEST)

    def write() -> tuple[int, dict[str, Any]]:
        return 200, {"runs": read_again(claim, actor, only=body.extractors)}

    done = once_per_key(request, f"re-extract:{claim.pk}", write)
    return answer({**decision(claim.pk, None, actor), "runs": done.outcome["runs"]}, done.status)


add_plain_verbs(router, "entities", entity_at, operation_id="{}_entity", summary="{} Entity")
