"""The table of items and the page of one: sorted, typed over, exported; hostile words stay words."""

import csv
import io

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from ledger.models import Claim, JournalEvent, Scope
from review.desk.item_table import spreadsheet_cell
from tests.people import make_scope
from tests.review.door import House
from tests.review.test_api_blocks import WIDTH, held, sheet

__all__ = ["sheet"]


@pytest.fixture
def client(sheet: House) -> Client:
    client = sheet.session("bob", csrf=False).client
    client.handler.enforce_csrf_checks = False
    return client


def item_named(name: str) -> Scope:
    made = make_scope(f"studio/{name}", tier="item", parent=Scope.objects.get(path="studio"))
    Scope.objects.filter(pk=made.pk).update(name=name.capitalize())
    return made


def test_the_table_is_sorted_by_amounts_whatever_their_unit(sheet: House, client: Client) -> None:
    for name, width in (("floor", "90 cm"), ("arch", "3 m"), ("lamp", "1200 mm")):
        held(sheet, item_named(name).path, f"{width} wide", key=WIDTH, value=width)
    for sort, order in (
        (WIDTH, ["Floor", "Lamp", "Arch", "studio/backdrop"]), (f"-{WIDTH}", ["Arch", "Lamp", "Floor", "studio/backdrop"]),
        ("", ["Arch", "Floor", "Lamp", "studio/backdrop"]), ("nothing", ["Arch", "Floor", "Lamp", "studio/backdrop"]),
    ):  # fmt: skip
        text = client.get("/items", {"scope": "studio", "sort": sort}).content.decode()
        assert sorted(order, key=lambda name: text.index(f">{name}</a>")) == order
    assert 'aria-sort="ascending"' in client.get("/items", {"scope": "studio", "sort": WIDTH}).content.decode()
    assert "studio" in client.get("/items").content.decode()


def test_a_table_costs_the_same_however_many_items(sheet: House, client: Client) -> None:
    asked = []
    client.get("/items?scope=studio")
    for many in (2, 9):
        for at in range(many):
            held(sheet, item_named(f"i{many}-{at}").path, f"{at + 1} m wide", key=WIDTH, value=f"{at + 1} m")
        with CaptureQueriesContext(connection) as captured:
            client.get("/items?scope=studio")
        asked.append(len(captured))
    assert asked[0] == asked[1]


def test_typed_over_on_the_page_undone_and_refused_with_what_was_typed(sheet: House, client: Client) -> None:
    item = Scope.objects.get(path="studio/backdrop")
    ref, _ = held(sheet, item.path, "6 m wide", key=WIDTH, value="6 m")
    page = client.get(f"/items/{item.pk}").content.decode()
    assert f'data-field="{WIDTH}"' in page and 'data-action="source"' in page and f'value="{ref}"' in page
    sent = {"key": WIDTH, "seen": ref, "value": "610 cm", "action": "override"}
    response = client.post(f"/items/{item.pk}/fields", sent, follow=True)
    page = response.content.decode()
    assert "typed by hand" in page and "610 cm" in page and 'data-action="undo"' in page
    event = JournalEvent.objects.get(verb="override")
    assert (event.door, event.actor_name) == ("screen", "bob")
    stale = client.post(f"/items/{item.pk}/fields", sent | {"value": "<b>7 m"})
    assert (
        stale.status_code == 422 and "&lt;b&gt;7 m" in stale.content.decode() and "<b>7" not in stale.content.decode()
    )
    stale = client.post(f"/items/{item.pk}/fields", sent | {"value": "7 m"})
    assert stale.status_code == 409 and 'value="7 m"' in stale.content.decode()
    newer, _ = held(sheet, item.path, "It is 8 m wide", key=WIDTH, value="8 m")
    page = client.get(f"/items/{item.pk}").content.decode()
    assert "Newer facts say otherwise" in page and newer in page
    assert "newer facts differ" in client.get("/items?scope=studio").content.decode()
    typed = Claim.objects.get(kind="manual")
    client.post(f"/items/{item.pk}/fields", {"key": WIDTH, "seen": typed.ref, "action": "release"})
    assert "typed by hand" not in client.get(f"/items/{item.pk}").content.decode()


def test_the_export_holds_no_formula(sheet: House, client: Client) -> None:
    item = item_named("lamp")
    Scope.objects.filter(pk=item.pk).update(name='=HYPERLINK("http://x")')
    for key, value in ((WIDTH, "6 m"), ("item.materials.main", "@SUM(A1)"), ("item.summary.quantity", 3)):
        held(sheet, item.path, f"{key} {value}", key=key, value=value)
    response = client.get("/items.csv?scope=studio")
    assert response["Content-Type"] == "text/csv; charset=utf-8" and response.content.startswith(b"\xef\xbb\xbf")
    rows = list(csv.DictReader(io.StringIO(response.content.decode("utf-8-sig"))))
    (row,) = [row for row in rows if row["item"] == "studio/lamp"]
    assert (row["name"], row["Width"], row["Material"], row["Quantity"]) == (
        "'=HYPERLINK(\"http://x\")", "6 m", "'@SUM(A1)", "3",
    )  # fmt: skip
    assert len(rows) == 2


@pytest.mark.parametrize("words", ["=1", "+1", "-1 mm", "@x", "\t=1", " =1", "\r+1", "＝1", "|x"])
def test_what_a_spreadsheet_would_run_is_words(words: str) -> None:
    assert spreadsheet_cell(words) == f"'{words}"
    assert (spreadsheet_cell(-1.5), spreadsheet_cell(None), spreadsheet_cell("Oak - raw")) == (-1.5, "", "Oak - raw")
    assert spreadsheet_cell(True) == "yes"


def test_empty_states(house: House) -> None:
    client = house.session("vera").client
    assert "There is no item yet" in client.get("/items").content.decode()
    assert "There is no item here yet" in client.get("/items?scope=studio").content.decode()
    assert client.get("/items?scope=kitchen").status_code == 404
    assert client.get("/items/999999").status_code == 404
