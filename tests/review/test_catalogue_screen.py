"""The catalogue's screens: a price list comes in, a name is linked by one key, prices are plotted beside their table (T12)."""

import pytest

from ledger.models import CatalogItem, CatalogLink
from tests.review.door import House
from tests.review.screen import Screen

CSV = """name;supplier;amount;unit;currency;date
Sechskantschraube M6 x 40 verzinkt;Weber;0,12;Stk;EUR;2026-03-01
Sechskantschraube M6 x 40 verzinkt;Weber;0,15;Stk;EUR;2026-04-01
<script>alert(1)</script>;Weber;3;Stk;EUR;2026-03-01
nothing;Weber;;Stk;EUR;2026-03-01
"""


@pytest.fixture
def alice(house: House) -> Screen:
    house.alice("POST", "/catalogue", {"scope": "studio", "name": "M6 bolt 40 mm galvanised", "unit": "piece"})
    return Screen("alice")


def test_a_price_list_is_imported_and_its_name_linked_and_unlinked(alice: Screen) -> None:
    page = alice.open("/catalogue?scope=studio")
    assert page.shows("data-action", "prices")
    page = alice.press("prices", csv=CSV)
    assert "3 prices kept" in page.text and "line 5, amount" in page.text
    assert "<script>alert" not in alice.response.content.decode()
    assert "Sechskantschraube M6 x 40 verzinkt" in page.text and page.shows("data-action", "promote")
    page = alice.press("promote")
    assert "is M6 bolt 40 mm galvanised" in page.text and CatalogLink.objects.get().status == "confirmed"
    item = CatalogItem.objects.get(name="M6 bolt 40 mm galvanised")
    shown = alice.open(f"/catalogue/{item.pk}")
    assert "0.135 EUR / piece" in shown.text and "linked by alice" in shown.text
    assert "plot-line" in alice.response.content.decode() and "EUR per piece" in shown.text
    alice.open("/catalogue?scope=studio")
    alice.open(f"/catalogue/{item.pk}")
    alice.press("rename", name="Hex bolt M6 x 40")
    page = alice.press("undo")
    assert CatalogItem.objects.filter(pk=item.pk, name="M6 bolt 40 mm galvanised").exists()


def test_names_are_asked_about_and_a_no_is_remembered(alice: Screen) -> None:
    alice.open("/catalogue?scope=studio")
    alice.press("suggest", names="bolt M6x40 zinc\r\nM8 nut")
    page = alice.press("reject")
    assert "is not M6 bolt" in page.text and not page.shows("data-action", "promote")
    alice.press("suggest", names="bolt M6x40 zinc")
    assert CatalogLink.objects.get().status == "rejected"


def test_who_may_only_read_is_told_what_is_missing(house: House, alice: Screen) -> None:
    vera = Screen("vera")
    page = vera.open("/catalogue?scope=studio")
    assert "M6 bolt" in page.text and not page.shows("data-action", "prices")
    assert Screen("vera").open("/catalogue?scope=studio&cursor=x").text
    charlie = Screen("charlie")
    charlie.open("/catalogue?scope=studio")
    assert charlie.status == 404
    assert "No item here" in charlie.open("/catalogue").text
