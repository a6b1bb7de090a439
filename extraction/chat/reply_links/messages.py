"""A message as the links read it."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


class Said(Protocol):
    """What somebody said: a stored source, or a `Message`."""

    @property
    def external_id(self) -> str: ...
    @property
    def reply_to(self) -> str: ...
    @property
    def sender(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def sent_at(self) -> datetime | None: ...


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation. Without a `sender` it is a line of the system."""

    sender: str
    text: str
    sent_at: datetime | None = None
    external_id: str = ""
    reply_to: str = ""
