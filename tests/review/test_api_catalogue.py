"""The catalogue over HTTP: items, suggestions, links with their undo, price lists, suppliers' figures (T12)."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from ledger.actions.catalog_links import suggest_facts, suggest_for_claims
from ledger.actions.promote import promote
from ledger.models import CatalogItem, CatalogLink, Claim, JournalEvent, PriceObservation
from ledger.rules.catalogue import CONFIDENT
from tests.people import candidate
from tests.review.door import OPERATOR, House

LIST = """Artikel;Lieferant;Preis;Einheit;Währung;Datum
Sechskantschraube M6 x 40 verzinkt;Weber;0,12;Stk;EUR;01.03.2026
Sechskantschraube M8 x 40 verzinkt;Weber;0,19;Stk;EUR;01.03.2026
Birkensperrholz 18 mm;Weber;38,50;m²;EUR;01.03.2026
Birkensperrholz 18 mm;Kranz;;m²;EUR;01.03.2026
Leim;Kranz;4,10;l;EUR;03/04/2026
Leim;Kranz;4,10;l;goats;01.03.2026
"""


def bolts(house: House) -> dict[str, int]:
    names = (
        "M6 bolt 40 mm galvanised",
        "M8 bolt 40 mm galvanised",
        "cable 2.5 mm² red",
        "cable 25 mm² red",
        "cable 2.5 mm² black",
    )
    made = [house.alice("POST", "/catalogue", {"scope": "studio", "name": name, "unit": "piece"}) for name in names]
    assert [status for status, _ in made] == [201] * len(names)
    return {item["name"]: item["id"] for _, item in made}


def suggested(house: House, name: str) -> tuple[str, dict] | None:
    status, found = house.alice("POST", "/catalogue/suggest", {"scope": "studio/backdrop", "names": [name]})
    assert status == 200, found
    (row,) = found["items"]
    return (row["suggestions"][0]["item"]["name"], row["suggestions"][0]) if row["suggestions"] else None


def test_numbers_units_and_colours_decide_what_is_suggested(house: House) -> None:
    bolts(house)
    for asked, meant in {
        "Sechskantschraube M6x40 verzinkt": "M6 bolt 40 mm galvanised",
        "bolt, M8 x 40, zinc plated": "M8 bolt 40 mm galvanised",
        "Kabel 2,5 mm2 rot": "cable 2.5 mm² red",
        "cable noir 2.5mm²": "cable 2.5 mm² black",
    }.items():
        found = suggested(house, asked)
        assert found and found[0] == meant and found[1]["confidence"] >= CONFIDENT and found[1]["why"], asked
    for asked in ("M10 bolt 40 mm", "cable 2.5 mm² blue", "M6 nut", "wood glue", "<script>alert(1)</script>"):
        assert suggested(house, asked) is None, asked


def test_a_link_is_confirmed_rejected_and_undone(house: House) -> None:
    bolts(house)
    found = suggested(house, "bolt M6x40 zinc")
    assert found
    link = found[1]
    assert house.vera("POST", f"/catalogue/links/{link['id']}/confirm")[0] == 403
    assert house.charlie("POST", f"/catalogue/links/{link['id']}/confirm")[0] == 404
    assert house.alice("POST", f"/catalogue/links/{link['id']}/confirm", {"version": 7})[0] == 409
    status, done = house.alice("POST", f"/catalogue/links/{link['id']}/confirm", {"version": 1})
    assert status == 200 and done["status"] == "confirmed" and done["confirmed_by"] == "alice"
    event = JournalEvent.objects.get(pk=done["event"])
    assert event.verb == "confirm_link" and event.changes.get().before == {"status": "suggested", "confirmed_by": ""}
    assert not Claim.objects.exists(), "a link is no fact"
    again = suggested(house, "M6x40 bolt, zinc")
    assert again and again[1]["status"] == "confirmed"
    status, _ = house.alice("POST", f"/journal/{done['event']}/undo", {})
    assert status == 200 and CatalogLink.objects.get(pk=link["id"]).status == "suggested"
    status, refused = house.alice("POST", f"/catalogue/links/{link['id']}/reject")
    assert refused["status"] == "rejected" and suggested(house, "bolt M6x40 zinc") is None
    status, _ = house.alice("POST", f"/journal/{refused['event']}/undo", {})
    assert suggested(house, "bolt M6x40 zinc")


def test_one_name_has_one_item(house: House) -> None:
    items = bolts(house)
    body = {"scope": "studio", "name": "the usual bolt", "item": items["M6 bolt 40 mm galvanised"]}
    assert house.alice("POST", "/catalogue/links", body)[0] == 201
    other = body | {"item": items["M8 bolt 40 mm galvanised"]}
    assert house.alice("POST", "/catalogue/links", other)[0] == 409
    assert house.alice("POST", "/catalogue/links", body | {"item": 10**12})[0] == 404


def test_what_fits_two_items_is_left_to_a_person(house: House) -> None:
    for name in ("hinge 60 mm left", "hinge 60 mm right"):
        house.alice("POST", "/catalogue", {"scope": "studio", "name": name})
    status, found = house.alice("POST", "/catalogue/suggest", {"scope": "studio", "names": ["Scharnier 60mm"]})
    (row,) = found["items"]
    assert row["suggestions"] == [] and len(row["unsure"]) == 2
    assert all(one["confidence"] < found["threshold"] for one in row["unsure"])


def test_a_price_list_keeps_its_good_rows_and_names_the_bad_ones(house: House) -> None:
    house.alice("POST", "/catalogue", {"scope": "studio", "name": "M6 bolt 40 mm galvanised"})
    status, done = house.alice("POST", "/catalogue/prices", {"scope": "studio", "csv": LIST})
    assert status == 201 and done["kept"] == 3, done
    assert [(one["line"], one["field"]) for one in done["errors"]] == [(5, "amount"), (6, "date"), (7, "currency")]
    assert {one["name"] for one in done["items"]} == {"Sechskantschraube M8 x 40 verzinkt", "Birkensperrholz 18 mm"}
    (waiting,) = done["waiting"]
    (item,) = CatalogItem.objects.filter(name="M6 bolt 40 mm galvanised")
    assert waiting["suggestions"][0]["item"]["id"] == item.pk
    assert house.alice("GET", f"/catalogue/{item.pk}")[1]["prices"] == []
    house.alice("POST", f"/catalogue/links/{waiting['suggestions'][0]['id']}/confirm")
    priced = house.alice("GET", f"/catalogue/{item.pk}")[1]
    assert priced["prices"][0]["amount"] == "0.12" and priced["prices"][0]["at"] == "2026-03-01T00:00:00Z"
    status, again = house.alice("POST", "/catalogue/prices", {"scope": "studio", "csv": LIST})
    assert status == 200 and (again["kept"], again["duplicates"], again["event"]) == (0, 3, None)
    assert house.alice("POST", f"/journal/{done['event']}/undo", {})[0] == 200
    assert not PriceObservation.objects.filter(status="current").exists()
    assert not CatalogItem.objects.filter(status="current", name__startswith="Birken").exists()
    assert house.alice("POST", "/catalogue/prices", {"scope": "studio", "csv": "a;b\n1;2"})[0] == 422
    assert house.alice("POST", "/catalogue/prices", {"scope": "studio"})[0] == 422


def test_suppliers_are_figured_per_unit_and_never_across_currencies(house: House) -> None:
    rows = [
        {"name": "salt", "supplier": "Weber", "amount": 2, "unit": "kg", "currency": "EUR", "date": "2026-01-01"},
        {"name": "salt", "supplier": "Weber", "amount": "0,30 €", "unit": "100 g", "date": "2026-02-01"},
        {"name": "Salt", "supplier": "Weber", "amount": 4, "unit": "kg", "currency": "EUR", "date": "2026-03-01"},
        {"name": "salt", "supplier": "Weber", "amount": 5, "unit": "kg", "currency": "USD", "date": "2026-03-01"},
        {"name": "salt", "supplier": "Kranz", "amount": 9, "unit": "sack", "currency": "EUR", "date": "2026-03-01"},
    ]
    status, done = house.alice("POST", "/catalogue/prices", {"scope": "studio", "rows": rows})
    assert status == 201 and done["kept"] == 5 and len(done["items"]) == 1
    item = done["items"][0]
    house.alice("PATCH", f"/catalogue/{item['id']}", {"unit": "kg"})
    found = house.alice("GET", f"/catalogue/{item['id']}")[1]["suppliers"]
    told = [(one["supplier"], one["currency"], one["unit"], one["count"], one["median"], one["low"], one["high"], one["last"])
            for one in found]  # fmt: skip
    assert told == [
        ("Weber", "EUR", "kg", 3, "3.00", "2.00", "4.00", "4.00"),
        ("Kranz", "EUR", "sack", 1, "9.00", "9.00", "9.00", "9.00"),
        ("Weber", "USD", "kg", 1, "5.00", "5.00", "5.00", "5.00"),
    ]


def test_a_price_that_a_promoted_fact_says_counts_once_it_is_linked(house: House) -> None:
    item = house.alice("POST", "/catalogue", {"scope": "studio", "name": "birch plywood 18 mm", "unit": "m²"})[1]
    claim = candidate(
        house.child, OPERATOR, "The 18 mm birch plywood costs 41 EUR per m² at Weber", key="price.ply",
        value_type="currency", value={"number": 41, "unit": "EUR"},
    )  # fmt: skip
    promoted = promote(claim, actor=OPERATOR)
    (link,) = suggest_for_claims(house.child, [claim], actor=OPERATOR)
    assert link.item_id == item["id"] and link.name == ""
    assert house.alice("GET", f"/catalogue/{item['id']}")[1]["prices"] == []
    house.alice("POST", f"/catalogue/links/{link.pk}/confirm")
    (price,) = house.alice("GET", f"/catalogue/{item['id']}")[1]["prices"]
    assert (price["supplier"], price["amount"], price["unit"], price["ref"]) == ("Weber", "41.00", "m²", claim.ref)
    house.alice("POST", f"/journal/{promoted.pk}/undo", {})
    assert house.alice("GET", f"/catalogue/{item['id']}")[1]["prices"] == []


@pytest.mark.parametrize(
    "value",
    ["42 EUR", {"amount": 41, "currency": "EUR"}, {"number": True, "unit": "EUR"}, {"number": 1e13, "unit": "EUR"}],
)
def test_what_only_says_that_it_is_a_price_is_none(house: House, value: Any) -> None:
    """Under no key a value may be anything, whatever type it is said to have."""
    item = house.alice("POST", "/catalogue", {"scope": "studio", "name": "birch plywood 18 mm", "unit": "m²"})[1]
    claim = candidate(house.child, OPERATOR, "The 18 mm birch plywood costs 41 EUR", value_type="currency", value=value)
    promote(claim, actor=OPERATOR)
    assert suggest_facts(house.child, actor=OPERATOR) == []
    (link,) = suggest_for_claims(house.child, [claim], actor=OPERATOR)
    house.alice("POST", f"/catalogue/links/{link.pk}/confirm")
    status, shown = house.alice("GET", f"/catalogue/{item['id']}")
    assert (status, shown["prices"]) == (200, [])


def test_items_are_renamed_withdrawn_and_put_back(house: House) -> None:
    item = house.alice("POST", "/catalogue", {"scope": "studio", "name": "bolt", "synonyms": ["Schraube"]})[1]
    assert house.alice("POST", "/catalogue", {"scope": "studio", "name": "bolt"})[0] == 409
    assert house.bob("POST", "/catalogue", {"scope": "studio", "name": "nut"})[0] == 403
    renamed = house.alice("PATCH", f"/catalogue/{item['id']}", {"name": "hex bolt", "version": 1})[1]
    assert renamed["name"] == "hex bolt" and renamed["synonyms"][0]["name"] == "Schraube"
    assert house.alice("PATCH", f"/catalogue/{item['id']}", {"name": "x", "version": 1})[0] == 409
    gone = house.alice("POST", f"/catalogue/{item['id']}/withdraw", {})[1]
    assert gone["status"] == "withdrawn" and house.alice("GET", "/catalogue?scope=studio")[1]["items"] == []
    assert house.alice("POST", "/catalogue", {"scope": "studio", "name": "hex bolt"})[0] == 201
    status, told = house.alice("POST", f"/journal/{gone['event']}/undo", {})
    assert status == 409 and told["type"] == "in_the_way"
    synonym = renamed["synonyms"][0]["id"]
    assert house.alice("DELETE", f"/catalogue/{item['id']}/synonyms/{synonym}")[1]["synonyms"] == []


def test_the_list_is_keyset_and_searched_and_shows_what_stands_above(house: House) -> None:
    for number in range(7):
        house.alice(
            "POST", "/catalogue", {"scope": "studio", "name": f"board {number}", "synonyms": [f"Brett {number}"]}
        )
    house.alice("POST", "/catalogue", {"scope": "studio/backdrop", "name": "paint"})
    names = [one["name"] for one in house.vera.pages("/catalogue?scope=studio/backdrop")]
    assert names == [*(f"board {number}" for number in range(7)), "paint"]
    assert [one["name"] for one in house.vera.pages("/catalogue?scope=studio&q=brett 3")] == ["board 3"]
    assert house.charlie("GET", "/catalogue?scope=studio")[0] == 404
    assert house.charlie("GET", "/catalogue")[1]["items"] == []
    counted = []
    for limit in (1, 7):
        with CaptureQueriesContext(
            connection,
        ) as queries:
            house.vera("GET", f"/catalogue?scope=studio&limit={limit}")
        counted.append(len(queries))
    assert counted[0] == counted[1]
