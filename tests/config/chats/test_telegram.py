"""Telegram's webhook: what is said is kept once, and what is pressed is done by the presser's own account."""

import pytest
from django.core.management import CommandError, call_command

from config.chats import telegram
from extraction.runs.pipeline import work_off
from ledger.actions.notify import notify
from ledger.models import ChatLink, ChatPost, Claim, JournalEvent, Notice, Run, Source
from ledger.packs import PackSet
from tests.config.chats.conftest import SECRET, Chat
from tests.config.chats.telegram_server import (
    CHAT,
    JOHN,
    SARAH,
    STRANGER,
    command_update,
    press_update,
    text_update,
)
from tests.people import quote_of, tell
from tests.review.door import OPERATOR, Door


def test_what_is_said_is_kept_once_and_read_later(chat: Chat) -> None:
    update = text_update(7, 41, JOHN, "I can cover Tuesday pickup")
    assert chat.hear(update) == chat.hear(update) == {}
    # The same message under another number is the same message.
    chat.hear(update | {"update_id": 8})
    [kept] = Source.objects.filter(conversation=chat.link.conversation)
    assert (kept.text, kept.sender, kept.external_id, kept.sender_kind) == (
        "I can cover Tuesday pickup",
        "John",
        "41",
        "user",
    )
    assert kept.conversation.external_id == "telegram:1234567890" and kept.sent_at is not None
    assert set(Run.objects.filter(source=kept).values_list("status", flat=True)) == {"queued"}
    event = JournalEvent.objects.filter(verb="ingest").latest("id")
    assert (event.door, event.actor_name, event.scope) == ("telegram", "telegram", chat.scope)


def test_an_edit_takes_the_place_of_what_was_said_and_an_answer_names_what_it_answers(chat: Chat) -> None:
    chat.say(1, SARAH, "Who's getting Leo?")
    chat.say(2, JOHN, "me", reply_to_message=text_update(0, 1, SARAH, "Who's getting Leo?")["message"])
    edited = text_update(90, 2, JOHN, "I'll get him", edit_date=1780000100)
    chat.hear({"update_id": 90, "edited_message": edited["message"]})
    first, second, third = Source.objects.filter(conversation=chat.link.conversation).order_by("id")
    assert second.reply_to == first.external_id == "1"
    assert third.replaces == second and third.edited_at is not None and third.text == "I'll get him"


@pytest.mark.parametrize(
    ("message", "kept"),
    [
        ({"text": "ok \x00\ud800"}, "ok \N{REPLACEMENT CHARACTER}\N{REPLACEMENT CHARACTER}"),
        ({"caption": "the field", "photo": [{"file_id": "1", "file_unique_id": "1", "width": 1, "height": 1}]}, "the field"),
        ({"photo": [{"file_id": "1", "file_unique_id": "1", "width": 1, "height": 1}]}, "[photo]"),
        ({"location": {"latitude": 1.0, "longitude": 2.0}}, "[location]"),
        ({"new_chat_title": "Family 2"}, None),
    ],
)  # fmt: skip
def test_what_a_message_holds(chat: Chat, message: dict, kept: str | None) -> None:
    update = text_update(1, 5, STRANGER, "")
    del update["message"]["text"]
    update["message"] |= message
    chat.hear(update)
    assert list(Source.objects.filter(conversation=chat.link.conversation).values_list("text", flat=True)) == [
        kept
    ] * bool(kept)
    assert not kept or Source.objects.get(external_id="5").sender == "Nobody"


@pytest.mark.parametrize("path", ["/telegram/wrong", f"/telegram/{SECRET[:-1]}"])
def test_without_the_secret_nothing_is_there(chat: Chat, path: str) -> None:
    assert Door()("POST", path, text_update(1, 1, JOHN, "x"))[0] == 404
    wrong = {"X-Telegram-Bot-Api-Secret-Token": "wrong"}
    assert Door()("POST", f"/telegram/{SECRET}", text_update(1, 1, JOHN, "x"), **wrong)[0] == 404
    assert not Source.objects.filter(conversation=chat.link.conversation).exists()


@pytest.mark.parametrize(
    "body", [b"no json", [], {}, {"update_id": "x"}, {"update_id": 1, "message": 3}, b"", {"update_id": None}]
)
def test_what_is_no_update_is_refused_and_breaks_nothing(chat: Chat, body: object) -> None:
    assert Door()("POST", f"/telegram/{SECRET}", body)[0] == 400


def test_another_bot_and_another_chat_are_none_of_its_business(chat: Chat, settings) -> None:
    elsewhere = text_update(1, 1, JOHN, "hello")
    elsewhere["message"]["chat"] = {"id": -77, "type": "group", "title": "Work"}
    chat.hear(elsewhere)
    settings.COUNTERSIGN_TELEGRAM_TOKEN = "777:the-production-bot-000000000000000"
    chat.say(2, JOHN, "hello")
    assert not Source.objects.filter(external_id__in=["1", "2"]).exists()


