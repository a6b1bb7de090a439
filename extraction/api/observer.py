"""What the observer would have said in a thread."""

from datetime import timedelta
from typing import Annotated, Literal, TypedDict

from django.http import HttpResponse
from django.utils import timezone
from ninja import Query, Router, Schema
from ninja.responses import Response
from pydantic import ConfigDict

from extraction.api.shapes import time_of
from extraction.observer.brain import BrainAnswer, ask_brain
from extraction.observer.replay import NoticeFound, replay
from ledger.actions.answer_notice import answer_notice
from ledger.actor import ActorRequest
from ledger.errors import NotFound
from ledger.models import Conversation, Notice
from ledger.reads.insights.observer import observer_figures
from ledger.reads.page import MAX_ID, check_limit, decode_cursor, page_of
from ledger.reads.scopes import require_sight, row_id, scope_at
from ledger.rules.permissions import Right

router = Router(tags=["observer"])

MAX_EVENTS = 50


class ReplayedNoticeShape(TypedDict):
    """`after` is the id that the sender gave the message (ours where it has none); `claims` are the refs that were compared, and
    `messages` the ids of the messages."""

    after: str
    rule: str
    text: str
    claims: list[str]
    messages: list[str]
    at: str


class ReplayShape(TypedDict):
    items: list[ReplayedNoticeShape]


def replayed_notice_shape(found: NoticeFound) -> ReplayedNoticeShape:
    return {
        "after": found.after.external_id or str(found.after.pk),
        "rule": found.rule,
        "text": found.text,
        "claims": list(found.refs),
        "messages": [one.external_id or str(one.pk) for one in found.messages],
        "at": found.at.isoformat(),
    }


class NoticeShape(TypedDict):
    """What was said. `after` is the id that the sender gave the message behind which it stands, `due_at` from when on it could be
    said, `at` when it was."""

    id: int
    scope: str
    conversation: str | None
    after: str | None
    rule: str
    text: str
    claims: list[str]
    due_at: str | None
    at: str


class NoticesShape(TypedDict):
    items: list[NoticeShape]
    next: str | None


def notice_shape(row: Notice) -> NoticeShape:
    return {
        "id": row.pk,
        "scope": row.scope.path,
        "conversation": row.conversation.external_id if row.conversation else None,
        "after": (row.after.external_id or str(row.after.pk)) if row.after else None,
        "rule": row.rule,
        "text": row.text,
        "claims": row.refs,
        "due_at": time_of(row.due_at),
        "at": row.created_at.isoformat(),
    }


@router.get("/notices", response=NoticesShape)
def list_notices(
    request: ActorRequest, scope: str, after: int = 0, limit: int = 50, cursor: str | None = None, count: bool = False
) -> HttpResponse:
    """What the observer said here, the oldest first; `after`: those behind the notice of this id, for whoever passes them on."""
    row = scope_at(scope, request.actor.access)
    last = decode_cursor(cursor, (int,))[0] if cursor is not None else min(max(after, 0), MAX_ID)
    rows = Notice.objects.filter(scope=row, pk__gt=last).select_related("scope", "conversation", "after").order_by("pk")
    total = rows.count() if count else None
    found = page_of(list(rows[: check_limit(limit) + 1]), limit, lambda one: [one.pk], total=total)
    return Response(found.as_json([notice_shape(one) for one in found.items]))


class NoticeAnswerIn(Schema):
    """`why`: somebody asks why that was said; `right` or `wrong`: whether it should have been."""

    model_config = ConfigDict(extra="forbid")

    answer: Literal["why", "right", "wrong"]


class AnsweredShape(TypedDict):
    """The event of the journal, and the claims that the notice compared: each answers `GET /why`."""

    event: int
    claims: list[str]


@router.post("/notices/{id}/answer", response=AnsweredShape)
def post_answer(request: ActorRequest, id: int, body: NoticeAnswerIn) -> HttpResponse:
    """Say that a notice was right or wrong, or ask why it was said; that is counted in `GET /observer/figures`."""
    row = Notice.objects.filter(pk=row_id(id)).select_related("scope").first()
    access = request.actor.access
    notice = require_sight(row, access, f"no notice {id}", right=None)
    event = answer_notice(notice, body.answer, actor=request.actor)
    readable = access.may(Right.READ, notice.scope.path)
    shape: AnsweredShape = {"event": event.pk, "claims": notice.refs if readable else []}
    return Response(shape)


