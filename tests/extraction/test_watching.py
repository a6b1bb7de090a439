"""The tripwire at the door: what is sent is judged in its thread, logged with what was written, and read only where it passed."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from extraction.api.sources import take_batch
from extraction.intake.gate import tripwire_checks
from extraction.intake.take import incoming, source_in, take
from ledger.actions.ingest import Incoming
from ledger.actions.load_pack import load_pack
from ledger.actions.scope import add_person, create_scope
from ledger.actor import operator
from ledger.models import Gate, Run, Scope, Source
from ledger.packs import SHIPPED

pytestmark = pytest.mark.django_db(transaction=True)
PERSON = operator("Alice")
NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)


@pytest.fixture
def home() -> Scope:
    for name in ("core", "household"):
        load_pack((SHIPPED / f"{name}.toml").read_bytes(), file=f"{name}.toml")
    scope = create_scope("home", tier="project", packs=["household"], actor=PERSON)
    add_person(scope, name="Ada", role="guardian", actor=PERSON)
    add_person(scope, name="Bo", role="guardian", actor=PERSON)
    add_person(scope, name="Pim", role="child", aliases=["Pimmy"], actor=PERSON)
    return scope


def message(text: str, minute: int, sender: str = "Ada", **more: Any) -> dict[str, Any]:
    sent = (NOON + timedelta(minutes=minute)).isoformat()
    return {
        "scope": "home",
        "kind": "message",
        "conversation": "family",
        "sender": sender,
        "sent_at": sent,
        "text": text,
        **more,
    }


def take_body(body: dict[str, Any]) -> Source:
    item = source_in(body)
    return take([incoming(item)], scope=Scope.objects.get(path=item.scope), actor=PERSON)[0].source


def send(body: dict[str, Any]) -> Gate:
    return Gate.objects.get(source=take_body(body), stage="tripwire")


def test_what_does_not_pass_is_kept_and_not_read(home: Scope) -> None:
    asked = send(message("Who can pick up Pimmy from judo tomorrow?", 0))
    assert asked.passed and asked.decision == "proceed" and asked.score >= asked.threshold == 0.7
    assert Run.objects.filter(source=asked.source).count() >= 1
    chat = send(message("what a film that was", 30))
    assert not chat.passed and chat.decision == "drop" and chat.run is None
    assert not Run.objects.filter(source=chat.source).exists()
    assert Source.objects.get(pk=chat.source_id).text == "what a film that was"


def test_an_answer_passes_by_its_thread_and_nowhere_else(home: Scope) -> None:
    assert not send(message("me", 0, "Bo", conversation="elsewhere")).passed
    send(message("Who's getting Pim from judo?", 1))
    answer = send(message("me", 3, "Bo"))
    assert answer.passed and any("coordination thread +0.15" in why for why in answer.patterns)
    assert any("short in the thread +0.20" in why for why in answer.patterns)


def test_a_question_stays_answerable_for_a_quarter_of_an_hour(home: Scope) -> None:
    send(message("Who's getting Pim from judo on Thursday?", 0))
    late = send(message("I'll do it", 15, "Bo"))
    assert late.passed and not any("coordination thread" in why for why in late.patterns)


def test_a_reply_counts_as_context_at_any_age(home: Scope) -> None:
    send(message("Can you take Pim to judo on Thursday?", 0, external_id="q"))
    for minute in range(1, 12):
        send(message("did you see that goal", minute * 10, "Bo"))
    assert not send(message("yes ok", 200, "Bo")).passed
    assert send(message("yes ok", 201, "Bo", reply_to="q")).passed


def test_in_a_batch_the_earlier_items_are_context(home: Scope) -> None:
    sent = [
        message("Judo for Pim at 5, can you drive?", 0),
        message("yep, on it", 1, "Bo"),
        message("lol that cat", 30, "Bo"),
    ]
    _, answers = take_batch({"sources": sent}, PERSON)
    passed = [Gate.objects.get(source=one["source"], stage="tripwire").passed for one in answers]
    assert passed == [True, True, False]
    _, again = take_batch({"sources": sent}, PERSON)
    assert [one["duplicate"] for one in again] == [True] * 3
    assert Gate.objects.filter(stage="tripwire").count() == 3


def test_only_messages_and_only_where_a_pack_has_a_tripwire(home: Scope) -> None:
    create_scope("works", tier="project", actor=PERSON)
    take_body({"scope": "works", "kind": "message", "text": "Who picks up Pim?"})
    take_body({"scope": "home", "kind": "document", "text": "Who picks up Pim?"})
    assert not Gate.objects.exists()
    inside = create_scope("home/trip", tier="item", actor=PERSON)
    assert 0 in tripwire_checks([Incoming("Who picks up Pim tomorrow?", kind="message")], inside)


def test_it_costs_the_same_queries_for_one_as_for_many(home: Scope) -> None:
    counts = []
    for many in (2, 60):
        items = [
            Incoming(
                f"Judo at {n % 12}?", kind="message", conversation=f"c{n % 20}", external_id=f"{many}.{n}", reply_to="x"
            )
            for n in range(many)
        ]
        with CaptureQueriesContext(connection) as captured:
            assert len(tripwire_checks(items, home)) == many
        counts.append(len(captured))
        take(items, scope=home, actor=PERSON)
    assert counts[0] == counts[1] <= 5


def test_null_is_as_good_as_left_out(home: Scope) -> None:
    assert send(message("Who can get Pim at 4?", 0, reply_to=None, title=None, external_id=None)).passed
