"""The seam between this program and a chat service: what comes from one and what goes to one, in plain values."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from ledger.models import Person


@dataclass(frozen=True, slots=True)
class ChatAuthor:
    """`id` is the service's own, `name` what people see there."""

    id: str
    name: str
    is_bot: bool = False


@dataclass(frozen=True, slots=True)
class ChatEvent:
    """`number` tells it from all others that the service sends this bot."""

    number: str
    chat: str


@dataclass(frozen=True, slots=True)
class ChatText(ChatEvent):
    """Somebody wrote something, or wrote it anew (`edited_at`). `command` is what they ask of the bot, with its words."""

    message: str
    author: ChatAuthor
    text: str
    sent_at: datetime
    edited_at: datetime | None = None
    answers: str = ""
    command: str = ""


@dataclass(frozen=True, slots=True)
class ButtonPress(ChatEvent):
    """Somebody pressed a button under the message `message`; `press` is what an answer to them names."""

    message: str
    author: ChatAuthor
    press: str
    data: str


@dataclass(frozen=True, slots=True)
class ChatMove(ChatEvent):
    """The service gave the chat another id."""

    to: str


@dataclass(frozen=True, slots=True)
class ChatButton:
    label: str
    data: str


@dataclass(frozen=True, slots=True)
class OutgoingMessage:
    """`answers` is the id of a message that it stands below, `edits` of one that it is written over."""

    text: str
    buttons: Sequence[Sequence[ChatButton]] = ()
    answers: str = ""
    edits: str = ""


class NotPosted(Exception):
    """The service did not take it. `unclear` where it may have; `after_s` from when on it may be sent again, `moved_to` where the
    chat is now; not `again` where another try cannot end otherwise."""

    def __init__(
        self, why: str, *, unclear: bool = False, after_s: float | None = None, moved_to: str = "", again: bool = True
    ) -> None:
        super().__init__(why)
        self.unclear, self.after_s, self.moved_to, self.again = unclear, after_s, moved_to, again


class ChatDoor(Protocol):
    """One service with one bot. `bot` is its public id, empty where none is configured."""

    name: str

    @property
    def bot(self) -> str: ...

    def read(self, body: Mapping[str, Any]) -> ChatEvent | None:
        """What happened; None where it is nothing for us. Raises `ValueError` for what the service would not send."""

    def conversation(self, chat: str) -> str:
        """How the conversation of a chat is called."""

    def is_person(self, person: Person, author: ChatAuthor) -> bool:
        """Whether an owner of the scope named this account as that person's."""

    def is_private(self, asked: ChatText) -> bool:
        """Whether nobody but its author reads what is answered to it."""

    def send(self, chat: str, message: OutgoingMessage) -> str:
        """The id that the service gave it. Raises `NotPosted`."""
