"""Telegram's Bot API, whose shapes are the package python-telegram-bot's. It is read in with the first update: it is large."""

import asyncio
import hashlib
import hmac
import importlib
import json
import os
from collections.abc import Callable, Coroutine, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Final, cast
from urllib.parse import urlencode

from django.conf import settings

from config.chats.door import (
    ButtonPress,
    ChatAuthor,
    ChatEvent,
    ChatMove,
    ChatText,
    NotPosted,
    OutgoingMessage,
)
from ledger.models import Person

if TYPE_CHECKING:
    from telegram import Bot, Message, Update, User

# Times of the package as it will give them from its next version on.
os.environ.setdefault("PTB_TIMEDELTA", "true")

NAME: Final = "telegram"
TIMEOUT_S: Final = 10.0
# What we ask Telegram to send.
ALLOWED: Final = ("message", "edited_message", "callback_query")
# Ids of groups are negative in the Bot API, those of supergroups beyond this; exports have neither sign nor distance.
_SUPERGROUPS: Final = 1_000_000_000_000
_MEDIA: Final = ("photo", "video", "voice", "audio", "document", "sticker", "location", "contact", "poll", "video_note")


class TelegramDoor:
    name = NAME

    @property
    def bot(self) -> str:
        """The token begins with the bot's public id."""
        return settings.COUNTERSIGN_TELEGRAM_TOKEN.partition(":")[0]

    def read_in(self) -> None:
        """The package, where there is a bot: before the first update comes."""
        if self.bot:
            importlib.import_module("telegram")

    def read(self, body: Mapping[str, Any]) -> ChatEvent | None:
        update = _update_of(body)
        if update.callback_query is not None:
            return _press(update)
        message = update.message or update.edited_message
        if message is None:
            return None
        number, chat = str(update.update_id), str(message.chat.id)
        if message.migrate_to_chat_id:
            return ChatMove(number, chat, str(message.migrate_to_chat_id))
        text = _text_of(message)
        author = _author_of(message.from_user)
        if author is None or not text:
            return None
        answered = message.reply_to_message
        return ChatText(
            number, chat, str(message.message_id), author, text, message.date, message.edit_date,
            answers=str(answered.message_id) if answered else "", command=_command_of(message),
        )  # fmt: skip

    def conversation(self, chat: str) -> str:
        """As an export of the same chat calls it, so that both are one thread."""
        return f"{NAME}:{abs(int(chat)) % _SUPERGROUPS}"

    def is_person(self, person: Person, author: ChatAuthor) -> bool:
        return str(person.telegram_id) == author.id

    def is_private(self, asked: ChatText) -> bool:
        """A chat of two has the id of the account."""
        return asked.chat == asked.author.id

    def send(self, chat: str, message: OutgoingMessage) -> str:
        return _call(lambda bot: _deliver(bot, chat, message))


def webhook_secret() -> str:
    """The end of the webhook's address. Where nobody chose one it is made, so that it stands nowhere."""
    words = f"countersign telegram {settings.COUNTERSIGN_TELEGRAM_TOKEN}"
    made = hmac.new(settings.SECRET_KEY.encode(), words.encode(), hashlib.sha256).hexdigest()
    return settings.COUNTERSIGN_TELEGRAM_SECRET or made


def reply_to_press(press: str, text: str) -> dict[str, Any]:
    """The body of a webhook's answer that is a call itself: a word to whoever pressed a button."""
    return {"method": "answerCallbackQuery", "callback_query_id": press, "text": text[:200]}


def reply_to_text(chat: str, message: str, text: str) -> dict[str, Any]:
    answered = {"message_id": int(message), "allow_sending_without_reply": True}
    return {"method": "sendMessage", "chat_id": int(chat), "text": text[:4000], "reply_parameters": answered}


def carry_out(reply: Mapping[str, Any]) -> None:
    """Such a call made by ourselves, where no webhook carries it. Raises `NotPosted`."""
    _call(lambda bot: bot.request.post(f"{bot.base_url}/{reply['method']}?{urlencode(_plain(reply))}"))


def _plain(reply: Mapping[str, Any]) -> dict[str, str]:
    return {name: value if isinstance(value, str) else json.dumps(value) for name, value in reply.items()}


def register(url: str) -> None:
    """From now on Telegram sends what happens to `url`. Raises `NotPosted`."""
    secret = webhook_secret()
    _call(lambda bot: bot.set_webhook(url, allowed_updates=list(ALLOWED), secret_token=secret))


def unregister() -> None:
    """From now on what happens is fetched (`updates_after`); nothing that waits is lost."""
    _call(lambda bot: bot.delete_webhook(drop_pending_updates=False))


