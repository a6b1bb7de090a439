"""The snapshot of what is known (T3): within its budget, and first what the text is about."""

import json
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from extraction.extractors.findings import Reading
from extraction.extractors.model.snapshot import MAX_ITEMS, MAX_KNOWN, snapshot_of
from extraction.extractors.model.tokens import most_tokens
from ledger.models import CatalogItem, Scope, Source
from ledger.reads.packs import packs_of
from tests.ledger.blocks.conftest import held
from tests.people import People, make_people, make_scope, tell


@pytest.fixture
def studio(db: None) -> Scope:
    return make_scope("studio", packs=("production",))


@pytest.fixture
def crew(studio: Scope) -> People:
    return make_people(studio)


def reading_of(source: Source) -> Reading:
    return Reading(source, source.scope, packs_of(source.scope), timezone.now())


def lines_of(source: Source, **budget: int) -> list[dict[str, Any]]:
    return [json.loads(line) for line in snapshot_of(reading_of(source)).as_text(**budget).splitlines()]


def test_what_the_text_is_about_comes_first_however_old(studio: Scope, crew: People) -> None:
    backdrop, floor = (make_scope(f"studio/{name}", tier="item", parent=studio) for name in ("backdrop", "floor"))
    Scope.objects.filter(pk=backdrop.pk).update(name="Backdrop")
    old, _ = held(studio, crew.bob, "The budget is 900 EUR", key="project.budget.total", value="900 EUR")
    wide, _ = held(backdrop, crew.bob, "6 m wide", key="item.dimensions.width", value="6 m")
    for at in range(MAX_KNOWN + 5):
        held(floor, crew.bob, f"Rule {at} of the floor", kind="constraint")
    CatalogItem.objects.create(scope=studio, name="Aluminium rail")
    CatalogItem.objects.create(scope=studio, name="Molton black")
    asked = tell(studio, crew.bob, "Is the budget still right? The Backdrop gets molton.")
    found = lines_of(asked)
    assert {"item": "backdrop", "name": "Backdrop"} in found
    (terms,) = [line["catalogue"] for line in found if "catalogue" in line]
    assert terms[0] == "Molton black"
    (risky,) = [line["highRiskKeys"] for line in found if "highRiskKeys" in line]
    assert "project.budget.total" in risky[:3]
    refs = [line["ref"] for line in found if "ref" in line]
    assert refs[:2] == [wide.ref, old.ref]


def test_of_many_items_the_one_that_was_selected_is_there(studio: Scope, crew: People) -> None:
    for at in range(MAX_ITEMS + 5):
        make_scope(f"studio/a{at:02}", tier="item", parent=studio)
    rail = make_scope("studio/rail", tier="item", parent=studio)
    wide, _ = held(rail, crew.bob, "6 m wide", key="item.dimensions.width", value="6 m")
    asked = tell(studio, crew.bob, '[TURN_META]\nselectedItemIds=["rail"]\n\n[FREE_CHAT]\nIs it too wide?\n')
    found = lines_of(asked)
    assert len([line for line in found if "name" in line]) == MAX_ITEMS
    assert found[0]["item"] == "rail"
    assert wide.ref in [line.get("ref") for line in found]


def test_it_keeps_to_its_budget_and_to_a_number_of_statements(studio: Scope, crew: People) -> None:
    for at in range(30):
        held(studio, crew.bob, f"Rule {at}: nobody may lean a ladder against wall {at}", kind="constraint")
    source = tell(studio, crew.bob, "What about the ladder?")
    for budget in (0, 60, 1_500):
        text = snapshot_of(reading_of(source)).as_text(budget)
        assert text == "(nothing)" or most_tokens(text) <= budget
    assert len(lines_of(source, budget_tokens=1_500)) < len(lines_of(source, budget_tokens=4_000))
    reading = reading_of(source)
    with CaptureQueriesContext(connection) as captured:
        snapshot_of(reading)
    assert len(captured) <= 9
