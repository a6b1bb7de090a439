"""A model as enricher (T9): it is asked what is missing, only adds, and repeats nothing that somebody dismissed."""

from typing import Any

import pytest

from extraction.extractors.registry import for_scope
from extraction.runs.dry_run import dry_run
from extraction.runs.pipeline import work_off
from ledger.actions.bundle import incoming_turn
from ledger.actions.decide import reject
from ledger.actions.ingest import ingest
from ledger.models import Claim, Run, RunHit, Scope
from ledger.rules.bundles.turn import Turn, TurnItem
from tests.extraction.extractors.model.conftest import op
from tests.extraction.extractors.model.server import Model, answers, fails
from tests.ledger.blocks.conftest import held
from tests.people import People, make_people, make_scope

pytestmark = pytest.mark.django_db
WORDS = "The visitors walk over the floor in wet shoes."
SLIPPERY = "Does the floor need a coating against slipping?"


@pytest.fixture
def studio() -> Scope:
    studio = make_scope("studio", packs=("production",))
    make_scope("studio/floor", tier="item", parent=studio)
    return studio


@pytest.fixture
def crew(studio: Scope) -> People:
    return make_people(studio)


def turn(studio: Scope, crew: People, number: str, only: str = "enricher_model", **more: Any) -> Run:
    said = {"stage": "planning", "selected": ["floor"], "free_chat": WORDS} | more
    bundle = Turn(id=number, items=[TurnItem("floor", "Floor")], **said)
    incoming = incoming_turn(bundle, scope=studio, actor=crew.bob)
    (done,) = ingest([incoming], scope=studio, actor=crew.bob, extractors=for_scope(studio, only=[only]))
    work_off()
    return Run.objects.get(source=done.source)


def missing(quote: str, statement: str, **more: Any) -> dict[str, Any]:
    asked = {"kind": "open_question", "key": None, "value": None, "scope": {"type": "item", "itemId": "floor"}}
    return op(quote, statement=statement, **asked | more)


def test_a_model_adds_questions_on_the_words_that_brought_them_to_mind(
    studio: Scope, crew: People, model: Model
) -> None:
    held(studio, crew.bob, "On 1 December", key="project.timeline.event_start", value="2026-12-01")
    before = list(Claim.objects.values_list("pk", "status", "version"))
    model.says(
        answers(
            {
                "ops": [
                    missing("wet shoes", SLIPPERY),
                    missing("wet shoes", "Must the floor have a coating against slipping?"),
                    missing("the floor", "x", key="item.dimensions.width"),
                    missing("The visitors", "x", key="project.timeline.event_start", scope={"type": "project"}),
                    missing("wet shoes", "What of it?", op="UPDATE"),
                    missing("dry shoes", "Who dries the shoes?"),
                    op("visitors walk over", kind="fact", key="project.summary.client", value="visitors"),
                ]
            }
        )
    )
    run = turn(studio, crew, "t1")
    assert (run.status, run.extractor, run.stats["calls"]) == ("succeeded", "enricher_model", 1), run.error
    asked, width = Claim.objects.filter(extractor="enricher_model").order_by("pk")
    assert (asked.statement, asked.kind_id, asked.scope.path) == (SLIPPERY, "open_question", "studio/floor")
    assert (asked.status, asked.needs_review, asked.rule) == ("pending", True, "enricher.model")
    assert asked.confidence <= 0.3 and asked.evidence.get().quote == "wet shoes"
    assert (width.key, width.statement) == ("item.dimensions.width", "How wide is it?")
    assert sorted(RunHit.objects.filter(run=run).values_list("why", flat=True)) == [
        "it may only add", "it says it twice", "kind 'fact' was not asked for here",
        "project.timeline.event_start is known", "the source does not say this",
    ]  # fmt: skip
    assert list(Claim.objects.exclude(extractor="enricher_model").values_list("pk", "status", "version")) == before


def test_what_was_dismissed_is_told_and_not_said_again_in_other_words(
    studio: Scope, crew: People, model: Model
) -> None:
    model.says(answers({"ops": [missing("wet shoes", SLIPPERY)]}))
    turn(studio, crew, "t1")
    reject(Claim.objects.get(), actor=crew.bob)
    model.says(answers({"ops": [missing("wet shoes", "Is a coating needed against slipping on the floor?")]}))
    turn(studio, crew, "t2")
    assert Claim.objects.get().status == "rejected"
    told = model.requests[1]["messages"][1]["content"]
    assert "SUGGESTED BEFORE" in told and SLIPPERY in told
    assert "Report only ADD" in model.requests[1]["messages"][0]["content"]


def test_agents_words_bring_nothing_to_mind_and_rules_need_no_server(studio: Scope, crew: People, model: Model) -> None:
    quiet = turn(studio, crew, "t1", free_chat="", agent_output="Visitors may slip.")
    assert (quiet.status, model.calls) == ("succeeded", 0)
    model.says(answers({"ops": [missing("may slip", SLIPPERY)]}))
    run = turn(studio, crew, "t2", agent_output="Visitors may slip.")
    assert RunHit.objects.get(run=run).why == "no user's words brought it to mind" and not Claim.objects.exists()
    model.says(fails(401))
    ruled = turn(studio, crew, "t3", only="enricher")
    assert ruled.status == "succeeded" and Claim.objects.filter(rule="enricher.public").exists()
    before = Claim.objects.count()
    assert dry_run(ruled.source, for_scope(studio, only=["enricher_model"])) == []
    assert turn(studio, crew, "t4").status == "failed" and Claim.objects.count() == before


def test_without_a_server_only_the_rules_are_queued(studio: Scope) -> None:
    assert [one.name for one in for_scope(studio)] == ["rules", "answers", "enricher"]
