"""What waits is posted at most once, in the service's own format, and what it refused is tried again."""

import datetime as dt

import pytest
from django.utils import timezone

from config.chats.posting import post_waiting
from ledger.actions.chat_post import give_up_lost_posts
from ledger.actions.purge import purge
from ledger.models import ChatPost, ChatUpdate, Source
from tests.config.chats.conftest import Chat
from tests.config.chats.telegram_server import CHAT, JOHN, command_update, press_update, refusal
from tests.config.chats.test_telegram import a_notice, waiting_claim
from tests.ledger.conftest import role
from tests.review.door import OPERATOR


def notice_post(chat: Chat, *refs: str) -> ChatPost:
    if not refs:
        chat.say(1, JOHN, "hello")
    a_notice(chat, *refs)
    return ChatPost.objects.get(kind="notice")


def test_a_notice_is_posted_below_its_message_with_its_buttons(chat: Chat) -> None:
    claim = waiting_claim(chat)
    post = notice_post(chat, claim.ref)
    assert post_waiting() == 1 and post_waiting() == 0
    [asked] = chat.api.asked("sendMessage")
    assert asked["chat_id"] == CHAT and asked["text"].startswith("🚨 John and Sarah")
    assert asked["reply_parameters"] == {"message_id": 3, "allow_sending_without_reply": True}
    choices, answers = asked["reply_markup"]["inline_keyboard"]
    assert [one["callback_data"] for one in choices] == [f"resolve:{post.notice_id}:{claim.ref}"]
    assert [one["text"] for one in answers] == ["Why?", "It was right", "Not needed"]
    assert all(len(one["callback_data"]) <= 64 for one in choices + answers)
    post.refresh_from_db()
    assert (post.status, post.message) == ("sent", str(chat.api.last_message))


def test_what_waits_shows_what_would_be_written_and_is_written_over_once_decided(chat: Chat) -> None:
    claim = waiting_claim(chat)
    chat.hear(command_update(1, 50, JOHN, "/pending"))
    chat.hear(command_update(2, 51, JOHN, f"/why {claim.ref.lower()}"))
    assert post_waiting() == 2
    listed, chain = chat.api.asked("sendMessage")
    assert "Would be written: " in listed["text"] and "soccer" in listed["text"].lower()
    [[confirm, reject], [why]] = listed["reply_markup"]["inline_keyboard"]
    assert (confirm["text"], reject["text"], why["callback_data"]) == ("Confirm", "Reject", f"why_claim:{claim.ref}")
    assert "“I'll pick up Leo from soccer on Thursday at 5pm” John" in chain["text"]
    message = ChatPost.objects.get(kind="pending").message
    chat.hear(press_update(3, JOHN, int(message), confirm["callback_data"]))
    assert post_waiting() == 1
    [edited] = chat.api.asked("editMessageText")
    assert edited["message_id"] == int(message) and edited["text"].startswith("✓ Confirmed by bob: ")
    assert "reply_markup" not in edited


@pytest.mark.parametrize(
    ("refused", "status", "pause"),
    [
        (refusal(429, "Too Many Requests: retry after 40", retry_after=40), "waiting", 40),
        (refusal(500, "Internal Server Error"), "unclear", None),
        (refusal(403, "Forbidden: bot was kicked from the group chat"), "refused", None),
        (refusal(400, "Bad Request: chat not found"), "refused", None),
        (None, "unclear", None),
    ],
)  # fmt: skip
def test_what_a_refusal_leads_to(chat: Chat, refused: dict | None, status: str, pause: int | None) -> None:
    post = notice_post(chat)
    chat.api.refusals.append(refused)
    assert post_waiting() == 0
    post.refresh_from_db()
    assert post.status == status and post.error and "token" not in post.error
    if pause:
        assert (post.retry_at - timezone.now()).total_seconds() == pytest.approx(pause, abs=10)
        ChatPost.objects.update(retry_at=timezone.now())
    assert post_waiting() == bool(pause)


def test_a_service_that_is_not_there_is_asked_again(chat: Chat, settings) -> None:
    post = notice_post(chat)
    settings.COUNTERSIGN_TELEGRAM_SERVER = "http://127.0.0.1:9"
    assert post_waiting() == 0
    post.refresh_from_db()
    assert (post.status, post.tries) == ("waiting", 1) and post.retry_at > timezone.now()


def test_a_group_that_moved_gets_its_post_there(chat: Chat) -> None:
    notice_post(chat)
    chat.api.refusals.append(refusal(400, "Bad Request: group chat was upgraded", migrate_to_chat_id=-1009))
    with role("countersign_worker"):
        assert post_waiting() == 1
    assert [one["chat_id"] for one in chat.api.asked("sendMessage")] == [CHAT, -1009]


def test_no_more_than_the_chat_takes_in_a_minute(chat: Chat, settings) -> None:
    settings.COUNTERSIGN_CHAT_POSTS_A_MINUTE = 1
    claim = waiting_claim(chat)
    for number in range(2):
        chat.hear(command_update(number, 50 + number, JOHN, f"/why {claim.ref}"))
    assert (post_waiting(), post_waiting()) == (1, 0)
    ChatPost.objects.filter(status="sent").update(tried_at=timezone.now() - dt.timedelta(minutes=2))
    assert post_waiting() == 1


def test_who_died_while_sending_is_not_repeated_and_nothing_late_is_said(chat: Chat) -> None:
    post = notice_post(chat)
    old = timezone.now() - dt.timedelta(hours=2)
    ChatPost.objects.filter(pk=post.pk).update(status="sending", tried_at=old)
    ChatUpdate.objects.update(at=timezone.now() - dt.timedelta(days=4))
    with role("countersign_worker"):
        assert post_waiting() == 0
    assert not ChatUpdate.objects.exists()
    post.refresh_from_db()
    assert post.status == "unclear"
    ChatPost.objects.filter(pk=post.pk).update(status="waiting", created_at=old)
    assert give_up_lost_posts(timezone.now()) == 1
    assert not chat.api.asked("sendMessage")


def test_purged_words_are_not_posted(chat: Chat) -> None:
    post = notice_post(chat)
    purge(Source.objects.get(external_id="1"), actor=OPERATOR, reason="asked")
    assert post_waiting() == 0
    post.refresh_from_db()
    assert post.status == "refused" and not chat.api.asked("sendMessage")
