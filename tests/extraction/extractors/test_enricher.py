"""The enricher (T9): required keys that a turn left open become open questions; it only adds, and a no is remembered."""

from typing import Any

import pytest

from extraction.extractors.enricher.extractor import MAX_DUE
from extraction.extractors.registry import for_scope
from extraction.runs.pipeline import work_off
from ledger.actions.bundle import incoming_turn
from ledger.actions.decide import reject
from ledger.actions.ingest import ingest
from ledger.actions.promote import promote
from ledger.models import Claim, Run, Scope
from ledger.projections.blocks import block_of
from ledger.rules.bundles.turn import Turn, TurnAnswer, TurnItem, TurnQuestion
from tests.ledger.blocks.conftest import held
from tests.people import People, make_people, make_scope

WIDTH, HEIGHT, CLIENT = "item.dimensions.width", "item.dimensions.height", "project.summary.client"
ASKED = {
    WIDTH: "How wide is it?",
    HEIGHT: "How high is it?",
    CLIENT: "Who is it made for?",
    "project.summary.style": "Which look?",
}


@pytest.fixture
def studio(db: None) -> Scope:
    return make_scope("studio", packs=("production",))


@pytest.fixture
def backdrop(studio: Scope) -> Scope:
    return make_scope("studio/backdrop", tier="item", parent=studio)


@pytest.fixture
def crew(studio: Scope) -> People:
    return make_people(studio)


def turn(scope: Scope, crew: People, number: str, *answers: TurnAnswer, **more: Any) -> Run:
    asked = [TurnQuestion(key, text) for key, text in ASKED.items()]
    given = {"stage": "ideation", "selected": ["backdrop"], "questions": asked} | more
    said = Turn(id=number, items=[TurnItem("backdrop", "Backdrop")], answers=answers, **given)
    incoming = incoming_turn(said, scope=scope, actor=crew.bob)
    (done,) = ingest([incoming], scope=scope, actor=crew.bob, extractors=for_scope(scope, only=["enricher"]))
    work_off()
    return Run.objects.get(source=done.source)


def test_what_nobody_could_say_is_asked_and_closes_once_it_is_known(
    studio: Scope, backdrop: Scope, crew: People
) -> None:
    held(backdrop, crew.bob, "3 m high", key=HEIGHT, value="3 m")
    run = turn(studio, crew, "t1", TurnAnswer(WIDTH, "IDK", "ask Ann"), TurnAnswer(CLIENT, "", "The museum"))
    assert run.status == "succeeded", run.error
    (claim,) = Claim.objects.filter(kind="open_question")
    assert (claim.scope, claim.key, claim.statement) == (backdrop, WIDTH, "How wide is it?")
    assert (claim.status, claim.extractor, claim.rule) == ("pending", "enricher", "enricher.unanswered")
    assert claim.evidence.get().quote == "How wide is it?"
    promote(claim, actor=crew.bob)
    entry = block_of(backdrop, "item.openQuestions").content["questions"][0]
    assert entry["resolved"] is False
    held(backdrop, crew.bob, "6 m wide", key=WIDTH, value="6 m")
    assert block_of(backdrop, "item.openQuestions").content["questions"][0]["resolved"] is True


def test_a_no_is_remembered_and_nothing_is_changed(studio: Scope, backdrop: Scope, crew: People) -> None:
    turn(studio, crew, "t1")
    asked = {claim.key: claim for claim in Claim.objects.filter(kind="open_question")}
    assert asked.keys() == {WIDTH, HEIGHT, CLIENT}
    reject(asked[WIDTH], actor=crew.bob)
    before = list(Claim.objects.order_by("pk").values_list("pk", "status", "version"))
    turn(studio, crew, "t2", TurnAnswer(WIDTH, "IDK"))
    assert list(Claim.objects.order_by("pk").values_list("pk", "status", "version")) == before


def test_what_a_stage_should_have_settled_is_its_checklist(studio: Scope, backdrop: Scope, crew: People) -> None:
    held(backdrop, crew.bob, "6 m wide", key=WIDTH, value="6 m")
    irrelevant = TurnAnswer(HEIGHT, "IRRELEVANT")
    turn(studio, crew, "t1", irrelevant, stage="ideation", questions=[TurnQuestion(HEIGHT, "How high is it?")])
    assert not Claim.objects.filter(extractor="enricher").exists()
    chat = {"stage": "solutioning", "questions": (), "free_chat": "Let us go on."}
    turn(studio, crew, "t2", **chat)
    first = list(Claim.objects.filter(rule="enricher.due").order_by("pk"))
    assert len(first) == MAX_DUE and not {WIDTH, HEIGHT, CLIENT} & {claim.key for claim in first}
    assert {claim.evidence.get().quote for claim in first} == {"stage=solutioning"}
    reject(first[0], actor=crew.bob)
    turn(studio, crew, "t3", **chat)
    turn(studio, crew, "t4", **chat)
    again = Claim.objects.filter(rule="enricher.due")
    assert again.count() == again.distinct("scope", "key").count() == 2 * MAX_DUE
    assert again.filter(status="rejected").count() == 1


def test_a_suggestion_rests_on_the_words_that_brought_it_to_mind(studio: Scope, backdrop: Scope, crew: People) -> None:
    turn(
        studio,
        crew,
        "t1",
        questions=(),
        free_chat="It will stand outdoors all week.",
        agent_output="It hangs from the roof.",
    )
    (claim,) = Claim.objects.filter(extractor="enricher")
    assert (claim.scope, claim.kind_id, claim.statement) == (
        backdrop,
        "constraint",
        "It must stand rain, sun and wind.",
    )
    assert (claim.status, claim.rule, claim.needs_review) == ("pending", "enricher.outdoors", True)
    assert claim.evidence.get().quote == "outdoors"
    reject(claim, actor=crew.bob)
    turn(studio, crew, "t2", questions=(), free_chat="Outdoors, as I said.")
    turn(studio, crew, "t3", questions=(), free_chat="Not outdoors after all.")
    assert Claim.objects.filter(extractor="enricher").count() == 1
