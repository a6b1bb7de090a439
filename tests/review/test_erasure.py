"""Erasure through the doors: the list to look over first, the answer, and the second owner."""

import pytest

from ledger.actions.policy import set_policy
from ledger.models import Erasure, JournalEvent, Source
from tests.people import say, tell
from tests.review.door import OPERATOR, House
from tests.review.screen import Screen

pytestmark = pytest.mark.django_db(transaction=True)
NAME = "Quandarius <b>Vellichor</b>"


@pytest.fixture
def alice(house: House) -> Screen:
    return Screen("alice")


@pytest.fixture
def told(house: House) -> dict[str, Source]:
    said = tell(house.scope, OPERATOR, "The frame is steel", sender=NAME)
    say(house.scope, OPERATOR, "The frame is steel", told=said)
    mention = tell(house.scope, OPERATOR, f"Ask {NAME.upper()}", sender="Ida")
    return {"said": said, "mention": mention, "other": tell(house.scope, OPERATOR, "Nothing of the sort", sender="Ida")}


def test_a_dry_run_lists_and_does_nothing(house: House, told: dict[str, Source]) -> None:
    before = JournalEvent.objects.count()
    status, found = house.alice("POST", "/scope/erase", {"scope": house.scope.path, "person": NAME, "dry_run": True})
    assert (status, found["status"], found["event"]) == (200, "listed", None)
    assert [one["id"] for one in found["said"]] == [told["said"].pk]
    assert [one["id"] for one in found["mentions"]] == [told["mention"].pk]
    assert found["counts"]["claims"] == 1 and len(found["left"]) > 3
    assert JournalEvent.objects.count() == before
    assert (
        house.alice("POST", "/scope/erase", {"scope": house.scope.path, "person": "nobody"})[1]["status"] == "nothing"
    )


def test_the_list_to_look_over_shows_no_password(house: House) -> None:
    tell(house.scope, OPERATOR, "My key is ghp_abcdefghijklmnopqrstuvwxyz0123456789", sender=NAME)
    _, found = house.alice("POST", "/scope/erase", {"scope": house.scope.path, "person": NAME, "dry_run": True})
    assert "My key is ████" in str(found["said"]) and "ghp_" not in str(found)


def test_an_owner_erases(house: House, told: dict[str, Source]) -> None:
    body = {"scope": house.scope.path, "person": NAME, "reason": "asked for"}
    for door in (house.bob, house.vera, house.agent):
        assert door("POST", "/scope/erase", body)[0] == 403
    assert house.charlie("POST", "/scope/erase", body)[0] == 404
    status, found = house.alice("POST", "/scope/erase", body)
    assert (status, found["status"], found["event"]["verb"]) == (200, "done", "erase")
    assert set(Source.objects.exclude(purged_at=None)) == {told["said"], told["mention"]}
    assert house.alice("POST", f"/journal/{found['event']['id']}/undo")[0] == 409
    assert house.alice("GET", "/journal/verify")[1]["ok"]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({}, 422), ({"person": "x", "source": 1}, 404), ({"person": " "}, 422), ({"source": 2**70}, 404),
        ({"person": "x", "dry_run": 0}, 422), ({"person": "x", "more": 1}, 422), ({"person": "x\0"}, 422),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_refused(house: House, body: dict[str, object], status: int) -> None:
    assert house.alice("POST", "/scope/erase", {"scope": house.scope.path, **body})[0] == status


def test_a_strangers_source_is_not_there(house: House) -> None:
    strange = tell(house.elsewhere, OPERATOR, "hello")
    body = {"scope": house.scope.path, "source": strange.pk}
    assert house.alice("POST", "/scope/erase", body) == house.alice(
        "POST", "/scope/erase", body | {"source": strange.pk}
    )
    assert house.alice("POST", "/scope/erase", body)[0] == 404


def test_the_first_owner_waits_for_the_second(house: House, told: dict[str, Source]) -> None:
    set_policy(house.scope, "four_eyes", on=True, actor=OPERATOR)
    body = {"scope": house.scope.path, "person": NAME}
    status, found = house.alice("POST", "/scope/erase", body)
    assert (status, found["status"], found["event"]["verb"]) == (202, "waiting", "ask_erase")
    assert house.alice("POST", "/scope/erase", body)[0] == 409
    assert Erasure.objects.get().status == "waiting" and Source.objects.filter(purged_at=None).count() == 3


def test_the_screen_shows_before_it_erases(house: House, told: dict[str, Source], alice: Screen) -> None:
    address = f"/erase/{house.scope.path}"
    assert "Erase" in alice.open(address).text
    alice.press("look", person=NAME)
    html = alice.response.content.decode()
    assert (
        "The frame is steel" in html and "<b>Vellichor" not in html and f'value="{told["mention"].pk}" checked' in html
    )
    assert "Erased" in alice.press("erase", goes=[]).text
    assert set(Source.objects.exclude(purged_at=None)) == {told["said"]}
    alice.press("look")
    assert alice.status == 422
