"""What happens in a chat is taken in: texts through the one intake, commands and presses as the verbs that they ask for."""

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, Final

import structlog
from django.db import transaction
from django.utils import timezone

from config.chats.decisions import COMMANDS, ask_why, person_of, press, who_asks
from config.chats.door import ButtonPress, ChatDoor, ChatEvent, ChatMove, ChatText
from extraction.intake.take import take
from ledger.actions.chat_link import move_chat_link
from ledger.actions.chat_post import note_update
from ledger.actions.ingest import Incoming
from ledger.actions.locking import retry_lost_races
from ledger.actor import system
from ledger.errors import DomainError
from ledger.models import ChatLink, Run, Source
from ledger.reads.chats import link_of, post_of
from ledger.reads.packs import packs_of
from ledger.rules.columns import UNSTORABLE

log = structlog.get_logger(__name__)

MINUTE: Final = timedelta(minutes=1)
# Where the packs say nothing else.
MESSAGES_A_MINUTE: Final = 60
# An answer to something that the bot said, which asks why it did (O17).
_ASKS_WHY: Final = re.compile(r"\W*(?:why|how come|what for|warum|wieso|weshalb|wozu|por ?qu[eé])\b", re.IGNORECASE)


@retry_lost_races
def take_event(door: ChatDoor, event: ChatEvent) -> str:
    """Once, however often it comes, and all of it or nothing. Returns a word for whoever asked for something; empty for none."""
    try:
        with transaction.atomic():
            if not note_update(door.name, door.bot, event.number):
                return ""
            return _TAKE[type(event)](door, event, link_of(door.name, door.bot, event.chat))
    except DomainError as error:
        log.info("chat_event_refused", door=door.name, number=event.number, why=error.title)
        return error.message if _asks_for_something(event) else ""


def _asks_for_something(event: ChatEvent) -> bool:
    return isinstance(event, ButtonPress) or (isinstance(event, ChatText) and bool(event.command))


def _take_text(door: ChatDoor, text: ChatText, link: ChatLink | None) -> str:
    name, _, words = text.command.partition(" ")
    if name in COMMANDS:
        return COMMANDS[name](door, text, link, words) if text.edited_at is None else ""
    if link is not None:
        take([_incoming(door, text, link)], scope=link.scope, actor=system(door.name, door.name), not_before=_due(link))
        _hear_why(door, text, link)
    return ""


def _incoming(door: ChatDoor, text: ChatText, link: ChatLink) -> Incoming:
    person = person_of(door, link.scope, text.author)
    return Incoming(
        text=UNSTORABLE.sub("\N{REPLACEMENT CHARACTER}", text.text),
        kind="message",
        sender=(person.name if person is not None else text.author.name)[:200],
        sender_kind="agent" if text.author.is_bot else "user",
        sent_at=text.sent_at,
        edited_at=text.edited_at,
        conversation=link.conversation.external_id,
        external_id=text.message,
        reply_to=text.answers,
    )


def _hear_why(door: ChatDoor, text: ChatText, link: ChatLink) -> None:
    if text.answers and text.edited_at is None and _ASKS_WHY.match(text.text):
        post = post_of(link, text.answers)
        if post is not None and post.notice is not None:
            ask_why(post.notice, link, who_asks(door, link, text.author), text.message)


def _due(link: ChatLink) -> datetime | None:
    """When a text is read: at once, or as many minutes later as there are minutes' worth of texts before it (O16)."""
    now = timezone.now()
    most = int(packs_of(link.scope).setting("observer", "messages_a_minute", 0)) or MESSAGES_A_MINUTE
    recent = Source.objects.filter(conversation=link.conversation, created_at__gt=now - MINUTE).count()
    if recent < most:
        return None
    put_off = Run.objects.filter(
        thread=link.conversation_id, status="queued", retry_at__gt=now, source__created_at__lte=now - MINUTE
    )
    before = recent + put_off.values("source").distinct().count()
    return now + MINUTE * (before // most)


def _move(door: ChatDoor, moved: ChatMove, link: ChatLink | None) -> str:
    if link is not None:
        follow(door, link, moved.to)
    return ""


def follow(door: ChatDoor, link: ChatLink, to: str) -> None:
    """To where the service says that the chat is now."""
    move_chat_link(link, actor=system(door.name, door.name), chat=to, conversation=door.conversation(to))


_TAKE: Final[dict[type[ChatEvent], Callable[[ChatDoor, Any, ChatLink | None], str]]] = {
    ChatText: _take_text,
    ButtonPress: press,
    ChatMove: _move,
}
