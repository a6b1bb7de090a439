"""A scope with a linked chat, its people, and a small Bot API at the other end."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from django.contrib.auth.models import User

from config.chats.services import TELEGRAM
from ledger.actions.chat_link import link_chat
from ledger.actions.scope import add_person
from ledger.models import ChatLink, Scope
from tests.config.chats.telegram_server import CHAT, TOKEN, BotApi, text_update
from tests.review.door import OPERATOR, Door, House, build_house
from tests.review.hooks import serving

SECRET = "a-secret-that-somebody-chose"
PEOPLE = (("John", "guardian", "bob", 501), ("Sarah", "guardian", "alice", 502), ("Leo", "child", "", None))


@dataclass
class Chat:
    """The family's group as Telegram sees it: `hear` sends an update to the webhook."""

    house: House
    link: ChatLink
    api: BotApi
    numbers: int = 0

    @property
    def scope(self) -> Scope:
        return self.house.scope

    def hear(self, update: dict[str, Any]) -> dict[str, Any]:
        status, answer = Door()("POST", f"/telegram/{SECRET}", update)
        assert status == 200, answer
        return answer

    def say(self, message: int, author: dict[str, Any], text: str, **more: Any) -> dict[str, Any]:
        self.numbers += 1
        now = int(time.time())
        return self.hear(text_update(10_000 + self.numbers, message, author, text, **{"date": now, **more}))


@pytest.fixture(scope="module")
def bot_api() -> Iterator[BotApi]:
    with serving(BotApi()) as server:
        yield server


@pytest.fixture
def chat(db: None, bot_api: BotApi, settings: Any) -> Chat:
    settings.COUNTERSIGN_TELEGRAM_TOKEN, settings.COUNTERSIGN_TELEGRAM_SECRET = TOKEN, SECRET
    settings.COUNTERSIGN_TELEGRAM_SERVER = bot_api.address
    settings.COUNTERSIGN_WAKE_POSTS = settings.COUNTERSIGN_WAKE = "tests.config.chats.conftest.nobody"
    bot_api.calls.clear()
    bot_api.refusals.clear()
    house = build_house()
    Scope.objects.filter(pk=house.scope.pk).update(packs=["household"], timezone="America/Chicago")
    house.scope.refresh_from_db()
    for name, role, username, number in PEOPLE:
        add_person(
            house.scope, name, aliases=[name.lower()], role=role, username=username, telegram_id=number, actor=OPERATOR
        )  # fmt: skip
    assert User.objects.filter(username="bob").exists()
    link = link_chat(
        house.scope, actor=OPERATOR, door="telegram", bot=TELEGRAM.bot, chat=str(CHAT),
        conversation=TELEGRAM.conversation(str(CHAT)),
    )  # fmt: skip
    return Chat(house, link, bot_api)


def nobody() -> None:
    """Wakes nobody: a test works off what it wants."""
