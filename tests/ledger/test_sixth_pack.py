"""A domain of somebody's own, without Python: a file written by docs/packs.md is checked, loaded, given to a scope, and works."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from extraction.runs.pipeline import work_off
from ledger.models import Claim, Pack
from tests.review.door import House, build_house

HERE = Path(__file__).parent
FILE = HERE / "packs" / "greenhouse.toml"
DOCS = (HERE.parents[1] / "docs" / "packs.md").read_text(encoding="utf-8")
PLAN = """\
# House 2

## Spray plan

Treatment: Predatory mites every second week, and no soap on the ferns.

Night temperature: 12 °C
Withholding period: 5 days
Door width: 90 cm

Idea: a fan above the door

## Scouting round

- Whitefly on the fuchsias beside the door
- Two leaves with rust on the hollyhocks
"""
SAID = "We never spray while the bees are in the house. If it is hot we never water at noon."


@pytest.fixture
def house(transactional_db: None) -> House:
    return build_house()


def claims() -> dict[str, Claim]:
    return {claim.statement: claim for claim in Claim.objects.select_related("kind")}


def read(house: House, kind: str, text: str) -> dict[str, Any]:
    """Send a text as a grower would, and let it be read."""
    status, answer = house.bob("POST", "/sources", {"scope": "studio/backdrop", "kind": kind, "text": text})
    assert status == 201, answer
    work_off()
    found: dict[str, Any] = house.bob("GET", f"/runs/{answer['run']['id']}")[1]
    return found


def test_the_page_shows_the_file_as_it_is() -> None:
    shown = re.search(r"```toml\n(.*?)```", DOCS, re.S)
    assert shown and shown[1] == FILE.read_text(encoding="utf-8")


def test_a_pack_of_ones_own_works(house: House, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("packs", "check", str(FILE))
    assert "greenhouse 1.0.0" in capsys.readouterr().out and not Pack.objects.filter(name="greenhouse").exists()
    call_command("packs", "load", str(FILE))
    status, scope = house.alice("PATCH", "/scope?scope=studio", {"packs": ["greenhouse"], "reason": "We grow plants"})
    assert (status, scope["packs"]) == (200, ["greenhouse"])
    assert house.alice("PATCH", "/scope?scope=studio/backdrop", {"stage": "growing"})[0] == 200

    run = read(house, "document", PLAN)
    assert run["status"] == "succeeded", run["error"]
    found = claims()
    treatment = found["Predatory mites every second week, and no soap on the ferns."]
    assert treatment.kind_id == "treatment" and treatment.ref.startswith("TRT-") and treatment.rule == "line.label"
    assert read(house, "message", SAID)["status"] == "succeeded"
    bees = claims()["We never spray while the bees are in the house."]
    assert (bees.kind_id, bees.rule) == ("treatment", "sentence.never_spray")
    sightings = [claim.statement for claim in found.values() if claim.kind_id == "sighting"]
    assert sorted(sightings) == ["Two leaves with rust on the hollyhocks", "Whitefly on the fuchsias beside the door"]
    (night,) = [claim for claim in found.values() if claim.key]
    assert (night.key, night.value, night.high_risk) == (
        "item.climate.night_temperature", {"number": 12, "unit": "°C"}, True,
    )  # fmt: skip
    assert not any("fan" in statement or "noon" in statement for statement in claims())
    # What is no key here, or not in this season, is told with its reason and can be looked up.
    notes = {hit["hit"]["statement"]: hit["why"] for hit in run["hits"] if hit["fate"] == "note"}
    assert {statement.partition(":")[0] for statement in notes} == {"Withholding period", "Door width"}
    assert any("belongs to selling, and this is growing" in why for why in notes.values())
    assert any("'door-width' is not in force here" in why for why in notes.values())

    # In the season of selling the same words are admitted from the report, and the key asks for days.
    house.alice("PATCH", "/scope?scope=studio/backdrop", {"stage": "selling"})
    number = next(hit["number"] for hit in run["hits"] if "selling" in hit["why"])
    status, answer = house.bob("POST", f"/runs/{run['id']}/admit", {"hits": [number]})
    assert status == 200, answer
    assert Claim.objects.get(key="item.health.withholding").value == {"number": 5, "unit": "d"}


def test_people_and_agents_meet_the_same_registry(house: House) -> None:
    call_command("packs", "load", str(FILE), verbosity=0)
    house.alice("PATCH", "/scope?scope=studio", {"packs": ["greenhouse"], "stage": "growing"})
    fact = {"scope": "studio", "kind": "fact", "statement": "Screens are half open", "key": "screens"}
    status, made = house.agent("POST", "/candidates", fact | {"value": "Half"})
    assert status == 201 and made["candidate"]["key"] == "item.climate.shading"
    assert (made["candidate"]["value"], made["candidate"]["value_type"]) == ("half", "enum")
    for change, field, why in (
        ({"value": "ajar"}, "value", "none of open, half, closed"),
        ({"key": "item.climate.night_temperature", "value": "12 kg"}, "value", "cannot be told in °C"),
        ({"key": "withholding period", "value": "5 days"}, "key", "belongs to selling"),
        ({"key": "door-width", "value": "90 cm"}, "key", "not in force here"),
    ):
        for door in (house.agent, house.bob):
            status, problem = door("POST", "/candidates", fact | change)
            assert status == 422, problem
            assert problem["errors"][0]["field"] == field and why in problem["errors"][0]["message"]
    candidate = made["candidate"]["id"]
    for change, field in (
        ({"value": "ajar"}, "value"),
        ({"key": "door-width"}, "key"),
        ({"key": "night temperature"}, "value"),
    ):
        status, problem = house.bob("PATCH", f"/candidates/{candidate}", change)
        assert (status, problem["errors"][0]["field"]) == (422, field)
    status, edited = house.bob(
        "PATCH",
        f"/candidates/{candidate}",
        {"key": "Night temperature", "value": "12 °C", "statement": "12 °C at night"},
    )
    assert status == 200 and edited["candidate"]["key"] == "item.climate.night_temperature"
    assert edited["candidate"]["value"] == {"number": 12, "unit": "°C"} and edited["candidate"]["high_risk"]
    status, claim = house.bob(
        "POST", "/candidates", fact | {"kind": "sighting", "key": "", "statement": "A mouse in house 3"}
    )
    assert status == 201 and claim["candidate"]["ref"].startswith("SGT-")


def test_the_stage_of_a_turn_is_the_stage_of_what_is_said_in_it(house: House) -> None:
    house.alice("PATCH", "/scope?scope=studio", {"packs": ["production"], "stage": "ideation"})
    turn = {"scope": "studio/backdrop", "free_chat": "Door width: 90 cm"}
    answers = [house.bob("POST", "/turns", turn | {"stage": stage})[1] for stage in ("ideation", "planning")]
    work_off()
    runs = [house.bob("GET", f"/runs/{answer['run']['id']}")[1] for answer in answers]
    assert [run["status"] for run in runs] == ["succeeded"] * 2
    assert [run["stats"]["written"] for run in runs] == [0, 1]
    (note,) = [hit for hit in runs[0]["hits"] if hit["fate"] == "note"]
    assert "belongs to planning and solutioning, and this is ideation" in note["why"]
    claim = Claim.objects.get(key="project.logistics.door_width")
    assert (claim.value, claim.value_type) == ({"number": 90, "unit": "cm"}, "dimension")
    status, problem = house.bob("POST", "/turns", turn | {"stage": "planing"})
    assert status == 422 and problem["errors"][0]["field"] == "stage"
