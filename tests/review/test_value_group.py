"""Several candidates for one key are one choice: one is promoted, the others rejected, and it is taken back as one."""

from ledger.actions.promote import promote
from ledger.actor import operator
from ledger.models import Claim, JournalEvent
from tests.people import candidate
from tests.review.door import House
from tests.review.screen import Screen

OPERATOR = operator("Alice")


def statuses() -> dict[str, str]:
    return dict(Claim.objects.values_list("statement", "status"))


def test_one_of_three_values_is_taken_and_all_of_it_taken_back(house: House) -> None:
    for wood in ("oak", "ash", "elm"):
        candidate(house.scope, OPERATOR, f"The frame is {wood}", key="frame", value=wood)
    bob = Screen("bob")
    page = bob.open("/")
    assert "3 values for frame" in " ".join(page.text.split())
    bob.press("choose-value", at=1)
    assert statuses() == {"The frame is oak": "rejected", "The frame is ash": "active", "The frame is elm": "rejected"}
    assert "1 promoted, 2 rejected" in bob.page.text
    events = JournalEvent.objects.filter(verb__in=("promote", "reject"))
    assert len({event.batch for event in events}) == 1 and {event.actor_name for event in events} == {"bob"}
    bob.press("undo")
    assert set(statuses().values()) == {"pending"}


def test_what_held_gives_way_or_is_kept(house: House) -> None:
    promote(candidate(house.scope, OPERATOR, "The frame is pine", key="frame", value="pine"), actor=OPERATOR)
    for wood in ("oak", "ash"):
        candidate(house.scope, OPERATOR, f"The frame is {wood}", key="frame", value=wood)
    bob = Screen("bob")
    bob.open("/")
    bob.press("choose-none")
    assert statuses() == {"The frame is pine": "active", "The frame is oak": "rejected", "The frame is ash": "rejected"}
    bob.press("undo")
    bob.open("/")
    bob.press("choose-value", at=0)
    assert statuses() == {
        "The frame is pine": "superseded",
        "The frame is oak": "active",
        "The frame is ash": "rejected",
    }
    bob.press("undo")
    assert statuses() == {"The frame is pine": "active", "The frame is oak": "pending", "The frame is ash": "pending"}


def test_what_changed_meanwhile_is_left_and_what_is_no_group_is_none(house: House) -> None:
    oak = candidate(house.scope, OPERATOR, "The frame is oak", key="frame", value="oak")
    candidate(house.scope, OPERATOR, "The frame is ash", key="frame", value="ash")
    bob = Screen("bob")
    bob.open("/")
    Claim.objects.filter(pk=oak.pk).update(version=9)
    bob.press("choose-value", at=1)
    assert statuses() == {"The frame is oak": "pending", "The frame is ash": "active"}
    assert f"{oak.ref} left as it is" in bob.page.text
    assert "values for" not in Screen("vera").open("/").text
