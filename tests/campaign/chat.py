"""Send messages to Telegram's webhook while web, worker, broker and database are killed, and count what is lost or doubled:

    uv run python -m tests.campaign.chat --messages 500 --kills 12
    uv run python -m tests.campaign.chat --messages 500 --kills 0      # how fast it answers, and speaks

Ten groups of one family; one message in ten clashes with the calendar. An update that is not answered by 200 is sent again, as
Telegram does, and one in twenty is sent twice all the same. Exits 1 where a message is missing or there twice, or a notice was
posted twice.
"""

import argparse
import http.client
import json
import os
import random
import shutil
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg

from tests import whole
from tests.campaign.clients import Api
from tests.campaign.counting import wait_until_quiet
from tests.campaign.kills import Killer
from tests.config.chats.telegram_server import JOHN, SARAH, TOKEN, BotApi, text_update
from tests.review.hooks import serving

SECRET = "campaign"
SCOPE = "family"
CHATS = [-1_000_000_000_000 - number for number in range(1, 11)]
WAYS = ("a web process", "web", "a worker process", "worker", "broker", "broker flushed", "database", "connections")
TIMEOUT_S = 20.0
POSTED_S = 90.0


class TimedBotApi(BotApi):
    """Notes when each message was posted."""

    def __init__(self) -> None:
        super().__init__()
        self.posted: list[tuple[float, int, str]] = []

    def answer(self, method: str, arguments: Mapping[str, Any]) -> Any:
        if method == "sendMessage":
            self.posted.append((time.monotonic(), int(arguments["chat_id"]), str(arguments["text"])))
        return super().answer(method, arguments)


