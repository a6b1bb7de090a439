"""Send a turn or an episode: the server builds the text, and what is known about its parts stays with it (T1, C1, T13)."""

import uuid
from dataclasses import asdict
from typing import Annotated, Any, Literal

from django.http import HttpResponse
from ninja import Router, Schema
from ninja.responses import Response
from pydantic import AwareDatetime, BeforeValidator, ConfigDict, Field

from extraction.api.documented import SentShape, documented
from extraction.api.sources import results_of
from extraction.extractors.registry import for_scope
from extraction.intake.requests import Taken, with_runs
from ledger.actions.bundle import record_episode, record_turn
from ledger.actions.ingest import Ingested
from ledger.actions.once import once
from ledger.actor import ActorRequest
from ledger.models import Scope
from ledger.reads.scopes import scope_at
from ledger.rules.bundles import episode, turn
from ledger.rules.bundles.mentions import Mention, find_mentions
from ledger.rules.permissions import Right

router = Router(tags=["sources"])

QUICK_WORDS = {"dont know": "IDK", "i dont know": "IDK", "y": "YES", "n": "NO", "none": "", "(none)": ""}


def quick_answer(given: Any) -> Any:
    """As people and screens write it: `yes`, `Don't know`, `IDK`; null for none."""
    if given is None:
        return ""
    if not isinstance(given, str):
        return given
    word = " ".join(given.replace("'", "").replace("’", "").replace("_", " ").casefold().split())
    return QUICK_WORDS.get(word, word.upper())


def absent(given: Any) -> Any:
    return "" if given is None else given


Words = Annotated[str, BeforeValidator(absent)]


class ItemIn(Schema):
    """A part of the project, named by the caller's own id."""

    model_config = ConfigDict(extra="forbid")

    id: str = Field(min_length=1, max_length=200)
    name: str = Field(min_length=1, max_length=200)


class QuestionIn(Schema):
    model_config = ConfigDict(extra="forbid")

    id: str = Field(min_length=1, max_length=200)
    text: str = Field(max_length=20_000)


class AnswerIn(Schema):
    """`quick` is yes, no, don't know (IDK) or irrelevant; `text` is free."""

    model_config = ConfigDict(extra="forbid")

    question: str = Field(min_length=1, max_length=200)
    quick: Annotated[Literal["YES", "NO", "IDK", "IRRELEVANT", ""], BeforeValidator(quick_answer)] = ""
    text: Words = ""


class TurnIn(Schema):
    """One turn. `id` is the bundle's id, made where none is given; sent again with the same id and words it is the same turn."""

    model_config = ConfigDict(extra="forbid")

    scope: str = Field(max_length=400)
    id: Words = Field(default="", max_length=200)
    stage: Words = Field(default="", max_length=60)
    items: list[ItemIn] = Field(default=[], max_length=500)
    selected: list[str] = Field(default=[], max_length=500)
    questions: list[QuestionIn] = Field(default=[], max_length=500)
    answers: list[AnswerIn] = Field(default=[], max_length=500)
    free_chat: Words = ""
    agent_output: Words = ""
    conversation: Words = Field(default="", max_length=300)
    sender: Words = Field(default="", max_length=200)
    sent_at: AwareDatetime | None = None
    extract: bool = True
    wait: float = Field(default=0, ge=0, le=30)


class EventIn(Schema):
    model_config = ConfigDict(extra="forbid")

    type: Literal["user", "model", "tool"]
    text: str = Field(min_length=1)
    tool: Words = Field(default="", max_length=200)
    exit_code: int | None = Field(default=None, ge=-(2**31), lt=2**31)


class EpisodeIn(Schema):
    """What a user said, a model answered and tools returned, in order."""

    model_config = ConfigDict(extra="forbid")

    scope: str = Field(max_length=400)
    conversation: Words = Field(default="", max_length=300)
    id: Words = Field(default="", max_length=200)
    events: list[EventIn] = Field(min_length=1, max_length=2000)
    sender: Words = Field(default="", max_length=200)
    sent_at: AwareDatetime | None = None
    title: Words = Field(default="", max_length=500)
    extract: bool = True
    wait: float = Field(default=0, ge=0, le=30)


