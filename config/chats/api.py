"""Where chat services tell what happened. Each shows by a secret, or a signature, that it is the one."""

import hmac
from contextlib import suppress
from datetime import datetime
from typing import Any, TypedDict

from django.http import HttpRequest, HttpResponse
from ninja import Router, Schema
from ninja.errors import AuthenticationError
from ninja.responses import Response
from pydantic import ConfigDict, Field

from config.api_request import UnreadableBody, read_json
from config.chats import slack, telegram
from config.chats.door import ButtonPress, ChatText, NotPosted
from config.chats.services import DOORS, SLACK, TELEGRAM
from config.chats.taking import take_event
from ledger.actions.chat_link import end_chat_link, link_chat
from ledger.actor import ActorRequest
from ledger.errors import Invalid, NotFound
from ledger.models import ChatLink
from ledger.reads.chats import links_of
from ledger.reads.page import newest_page
from ledger.reads.scopes import require_sight, row_id, scope_at
from ledger.rules.permissions import Right
from review.api.shapes import PageShape, answer, page

router = Router(tags=["chats"])


@router.post("/telegram/{secret}", auth=None, response=dict[str, Any])
def post_telegram(request: HttpRequest, secret: str) -> HttpResponse:
    """An `Update` of Telegram's Bot API. What is said in a linked chat is kept, commands and buttons are carried out by the
    account of whoever pressed; the answer may itself be a call, as the Bot API has it. Sent again, nothing happens."""
    known = telegram.webhook_secret()
    sent = request.headers.get("X-Telegram-Bot-Api-Secret-Token", known)
    if not TELEGRAM.bot or not _same(secret, known) or not _same(sent, known):
        raise NotFound("nothing is there")
    return Response(answer_update(read_json(request.body)))


def answer_update(body: Any) -> dict[str, Any]:
    """A call to be made in answer, or nothing."""
    try:
        event = TELEGRAM.read(body)
    except ValueError as error:
        raise UnreadableBody(str(error)) from None
    said = take_event(TELEGRAM, event) if event is not None else ""
    if isinstance(event, ButtonPress):
        return telegram.reply_to_press(event.press, said)
    if isinstance(event, ChatText) and said:
        return telegram.reply_to_text(event.chat, event.message, said)
    return {}


@router.post("/slack/events", auth=None, response=dict[str, Any])
def post_slack(request: HttpRequest) -> HttpResponse:
    """What Slack tells an app: events as JSON, pressed buttons and slash commands as forms, each signed. Unsigned: 401."""
    if not slack.is_signed(request.headers, request.body):
        raise AuthenticationError(message="The signature is not Slack's, or is old.")
    body = _slack_body(request)
    if body.get("type") == "url_verification":
        return Response({"challenge": str(body.get("challenge"))[:200]})
    event = SLACK.read(body)
    said = take_event(SLACK, event) if event is not None else ""
    if isinstance(event, ButtonPress) and said:
        with suppress(NotPosted):
            SLACK.whisper(event, said)
    return Response({"response_type": "ephemeral", "text": said} if isinstance(event, ChatText) and said else {})


def _slack_body(request: HttpRequest) -> dict[str, Any]:
    if request.content_type == "application/json":
        body = read_json(request.body)
    elif "payload" in request.POST:
        body = read_json(request.POST["payload"].encode())
    else:
        body = request.POST.dict()
    if not isinstance(body, dict):
        raise UnreadableBody("the body is no object")
    return body


def _same(given: str, known: str) -> bool:
    return hmac.compare_digest(given.encode(), known.encode())


class ChatLinkIn(Schema):
    """`chat` is the id that the service has for it."""

    model_config = ConfigDict(extra="forbid")

    scope: str
    door: str = "telegram"
    chat: str = Field(min_length=1, max_length=100)


class ChatLinkShape(TypedDict):
    """`bot` is the public id of the bot that hears the chat; what another bot hears of it is not taken in."""

    id: int
    scope: str
    door: str
    bot: str
    chat: str
    conversation: str
    status: str
    made_by: str
    created_at: datetime


def chat_link_shape(row: ChatLink) -> ChatLinkShape:
    return {
        "id": row.pk, "scope": row.scope.path, "door": row.door, "bot": row.bot, "chat": row.chat,
        "conversation": row.conversation.external_id, "status": row.status, "made_by": row.made_by,
        "created_at": row.created_at,
    }  # fmt: skip


@router.get("/scope/chats", response=PageShape[ChatLinkShape])
def list_chats(
    request: ActorRequest, scope: str, limit: int = 50, cursor: str | None = None, count: bool = False
) -> HttpResponse:
    """The chats elsewhere whose messages are kept in this scope, ended ones too, the newest first; for owners."""
    row = scope_at(scope, request.actor.access, Right.ADMINISTER)
    found = newest_page(links_of(row), cursor, limit, count=count)
    return page(found, [chat_link_shape(one) for one in found.items])


@router.post("/scope/chats", response={201: ChatLinkShape})
def post_chat(request: ActorRequest, body: ChatLinkIn) -> HttpResponse:
    """From now on what is said in that chat is kept in this scope, and the observer's notices are posted there."""
    scope = scope_at(body.scope, request.actor.access, Right.ADMINISTER)
    door = DOORS.get(body.door)
    if door is None or not door.bot:
        raise Invalid(f"no bot is configured for {body.door[:20]!r}", field="door")
    try:
        conversation = door.conversation(body.chat)
    except ValueError:
        raise Invalid(f"{door.name} has no such id of a chat", field="chat") from None
    row = link_chat(
        scope, actor=request.actor, door=door.name, bot=door.bot, chat=body.chat, conversation=conversation
    )  # fmt: skip
    return answer(chat_link_shape(row), 201)


@router.delete("/scope/chats/{id}", response=ChatLinkShape)
def delete_chat(request: ActorRequest, id: int) -> HttpResponse:
    """End it: nothing is taken in from there any more. What was said stays."""
    row = ChatLink.objects.filter(pk=row_id(id)).select_related("scope", "conversation").first()
    found = require_sight(row, request.actor.access, f"no chat {id}", right=Right.ADMINISTER)
    return answer(chat_link_shape(end_chat_link(found, actor=request.actor)))