def updates_after(number: int | None, wait_s: int) -> Sequence[Mapping[str, Any]]:
    """What happened after update `number`, which Telegram then forgets; waits for it if it must."""

    asked = {"timeout": wait_s, "allowed_updates": json.dumps(ALLOWED)} | (
        {} if number is None else {"offset": number + 1}
    )
    # As they came, not as the package's objects: one that it cannot read must not hold up the others.
    came = _call(
        lambda bot: bot.request.post(f"{bot.base_url}/getUpdates?{urlencode(asked)}", read_timeout=wait_s + TIMEOUT_S)
    )
    return cast("list[dict[str, Any]]", came)


def _call[T](ask: Callable[["Bot"], Coroutine[Any, Any, T]]) -> T:
    """One call. Raises `NotPosted`, which tells what never reached the other side, or was refused, from what may have."""
    import httpx
    from telegram import Bot
    from telegram.error import (
        BadRequest,
        ChatMigrated,
        Forbidden,
        InvalidToken,
        NetworkError,
        RetryAfter,
        TelegramError,
    )
    from telegram.request import HTTPXRequest

    async def asked() -> T:
        async with HTTPXRequest(
            connect_timeout=TIMEOUT_S, read_timeout=TIMEOUT_S, write_timeout=TIMEOUT_S, pool_timeout=TIMEOUT_S
        ) as request:
            server = settings.COUNTERSIGN_TELEGRAM_SERVER.rstrip("/")
            bot = Bot(settings.COUNTERSIGN_TELEGRAM_TOKEN, base_url=f"{server}/bot", request=request)
            return await ask(bot)

    try:
        # A thread of its own: whoever calls may have an event loop running.
        with ThreadPoolExecutor(max_workers=1) as own:
            return own.submit(asyncio.run, asked()).result()
    except RetryAfter as error:
        after = error.retry_after
        raise NotPosted(
            "too many messages", after_s=after if isinstance(after, int) else after.total_seconds()
        ) from None
    except ChatMigrated as error:
        raise NotPosted("the chat moved", after_s=0, moved_to=str(error.new_chat_id)) from None
    except (BadRequest, Forbidden, InvalidToken) as error:
        raise NotPosted(f"refused: {error.message}", again=False) from None
    except NetworkError as error:
        never_left = isinstance(error.__cause__, httpx.ConnectError | httpx.ConnectTimeout | httpx.PoolTimeout)
        raise NotPosted(f"{type(error).__name__}: {error.message}", unclear=not never_left) from None
    except TelegramError as error:
        raise NotPosted(error.message) from None


async def _deliver(bot: "Bot", chat: str, message: OutgoingMessage) -> str:
    from telegram import InlineKeyboardButton, InlineKeyboardMarkup, ReplyParameters

    rows = [[InlineKeyboardButton(one.label, callback_data=one.data) for one in row] for row in message.buttons]
    buttons = InlineKeyboardMarkup(rows) if rows else None
    if message.edits:
        await bot.edit_message_text(message.text, int(chat), int(message.edits), reply_markup=buttons)
        return message.edits
    answered = ReplyParameters(int(message.answers), allow_sending_without_reply=True) if message.answers else None
    sent = await bot.send_message(int(chat), message.text, reply_markup=buttons, reply_parameters=answered)
    return str(sent.message_id)


def _update_of(body: Mapping[str, Any]) -> "Update":
    from telegram import Update

    try:
        update = Update.de_json(dict(body), None)
    except (TypeError, KeyError, AttributeError, OverflowError) as error:
        raise ValueError(f"this is no update of the Bot API: {type(error).__name__}") from None
    if not isinstance(update.update_id, int):
        raise ValueError("an update has a number")
    return update


def _press(update: "Update") -> ButtonPress | None:
    pressed = update.callback_query
    author = _author_of(pressed.from_user) if pressed else None
    if pressed is None or pressed.message is None or author is None:
        return None
    where = pressed.message
    return ButtonPress(
        str(update.update_id), str(where.chat.id), str(where.message_id), author, pressed.id, pressed.data or ""
    )


def _author_of(user: "User | None") -> ChatAuthor | None:
    return ChatAuthor(str(user.id), user.full_name, user.is_bot) if user is not None else None


def _text_of(message: "Message") -> str:
    """Its words; of what has none, what it is."""
    words = message.text or message.caption or ""
    kind = next((name for name in _MEDIA if getattr(message, name)), "")
    emoji = message.sticker.emoji if message.sticker else None
    return words or emoji or (f"[{kind.replace('_', ' ')}]" if kind else "")


def _command_of(message: "Message") -> str:
    """`/pending@our_bot now` → `pending now`; empty where it begins with none."""
    first = message.entities[0] if message.entities and message.text else None
    if first is None or first.type != "bot_command" or first.offset or not message.text:
        return ""
    name, _, words = message.text[1:].partition(" ")
    return f"{name.partition('@')[0].lower()} {words.strip()}".strip()
