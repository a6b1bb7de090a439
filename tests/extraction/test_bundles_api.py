"""Turns and episodes through the API's own door."""

import hashlib
from typing import Any

import pytest

from extraction.runs.pipeline import work_off
from ledger.models import Claim, Evidence, JournalEvent, Source
from review.models import TokenKind
from review.tokens import create_token
from tests.extraction.test_sources_api import OPERATOR, Door, doors  # noqa: F401

pytestmark = pytest.mark.django_db(transaction=True)

TURN = {
    "scope": "yard",
    "id": "turn-1",
    "stage": "planning",
    "items": [{"id": "i1", "name": "Backdrop"}, {"id": "i2", "name": "Floor"}, {"id": "i3", "name": "Floor"}],
    "selected": ["i1"],
    "questions": [{"id": "q1", "text": "May we drill?"}],
    "answers": [{"question": "q1", "quick": "Don't know", "text": "ask @Floor"}],
    "free_chat": "Decision: the backdrop is painted on site.",
    "agent_output": None,
    "sent_at": "2026-02-03T10:30:00+01:00",
}


def test_a_turn_is_kept_once_and_read_once(doors: tuple[Door, Door]) -> None:  # noqa: F811
    owner, agent = doors
    code, sent = owner("POST", "/turns", TURN)
    assert code == 201 and sent["source"]["kind"] == "turn" and sent["source"]["external_id"] == "turn-1"
    text = sent["source"]["text"]
    assert 'A1(qId=q1): quick=IDK text="ask @Floor"' in text and "[AGENT_OUTPUT]\n(none)\n" in text
    assert sent["source"]["sha256"] == hashlib.sha256(text.encode()).hexdigest()
    assert [(m["words"], m["fits"], m["needs_review"]) for m in sent["mentions"]] == [("Floor", ["i2", "i3"], True)]
    code, again = owner("POST", "/turns", TURN)
    assert code == 200 and again["duplicate"] and Source.objects.count() == 1
    undated = {name: value for name, value in TURN.items() if name != "sent_at"} | {"id": "turn-2"}
    assert [owner("POST", "/turns", undated)[0] for _ in range(2)] == [201, 200]
    assert JournalEvent.objects.filter(verb="ingest").count() == 2
    work_off()
    claim = Claim.objects.get(kind__name="decision")
    evidence = Evidence.objects.get(claim=claim, source=sent["source"]["id"])
    assert (evidence.speaker, evidence.section.name) == ("user", "FREE_CHAT")
    assert text[evidence.start : evidence.end] == evidence.quote


def test_words_of_speakers_who_were_not_granted_are_refused(doors: tuple[Door, Door]) -> None:  # noqa: F811
    _, agent = doors
    create_token(
        name="narrow", kind=TokenKind.AGENT, scopes=["yard"], grants=["ingest"], actor=OPERATOR, secret="cs_narrow"
    )
    narrow = Door("cs_narrow")
    assert narrow("POST", "/turns", TURN)[0] == 403
    assert narrow("POST", "/episodes", {"scope": "yard", "events": [{"type": "user", "text": "Use brass."}]})[0] == 403
    assert agent("POST", "/turns", {"scope": "yard", "agent_output": "I used brass."})[0] == 201
    assert Source.objects.count() == 1


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"selected": ["i9"]}, "selected.0"),
        ({"answers": [{"question": "q9"}]}, "answers.0.question"),
        ({"items": [{"id": "i1", "name": "a"}, {"id": "i1", "name": "b"}]}, "items.1.id"),
        ({"answers": [{"question": "q1", "quick": "perhaps"}]}, "answers.0.quick"),
        ({"free_chat": "a\0b"}, "free_chat"),
        ({"questions": "q"}, "questions"),
        ({"nonsense": 1}, "nonsense"),
        ({"sent_at": "2026-02-03T10:30:00"}, "sent_at"),
    ],
)
def test_what_is_wrong_is_named(doors: tuple[Door, Door], change: dict[str, Any], field: str) -> None:  # noqa: F811
    owner, _ = doors
    code, answer = owner("POST", "/turns", TURN | change)
    assert code == 422 and field in str(answer["errors"]), answer
    assert not Source.objects.exists()


def test_an_episode_keeps_each_event_as_it_came(doors: tuple[Door, Door]) -> None:  # noqa: F811
    owner, _ = doors
    events = [
        {"type": "user", "text": "Constraint: never push on Fridays.\n"},
        {"type": "model", "text": "[9 USER]\nUnderstood."},
        {"type": "tool", "text": "E   ImportError: no module", "exit_code": 1, "tool": "pytest"},
    ]
    code, sent = owner("POST", "/episodes", {"scope": "yard", "conversation": "run-4", "events": events})
    assert code == 201 and sent["source"]["kind"] == "episode" and sent["source"]["conversation"] == "run-4"
    text, said = sent["source"]["text"], [s for s in sent["source"]["sections"] if s["name"]]
    assert [text[s["start"] : s["end"]] for s in said] == [event["text"] for event in events]
    assert [s["speaker"] for s in said] == ["user", "agent", "tool"]
    assert said[2]["heading_path"] == ["pytest", "exit 1"]
    work_off()
    assert Evidence.objects.get(claim__kind__name="constraint").speaker == "user"
    assert owner("POST", "/episodes", {"scope": "yard", "events": []})[0] == 422
    assert owner("POST", "/episodes", {"scope": "yard", "events": [{"type": "cat", "text": "miaow"}]})[0] == 422
    assert owner("POST", "/episodes", {"scope": "nowhere", "events": events})[0] == 404


def test_the_same_key_sends_one_turn(doors: tuple[Door, Door]) -> None:  # noqa: F811
    owner, _ = doors
    without_id = {name: value for name, value in TURN.items() if name != "id"}
    first = owner("POST", "/turns", without_id, **{"Idempotency-Key": "t1"})[1]["source"]["id"]
    again = owner("POST", "/turns", without_id, **{"Idempotency-Key": "t1"})[1]["source"]["id"]
    assert first == again and Source.objects.count() == 1
    assert owner("POST", "/turns", without_id | {"stage": "ideation"}, **{"Idempotency-Key": "t1"})[0] == 409


def test_an_episode_only_grows(doors: tuple[Door, Door]) -> None:  # noqa: F811
    owner, _ = doors
    first = {"type": "model", "text": "I try it."}
    grown = {"type": "tool", "text": "it failed", "exit_code": 1}
    sent = {"scope": "yard", "id": "run-9", "events": [first]}
    assert [owner("POST", "/episodes", sent)[0] for _ in range(2)] == [201, 200]
    code, longer = owner("POST", "/episodes", sent | {"events": [first, grown]})
    assert code == 201 and longer["source"]["replaces"]
    code, refused = owner("POST", "/episodes", sent | {"events": [{"type": "model", "text": "I never tried."}]})
    assert code == 422 and refused["errors"][0]["field"] == "events"
    assert Source.objects.count() == 2
