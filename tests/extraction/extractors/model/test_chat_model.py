"""The second tier over chat: the seed's shape read leniently, believed nowhere, and taken where it is surer than the rules."""

import datetime as dt
import json
from typing import Any

import pytest
from django.utils import timezone

from extraction.chat.commitments import Roster
from extraction.chat.people import HouseholdMember
from extraction.chat.second_tier import reading_of, schema_of
from extraction.extractors.chat_model import seed_answer
from extraction.intake.take import take
from extraction.runs.pipeline import work_off
from ledger.actions.ingest import Incoming
from ledger.actions.scope import add_person
from ledger.models import Claim, Run, RunHit, Scope
from tests.extraction.extractors.model.server import Model, answers, fails
from tests.people import make_scope
from tests.review.door import OPERATOR

DAY = dt.date(2026, 5, 4)
PEOPLE = Roster(
    (
        HouseholdMember("John", ("Dad",), "guardian"),
        HouseholdMember("Leo", (), "child"),
        HouseholdMember("Mia", (), "child"),
    )
)
TEXT = "Dad takes  both on Thursday, half four"


def said(**fields: Any) -> dict[str, Any]:
    return {
        "is_coordination": True, "coordination_type": "transport", "dates": ["2026-05-07"], "times": ["16:30"],
        "assigned_to": ["dad"], "child": ["both"], "quote": "both on thursday", "extraction_confidence": 0.9, **fields,
    }  # fmt: skip


def test_an_answer_is_read_as_the_people_and_days_that_there_are() -> None:
    found = reading_of(said(), TEXT, PEOPLE, DAY)
    assert [one.name for one in (*found.assignees, *found.children)] == ["John", "Leo", "Mia"]
    assert (found.type, found.days, found.clocks, found.is_open) == (
        "transport",
        (dt.date(2026, 5, 7),),
        ("16:30",),
        False,
    )


@pytest.mark.parametrize(
    ("text", "around", "clock", "kept"),
    [
        ("noors gi is in the dryer", "", "07:40", False),
        ("I'll do it", "who gets Leo at 4:30?", "16:30", True),
        ("quarter to five then", "", "16:45", True),
        ("pickup 1615", "", "16:15", True),
        ("um halb vier", "", "15:30", True),
        ("see you at noon", "", "12:00", True),
        ("see you at 3", "", "10:25", False),
    ],
)
def test_an_hour_that_nobody_said_is_left_out(text: str, around: str, clock: str, kept: bool) -> None:
    found = reading_of(said(times=[clock], quote=text), text, PEOPLE, DAY, around)
    assert found.clocks == ((clock,) if kept else ())


@pytest.mark.parametrize(
    ("fields", "left"),
    [
        ({"dates": ["soon", "2126-01-01", 7], "times": ["25:00", None], "coordination_type": "party"}, ((), (), "")),
        ({"dates": "2026-05-07", "times": "16:30:00", "coordination_type": None}, ((dt.date(2026, 5, 7),), ("16:30",), "")),
    ],
)  # fmt: skip
def test_what_is_no_day_and_no_clock_is_left_out(fields: dict, left: tuple) -> None:
    found = reading_of(said(**fields, assigned_to=["Nobody", {}], extraction_confidence="x"), TEXT, PEOPLE, DAY)
    assert (found.days, found.clocks, found.type) == left and not found.assignees and found.confidence == 0.0


@pytest.mark.parametrize(
    "value", [None, [], {"is_coordination": "yes"}, said(quote="never said"), said(quote=""), said(quote=7)]
)
def test_what_is_not_in_the_shape_or_quotes_what_nobody_said(value: Any) -> None:
    assert reading_of(value, TEXT, PEOPLE, DAY).fault


def test_only_people_of_the_household_can_be_named() -> None:
    shape = schema_of(PEOPLE)["properties"]
    assert shape["assigned_to"]["items"]["enum"] == ["John", "Leo", "Mia", "unspecified"]
    assert seed_answer("Sure! ```json\n" + json.dumps(said()) + "\n```").value == said()
    assert seed_answer("I will not").fault


@pytest.fixture
def family(db: None) -> Scope:
    scope = make_scope("family", packs=("household",))
    for name, role in (("John", "guardian"), ("Sarah", "guardian"), ("Leo", "child")):
        add_person(scope, name, aliases=[name.lower()], role=role, actor=OPERATOR)
    return scope


def hear(scope: Scope, text: str, sender: str = "Sarah") -> Run | None:
    message = Incoming(
        text=text, kind="message", sender=sender, sender_kind="user", conversation="c", sent_at=timezone.now()
    )
    take([message], scope=scope, actor=OPERATOR)
    work_off()
    return Run.objects.filter(extractor="coordination_model").order_by("-id").first()


UNSURE = "maybe J can do Leo on thursday after practice, idk"


def test_what_it_is_surer_of_is_proposed_for_a_person_to_look_at(family: Scope, model: Model) -> None:
    thursday = timezone.now().date() + dt.timedelta(days=(3 - timezone.now().weekday()) % 7 or 7)
    model.says(answers(said(assigned_to=["John"], child=["Leo"], dates=[f"{thursday}"], quote="J can do Leo")))
    run = hear(family, UNSURE)
    assert run is not None and run.status == "succeeded" and run.model == "small-1"
    [claim] = Claim.objects.filter(run=run)
    assert (claim.kind_id, claim.assignee, claim.rule, claim.status) == (
        "assignment",
        "John",
        "coordination.model",
        "pending",
    )
    assert claim.needs_review and claim.confidence <= 0.9 and claim.value["start"].startswith(f"{thursday}")
    assert claim.evidence.get(stance="supports").quote == UNSURE
    sent = json.dumps(model.requests[0]["messages"])
    assert "MESSAGE" in sent and "Sarah" in sent and model.calls == 1


@pytest.mark.parametrize(
    ("answer", "noted"),
    [
        (said(quote="nobody said this"), 1),
        (said(quote="J can", extraction_confidence=0.1), 0),
        ({"is_coordination": False}, 0),
    ],
)
def test_without_better_knowledge_the_rules_stand(family: Scope, model: Model, answer: dict, noted: int) -> None:
    model.says(answers(answer))
    run = hear(family, UNSURE)
    assert run is not None and run.status == "succeeded" and not Claim.objects.filter(run=run).exists()
    assert RunHit.objects.filter(run=run).count() == noted


def test_a_server_that_fails_is_asked_again_later_and_none_is_asked_elsewhere(
    family: Scope, model: Model, settings
) -> None:
    model.says(fails(503))
    run = hear(family, UNSURE)
    assert run is not None and run.status == "queued"
    assert (run.retry_at - timezone.now()).total_seconds() == pytest.approx(30, abs=10)
    for pause in (120, 300, None):
        Run.objects.filter(pk=run.pk).update(retry_at=None)
        work_off()
        run.refresh_from_db()
        assert (run.status, run.retry_at is None) == (("queued", False) if pause else ("failed", True))
    settings.OPENAI_BASE_URL = "https://models.example.org/v1"
    calls = model.calls
    hear(family, UNSURE + " ok?")
    assert model.calls == calls and Run.objects.filter(extractor="coordination_model").count() == 1
