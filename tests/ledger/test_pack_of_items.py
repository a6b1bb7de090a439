"""A domain with items, blocks and questions, without Python: the beekeeper's pack of docs/examples, from the file to a sheet."""

from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from extraction.runs.pipeline import work_off
from ledger.models import Claim
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
