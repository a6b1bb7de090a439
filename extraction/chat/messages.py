"""A message of a conversation, as the rooms of chat read it."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


class ChatLine(Protocol):
    """What somebody said. Without a sender it is a line of the system."""

    @property
    def sender(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def sent_at(self) -> datetime | None: ...


class LinkedLine(ChatLine, Protocol):
    """One that others may reply to, and that may be a reply: a stored source, or a `ChatMessage`."""

    @property
    def external_id(self) -> str: ...
    @property
    def reply_to(self) -> str: ...


@dataclass(frozen=True, slots=True)
class ChatMessage:
    sender: str
    text: str
    sent_at: datetime | None = None
    external_id: str = ""
    reply_to: str = ""
