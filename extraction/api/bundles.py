"""Send a turn or an episode: the server builds the text, and what is known about its parts stays with it (T1, C1, T13)."""

import uuid
from typing import Any, TypedDict

from django.http import HttpResponse
from ninja import Router

from extraction.api.requests import EpisodeIn, TurnIn
from extraction.api.shapes import ACCEPTED, SentShape
from extraction.api.sources import answer_one, take_one
from ledger.actions.bundle import incoming_episode, incoming_turn
from ledger.actor import ActorRequest
from ledger.models import Scope
from ledger.reads.packs import stage_of
from ledger.reads.scopes import scope_at
from ledger.rules.bundles import episode, turn
from ledger.rules.bundles.mentions import Mention, find_mentions
from ledger.rules.permissions import Right

router = Router(tags=["sources"])
SENT = dict.fromkeys((200, 201, 202), SentShape)


@router.post("/turns", response=SENT, openapi_extra=ACCEPTED)
def post_turn(request: ActorRequest, body: TurnIn) -> HttpResponse:
    """Send one turn. Its bundle is kept as a source of kind turn and read once; `mentions` tells which `@item` mentions were
    resolved, and which fit two items and need a person. 201 where it is new, 200 where it was known, 202 where `wait` ended
    before its runs did."""
    mentions = mentions_of(body)

    def do() -> tuple[int, Any]:
        scope = scope_at(body.scope, request.actor.access, Right.INGEST)
        text = incoming_turn(
            turn_of(body, scope, [one.item for _, one in mentions if one.item]), scope=scope, actor=request.actor,
            sender=body.sender, conversation=body.conversation,
        )  # fmt: skip
        return take_one(text, scope, request.actor, extract=body.extract)

    return answer_one(request, "turns", do, body.wait, mentions=[mention_shape(*one) for one in mentions])


@router.post("/episodes", response=SENT, openapi_extra=ACCEPTED)
def post_episode(request: ActorRequest, body: EpisodeIn) -> HttpResponse:
    """Send one episode: append-only, each event a section of its own with its speaker. 201 where it is new, 200 where it was
    known, 202 where `wait` ended before its runs did."""

    def do() -> tuple[int, Any]:
        scope = scope_at(body.scope, request.actor.access, Right.INGEST)
        events = [episode.EpisodeEvent(one.type, one.text, one.tool.strip(), one.exit_code) for one in body.events]
        text = incoming_episode(
            events, scope=scope, actor=request.actor, sender=body.sender, sent_at=body.sent_at,
            conversation=body.conversation, external_id=body.id, title=body.title,
        )  # fmt: skip
        return take_one(text, scope, request.actor, extract=body.extract)

    return answer_one(request, "episodes", do, body.wait)


def turn_of(body: TurnIn, scope: Scope, mentioned: list[str]) -> turn.Turn:
    """The turn as it was sent; an item that was mentioned is selected."""
    return turn.Turn(
        id=body.id or str(uuid.uuid4()),
        stage=body.stage or stage_of(scope),
        at=body.sent_at,
        items=[turn.TurnItem(one.id, one.name) for one in body.items],
        selected=list(dict.fromkeys([*body.selected, *mentioned])),
        questions=[turn.TurnQuestion(one.id, one.text) for one in body.questions],
        answers=[turn.TurnAnswer(one.question, one.quick, one.text) for one in body.answers],
        free_chat=body.free_chat,
        agent_output=body.agent_output,
    )


def mentions_of(body: TurnIn) -> list[tuple[str, Mention]]:
    """What the user typed, part by part; the agent's output resolves nothing."""
    items = [turn.TurnItem(one.id, one.name) for one in body.items]
    typed = [("free_chat", body.free_chat)]
    typed += [(f"answers.{at}.text", answer.text) for at, answer in enumerate(body.answers)]
    return [(where, one) for where, words in typed for one in find_mentions(words, items)]


class MentionShape(TypedDict):
    """One `@item` mention in the field it was typed into: what it can mean, and `item` where that is one."""

    field: str
    start: int
    end: int
    words: str
    item: str | None
    fits: list[str]
    needs_review: bool


def mention_shape(field: str, one: Mention) -> MentionShape:
    return {
        "field": field,
        "start": one.start,
        "end": one.end,
        "words": one.words,
        "item": one.item,
        "fits": list(one.fits),
        "needs_review": one.needs_review,
    }
