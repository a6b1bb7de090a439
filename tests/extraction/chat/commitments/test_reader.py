"""The reader at work: a household's messages become runs, candidates with evidence of both messages, gates and a kept reading."""

import json
from datetime import datetime, timedelta

import pytest

from extraction.chat.commitments.extractor import COORDINATION
from extraction.extractors.registry import for_scope
from extraction.runs.pipeline import work_off
from ledger.actions.ingest import Incoming, ingest
from ledger.actions.promote import promote
from ledger.actions.run import request_run
from ledger.actions.scope import add_person, create_scope
from ledger.actor import operator
from ledger.models import Claim, Gate, Run, Scope, Source

pytestmark = pytest.mark.django_db(transaction=True)
PERSON = operator("Ada")
NOON = datetime.fromisoformat("2026-05-05T12:00:00+02:00")


@pytest.fixture
def home(db: None) -> Scope:
    scope = create_scope("home", tier="project", packs=["household"], timezone="Europe/Berlin", actor=PERSON)
    for name, role in (("Nadia", "guardian"), ("Erik", "guardian"), ("Tuva", "child"), ("Hub", "bot")):
        add_person(scope, name=name, role=role, actor=PERSON)
    return scope


def say(home: Scope, sender: str, text: str, minutes: int, **more: str) -> Source:
    one = Incoming(
        text=text, kind="message", conversation="family", sender=sender, sender_kind=more.pop("by", "user"),
        sent_at=NOON + timedelta(minutes=minutes), external_id=f"x{minutes}", **more,
    )  # fmt: skip
    return ingest([one], scope=home, actor=PERSON, extractors=[])[0].source


def read(home: Scope, source: Source) -> Run:
    """A run of this reader alone."""
    (run,) = request_run(source, actor=PERSON, extractors=for_scope(home, only=[COORDINATION]))
    work_off([run.pk])
    run.refresh_from_db()
    return run


def test_an_answer_becomes_an_assignment_with_the_question_as_context(home: Scope):
    asked = say(home, "Nadia", "Who's getting Tuva from swimming on Thursday at 5?", 0)
    taken = say(home, "Erik", "I'll do it", 4)
    run = read(home, taken)
    claim = Claim.objects.get(run=run)
    assert run.status == "succeeded" and claim.kind_id == "assignment" and claim.status == "pending"
    assert claim.assignee == "Erik"
    assert claim.value == {
        "task": "pick up (swimming)", "assignee": "Erik", "for": ["Tuva"], "start": "2026-05-07T17:00:00+02:00"
    }  # fmt: skip
    quotes = {one.source_id: (one.quote, one.stance) for one in claim.evidence.all()}
    assert quotes == {taken.pk: ("I'll do it", "supports"), asked.pk: (asked.text, "context")}
    # Not after two days, as Thursday is still to come.
    assert claim.expires_at == datetime.fromisoformat("2026-05-07T23:59:00+02:00") > taken.sent_at + timedelta(hours=48)
    assert len(claim.summary) <= 140


def test_what_was_understood_stands_on_the_run(home: Scope):
    say(home, "Nadia", "Who's getting Tuva?", 0)
    run = read(home, say(home, "Erik", "me", 1))
    kept = json.loads(run.raw_answer)
    assert kept["attribution"] == {"source_message_id": "x0", "attribution_confidence": 0.85}
    assert (kept["is_coordination"], kept["coordination_type"], kept["assigned_to"]) == (True, "transport", ["Erik"])
    gate = Gate.objects.get(run=run)
    assert (gate.stage, gate.threshold, gate.passed) == ("extraction", 0.6, True)
    assert gate.score == kept["confidence_scores"]["extraction_confidence"]


def test_a_late_guess_is_dropped_at_the_gate(home: Scope):
    say(home, "Nadia", "Who's getting Tuva?", 0)
    run = read(home, say(home, "Erik", "I'll do it", 90))
    assert not Claim.objects.filter(run=run).exists()
    assert run.hits.get().fate == "dropped"


