"""Slack behind the same seam: signed events, buttons and commands, and posts with buttons."""

import hashlib
import hmac
import http.server
import json
import time
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

import pytest
from django.test import Client

from config.chats.posting import post_waiting
from config.chats.services import SLACK
from extraction.runs.pipeline import work_off
from ledger.actions.chat_link import link_chat
from ledger.actions.scope import add_person
from ledger.models import ChatLink, ChatPost, Claim, JournalEvent, Scope, Source
from tests.review.door import OPERATOR, House, build_house
from tests.review.hooks import serving

SECRET, CHANNEL, ALICE = "8f742231b10e8888abcd99yyyzzz85a5", "C024BE91L", "U024BE7LH"
ADDRESS = "/api/v1/slack/events"


class WebApi(http.server.ThreadingHTTPServer):
    """Slack's Web API, as far as it is asked here."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), WebApiHandler)
        self.calls: list[tuple[str, dict[str, Any]]] = []
        self.answers: list[tuple[int, dict[str, Any]]] = []


class WebApiHandler(http.server.BaseHTTPRequestHandler):
    server: WebApi

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        assert self.headers["Authorization"] == "Bearer xoxb-test"
        self.server.calls.append((self.path.removeprefix("/"), body))
        status, answer = (
            self.server.answers.pop(0) if self.server.answers else (200, {"ok": True, "ts": "1780000009.000100"})
        )
        content = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Retry-After", "30")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture(scope="module")
def web_api() -> Iterator[WebApi]:
    with serving(WebApi()) as server:
        yield server


@pytest.fixture
def house(db: None, web_api: WebApi, settings: Any) -> House:
    settings.COUNTERSIGN_SLACK_TOKEN, settings.COUNTERSIGN_SLACK_SECRET = "xoxb-test", SECRET
    settings.COUNTERSIGN_SLACK_SERVER = f"http://127.0.0.1:{web_api.server_address[1]}"
    settings.COUNTERSIGN_WAKE_POSTS = settings.COUNTERSIGN_WAKE = "tests.config.chats.conftest.nobody"
    web_api.calls.clear()
    house = build_house()
    Scope.objects.filter(pk=house.scope.pk).update(packs=["household"])
    house.scope.refresh_from_db()
    add_person(house.scope, "Alice", aliases=["alice", ALICE], role="guardian", username="alice", actor=OPERATOR)
    add_person(house.scope, "Leo", aliases=["leo"], role="child", actor=OPERATOR)
    link_chat(
        house.scope, actor=OPERATOR, door="slack", bot=SLACK.bot, chat=CHANNEL, conversation=SLACK.conversation(CHANNEL)
    )  # fmt: skip
    return house


def send(body: bytes, kind: str = "application/json", *, secret: str = SECRET, age: int = 0) -> tuple[int, Any]:
    stamp = str(int(time.time()) - age)
    made = hmac.new(secret.encode(), f"v0:{stamp}:".encode() + body, hashlib.sha256).hexdigest()
    headers = {"X-Slack-Request-Timestamp": stamp, "X-Slack-Signature": f"v0={made}"}
    answer = Client().generic("POST", ADDRESS, body, content_type=kind, headers=headers)
    return answer.status_code, answer.json()


def form(**fields: str) -> tuple[int, Any]:
    return send(urlencode(fields).encode(), "application/x-www-form-urlencoded")


def event(number: str, **message: Any) -> bytes:
    inner = {"type": "message", "channel": CHANNEL, "user": ALICE, **message}
    return json.dumps({"type": "event_callback", "event_id": number, "team_id": "T1", "event": inner}).encode()


def test_an_address_is_confirmed_only_where_slack_signed(house: House) -> None:
    body = json.dumps({"type": "url_verification", "challenge": "3eZbrw1aB"}).encode()
    assert send(body) == (200, {"challenge": "3eZbrw1aB"})
    assert send(body, secret="another")[0] == send(body, age=400)[0] == send(b"[]", secret="another")[0] == 401
    assert Client().post(ADDRESS, body, content_type="application/json").status_code == 401
    assert send(b"[]")[0] == send(b"no json")[0] == 400


def test_what_is_said_is_kept_and_edited(house: House) -> None:
    said = event("Ev1", ts="1780000000.000200", text="Who's getting Leo &amp; when?")
    assert send(said) == send(said) == (200, {})
    send(event("Ev2", ts="1780000001.000100", text="me", thread_ts="1780000000.000200"))
    changed = {
        "type": "message",
        "user": ALICE,
        "ts": "1780000001.000100",
        "text": "I'll go",
        "edited": {"ts": "1780000009.0"},
    }
    send(event("Ev3", subtype="message_changed", message=changed, ts="1780000009.000100"))
    send(event("Ev4", subtype="channel_join", ts="1780000002.000100", text="joined"))
    first, second, third = Source.objects.filter(conversation__external_id=f"slack:{CHANNEL}").order_by("id")
    assert (first.text, first.sender) == ("Who's getting Leo & when?", "Alice")
    assert second.reply_to == first.external_id and third.replaces == second and third.edited_at is not None


def test_pending_buttons_and_posts(house: House, web_api: WebApi) -> None:
    send(event("Ev1", ts=f"{int(time.time())}.0002", text="I'll pick up Leo from soccer on Thursday at 5pm"))
    work_off()
    claim = Claim.objects.get(kind="assignment")
    asked = {"channel_id": CHANNEL, "user_id": ALICE, "user_name": "alice", "text": ""}
    assert form(command="/pending", trigger_id="1", **asked) == (200, {})
    assert "linked" in form(command="/start", trigger_id="2", **asked)[1]["text"]
    assert post_waiting() == 1
    [(method, posted)] = web_api.calls
    assert method == "chat.postMessage" and "Would be written" in posted["blocks"][0]["text"]["text"]
    confirm = posted["blocks"][1]["elements"][0]
    payload = {
        "type": "block_actions", "user": {"id": "U0STRANGER", "username": "x"}, "channel": {"id": CHANNEL},
        "message": {"ts": "1780000009.000100"}, "actions": [{"value": confirm["value"], "action_ts": "1780000010.1"}],
    }  # fmt: skip
    form(payload=json.dumps(payload))
    assert web_api.calls[-1][0] == "chat.postEphemeral" and "U0STRANGER" in web_api.calls[-1][1]["text"]
    form(payload=json.dumps(payload | {"user": {"id": ALICE, "username": "alice"}}))
    claim.refresh_from_db()
    promoted = JournalEvent.objects.get(verb="promote", ref=claim.ref)
    assert (claim.status, promoted.actor_name, promoted.door) == ("active", "alice", "slack")
    web_api.answers.append((429, {}))
    assert post_waiting() == 0
    ChatPost.objects.filter(status="waiting").update(retry_at=None)
    assert post_waiting() == 1 and web_api.calls[-1][0] == "chat.update"


@pytest.mark.parametrize(
    ("answer", "status"),
    [((200, {"ok": False, "error": "channel_not_found"}), "refused"), ((200, {"ok": False, "error": "internal_error"}), "waiting")],
)  # fmt: skip
def test_what_slack_refuses(house: House, web_api: WebApi, answer: tuple[int, dict], status: str) -> None:
    from ledger.actions.notify import notify

    send(event("Ev1", ts="1780000000.000200", text="hi"))
    after, link = Source.objects.get(external_id="1780000000.000200"), ChatLink.objects.get()
    notify(
        link.conversation, actor=OPERATOR, rule="clarification", text="?", matter="m", after=after, refs=[], sources=[after.pk],
        due_at=after.created_at,
    )  # fmt: skip
    web_api.answers.append(answer)
    assert post_waiting() == 0
    assert ChatPost.objects.get().status == status
