"""A domain with items, blocks and questions, without Python: the beekeeper's pack of docs/examples, from the file to a sheet."""

from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from extraction.runs.pipeline import work_off
from ledger.models import Claim, Run
from tests.review.door import House, build_house

FILE = Path(__file__).parents[2] / "docs" / "examples" / "apiary.toml"
QUEEN, STRENGTH, MITES = "item.queen.year", "item.colony.strength", "item.health.mites"


@pytest.fixture
def bees(transactional_db: None) -> House:
    house = build_house()
    call_command("packs", "load", str(FILE))
    apiary = {"packs": ["apiary"], "stage": "summer"}
    assert house.alice("PATCH", "/scope?scope=studio", apiary)[0] == 200
    hive = {"scope": "studio/hive-3", "tier": "item", "name": "Hive 3"}
    assert house.alice("POST", "/scopes", hive)[0] == 201
    return house


def visit(house: House, *answers: dict[str, str], **more: Any) -> None:
    asked = [{"id": one["question"], "text": "?"} for one in answers]
    turn = {"scope": "studio", "stage": "summer", "items": [{"id": "hive-3", "name": "Hive 3"}], "selected": ["hive-3"]}
    status, answer = house.bob("POST", "/turns", {**turn, "questions": asked, "answers": list(answers), **more})
    assert status in (200, 201), answer
    work_off()


def sheet(house: House, block: str) -> dict[str, Any]:
    status, found = house.vera("GET", f"/scope/blocks/{block}?scope=studio/hive-3")
    assert status == 200, found
    content: dict[str, Any] = found["content"]
    return content


def test_a_visit_fills_the_sheet_of_a_hive(bees: House) -> None:
    visit(
        bees,
        {"question": QUEEN, "text": "2025"},
        {"question": STRENGTH, "quick": "IDK"},
        {"question": MITES, "text": "3"},
        free_chat="Seen: eggs and young brood on four combs. Treatment: formic acid, 20 ml.",
    )
    found = {claim.key or claim.kind_id: claim for claim in Claim.objects.filter(scope__path__startswith="studio")}
    assert found[QUEEN].value == 2025 and found[MITES].high_risk
    assert (found[STRENGTH].kind_id, found[STRENGTH].extractor) == ("to_look_at", "enricher")
    assert found["constraint"].statement == "Gloves and goggles are worn with acids."
    for key in (QUEEN, STRENGTH, MITES):
        assert bees.bob("POST", f"/candidates/{found[key].ref}/promote", {})[0] == 200
    assert sheet(bees, "item.queen")["year"] == {"value": 2025, "factId": found[QUEEN].ref}
    (open_,) = sheet(bees, "item.open")["open"]
    assert (open_["key"], open_["resolved"]) == (STRENGTH, False)
    (item,) = [one for one in bees.vera("GET", "/items?scope=studio")[1]["items"] if one["scope"] == "studio/hive-3"]
    told = {field["key"]: (field["value"], field["origin"]) for field in item["fields"]}
    assert told["item.colony.temper"] == ("calm", "default") and told[QUEEN] == (2025, "fact")

    visit(bees, {"question": STRENGTH, "text": "8"})
    known = Claim.objects.get(key=STRENGTH, kind="fact")
    assert bees.bob("POST", f"/candidates/{known.ref}/promote", {})[0] == 200
    (closed,) = sheet(bees, "item.open")["open"]
    assert (closed["resolved"], closed["answeredBy"]) == (True, known.ref)


def test_an_item_is_found_by_each_of_its_names_and_what_leads_nowhere_is_told(bees: House) -> None:
    number = next(one["id"] for one in bees.vera("GET", "/items?scope=studio")[1]["items"] if "hive" in one["scope"])
    for at, id_ in enumerate(("hive-3", "studio/hive-3", str(number), "of my own", "nowhere")):
        name = "Hive 9" if id_ == "nowhere" else "Hive 3"
        said = {"items": [{"id": id_, "name": name}], "selected": [id_]}
        visit(bees, {"question": QUEEN, "text": f"202{at}"}, **said)
    places = [(claim.scope.path, claim.value) for claim in Claim.objects.filter(key=QUEEN, kind="fact").order_by("pk")]
    assert places == [*[("studio/hive-3", 2020 + at) for at in range(4)], ("studio", 2024)]
    told = notes_of(Run.objects.filter(extractor="answers").latest("pk"))
    assert told == ["nowhere leads to no item of studio: its answers stay with the project"]


