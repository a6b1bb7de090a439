"""Items through the API's door: fields with origin and source, and a person's hand over them."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from ledger.models import Claim, Scope
from tests.people import make_scope
from tests.review.door import House
from tests.review.test_api_blocks import WIDTH, held, sheet

__all__ = ["sheet"]


def field_of(item: dict[str, Any], key: str = WIDTH) -> dict[str, Any]:
    found: dict[str, Any] = next(field for field in item["fields"] if field["key"] == key)
    return found


def test_a_field_by_its_origins(sheet: House) -> None:
    status, found = sheet.vera("GET", "/items?scope=studio")
    (item,) = found["items"]
    assert status == 200 and (item["scope"], item["project"], found["next"]) == ("studio/backdrop", "studio", None)
    assert (field_of(item)["origin"], field_of(item)["value"], field_of(item)["source"]) == ("none", None, None)
    ref, _ = held(sheet, "studio/backdrop", "The backdrop is 6 m wide", key=WIDTH, value="6 m")
    path = f"/items/{item['id']}/fields/{WIDTH}"
    status, one = sheet.agent("GET", f"/items/{item['id']}")
    shown = field_of(one)
    assert (shown["origin"], shown["ref"], shown["value"]) == ("fact", ref, {"number": 6, "unit": "m"})
    source = sheet.vera("GET", f"/sources/{shown['source']['source']}")[1]
    assert source["text"][shown["source"]["start"] : shown["source"]["end"]] == shown["source"]["quote"]
    status, done = sheet.bob("PUT", path, {"value": "610 cm", "seen": ref, "reason": "measured"})
    assert status == 200, done
    assert (done["event"]["verb"], done["event"]["reason"]) == ("override", "measured")
    shown = field_of(done["item"])
    assert (shown["origin"], shown["value"], shown["source"]["quote"]) == (
        "override", {"number": 610, "unit": "cm"}, "Width: 610 cm",
    )  # fmt: skip
    assert not shown["stale"]
    newer, _ = held(sheet, "studio/backdrop", "It is 7 m wide", key=WIDTH, value="7 m")
    shown = field_of(sheet.vera("GET", f"/items/{item['id']}")[1])
    assert (shown["stale"], shown["newer"], shown["origin"]) == (True, [newer], "override")
    assert field_of(sheet.vera("GET", "/scope/state?scope=studio")[1]["items"][0]) == shown
    status, done = sheet.session("bob")("DELETE", path)
    assert status == 200 and field_of(done["item"])["value"] == {"number": 7, "unit": "m"}
    assert sheet.bob("POST", f"/journal/{done['event']['id']}/undo", {})[0] == 200
    assert field_of(sheet.vera("GET", f"/items/{item['id']}")[1])["origin"] == "override"


def test_a_key_of_its_own_makes_a_repeated_write_harmless(sheet: House) -> None:
    pk = sheet.vera("GET", "/items?scope=studio")[1]["items"][0]["id"]
    first = sheet.bob("PUT", f"/items/{pk}/fields/{WIDTH}", {"value": "6 m"}, **{"Idempotency-Key": "a"})
    again = sheet.bob("PUT", f"/items/{pk}/fields/{WIDTH}", {"value": "6 m"}, **{"Idempotency-Key": "a"})
    assert first == again and Claim.objects.filter(kind="manual").count() == 1


@pytest.mark.parametrize(
    ("who", "method", "path", "body", "wanted", "field"),
    [
        ("bob", "PUT", WIDTH, {"value": "blue"}, 422, "value"),
        ("bob", "PUT", WIDTH, {}, 422, "value"),
        ("bob", "PUT", WIDTH, {"value": None}, 422, "value"),
        ("bob", "PUT", WIDTH, {"value": "6 m", "seen": "FCT-20200101-001"}, 409, ""),
        ("bob", "PUT", "item.dimensions.girth", {"value": "6 m"}, 404, ""),
        ("bob", "PUT", "a%00b", {"value": "6 m"}, 404, ""),
        ("bob", "DELETE", WIDTH, None, 404, ""),
        ("vera", "PUT", WIDTH, {"value": "6 m"}, 403, ""),
        ("agent", "PUT", WIDTH, {"value": "6 m"}, 403, ""),
        ("charlie", "PUT", WIDTH, {"value": "6 m"}, 404, ""),
    ],
)
def test_what_is_refused(sheet: House, who: str, method: str, path: str, body: Any, wanted: int, field: str) -> None:
    pk = sheet.vera("GET", "/items?scope=studio")[1]["items"][0]["id"]
    status, problem = getattr(sheet, who)(method, f"/items/{pk}/fields/{path}", body)
    assert status == wanted, problem
    assert not field or problem["errors"][0]["field"] == field
    assert not Claim.objects.exists()


def test_what_is_no_item_is_not_there(sheet: House) -> None:
    for pk in (Scope.objects.get(path="studio").pk, 999_999, "x", 10**30):
        assert sheet.vera("GET", f"/items/{pk}")[0] == 404
    assert sheet.vera("GET", "/items?scope=kitchen")[0] == 404


def test_a_page_of_items_costs_the_same_however_many(sheet: House) -> None:
    studio, asked = Scope.objects.get(path="studio"), []
    assert sheet.vera("GET", "/items?scope=studio")[0] == 200
    for many in (3, 12):
        for at in range(many):
            item = make_scope(f"studio/i{many}-{at}", tier="item", parent=studio)
            held(sheet, item.path, f"{at + 1} m wide", key=WIDTH, value=f"{at + 1} m")
        with CaptureQueriesContext(connection) as captured:
            assert len(sheet.vera("GET", "/items?scope=studio&limit=200")[1]["items"]) >= many
        asked.append(len(captured))
    assert asked[0] == asked[1]
    assert [one["scope"] for one in sheet.vera.pages("/items?scope=studio")] == sorted(
        Scope.objects.filter(tier="item").values_list("path", flat=True)
    )
