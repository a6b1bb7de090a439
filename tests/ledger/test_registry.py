"""The files of the discussions, in the shapes that other tools read (D1, D2, D10)."""

import json
import re

import pytest
from django.core.management import call_command

from extraction.extractors.registry import for_scope
from extraction.runs.pipeline import work_off
from ledger.actions.curate import curate
from ledger.actions.ingest import Incoming, ingest
from ledger.actions.promote import promote
from ledger.actions.scope import create_scope
from ledger.actions.supersede import supersede
from ledger.actor import demo, operator
from ledger.models import Claim, Pattern, Scope
from ledger.projections.export import export

pytestmark = pytest.mark.django_db(transaction=True)
PERSON = operator("Ada")
DECISION = {
    "id", "task_id", "statement", "type", "confidence", "source", "downstream", "created_at", "supersedes", "status",
}  # fmt: skip
PATTERN = {"id", "task_id", "type", "detected_at", "messages", "description", "extracted_decision", "auto_detected"}
TALK = [
    ("user", "Nadia", "Where are the minutes of the last council?"),
    ("agent", "bot", "I put the minutes into the chat."),
    ("user", "Nadia", "No, that's wrong. Minutes go into the card."),
    ("user", "Piet", "Decision: The card is closed by whoever opened it"),
    ("user", "Nadia", "Agreed"),
]


@pytest.fixture
def board(db: None) -> Scope:
    scope = create_scope("board", tier="project", packs=["discussion"], timezone="America/New_York", actor=PERSON)
    items = [
        Incoming(
            text=text, kind="message", sender=sender, sender_kind=by, conversation="T045", external_id=f"T045-{at}"
        )
        for at, (by, sender, text) in enumerate(TALK)
    ]
    items.append(Incoming(text="Decision: The shed is painted red\n", external_id="plan"))
    ingest(items, scope=scope, actor=PERSON, extractors=for_scope(scope))
    work_off()
    for claim in Claim.objects.exclude(statement__contains="chat"):
        promote(claim, actor=PERSON)
    return scope


def written(scope: Scope, what: str) -> str:
    return b"".join(export(scope, PERSON.access, format=what)).decode()


def test_decisions_have_the_registrys_shape(board: Scope) -> None:
    rows = json.loads(written(board, "decisions"))
    assert [set(row) for row in rows] == [DECISION] * 3
    by = {row["statement"]: row for row in rows}
    constraint = by["Minutes go into the card"]
    assert re.fullmatch(r"DEC-\d{8}-\d{3,}", constraint["id"])
    assert constraint["type"] == "constraint" and constraint["task_id"] == "T045"
    assert constraint["source"]["messages"] == [2]
    assert constraint["source"]["summary"] == "Nadia corrected bot"
    assert constraint["supersedes"] is None and constraint["status"] == "active" and constraint["downstream"] == []
    assert constraint["created_at"][-6:] in ("-05:00", "-04:00") and constraint["confidence"] == "medium"
    decided = by["The card is closed by whoever opened it"]
    assert decided["confidence"] == "high" and decided["source"]["messages"] == [3, 4]
    assert by["The shed is painted red"]["task_id"] == "board"
    assert by["The shed is painted red"]["source"]["messages"] == []


def test_what_gave_way_names_its_successor_and_what_waits_is_no_decision(board: Scope) -> None:
    old = Claim.objects.get(statement__contains="shed")
    items = [Incoming(text="Decision: The shed is painted blue\n", external_id="plan2")]
    ingest(items, scope=board, actor=PERSON, extractors=for_scope(board))
    work_off()
    new = Claim.objects.get(statement__contains="blue")
    assert new.ref not in written(board, "decisions")
    promote(new, actor=PERSON, on_conflict="coexist")
    supersede(Claim.objects.get(pk=old.pk), by=Claim.objects.get(pk=new.pk), actor=PERSON)
    rows = {row["id"]: row for row in json.loads(written(board, "decisions"))}
    assert rows[old.ref]["status"] == "superseded" and rows[new.ref]["supersedes"] == old.ref


def test_patterns_are_one_object_a_line(board: Scope) -> None:
    rows = [json.loads(line) for line in written(board, "patterns").splitlines()]
    assert [row["type"] for row in rows] == ["correction", "confirmation"]
    assert all(set(row) == PATTERN for row in rows)
    assert rows[0]["messages"] == [1, 2] and rows[0]["task_id"] == "T045" and rows[0]["auto_detected"] is True
    assert rows[0]["extracted_decision"] == Claim.objects.get(statement="Minutes go into the card").ref
    assert re.fullmatch(r"PAT-\d{8}-\d{3,}", rows[1]["id"]) and rows[1]["messages"] == [3, 4]


def test_tasks_keep_the_discussion_and_point_at_what_was_extracted(board: Scope) -> None:
    tasks = json.loads(written(board, "tasks"))
    assert list(tasks) == ["T045", "board"]
    task = tasks["T045"]
    assert [line["text"] for line in task["discussion"]] == [text for _, _, text in TALK]
    state = task["extracted_state"]
    assert set(state) == {"decisions", "patterns", "last_extracted"} and state["last_extracted"]
    registry = {row["id"]: row for row in json.loads(written(board, "decisions"))}
    for ref in state["decisions"]:
        for index in registry[ref]["source"]["messages"]:
            assert task["discussion"][index]["text"]
    assert len(state["decisions"]) == 2 and state["patterns"] == list(
        Pattern.objects.order_by("id").values_list("ref", flat=True)
    )
    assert tasks["board"]["discussion"] == [] and len(tasks["board"]["extracted_state"]["decisions"]) == 1


def test_the_command_writes_the_same_bytes(board: Scope, tmp_path) -> None:
    curate(board, "working.record", statement="The card is the record", actor=demo("Ada"))
    for what in ("tasks", "decisions", "patterns"):
        out = tmp_path / what
        call_command("export", scope="board", format=what, out=out)
        assert out.read_text(encoding="utf-8") == written(board, what)