class ObserverFiguresShape(TypedDict):
    """`days_without_why` since somebody last asked why the observer said that, null where nobody ever did; `precision` of notices
    by what people pressed; `confirmed_share` of the pending actions that were decided or expired."""

    days: int
    notices: int
    interruptions_a_day: float
    days_without_why: int | None
    right: int
    wrong: int
    precision: float | None
    decided: int
    confirmed: int
    confirmed_share: float | None
    seconds_to_confirm: float | None
    said: list[int]


@router.get("/observer/figures", response=ObserverFiguresShape)
def get_observer_figures(
    request: ActorRequest, scope: str | None = None, days: Annotated[int, Query(ge=1, le=366)] = 30
) -> HttpResponse:
    """How a household lives with its observer, over the last `days`; `said` by day, the oldest first."""
    access = request.actor.access
    row = scope_at(scope, access) if scope else None
    now = timezone.now()
    found = observer_figures(access, since=now - timedelta(days=days), now=now, root=row.path if row else None)
    shape: ObserverFiguresShape = {
        "days": days, "notices": found.notices, "interruptions_a_day": found.a_day, "days_without_why": found.days_without_why,
        "right": found.right, "wrong": found.wrong, "precision": found.precision, "decided": found.decided,
        "confirmed": found.confirmed, "confirmed_share": found.confirmed_share,
        "seconds_to_confirm": found.seconds_to_confirm, "said": list(found.said),
    }  # fmt: skip
    return Response(shape)


@router.get("/observer/replay", response=ReplayShape)
def get_replay(request: ActorRequest, scope: str, conversation: str) -> HttpResponse:
    """What would have been said in a thread (its last 200 messages), each message read with nothing later in sight. What nobody
    answered in time is said after the last message before that moment."""
    row = scope_at(scope, request.actor.access)
    thread = Conversation.objects.filter(scope=row, external_id=conversation).first()
    if thread is None:
        raise NotFound(f"no conversation {conversation[:100]!r} in {row.path}")
    shape: ReplayShape = {"items": [replayed_notice_shape(one) for one in replay(row, thread).notices]}
    return Response(shape)


class TemporalEntityShape(TypedDict):
    """`type` time or day; `context` the title that it belongs to."""

    type: str
    value: str
    context: str


class ExtractedEventShape(TypedDict):
    summary: str
    people: list[str]
    start: str
    end: str
    location: str


class BrainShape(TypedDict):
    """`relevance_score` is this stage's own (gate `relevance`, 0.5 as shipped); `sources` are refs of confirmed claims."""

    answer: str
    sources: list[str]
    confidence: str
    relevance_score: float
    temporal_entities: list[TemporalEntityShape]
    extracted_events: list[ExtractedEventShape]


def brain_shape(found: BrainAnswer) -> BrainShape:
    each = [(one.entry.title, f"{one.start:%A}", f"{one.start:%H:%M}") for one in found.occurrences]
    times = dict.fromkeys((title, clock) for title, _, clock in each)
    days = dict.fromkeys((title, day) for title, day, _ in each)
    entities: list[TemporalEntityShape] = [{"type": "time", "value": clock, "context": title} for title, clock in times]
    entities += [{"type": "day", "value": day, "context": title} for title, day in days]
    return {
        "answer": found.answer,
        "sources": [entry.ref for entry in found.entries],
        "confidence": found.confidence,
        "relevance_score": found.relevance,
        "temporal_entities": entities,
        "extracted_events": [
            {
                "summary": one.entry.title,
                "people": list(one.entry.people),
                "start": one.start.isoformat(),
                "end": one.end.isoformat(),
                "location": one.entry.place,
            }
            for one in found.occurrences[:MAX_EVENTS]
        ],  # fmt: skip
    }


@router.get("/brain/query", response=BrainShape)
def get_brain(
    request: ActorRequest,
    scope: str,
    q: Annotated[str, Query(min_length=1, max_length=1_000)],
    context: Literal["", "observer"] = "",
    format: Literal["json"] = "json",
) -> HttpResponse:
    """What is known of an activity or a day: `soccer schedule Thursday`. Names of people say nothing here; who it is about is
    matched by whoever asks."""
    row = scope_at(scope, request.actor.access)
    return Response(brain_shape(ask_brain(row, q, now=timezone.now())))
