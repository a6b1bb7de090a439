"""The enricher (T9): required keys that a turn left open become open questions; it only adds, and a no is remembered."""

import pytest

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


def turn(scope: Scope, crew: People, number: str, *answers: TurnAnswer) -> Run:
    said = Turn(
        id=number, stage="ideation", items=[TurnItem("backdrop", "Backdrop")], selected=["backdrop"],
        questions=[TurnQuestion(key, text) for key, text in ASKED.items()], answers=answers,
    )  # fmt: skip
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
