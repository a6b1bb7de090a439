"""`manage.py watch`: each new event of a log once, whatever becomes of the file and of whoever watches."""

import io
import json
import os
import time
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import OperationalError

from config.embedded import folder
from config.management.commands import watch
from extraction.importers import Into
from extraction.intake import following
from extraction.intake.following import Follower
from ledger.actions.ingest import Incoming
from ledger.models import Source
from tests.people import make_scope


def claude(number: int, text: str, kind: str = "user") -> str:
    row = {
        "type": kind, "uuid": f"u{number}", "sessionId": "s1", "timestamp": f"2026-03-04T10:00:{number % 60:02}Z",
        "message": {"role": kind, "content": text},
    }  # fmt: skip
    return json.dumps(row) + "\n"


def codex(text: str, *, at: str = "2026-03-04T10:00:01Z") -> str:
    payload = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]}
    return json.dumps({"timestamp": at, "type": "response_item", "payload": payload}) + "\n"


META = json.dumps({"timestamp": "2026-03-04T10:00:00Z", "type": "session_meta", "payload": {"id": "abc"}}) + "\n"


def append(path: Path, text: str) -> None:
    with path.open("a") as file:
        file.write(text)


@pytest.fixture
def follower(tmp_path: Path) -> Follower:
    return Follower([tmp_path], Into("yard", ZoneInfo("UTC")))


def news(follower: Follower) -> list[str]:
    """The texts of one look, all of it kept; a pause for what has to be read again is over."""
    follower._rests_until.clear()
    found = list(follower.look())
    for one in found:
        follower.keep(one)
    return [text.text for one in found for text in one.findings if isinstance(text, Incoming)]


def test_each_line_comes_once_and_only_when_it_is_whole(tmp_path: Path, follower: Follower) -> None:
    log = tmp_path / "session.jsonl"
    append(log, claude(1, "one") + claude(2, "two")[:30])
    assert news(follower) == ["one"] and news(follower) == []
    append(log, claude(2, "two")[30:])
    append(log, "{broken\n" + claude(3, "drei ü"))
    (told,) = follower.look()
    assert [one.path for one in told.findings if not isinstance(one, Incoming)] == [f"{tmp_path.name}/session.jsonl#3"]
    assert news(follower) == ["two", "drei ü"] and news(follower) == []


def test_a_last_line_without_an_end_is_taken_once_nobody_writes(tmp_path: Path, follower: Follower) -> None:
    log = tmp_path / "session.jsonl"
    append(log, claude(1, "one") + claude(2, "two").rstrip())
    assert news(follower) == ["one"]
    os.utime(log, (time.time() - 60, time.time() - 60))
    assert news(follower) == ["two"] and news(follower) == []
    append(log, "\n" + claude(3, "three"))
    assert news(follower) == ["three"]


def test_lines_that_rest_on_the_first_ones(tmp_path: Path, follower: Follower) -> None:
    log = tmp_path / "rollout.jsonl"
    append(log, META + codex("yes"))
    (told,) = follower.look()
    assert told.findings[0].conversation == "codex:abc"
    assert news(follower) == ["yes"]
    append(log, codex("yes") + codex("no"))
    follower._rests_until.clear()
    (told,) = follower.look()
    assert {one.conversation for one in told.findings} == {"codex:abc"}
    assert [one.external_id[-2:] for one in told.findings] == ["-2", "-1"]
    assert news(follower) == ["yes", "no"] and news(follower) == []


def test_rotated_truncated_and_put_in_anothers_place(tmp_path: Path, follower: Follower) -> None:
    log = tmp_path / "session.jsonl"
    append(log, claude(1, "one"))
    assert news(follower) == ["one"]
    log.rename(tmp_path / "session.1.jsonl")
    append(tmp_path / "session.1.jsonl", claude(2, "two"))
    append(log, claude(3, "three"))
    assert sorted(news(follower)) == ["three", "two"] and news(follower) == []
    log.write_text(claude(4, "four"))
    assert news(follower) == ["four"]
    log.write_text(claude(5, "another one, longer than what stood there") + claude(6, "six"))
    assert news(follower) == ["another one, longer than what stood there", "six"]
    log.unlink()
    assert news(follower) == []


def test_a_long_log_is_read_in_pieces(tmp_path: Path, follower: Follower, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(following, "CHUNK", 300)
    append(tmp_path / "session.jsonl", "".join(claude(n, f"line {n} " + "x" * 40 * n) for n in range(12)))
    seen: list[str] = []
    while found := news(follower):
        seen += found
    assert [text.split("x")[0] for text in seen] == [f"line {n} " for n in range(12)]


def test_a_chat_is_read_when_nobody_writes_to_it(tmp_path: Path, follower: Follower) -> None:
    chat = tmp_path / "chat.txt"
    append(chat, "[04.03.26, 10:00:01] Ann: one\n[04.03.26, 10:00:02] Bo: two\n")
    assert news(follower) == []
    os.utime(chat, (time.time() - 60, time.time() - 60))
    assert news(follower) == ["one", "two"] and news(follower) == []


@pytest.fixture
def logs(transactional_db: None, tmp_path: Path, settings: Any) -> Path:
    make_scope("yard")
    settings.DATA_DIR = tmp_path / "var"
    logs = tmp_path / "logs"
    logs.mkdir()
    return logs


def run(*arguments: Any) -> list[dict[str, Any]]:
    out = io.StringIO()
    call_command("watch", *map(str, arguments), "--scope", "yard", "--once", "--json", stdout=out, stderr=io.StringIO())
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_the_command_goes_on_where_it_ended(logs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    append(logs / "s1.jsonl", claude(1, "Decision: the gate is green"))
    assert run(logs) == [{"path": str(logs / "s1.jsonl"), "sources": 1, "duplicates": 0}] and run(logs) == []
    append(logs / "s1.jsonl", claude(2, "Decision: the door is blue"))

    def away(*_: Any, **__: Any) -> None:
        raise OperationalError("gone")

    with monkeypatch.context() as broken, pytest.raises(OperationalError):
        broken.setattr(watch, "take_batch", away)
        run(logs)
    assert run(logs)[0]["sources"] == 1
    assert list(Source.objects.order_by("pk").values_list("text", flat=True)) == [
        "Decision: the gate is green", "Decision: the door is blue",
    ]  # fmt: skip
    # Without its positions it begins anew, and everything is known.
    watch.kept_positions("yard").write_text("{")
    assert run(logs) == [{"path": str(logs / "s1.jsonl"), "sources": 0, "duplicates": 2}]


def test_only_what_is_new_where_that_is_wanted(logs: Path) -> None:
    append(logs / "s1.jsonl", claude(1, "long ago"))
    assert run(logs, "--new-only") == []
    append(logs / "s1.jsonl", claude(2, "just now"))
    assert run(logs, "--new-only")[0]["sources"] == 1
    assert Source.objects.get().text == "just now"


def test_two_do_not_watch_one_scope(logs: Path) -> None:
    with folder.locked(watch.kept_positions("yard").with_suffix(".lock")), pytest.raises(CommandError, match="another"):
        run(logs)
