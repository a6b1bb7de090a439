"""What was shown to whom, and what came of it: reported by agents, read by whoever may read there (C4, C10)."""

from collections.abc import Callable
from datetime import datetime
from typing import Annotated, Any, TypedDict

from django.http import HttpResponse
from ninja import Field, Query, Router

from ledger.actions.anchoring import find_quotes
from ledger.actions.idempotency import once_per_key
from ledger.actions.logs import expose, report_outcome
from ledger.actor import Actor, ActorRequest
from ledger.choices import AnyChannel, AnyOutcome, ChannelWord, OutcomeWord
from ledger.errors import DecisionNeeded, Invalid, NotFound
from ledger.models import Exposure, Outcome, Source
from ledger.reads.page import newest_page
from ledger.reads.scopes import in_sight, scope_at
from ledger.recall.gather import check_refs
from ledger.rules.permissions import Right
from review.api.bodies import MAX_ID, Ref, ScopePath, Strict
from review.api.proposing import may_cite
from review.api.shapes import PageShape, answer, page

router = Router(tags=["recall"])


class ExposureShape(TypedDict):
    id: int
    scope: str
    conversation: str
    channel: ChannelWord
    refs: list[str]
    shown_to: str
    shown_at: datetime


class PlaceShape(TypedDict):
    source: int
    start: int | None
    end: int | None


class OutcomeShape(TypedDict):
    id: int
    scope: str
    conversation: str
    type: OutcomeWord
    evidence: PlaceShape | None
    reported_by: str
    at: datetime


class ExposureIn(Strict):
    """What somebody was shown by other ways than `/context`, `/search` and `/check`, which note it themselves."""

    scope: ScopePath
    refs: list[Ref] = Field(min_length=1, max_length=200)
    conversation: str = Field("", max_length=300)
    channel: ChannelWord = "explicit_read"


class OutcomeEvidence(Strict):
    """A range of a source, by `start` and `end` (code points, half-open) or by its `quote`."""

    source: int = Field(ge=1, le=MAX_ID)
    start: int | None = Field(None, ge=0, le=2**31 - 1)
    end: int | None = Field(None, ge=0, le=2**31 - 1)
    quote: str = Field("", max_length=100_000)


class OutcomeIn(Strict):
    scope: ScopePath
    conversation: str = Field(min_length=1, max_length=300)
    type: OutcomeWord
    evidence: OutcomeEvidence | None = None


class UsageQuery(Strict):
    """`scope` alone lists that scope, `descend=true` those below it too; without `scope` all that the caller sees."""

    scope: ScopePath | None = None
    descend: bool = False
    conversation: Annotated[str, Field(max_length=300)] = ""
    limit: int = 50
    cursor: str | None = None
    count: bool = False


class ExposuresQuery(UsageQuery):
    channel: AnyChannel = ""
    ref: Annotated[str, Field(max_length=40)] = ""


class OutcomesQuery(UsageQuery):
    type: AnyOutcome = ""


@router.get("/exposures", response=PageShape[ExposureShape])
def list_exposures(request: ActorRequest, query: Annotated[ExposuresQuery, Query()]) -> HttpResponse:
    """What was shown, the newest first: by context (auto_pack), search, check, or told of by its reader (explicit_read)."""
    wanted: dict[str, Any] = {}
    if query.channel:
        wanted["channel"] = query.channel
    if query.ref:
        wanted["refs__contains"] = [query.ref]
    return _list(request, Exposure, query, wanted, _exposure)


@router.get("/outcomes", response=PageShape[OutcomeShape])
def list_outcomes(request: ActorRequest, query: Annotated[OutcomesQuery, Query()]) -> HttpResponse:
    """What came of it, the newest first."""
    wanted = {"type": query.type} if query.type else {}
    return _list(request, Outcome, query, wanted, _outcome)


def _list[Row: (Exposure, Outcome)](
    request: ActorRequest, model: type[Row], query: UsageQuery, wanted: dict[str, Any], shape: Callable[[Row], Any]
) -> HttpResponse:
    rows = in_sight(model._default_manager.filter(**wanted), request.actor.access, query.scope, descend=query.descend)
    if query.conversation:
        rows = rows.filter(conversation=query.conversation)
    found = newest_page(rows.select_related("scope"), query.cursor, query.limit, count=query.count)
    return page(found, list(map(shape, found.items)))


def _exposure(row: Exposure) -> ExposureShape:
    return {
        "id": row.pk,
        "scope": row.scope.path,
        "conversation": row.conversation,
        "channel": row.channel,
        "refs": row.refs,
        "shown_to": row.shown_to,
        "shown_at": row.shown_at,
    }


def _outcome(row: Outcome) -> OutcomeShape:
    evidence: PlaceShape | None = (
        {"source": row.source_id, "start": row.start, "end": row.end} if row.source_id else None
    )
    return {
        "id": row.pk,
        "scope": row.scope.path,
        "conversation": row.conversation,
        "type": row.type,
        "evidence": evidence,
        "reported_by": row.reported_by,
        "at": row.at,
    }


@router.post("/exposures", response={201: ExposureShape})
def post_exposure(request: ActorRequest, body: ExposureIn) -> HttpResponse:
    """Note that somebody was shown these refs."""
    actor = request.actor

    def write() -> tuple[int, Any]:
        scope = scope_at(body.scope, actor.access, Right.OBSERVE)
        check_refs(body.refs, scope, actor.access)
        row = expose(scope, body.refs, channel=body.channel, actor=actor, conversation=body.conversation)
        return 201, row.pk

    done = once_per_key(request, "exposures", write)
    return answer(_exposure(Exposure.objects.select_related("scope").get(pk=done.outcome)), done.status)


@router.post("/outcomes", response={201: OutcomeShape})
def post_outcome(request: ActorRequest, body: OutcomeIn) -> HttpResponse:
    """What came of it: tool_success, tool_failure, user_confirmed_helpful, user_corrected. Only what has evidence earns credit:
    words of a user for what a user said, of a tool for what a tool did."""
    actor = request.actor

    def write() -> tuple[int, Any]:
        scope = scope_at(body.scope, actor.access, Right.OBSERVE)
        place = _place(body.evidence, actor) if body.evidence else None
        row = report_outcome(scope, conversation=body.conversation, type=body.type, actor=actor, evidence=place)
        return 201, row.pk

    done = once_per_key(request, "outcomes", write)
    return answer(_outcome(Outcome.objects.select_related("scope").get(pk=done.outcome)), done.status)


def _place(given: OutcomeEvidence, actor: Actor) -> tuple[Source, int, int]:
    source = Source.objects.select_related("scope").filter(pk=given.source).first()
    if source is None or not may_cite(actor.access, source.scope.path, Right.OBSERVE):
        raise NotFound(f"no source {given.source}")
    if given.quote:
        words, places = find_quotes(source, given.quote, start=given.start, end=given.end)
        if words is None:
            raise DecisionNeeded("the quote stands in several places; give its start", choices=list(places))
        return source, words.start, words.end
    if given.start is None or given.end is None:
        raise Invalid("give start and end, or a quote", field="evidence.start")
    return source, given.start, given.end
