"""Two people at work: who has a card open, whose turn it is, and what was told apart, at the screens and by API (P13)."""

import datetime as dt

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from ledger.actor import operator
from ledger.models import JournalEvent
from review.models import Presence
from tests.people import candidate
from tests.review.door import House
from tests.review.screen import Screen

pytestmark = pytest.mark.django_db(transaction=True)
OPERATOR = operator("Alice")


def test_who_has_a_card_open_sees_who_else_has(house: House) -> None:
    claim = candidate(house.scope, OPERATOR, "Panel one waits")
    other = candidate(house.scope, OPERATOR, "Panel two waits")
    alice, bob = Screen("alice"), Screen("bob")
    before = JournalEvent.objects.count()
    assert alice.open(f"/candidates/{claim.ref}/presence").text.strip() == ""
    assert "alice has this one open" in bob.open(f"/candidates/{claim.ref}/presence").text
    assert "bob has this one open" in alice.open(f"/candidates/{claim.ref}/presence").text
    # Who goes on to the next card has left this one, and who closed the page is soon forgotten.
    bob.open(f"/candidates/{other.ref}/presence")
    assert "bob" not in alice.open(f"/candidates/{claim.ref}/presence").text
    Presence.objects.update(until=timezone.now() - dt.timedelta(seconds=1))
    assert bob.open(f"/candidates/{claim.ref}/presence").text.strip() == ""
    assert Presence.objects.count() == 2 and JournalEvent.objects.count() == before
    with CaptureQueriesContext(connection) as queries:
        bob.open(f"/candidates/{claim.ref}/presence")
    assert len(queries) <= 6


def test_what_lies_on_somebodys_desk_is_told_by_name(house: House) -> None:
    claim = candidate(house.scope, OPERATOR, "Panel one waits")
    Screen("bob").open("/")
    assert "This one lies on bob’s desk" in Screen("alice").open(f"/candidates/{claim.ref}/presence").text


def test_a_card_is_handed_over_with_a_note_and_taken_back(house: House) -> None:
    claim = candidate(house.scope, OPERATOR, "Panel one waits")
    alice, bob = Screen("alice"), Screen("bob")
    assert bob.open(f"/?card={claim.ref}").shows("id", "colleagues")
    page = bob.press("hand_over", to="@alice", reason="You know <b>oak</b>")
    assert f"{claim.ref} handed over" in page.text and "What is left is with others" in page.text
    page = alice.open("/")
    assert page.card() == claim.ref and "With you" in page.text and "1 with you" in page.text
    assert "You know <b>oak</b>" in page.text and "<b>oak</b>" not in alice.response.content.decode()
    assert bob.open("/?handed=others").shows("data-row", claim.ref) and bob.open("/?handed=me").card() == ""
    assert "1 with others" in bob.open("/").text
    bob.open(f"/?card={claim.ref}")
    bob.press("hand_over", to="vera")
    assert bob.status == 422 and "may not decide in studio; who may: alice, bob, carol" in bob.page.text
    event = JournalEvent.objects.get(verb="hand_over")
    bob.open("/journal")
    assert event.reason in bob.page.text
    bob.client.post(f"/journal/{event.pk}/undo", {"csrfmiddlewaretoken": bob.client.cookies["csrftoken"].value})
    page = alice.open("/")
    assert page.card() == claim.ref and "With you" not in page.text


def test_whose_turn_it_is_by_api(house: House) -> None:
    claim = candidate(house.scope, OPERATOR, "Panel one waits")
    status, answer = house.bob("POST", f"/candidates/{claim.ref}/hand_over", {"to": "alice", "reason": "yours"})
    assert status == 200 and answer["candidate"]["version"] == 1
    held = answer["candidate"]["handed_to"]
    assert (held["to"], held["by"], held["note"]) == ("alice", "bob", "yours")
    status, refused = house.bob("POST", f"/candidates/{claim.ref}/hand_over", {"to": "nobody"})
    assert status == 422 and "to" in str(refused)
    assert house.agent("POST", f"/candidates/{claim.ref}/hand_over", {"to": "alice"})[0] == 403


def test_what_is_not_the_same_is_not_suggested_again(house: House) -> None:
    one = candidate(house.scope, OPERATOR, "We will use oak boards for the long bench")
    two = candidate(house.scope, OPERATOR, "We will use planed oak boards for the long bench")
    bob = Screen("bob")
    bob.open("/tidy/studio")
    page = bob.press("apart")
    assert f"{two.ref} and {one.ref} kept apart" in page.text and "Nothing says the same twice" in page.text
    page = bob.press("undo")
    assert "Not the same" in bob.open("/tidy/studio").text
    status, answer = house.bob("POST", f"/candidates/{one.ref}/keep_apart", {"other": two.ref, "reason": "planed"})
    assert status == 200 and answer["event"]["verb"] == "keep_apart"
    assert house.bob("POST", f"/candidates/{one.ref}/keep_apart", {"other": two.ref})[0] == 409
