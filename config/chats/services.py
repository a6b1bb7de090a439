"""The chat services there are, each under its name."""

from typing import Final

from config.chats.door import ChatDoor
from config.chats.slack import SlackDoor
from config.chats.telegram import TelegramDoor

TELEGRAM: Final = TelegramDoor()
SLACK: Final = SlackDoor()
DOORS: Final[dict[str, ChatDoor]] = {TELEGRAM.name: TELEGRAM, SLACK.name: SLACK}