def test_more_than_a_minutes_worth_is_kept_and_read_later(chat: Chat, monkeypatch) -> None:
    slow = PackSet(("slow",), "slow", ({"observer": {"messages_a_minute": 2}},))
    monkeypatch.setattr("config.chats.taking.packs_of", lambda scope: slow)
    for number in range(5):
        chat.say(number, JOHN, f"I'll get Leo at {number + 1}pm on Tuesday")
    runs = list(Run.objects.filter(thread=chat.link.conversation_id, extractor="coordination").order_by("id"))
    assert len(runs) == 5 and [run.retry_at is None for run in runs] == [True, True, False, False, False]
    assert (runs[4].retry_at - runs[2].retry_at).total_seconds() == pytest.approx(60, abs=5)


def test_a_group_that_got_another_id_is_followed(chat: Chat) -> None:
    moved = text_update(1, 9, JOHN, "")
    del moved["message"]["text"]
    chat.hear({"update_id": 1, "message": moved["message"] | {"migrate_to_chat_id": -1009}})
    old, new = ChatLink.objects.order_by("id")
    assert (old.status, new.status, new.chat) == ("ended", "on", "-1009")
    assert JournalEvent.objects.filter(verb="move_chat_link").count() == 1
    # Told once more, and of a chat that is linked already, it makes no second link.
    chat.hear({"update_id": 3, "message": moved["message"] | {"migrate_to_chat_id": -1009}})
    assert ChatLink.objects.count() == 2
    there = text_update(2, 9, JOHN, "hi all")
    there["message"]["chat"] = {"id": -1009, "type": "supergroup", "title": "Family"}
    chat.hear(there)
    assert Source.objects.get(external_id="9").conversation == new.conversation


def waiting_claim(chat: Chat) -> Claim:
    chat.say(3, JOHN, "I'll pick up Leo from soccer on Thursday at 5pm")
    work_off()
    return Claim.objects.get(kind="assignment", status="pending")


def test_what_waits_is_confirmed_by_the_persons_own_account(chat: Chat) -> None:
    claim = waiting_claim(chat)
    assert chat.hear(command_update(20, 50, JOHN, "/pending@family_bot")) == {}
    post = ChatPost.objects.get(kind="pending")
    assert (post.claim, post.answers, post.status) == (claim, "50", "waiting")
    data = f"promote:{claim.ref}:{claim.version}"
    stranger = chat.hear(press_update(21, STRANGER, 1001, data))
    assert stranger["method"] == "answerCallbackQuery" and "999" in stranger["text"]
    claim.refresh_from_db()
    assert claim.status == "pending"
    pressed = press_update(22, JOHN, 1001, data)
    assert chat.hear(pressed)["text"] == f"{claim.ref} promoted"
    assert chat.hear(pressed)["text"] == ""
    claim.refresh_from_db()
    event = JournalEvent.objects.get(verb="promote", ref=claim.ref)
    assert (claim.status, event.actor_name, event.door) == ("active", "bob", "telegram")
    # Pressed once more it says what it is by now.
    assert "active" in chat.hear(press_update(23, SARAH, 1001, f"promote:{claim.ref}:{claim.version}"))["text"]
    assert ChatPost.objects.get(kind="decided").edits == "1001"


def test_a_no_is_remembered_and_a_stale_button_decides_nothing(chat: Chat) -> None:
    claim = waiting_claim(chat)
    assert "version" in chat.hear(press_update(1, JOHN, 7, f"reject:{claim.ref}:{claim.version + 1}"))["text"]
    chat.hear(press_update(2, JOHN, 7, f"reject:{claim.ref}:{claim.version}"))
    claim.refresh_from_db()
    assert claim.status == "rejected"


def test_nothing_is_decided_outside_the_chats_scope(chat: Chat) -> None:
    source = tell(chat.house.elsewhere, OPERATOR, "We will use oak")
    from ledger.actions.propose import Draft, propose

    claim = propose(
        Draft(kind="decision", statement="Use oak", quotes=(quote_of(source),)),
        scope=chat.house.elsewhere,
        actor=OPERATOR,
    ).claim
    answer = chat.hear(press_update(1, SARAH, 7, f"promote:{claim.ref}:{claim.version}"))
    claim.refresh_from_db()
    assert claim.status == "pending" and claim.ref not in answer["text"].replace(repr(claim.ref), "")


@pytest.mark.parametrize(
    "data", ["", "promote", "promote:x", "promote::", "resolve:9:all", "why_notice:abc", "right:1:2:3"]
)
def test_a_button_that_is_none_of_ours(chat: Chat, data: str) -> None:
    assert chat.hear(press_update(1, JOHN, 7, data))["method"] == "answerCallbackQuery"
    assert not ChatPost.objects.exists()


def a_notice(chat: Chat, *refs: str) -> Notice:
    after = Source.objects.filter(conversation=chat.link.conversation).latest("id")
    notice, _ = notify(
        chat.link.conversation, actor=OPERATOR, rule="resource_conflict", text="🚨 John and Sarah both have pickup. Who?",
        matter="m", after=after, refs=refs, sources=[after.pk], due_at=after.created_at,
    )  # fmt: skip
    return notice


