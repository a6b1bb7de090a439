"""Knowledge blocks through the API's door and on the scope's page."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from ledger.models import Scope
from tests.review.door import House

WIDTH = "item.dimensions.width"


@pytest.fixture
def sheet(house: House) -> House:
    Scope.objects.filter(path="studio").update(packs=["production"])
    Scope.objects.filter(path="studio/backdrop").update(tier="item")
    return house


def held(house: House, scope: str, statement: str, **more: Any) -> tuple[str, int]:
    """Its ref, and the event by which it came to hold."""
    body = {"scope": scope, "kind": "fact", "statement": statement, **more}
    status, made = house.bob("POST", "/candidates", body)
    assert status == 201, made
    status, done = house.bob("POST", f"/candidates/{made['candidate']['id']}/promote", {})
    assert status == 200, done
    return done["candidate"]["ref"], done["event"]["id"]


def test_a_block_fills_is_read_and_empties_again(sheet: House) -> None:
    ref, event = held(sheet, "studio/backdrop", "The backdrop is 6 m wide", key=WIDTH, value="6 m")
    status, found = sheet.vera("GET", "/scope/blocks?scope=studio/backdrop")
    block = next(one for one in found["items"] if one["key"] == "item.dimensions")
    assert status == 200 and block["content"]["width"] == {"value": 6, "unit": "m", "factId": ref}
    assert (block["revision"], block["author"], found["next"]) == (1, "bob", None)
    status, one = sheet.agent("GET", "/scope/blocks/item.dimensions?scope=studio/backdrop")
    assert status == 200 and one == block
    status, text = sheet.agent("GET", "/scope/blocks/item.dimensions?scope=studio/backdrop&format=markdown")
    assert status == 200 and text.startswith("## Dimensions\n") and f"- Width: 6 m `{ref}`" in text
    assert sheet.bob("POST", f"/journal/{event}/undo", {})[0] == 200
    status, one = sheet.vera("GET", "/scope/blocks/item.dimensions?scope=studio/backdrop")
    assert one["content"]["width"]["value"] is None and one["revision"] == 2
    status, then = sheet.vera("GET", "/scope/blocks/item.dimensions?scope=studio/backdrop&revision=1")
    assert then["content"] == block["content"]
    rows = sheet.vera.pages("/scope/blocks/item.dimensions/history?scope=studio/backdrop")
    assert [(row["revision"], row["verb"], row["changes"]) for row in rows] == [
        (2, "undo", [{"op": "remove", "ref": ref}]), (1, "promote", [{"op": "add", "ref": ref}]),
    ]  # fmt: skip
    assert rows[1]["event"] == event and rows[1]["actor"]["name"] == "bob"


def test_all_that_is_known_of_a_scope_holds_its_blocks_now_and_then(sheet: House) -> None:
    ref, event = held(
        sheet, "studio", "The fair opens on 1 December", key="project.timeline.event_start", value="2026-12-01"
    )
    at = sheet.bob("GET", f"/journal?ref={ref}")[1]["items"][-1]["at"].replace("+", "%2B")
    for query in ("", f"&believed_at={at}"):
        status, state = sheet.vera("GET", f"/scope/state?scope=studio{query}")
        (block,) = [one for one in state["blocks"] if one["key"] == "project.timeline"]
        assert status == 200 and block["content"]["event_start"] == {"value": "2026-12-01", "factId": ref}
    sheet.bob("POST", f"/journal/{event}/undo", {})
    (block,) = [
        one for one in sheet.vera("GET", "/scope/state?scope=studio")[1]["blocks"] if one["key"] == "project.timeline"
    ]
    assert block["content"]["event_start"]["value"] is None
    (block,) = [
        one
        for one in sheet.vera("GET", f"/scope/state?scope=studio&believed_at={at}")[1]["blocks"]
        if one["key"] == "project.timeline"
    ]
    assert block["content"]["event_start"]["value"] == "2026-12-01"


@pytest.mark.parametrize(
    ("path", "wanted"),
    [
        ("/scope/blocks?scope=kitchen", 404),
        ("/scope/blocks?scope=nowhere", 404),
        ("/scope/blocks/item.dimensions?scope=studio", 404),
        ("/scope/blocks/none%00?scope=studio", 404),
        ("/scope/blocks/project.budget?scope=studio&revision=7", 404),
        ("/scope/blocks/project.budget?scope=studio&revision=99999999999999999999", 404),
        ("/scope/blocks/project.budget?scope=studio&format=pdf", 422),
        ("/scope/blocks/project.budget/history?scope=studio&cursor=x", 422),
        ("/scope/blocks/project.budget/history?scope=studio&limit=201", 422),
    ],
)
def test_what_is_not_there_or_not_asked_well(sheet: House, path: str, wanted: int) -> None:
    status, problem = sheet.vera("GET", path)
    assert status == wanted, problem
    assert sheet.charlie("GET", "/scope/blocks?scope=studio")[0] == 404
    assert sheet.anonymous("GET", "/scope/blocks?scope=studio")[0] == 401


def test_without_a_pack_there_are_none(house: House) -> None:
    assert house.vera("GET", "/scope/blocks?scope=studio") == (200, {"items": [], "next": None})


def test_the_page_shows_each_line_with_its_source(sheet: House) -> None:
    page = sheet.session("vera").client
    queries = []
    for at in range(3):
        ref, _ = held(sheet, "studio/backdrop", f"Rule <b>{at}</b>", kind="constraint")
        with CaptureQueriesContext(connection) as captured:
            text = page.get("/scopes/studio/backdrop").content.decode()
        queries.append(len(captured))
    assert 'data-block="item.constraints"' in text and f'data-ref="{ref}"' in text
    assert "Rule &lt;b&gt;2&lt;/b&gt;" in text and 'data-action="source"' in text and "<b>2" not in text
    assert queries[1] == queries[2]
