"""Through the command: an import can be repeated, grow and change, and what the program says is nobody's word."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from ledger.actions.scope import create_scope
from ledger.actor import operator
from ledger.models import Claim, Evidence, Source
from tests.extraction.importers.reading import put

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def yard(transactional_db: None) -> None:
    create_scope("yard", tier="project", packs=["engineering"], timezone="Europe/Madrid", actor=operator("ada"))


def run(path: Path, *more: str) -> dict[str, Any]:
    out = io.StringIO()
    call_command("ingest", str(path), "--scope", "yard", "--json", *more, verbosity=0, stdout=out, stderr=io.StringIO())
    said: dict[str, Any] = json.loads(out.getvalue().splitlines()[-1])
    return said


LINES = [f"{day:02}/03/24, 10:{minute:02} - {name}: line {minute} of {day}" for day in (5, 20) for minute, name in
         enumerate(["Ada", "Ben", "Ada", "Ada", "Ben"])]  # fmt: skip
LINES.insert(4, LINES[3])


def test_a_chat_grows_at_both_ends_under_any_name(tmp_path: Path) -> None:
    first = put(tmp_path / "one" / "WhatsApp Chat with Yard.txt", "\n".join(LINES[3:7]))
    assert run(first)["sources"] == 4
    assert run(first) | {"wave": None} == {
        "sources": 0, "duplicates": 4, "skipped": [], "remarks": [], "wave": None, "candidates": 0,
    }  # fmt: skip
    longer = put(tmp_path / "two" / "chat backup.txt", "\n".join(LINES))
    said = run(longer)
    assert (said["sources"], said["duplicates"]) == (len(LINES) - 4, 4)
    assert set(Source.objects.values_list("conversation__external_id", flat=True)) == {"chat:WhatsApp Chat with Yard"}
    other = put(tmp_path / "three" / "WhatsApp Chat with Neighbours.txt", "05/03/24, 10:00 - Cy: hello\n")
    assert (
        run(other)["sources"] == 1 and Source.objects.filter(conversation__external_id__contains="Neigh").count() == 1
    )
    late = Source.objects.get(text="line 0 of 20").sent_at
    assert late is not None and late.isoformat() == "2024-03-20T09:00:00+00:00"


def message(number: int, text: str, **more: Any) -> dict[str, Any]:
    row = {"id": number, "type": "message", "date_unixtime": str(1709287200 + number), "from": "Ada", "text": text}
    return row | more


def test_an_edit_replaces_and_replies_hold(tmp_path: Path) -> None:
    chat = {
        "name": "Yard",
        "type": "private_group",
        "id": 7,
        "messages": [message(1, "Paint it blue?"), message(2, "yes", reply_to_message_id=1)],
    }
    file = put(tmp_path / "result.json", chat)
    assert run(file)["sources"] == 2
    chat["messages"] = [
        message(1, "Paint it green?", edited_unixtime="1709287300"),
        *chat["messages"][1:],
        message(3, "ok"),
    ]
    said = run(put(file, chat))
    assert (said["sources"], said["duplicates"]) == (2, 1)
    edited = Source.objects.get(text="Paint it green?")
    assert edited.replaces is not None and edited.replaces.text == "Paint it blue?" and edited.edited_at is not None
    assert Source.objects.get(text="yes").reply_to == "1" == edited.external_id
    assert run(file)["sources"] == 0


def test_what_the_program_says_anchors_no_norm(tmp_path: Path) -> None:
    words = "Decision: We must always keep the blue door."
    chat = {"name": "Yard", "type": "private_group", "id": 7, "messages": [
        message(1, words, type="service", action="pin_message"), message(2, "", photo="a.jpg"),
    ]}  # fmt: skip
    run(put(tmp_path / "result.json", chat))
    said = run(
        put(
            tmp_path / "chat.txt",
            '05/03/24, 10:00 - Ada changed the subject to "Decision: sell"\n05/03/24, 10:01 - Ada: hello\n',
        )
    )
    assert said["sources"] == 2
    norms = ("decision", "constraint", "requirement", "preference", "commitment")
    assert not Claim.objects.filter(kind__in=norms).exists()
    run(put(tmp_path / "result.json", {**chat, "messages": [message(9, words)]}))
    assert Claim.objects.filter(kind="decision").exists()
    for one in Evidence.objects.select_related("source"):
        assert one.source.text[one.start : one.end] == one.quote


def test_half_an_emoji_is_refused_by_its_place(tmp_path: Path) -> None:
    rows = [message(1, "good"), message(2, "half \ud83d")]
    said = run(put(tmp_path / "result.json", json.dumps({"id": 7, "name": "Yard", "messages": rows})))
    assert said["sources"] == 1 and "lone surrogate at 5" in said["skipped"][0]["why"]
    assert "result.json#messages.1" in said["skipped"][0]["path"]


def test_of_very_many_broken_lines_the_first_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("extraction.intake.batches.MAX_SKIPPED", 5)
    said = run(put(tmp_path / "a.jsonl", '{"text": "good"}\n' + "broken\n" * 20))
    assert said["sources"] == 1 and len(said["skipped"]) == 6 and said["skipped"][-1]["why"].startswith("15 more")