@router.post("/turns", openapi_extra=documented(SentShape, statuses=(200, 201, 202)))
def post_turn(request: ActorRequest, body: TurnIn) -> HttpResponse:
    """Send one turn. Its bundle is kept as a source of kind turn and read once; `mentions` tells which `@item` mentions were
    resolved, and which fit two items and need a person. 201 where it is new, 200 where it was known, 202 where `wait` ended
    before its runs did."""
    actor = request.actor

    def do() -> tuple[int, Any]:
        scope = scope_at(body.scope, actor.access, Right.INGEST)
        extractors = for_scope(scope) if body.extract else ()
        turn_sent = turn_of(body, scope)
        return told(
            record_turn(
                turn_sent, scope=scope, actor=actor, extractors=extractors, sender=body.sender,
                conversation=body.conversation,
            )
        )  # fmt: skip

    done = once(actor, "turns", request.headers.get("Idempotency-Key", ""), request.body, do)
    answer, finished = results_of([Taken(**done.outcome)], body.wait)
    mentions = [mention_shape(where, one) for where, one in mentions_of(body)]
    return Response(answer[0] | {"mentions": mentions}, status=done.status if finished else 202)


@router.post("/episodes", openapi_extra=documented(SentShape, statuses=(200, 201, 202)))
def post_episode(request: ActorRequest, body: EpisodeIn) -> HttpResponse:
    """Send one episode: append-only, each event a section of its own with its speaker. 201 where it is new, 200 where it was
    known, 202 where `wait` ended before its runs did."""
    actor = request.actor

    def do() -> tuple[int, Any]:
        scope = scope_at(body.scope, actor.access, Right.INGEST)
        events = [episode.Event(one.type, one.text, one.tool.strip(), one.exit_code) for one in body.events]
        return told(
            record_episode(
                events, scope=scope, actor=actor, extractors=for_scope(scope) if body.extract else (),
                sender=body.sender, sent_at=body.sent_at, conversation=body.conversation, external_id=body.id,
                title=body.title,
            )
        )  # fmt: skip

    done = once(actor, "episodes", request.headers.get("Idempotency-Key", ""), request.body, do)
    answer, finished = results_of([Taken(**done.outcome)], body.wait)
    return Response(answer[0], status=done.status if finished else 202)


def told(one: Ingested) -> tuple[int, dict[str, Any]]:
    """Status and ids."""
    return (200 if one.duplicate else 201), asdict(with_runs([one])[0])


def turn_of(body: TurnIn, scope: Scope) -> turn.Turn:
    """The turn as it was sent; an item that was mentioned is selected."""
    named = [one.item for _, one in mentions_of(body) if one.item]
    return turn.Turn(
        id=body.id or str(uuid.uuid4()),
        stage=body.stage or scope.stage,
        at=body.sent_at,
        items=[turn.Item(one.id, one.name) for one in body.items],
        selected=list(dict.fromkeys([*body.selected, *named])),
        questions=[turn.Question(one.id, one.text) for one in body.questions],
        answers=[turn.Answer(one.question, one.quick, one.text) for one in body.answers],
        free_chat=body.free_chat,
        agent_output=body.agent_output,
    )


def mentions_of(body: TurnIn) -> list[tuple[str, Mention]]:
    """What the user typed, part by part; the agent's output resolves nothing."""
    items = [turn.Item(one.id, one.name) for one in body.items]
    typed = [("free_chat", body.free_chat)]
    typed += [(f"answers.{at}.text", answer.text) for at, answer in enumerate(body.answers)]
    return [(where, one) for where, words in typed for one in find_mentions(words, items)]


def mention_shape(where: str, one: Mention) -> dict[str, Any]:
    return {
        "field": where,
        "start": one.start,
        "end": one.end,
        "words": one.words,
        "item": one.item,
        "fits": list(one.fits),
        "needs_review": one.needs_review,
    }
