"""The chat services there are, each under its name."""

from typing import Final

from config.chats.door import ChatDoor
from config.chats.telegram import TelegramDoor

TELEGRAM: Final = TelegramDoor()
DOORS: Final[dict[str, ChatDoor]] = {door.name: door for door in (TELEGRAM,)}
