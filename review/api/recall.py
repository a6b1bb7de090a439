"""What agents read before they act: context, search, check. Each answer is noted as an exposure."""

from datetime import datetime
from typing import Annotated

from django.http import HttpResponse
from ninja import Field, Query, Router

from ledger.actions.logs import expose
from ledger.actor import Actor, ActorRequest
from ledger.errors import Invalid
from ledger.models import Channel
from ledger.reads.scopes import scope_at
from ledger.recall.check import check
from ledger.recall.context import DEFAULT_BUDGET, build_context
from ledger.recall.filters import Clocks, WordsFilter, check_speaker
from ledger.recall.matches import ContextOptions
from ledger.recall.search import search
from ledger.rules.columns import storable
from review.api.bodies import Moment, Strict
from review.api.recall_shapes import (
    CheckShape,
    ContextShape,
    SearchShape,
    context_shape,
    found_shape,
    hit_shape,
)
from review.api.shapes import answer

router = Router(tags=["recall"])

Path = Annotated[str, Field(max_length=400)]
Words = Annotated[str, Field(max_length=100_000)]
# No address is longer than what the server takes (`TooLongMiddleware`); a body may be.
WordsInAddress = Annotated[str, Field(max_length=30_000)]
Names = Annotated[list[Annotated[str, Field(max_length=1_000)]], Field(max_length=100)]
NamesInAddress = Annotated[list[Annotated[str, Field(max_length=600)]], Field(max_length=50)]
FALSE = {"", "0", "false", "no", "none", "null"}
TRUE = {"1", "true", "yes"}


class ContextIn(Strict):
    """`last_tool_failed` is true, or the failed tool's output. `intent` is trouble, how_to, last_time or general; other
    words are read like the query. `shelves`, `kinds` and `max_age_days` narrow what may be shown; `raw` brings raw text too."""

    scope: Path
    query: Words | None = None
    intent: Annotated[str, Field(max_length=1_000)] | None = None
    budget_tokens: int | None = None
    conversation: Annotated[str, Field(max_length=300)] | None = None
    last_tool_failed: bool | Words | None = None
    as_of: Moment | None = None
    believed_at: Moment | None = None
    include_pending: bool = False
    shelves: Names = []
    kinds: Names = []
    raw: bool = True
    max_age_days: int | None = None


class ContextQuery(ContextIn):
    query: WordsInAddress | None = None
    last_tool_failed: bool | WordsInAddress | None = None
    shelves: NamesInAddress = []
    kinds: NamesInAddress = []


class CheckIn(Strict):
    scope: Path
    text: Words
    conversation: Annotated[str, Field(max_length=300)] = ""


@router.get("/context", response=ContextShape)
def get_context(request: ActorRequest, query: Annotated[ContextQuery, Query()]) -> HttpResponse:
    """Cited lines within a token budget: what an agent should know before it acts. What held at `as_of`, by what was believed at
    `believed_at`. `shelves` and `kinds` may repeat or be lists with commas. The answer is noted as an exposure."""
    return _context(request, query)


@router.post("/context", response=ContextShape)
def post_context(request: ActorRequest, body: ContextIn) -> HttpResponse:
    """The same with the question in the body."""
    return _context(request, body)


def _context(request: ActorRequest, asked: ContextIn) -> HttpResponse:
    actor = request.actor
    found = build_context(
        asked.scope,
        actor=actor,
        query=asked.query or "",
        intent=asked.intent or "",
        budget_tokens=DEFAULT_BUDGET if asked.budget_tokens is None else asked.budget_tokens,
        conversation=storable(asked.conversation or "", "conversation"),
        last_tool_failed=_failed(asked.last_tool_failed or False),
        options=ContextOptions(
            shelves=_names(asked.shelves),
            kinds=_names(asked.kinds),
            raw=asked.raw,
            max_age_days=asked.max_age_days,
            include_pending=asked.include_pending,
            clocks=Clocks(asked.as_of, asked.believed_at),
        ),
    )
    return answer(context_shape(found, actor.access))


def _names(parts: list[str]) -> list[str]:
    """Of a list that is written as one, with commas, or repeats its parameter."""
    return [name.strip() for part in parts for name in part.split(",") if name.strip()]


def _failed(said: bool | str) -> bool | str:
    if isinstance(said, bool):
        return said
    word = said.strip().casefold()
    return False if word in FALSE else True if word in TRUE else said


class SearchQuery(Strict):
    """`kinds` and `status` may repeat or be lists with commas, `trusted` among the kinds. `speaker` is whose words a row rests on,
    said from `since` on and before `until`."""

    q: WordsInAddress
    scope: Path
    kinds: NamesInAddress = []
    sources: bool = False
    status: NamesInAddress = []
    speaker: str = ""
    since: Moment | None = None
    until: Moment | None = None
    as_of: Moment | None = None
    believed_at: Moment | None = None
    limit: int = 20
    conversation: Annotated[str, Field(max_length=300)] = ""


@router.get("/search", response=SearchShape)
def get_search(request: ActorRequest, query: Annotated[SearchQuery, Query()]) -> HttpResponse:
    """What holds here, above and below, by its words. What held at `as_of`, by what was believed at `believed_at`: of the sources
    those that had been said, and taken in."""
    actor = request.actor
    hits = search(
        query.q,
        scope=query.scope,
        access=actor.access,
        kinds=_names(query.kinds),
        sources=query.sources,
        limit=query.limit,
        clocks=Clocks(query.as_of, query.believed_at),
        status=_names(query.status),
        words=WordsFilter(check_speaker(query.speaker), *_since_until(query.since, query.until)),
    )
    shown = [hit.ref for hit in hits]
    exposure = _shown(query.scope, shown, Channel.SEARCH, actor, storable(query.conversation, "conversation"))
    shape: SearchShape = {"items": [hit_shape(hit, actor.access) for hit in hits], "next": None, "exposure": exposure}
    return answer(shape)


def _since_until(since: datetime | None, until: datetime | None) -> tuple[datetime | None, datetime | None]:
    if since and until and until <= since:
        raise Invalid("until lies after since", field="until")
    return since, until


@router.post("/check", response=CheckShape)
def post_check(request: ActorRequest, body: CheckIn) -> HttpResponse:
    """Does this text contradict what holds, does it say the same, or is nothing known of it: a verdict and the rows behind it."""
    actor = request.actor
    found = check(body.text, scope=body.scope, access=actor.access)
    refs = list(dict.fromkeys(row.ref for row in found.rows))
    shape: CheckShape = {
        "verdict": found.verdict,
        "contradicts": [{**found_shape(row), "why": row.why, "sentence": row.sentence} for row in found.contradicts],
        "allowed_by": list(map(found_shape, found.allowed_by)),
        "touches": list(map(found_shape, found.touches)),
        "constraints": list(map(found_shape, found.constraints)),
        "negative_results": list(map(found_shape, found.negative_results)),
        "exposure": _shown(body.scope, refs, Channel.CHECK, actor, body.conversation),
    }
    return answer(shape)


def _shown(scope: str, refs: list[str], channel: str, actor: Actor, conversation: str = "") -> int | None:
    """An answer that showed nothing is no exposure."""
    if not refs:
        return None
    row = scope_at(scope, actor.access)
    return expose(row, refs, channel=channel, actor=actor, conversation=conversation).pk