def notes_of(run: Run) -> list[str]:
    return list(run.hits.filter(fate="note").order_by("number").values_list("why", flat=True))


def test_an_answer_that_becomes_no_fact_is_told_with_its_reason(bees: House) -> None:
    visit(
        bees,
        {"question": "queen", "text": "of last year"},
        {"question": "item.queen.yaer", "text": "2024"},
        {"question": "item.colony.temper", "quick": "yes"},
        {"question": MITES, "quick": "no"},
        {"question": STRENGTH, "quick": "irrelevant"},
    )
    told = notes_of(Run.objects.get(extractor="answers"))
    assert told.pop(0).startswith("the answer fits no number: 'of last year'")
    assert told[0] == "a question's id is the key that its answer fills, and 'item.queen.yaer' is no key here"
    assert told[1].startswith("the answer fits no enum: 'Yes'") and told[2].startswith(
        "the answer fits no number: 'No'"
    )
    assert len(told) == 3 and not Claim.objects.filter(kind="fact").exists()


def test_a_labelled_line_goes_to_the_item_whose_sheet_lists_it(bees: House) -> None:
    hive = {"scope": "studio/hive-4", "tier": "item", "name": "Hive 4"}
    assert bees.alice("POST", "/scopes", hive)[0] == 201
    both = [{"id": "hive-3", "name": "Hive 3"}, {"id": "hive-4", "name": "Hive 4"}]
    said = "Seen: brood on four combs.\nSeen: no eggs in @Hive 4\nDecision: no more feeding."
    said += "\nAction: look into @Hive 4 again\nHarvest: 14 kg"
    visit(bees, items=both, selected=["hive-3"], free_chat=said)
    places = {(claim.kind_id, claim.scope.path) for claim in Claim.objects.filter(extractor="rules")}
    # What only items list goes to all that the turn is about, where its own words mention none; a decision is the apiary's.
    assert places == {
        *((kind, f"studio/{hive}") for kind in ("inspection", "fact") for hive in ("hive-3", "hive-4")),
        ("decision", "studio"),
        ("action_item", "studio/hive-4"),
    }
    assert Claim.objects.get(statement__contains="eggs").scope.path == "studio/hive-4"
    assert [claim.needs_review for claim in Claim.objects.filter(statement__startswith="brood")] == [True, True]


def test_what_waits_for_a_decision_is_not_asked_again_and_a_turn_is_in_the_stage_of_its_project(bees: House) -> None:
    visit(bees, {"question": "project.site.register", "quick": "yes"}, items=[], selected=[])
    turn = {
        "scope": "studio/hive-3",
        "questions": [{"id": QUEEN, "text": "?"}],
        "answers": [{"question": QUEEN, "text": "2023"}],
    }
    status, sent = bees.bob("POST", "/turns", turn)
    assert status == 201 and "\nstage=summer\n" in sent["source"]["text"]
    winter = {"scope": "studio", "stage": "winter", "free_chat": "Seen: nothing new."}
    assert bees.bob("POST", "/turns", winter)[0] == 201
    work_off()
    assert not Claim.objects.filter(key="project.site.register", extractor="enricher").exists()
    assert bees.alice("PATCH", "/scope?scope=studio", {"stage": ""})[0] == 200
    status, refused = bees.bob("POST", "/turns", {"scope": "studio", "free_chat": "Seen: nothing."})
    assert (
        status == 422
        and refused["detail"] == "name the turn's stage or give its scope one of spring, summer, autumn, winter"
    )