def test_said_again_within_the_hour_it_is_seen_again(home: Scope):
    say(home, "Nadia", "Who's getting Tuva?", 0)
    read(home, say(home, "Erik", "me", 1))
    read(home, say(home, "Erik", "I'll pick up Tuva", 20))
    assert Claim.objects.get(scope=home, kind="assignment").seen_count == 2


def test_a_bot_is_given_no_duty_and_a_question_is_no_claim(home: Scope):
    question = say(home, "Nadia", "Who's getting Tuva?", 0)
    bot = say(home, "Hub", "I'll pick up Tuva", 1, by="agent")
    assert not Claim.objects.filter(run__in=[read(home, question), read(home, bot)]).exists()


def test_a_confirmed_weekly_event_tells_whose_activity_it_is(home: Scope):
    add_person(home, name="Ivar", role="child", actor=PERSON)
    event = read(home, say(home, "Nadia", "Ivar has judo every Tuesday at 16:00", -600))
    claim = Claim.objects.get(run=event)
    assert claim.value["rrule"] == "FREQ=WEEKLY;BYDAY=TU"
    promote(claim, actor=PERSON, expected_version=claim.version)
    say(home, "Nadia", "who's on judo today?", 0)
    run = read(home, say(home, "Erik", "me", 1))
    assert json.loads(run.raw_answer)["child"] == ["Ivar"]


@pytest.mark.parametrize(
    "words", ["not sure", "ok but no", "sure, but I can't", "vale pero no puedo", "klar aber nein"]
)
def test_a_yes_that_is_taken_back_is_no_yes(home: Scope, words: str):
    say(home, "Nadia", "Can you pick up Tuva at 5?", 0)
    read(home, say(home, "Erik", words, 2))
    assert not Claim.objects.exists()


def test_a_line_that_hardly_says_so_is_for_a_person(home: Scope):
    say(home, "Nadia", "Can you pick up Tuva at 5?", 0)
    read(home, say(home, "Erik", "already round the corner", 2))
    assert [one.needs_review for one in Claim.objects.all()] == [True]


@pytest.mark.parametrize("words", ["the cat is asleep", "pizza", "maybe", "lol", "hm", "quizás", "vielleicht", "🍕"])
def test_a_line_that_accepts_nothing_assigns_nothing(home: Scope, words: str):
    say(home, "Nadia", "Can you pick up Tuva at 5?", 0)
    read(home, say(home, "Erik", words, 2))
    assert not Claim.objects.exists()


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        ("You take Ivar to judo and I'll get Tuva from choir", {("Nadia", "Ivar"), ("Erik", "Tuva")}),
        ("Nadia has Tuva, I have Ivar", {("Nadia", "Tuva"), ("Erik", "Ivar")}),
        ("tú llevas a Ivar y yo a Tuva", {("Nadia", "Ivar"), ("Erik", "Tuva")}),
        ("du holst Ivar, ich bringe Tuva", {("Nadia", "Ivar"), ("Erik", "Tuva")}),
    ],
)
def test_each_person_of_a_message_gets_their_own_part(home: Scope, words: str, parts: set[tuple[str, str]]):
    add_person(home, name="Ivar", role="child", actor=PERSON)
    say(home, "Nadia", "How do we do tomorrow, Ivar and Tuva both need a ride at 4", 0)
    read(home, say(home, "Erik", words, 2))
    claims = Claim.objects.filter(kind="assignment")
    assert {(one.assignee, *one.value["for"]) for one in claims} == parts


def test_you_have_her_and_i_cook_is_one_part(home: Scope):
    say(home, "Nadia", "already left work, getting Tuva", 0)
    read(home, say(home, "Erik", "oh ok you have her, I'll start dinner", 6))
    assert [one.assignee for one in Claim.objects.all()] == ["Nadia"]
