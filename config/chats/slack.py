"""Slack's Events API, buttons and slash commands: one address for all three, whose sender shows by a signature that it is Slack."""

import hashlib
import hmac
import json
import time
from collections.abc import Mapping
from typing import Any, Final

from django.conf import settings

from config.chats.door import ButtonPress, ChatAuthor, ChatEvent, ChatText, NotPosted, OutgoingMessage
from extraction.importers.clock import epoch
from extraction.importers.fields import dig, name_of
from extraction.importers.slack import SPOKEN, typed
from ledger.models import Person

NAME: Final = "slack"
TIMEOUT_S: Final = 10.0
# An older signature may be somebody else's copy.
MAX_AGE_S: Final = 300
# What Slack says that it did not do, and would do later.
LATER: Final = {"ratelimited", "internal_error", "service_unavailable", "request_timeout"}


class SlackDoor:
    """Slack knows its people by ids such as `U024BE7LH`; a person is named by one as an alias."""

    name = NAME

    @property
    def bot(self) -> str:
        """An app keeps its signing secret; a print of it tells apps apart and opens nothing."""
        secret = settings.COUNTERSIGN_SLACK_SECRET
        return hashlib.sha256(f"countersign slack {secret}".encode()).hexdigest()[:16] if secret else ""

    def read(self, body: Mapping[str, Any]) -> ChatEvent | None:
        kind = name_of(body.get("type"))
        read = {"event_callback": _text, "block_actions": _press}.get(kind, _command if "command" in body else None)
        return read(body) if read is not None else None

    def conversation(self, chat: str) -> str:
        """As an export of the same workspace calls it."""
        return f"{NAME}:{chat}"

    def is_person(self, person: Person, author: ChatAuthor) -> bool:
        return author.id in person.aliases

    def is_private(self, asked: ChatText) -> bool:
        """What a slash command answers is shown to whoever gave it."""
        return not asked.message

    def send(self, chat: str, message: OutgoingMessage) -> str:
        body: dict[str, Any] = {"channel": chat, "text": message.text, "blocks": _blocks(message)}
        if message.edits:
            return name_of(_ask("chat.update", body | {"ts": message.edits}).get("ts"))
        thread = {"thread_ts": message.answers} if message.answers else {}
        return name_of(_ask("chat.postMessage", body | thread).get("ts"))

    def whisper(self, event: ButtonPress, text: str) -> None:
        """A word that only whoever pressed can read. Raises `NotPosted`."""
        _ask("chat.postEphemeral", {"channel": event.chat, "user": event.author.id, "text": text})


def is_signed(headers: Mapping[str, str], body: bytes) -> bool:
    """Whether Slack signed this body lately, with this app's secret."""
    stamp, given = headers.get("X-Slack-Request-Timestamp", ""), headers.get("X-Slack-Signature", "")
    secret = settings.COUNTERSIGN_SLACK_SECRET
    if not secret or not stamp.isdecimal() or abs(time.time() - int(stamp[:12])) > MAX_AGE_S:
        return False
    made = hmac.new(secret.encode(), b"v0:" + stamp.encode() + b":" + body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(given.encode(), f"v0={made}".encode())


def _text(body: Mapping[str, Any]) -> ChatText | None:
    event = body.get("event")
    if name_of(dig(event, "type")) != "message":
        return None
    changed = name_of(dig(event, "subtype")) == "message_changed"
    said = dig(event, "message") if changed else event
    sent, user = epoch(dig(said, "ts")), name_of(dig(said, "user"))
    text = typed(dig(said, "text"))
    if sent is None or not user or not text or name_of(dig(said, "subtype")) not in SPOKEN:
        return None
    stamp, thread = name_of(dig(said, "ts")), name_of(dig(said, "thread_ts"))
    return ChatText(
        name_of(body.get("event_id")), name_of(dig(event, "channel")), stamp, _author(said), text, sent,
        edited_at=epoch(dig(said, "edited", "ts")) if changed else None, answers=thread if thread != stamp else "",
    )  # fmt: skip


def _author(said: Any) -> ChatAuthor:
    user = name_of(dig(said, "user"))
    name = name_of(dig(said, "user_profile", "display_name")) or name_of(dig(said, "user_profile", "real_name")) or user
    return ChatAuthor(user, name, bool(dig(said, "bot_id")))


def _press(body: Mapping[str, Any]) -> ButtonPress | None:
    actions, user = body.get("actions"), name_of(dig(body, "user", "id"))
    pressed = actions[0] if isinstance(actions, list) and actions else None
    number = f"{name_of(dig(pressed, 'action_ts'))} {user}"
    author = ChatAuthor(user, name_of(dig(body, "user", "username")))
    place = (name_of(dig(body, "channel", "id")), name_of(dig(body, "message", "ts")))
    return ButtonPress(number, *place, author, "", name_of(dig(pressed, "value"))) if pressed and user else None


def _command(body: Mapping[str, Any]) -> ChatText | None:
    """`/pending now`; it stands in no thread, and is nobody's message."""
    sent = epoch(time.time())
    author = ChatAuthor(name_of(body.get("user_id")), name_of(body.get("user_name")))
    asked = f"{name_of(body.get('command')).removeprefix('/')} {name_of(body.get('text'))}".strip()
    if sent is None or not author.id:
        return None
    return ChatText(
        name_of(body.get("trigger_id")), name_of(body.get("channel_id")), "", author, f"/{asked}", sent, command=asked
    )  # fmt: skip


def _blocks(message: OutgoingMessage) -> list[dict[str, Any]]:
    """Slack shows at most 3,000 characters in a section, and names each button of a message."""
    words = {"type": "section", "text": {"type": "plain_text", "text": message.text[:3000]}}
    rows = [
        {"type": "actions", "elements": [
            {"type": "button", "action_id": one.data, "value": one.data, "text": {"type": "plain_text", "text": one.label}}
            for one in row
        ]}
        for row in message.buttons
    ]  # fmt: skip
    return [words, *rows]


def _ask(method: str, body: Mapping[str, Any]) -> dict[str, Any]:
    """One call. Raises `NotPosted`."""
    import httpx

    headers = {"Authorization": f"Bearer {settings.COUNTERSIGN_SLACK_TOKEN}"}
    try:
        answer = httpx.post(
            f"{settings.COUNTERSIGN_SLACK_SERVER.rstrip('/')}/{method}", json=body, headers=headers, timeout=TIMEOUT_S
        )
        said = answer.json() if answer.status_code != httpx.codes.TOO_MANY_REQUESTS else {"error": "ratelimited"}
    except (httpx.ConnectError, httpx.ConnectTimeout) as error:
        raise NotPosted(type(error).__name__) from None
    except (httpx.HTTPError, json.JSONDecodeError) as error:
        raise NotPosted(type(error).__name__, unclear=True) from None
    if not isinstance(said, dict) or not said.get("ok"):
        why = name_of(dig(said, "error")) or "refused"
        after = answer.headers.get("Retry-After", "")
        raise NotPosted(why, after_s=float(after) if after.isdecimal() else None, again=why in LATER)
    return said