def test_whoever_asks_why_is_answered_and_counted(chat: Chat) -> None:
    claim = waiting_claim(chat)
    notice = a_notice(chat, claim.ref)
    post = ChatPost.objects.get(kind="notice")
    ChatPost.objects.filter(pk=post.pk).update(status="sent", message="700")
    said = text_update(0, 700, JOHN, notice.text)["message"]
    chat.say(60, STRANGER, "why did the bot just say that?", reply_to_message=said)
    chat.hear(press_update(2, SARAH, 700, f"why_notice:{notice.pk}"))
    chat.hear(command_update(3, 61, SARAH, "/why"))
    chat.hear(press_update(4, SARAH, 700, f"wrong:{notice.pk}"))
    asked = JournalEvent.objects.filter(verb="ask_why").order_by("id")
    assert [event.actor_name for event in asked] == ["telegram", "alice", "alice"]
    assert ChatPost.objects.filter(kind="chain", notice=notice).count() == 3
    assert JournalEvent.objects.get(verb="find_wrong").actor_name == "alice"
    # What was said is kept as well.
    assert Source.objects.filter(external_id="60").exists()


def test_a_conflict_is_resolved_by_choosing(chat: Chat) -> None:
    first = waiting_claim(chat)
    chat.say(4, SARAH, "I'll get Leo from soccer on Thursday at 5pm")
    work_off()
    second = Claim.objects.filter(kind="assignment", status="pending").latest("id")
    assert second != first
    notice = a_notice(chat, first.ref, second.ref)
    chat.hear(press_update(2, JOHN, 700, f"resolve:{notice.pk}:{second.ref}"))
    first.refresh_from_db(), second.refresh_from_db()
    assert (first.status, second.status) == ("rejected", "active")
    assert "decided" in chat.hear(press_update(3, JOHN, 700, f"resolve:{notice.pk}:all"))["text"]


def test_an_owner_links_a_chat_from_inside(chat: Chat) -> None:
    chat.hear(command_update(1, 1, JOHN, "/unlink"))
    assert ChatLink.objects.get().status == "on"
    assert "not kept" in chat.hear(command_update(2, 2, SARAH, "/unlink"))["text"]
    linking = command_update(3, 3, SARAH, f"/link {chat.scope.path}")
    assert "elsewhere" not in chat.hear(command_update(4, 4, SARAH, f"/link {chat.house.elsewhere.path}"))["text"]
    assert chat.hear(linking)["method"] == "sendMessage"
    assert ChatLink.objects.filter(status="on").get().made_by == "alice"
    assert "501" in chat.hear(command_update(5, 5, JOHN, "/start"))["text"]


def test_links_over_the_api(chat: Chat) -> None:
    status, listed = chat.house.alice("GET", f"/scope/chats?scope={chat.scope.path}")
    assert status == 200 and [one["chat"] for one in listed["items"]] == [str(CHAT)]
    assert chat.house.bob("GET", f"/scope/chats?scope={chat.scope.path}")[0] == 403
    for body in ({"chat": "x"}, {"chat": "-5", "door": "smoke"}):
        assert chat.house.alice("POST", "/scope/chats", {"scope": chat.scope.path, **body})[0] == 422
    assert chat.house.alice("DELETE", f"/scope/chats/{chat.link.pk}")[1]["status"] == "ended"
    status, made = chat.house.alice("POST", "/scope/chats", {"scope": chat.scope.path, "chat": "-42"})
    assert status == 201 and made["conversation"] == "telegram:42"
    assert chat.house.alice("POST", "/scope/chats", {"scope": chat.scope.path, "chat": "-42"})[0] == 409


def test_without_a_public_address_updates_are_fetched(chat: Chat) -> None:
    chat.api.updates = [
        text_update(70, 70, JOHN, "I can cover Tuesday pickup"),
        {"update_id": 71, "message": 3},
        command_update(72, 71, JOHN, "/start"),
    ]
    call_command("telegram", "--once")
    call_command("telegram", "--once")
    assert Source.objects.filter(external_id="70").count() == 1
    assert len(chat.api.asked("deleteWebhook")) == 2
    assert [one.get("offset") for one in chat.api.asked("getUpdates")] == [None, 73, None, 73]
    assert len(chat.api.asked("sendMessage")) == 1


def test_the_webhook_is_registered_with_its_secret(chat: Chat, settings) -> None:
    call_command("telegram", "--webhook", "https://example.org/")
    [asked] = chat.api.asked("setWebhook")
    assert asked["url"] == f"https://example.org/api/v1/telegram/{SECRET}" and asked["secret_token"] == SECRET
    settings.COUNTERSIGN_TELEGRAM_SECRET = ""
    made = telegram.webhook_secret()
    settings.COUNTERSIGN_TELEGRAM_TOKEN = "1:other"
    assert len(made) == 64 and made != telegram.webhook_secret()
    settings.COUNTERSIGN_TELEGRAM_TOKEN = ""
    with pytest.raises(CommandError, match="names no bot"):
        call_command("telegram", "--once")