@dataclass(eq=False)
class Sender(threading.Thread):
    """Sends updates one after the other, each until it is acknowledged."""

    url: str
    updates: Sequence[dict[str, Any]]
    seed: int
    took_s: list[float] = field(default_factory=list)
    sent_at: dict[int, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        super().__init__(daemon=True)
        self.random = random.Random(self.seed)
        self.connection = http.client.HTTPConnection(urlsplit(self.url).netloc, timeout=TIMEOUT_S)

    def run(self) -> None:
        for update in self.updates:
            while not self.acknowledged(update):
                time.sleep(0.2)
            self.sent_at[update["update_id"]] = time.monotonic()
            if self.random.random() < 0.05:
                self.acknowledged(update)

    def acknowledged(self, update: dict[str, Any]) -> bool:
        body, began = json.dumps(update), time.monotonic()
        try:
            self.connection.request("POST", f"/api/v1/telegram/{SECRET}", body, {"Content-Type": "application/json"})
            answer = self.connection.getresponse()
            answer.read()
        except (OSError, http.client.HTTPException):
            self.connection.close()
            return False
        self.took_s.append(time.monotonic() - began)
        return answer.status == 200


def updates(count: int) -> list[dict[str, Any]]:
    """Every tenth message plans something at an hour that is taken, each time on another day or in another group."""
    made = []
    for number in range(count):
        turn, chat = divmod(number, len(CHATS))
        day = datetime.now(UTC) + timedelta(days=1 + turn // 10 % 6)
        clash = turn % 10 == 3
        text = f"Leo has the dentist on {day:%A} at 4pm" if clash else f"message {number} about nothing much"
        update = text_update(number + 1, 100 + turn, JOHN if number % 2 else SARAH, text, date=int(time.time()))
        update["message"]["chat"] = {"id": CHATS[chat], "type": "supergroup", "title": f"Family {chat}"}
        made.append(update)
    return made


def prepare(api: Api) -> None:
    """A family whose child is busy every day from half past three, and its groups."""
    event = {
        "title": "robotics", "people": ["Leo"], "start": f"{datetime.now(UTC):%Y-%m-%d}T15:30:00", "rrule": "FREQ=DAILY",
        "end": f"{datetime.now(UTC):%Y-%m-%d}T17:00:00", "timezone": "UTC",
    }  # fmt: skip
    asked: list[tuple[str, dict[str, Any]]] = [
        ("/scopes", {"scope": SCOPE, "tier": "project", "packs": ["household"], "timezone": "UTC"}),
        ("/scopes", {"scope": "probe", "tier": "project"}),
        ("/scope/people", {"scope": SCOPE, "name": "John", "role": "guardian", "telegram_id": JOHN["id"]}),
        ("/scope/people", {"scope": SCOPE, "name": "Sarah", "role": "guardian", "telegram_id": SARAH["id"]}),
        ("/scope/people", {"scope": SCOPE, "name": "Leo", "role": "child"}),
        *(("/scope/chats", {"scope": SCOPE, "chat": str(chat)}) for chat in CHATS),
        ("/candidates", {"scope": SCOPE, "kind": "event", "statement": "Leo has robotics every day", "value": event}),
    ]
    for path, body in asked:
        status, answer = api("POST", path, body)
        assert status in (200, 201), (path, status, answer)
    status, answer = api("POST", f"/candidates/{answer['candidate']['ref']}/promote", {})
    assert status == 200, answer


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--messages", type=int, default=500)
    parser.add_argument("--kills", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="cs-chat-"))
    with serving(TimedBotApi()) as telegram:
        os.environ |= {
            "COUNTERSIGN_TELEGRAM_TOKEN": TOKEN, "COUNTERSIGN_TELEGRAM_SECRET": SECRET,
            "COUNTERSIGN_TELEGRAM_SERVER": telegram.address, "COUNTERSIGN_CHAT_POSTS_A_MINUTE": "60",
        }  # fmt: skip
        instance = whole.start(folder / "var", "--no-demo")
        killer = Killer(instance, Api(instance.url, instance.said["reviewer_token"]), False, options.seed)
        try:
            prepare(killer.api)
            sender = Sender(instance.url, updates(options.messages), options.seed)
            sender.start()
            for _ in range(options.kills):
                killer.step(WAYS)
                time.sleep(killer.random.uniform(0.2, 2))
            sender.join()
            return told(killer, sender, telegram)
        finally:
            killer.instance.stop()
            shutil.rmtree(folder, ignore_errors=True)


def told(killer: Killer, sender: Sender, telegram: TimedBotApi) -> int:
    database = killer.instance.said["database_url"]
    wait_until_quiet(database)
    wait_until_posted(database)
    with psycopg.connect(database, autocommit=True) as connection:
        rows = connection.execute(
            "SELECT c.external_id, s.external_id, s.text FROM ledger_source s JOIN ledger_conversation c"
            " ON c.id = s.conversation_id WHERE s.kind = 'message'"
        ).fetchall()
        posts = Counter(dict(connection.execute("SELECT status, count(*) FROM ledger_chatpost GROUP BY 1").fetchall()))
        notices = connection.execute("SELECT count(*) FROM ledger_notice").fetchone()
    kept = Counter((text, name) for _, name, text in rows)
    wanted = Counter((one["message"]["text"], str(one["message"]["message_id"])) for one in sender.updates)
    posted = Counter((chat, text) for _, chat, text in telegram.posted)
    twice = [one for one, count in posted.items() if count > 1]
    print(f"{sum(map(len, killer.times.values()))} kills, {len(sender.updates)} messages, {len(rows)} kept")
    print(
        f"lost: {sum((wanted - kept).values())}, doubled: {sum((kept - wanted).values())}, stuck: {len(killer.stuck)}"
    )
    print(f"notices: {notices[0] if notices else 0}; posts {dict(posts)}; posted twice: {len(twice)}")
    spread("the webhook's answer", sender.took_s)
    spread("from a message to its notice", delays(sender, telegram))
    return int(kept != wanted or bool(twice) or bool(killer.stuck) or not telegram.posted)


def wait_until_posted(url: str) -> None:
    until = time.monotonic() + POSTED_S
    waiting = 1
    while waiting and time.monotonic() < until:
        with psycopg.connect(url, autocommit=True) as connection:
            found = connection.execute("SELECT count(*) FROM ledger_chatpost WHERE status = 'waiting'").fetchone()
        waiting = found[0] if found else 0
        time.sleep(0.5)


def delays(sender: Sender, telegram: TimedBotApi) -> list[float]:
    """Of each post from the acknowledgement of the message in its group that it followed."""
    clashes = [one for one in sender.updates if "dentist" in one["message"]["text"]]
    sent: defaultdict[int, list[float]] = defaultdict(list)
    for one in clashes:
        sent[one["message"]["chat"]["id"]].append(sender.sent_at[one["update_id"]])
    befores = [(at, [moment for moment in sent[chat] if moment <= at]) for at, chat, _ in telegram.posted]
    return [at - before[-1] for at, before in befores if before]


def spread(name: str, times: list[float]) -> None:
    if times:
        times = sorted(times)
        p50, p99 = (times[min(len(times) - 1, int(len(times) * share))] * 1000 for share in (0.5, 0.99))
        print(f"{name}: p50 {p50:.0f} ms, p99 {p99:.0f} ms, most {times[-1] * 1000:.0f} ms ({len(times)})")


if __name__ == "__main__":
    sys.exit(main())
