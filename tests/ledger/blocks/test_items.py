"""Fields of items (T10, T11): override, newest fact, default; typed over, given up, undone, and told when they are stale."""

from typing import Any

import pytest

from ledger.actions.edit import edit
from ledger.actions.override import override, release
from ledger.actions.scope import update_scope
from ledger.actions.undo import undo
from ledger.errors import DomainError, Forbidden, Invalid, NotFound, StaleVersion
from ledger.models import Claim, Conflict, JournalEvent, Scope
from ledger.projections.blocks import block_of
from ledger.projections.items import ItemField, items_of
from tests.ledger.blocks.conftest import held
from tests.ledger.conftest import role
from tests.ledger.raw import WEB
from tests.people import People, candidate, say

WIDTH = "item.dimensions.width"
METRES = {"number": 6, "unit": "m"}


def field(item: Scope, key: str = WIDTH) -> ItemField:
    (found,) = items_of([item])
    told = found.field(key)
    assert told is not None
    return told


def told(item: Scope, key: str = WIDTH) -> tuple[Any, str, list[str]]:
    found = field(item, key)
    return found.value, found.origin, [one.ref for one in found.newer]


def test_a_field_is_typed_over_and_given_up_again(backdrop: Scope, crew: People) -> None:
    assert told(backdrop) == (None, "none", [])
    fact, _ = held(backdrop, crew.bob, "6 m wide", key=WIDTH, value="6 m")
    assert told(backdrop) == (METRES, "fact", [])
    with role(WEB):
        event = override(backdrop, WIDTH, "610 cm", actor=crew.bob, seen=fact.ref, reason="measured again")
    assert told(backdrop) == ({"number": 610, "unit": "cm"}, "override", [])
    typed = Claim.objects.get(kind="manual")
    assert (typed.status, typed.statement, typed.hand_authored) == ("active", "Width: 610 cm", True)
    assert [one.quote for one in typed.evidence.all()] == ["Width: 610 cm"]
    fact.refresh_from_db()
    assert (fact.status, fact.successor_id, event.verb) == ("superseded", typed.pk, "override")
    assert block_of(backdrop, "item.dimensions").content["width"] == {"value": 610, "unit": "cm", "factId": typed.ref}
    assert not Conflict.objects.exists()
    with role(WEB):
        given_up = release(backdrop, WIDTH, actor=crew.bob)
    assert told(backdrop) == (METRES, "fact", [])
    undo(given_up, actor=crew.bob)
    assert told(backdrop)[1] == "override"
    undo(event, actor=crew.bob)
    assert told(backdrop) == (METRES, "fact", [])
    typed.refresh_from_db()
    assert typed.status == "withdrawn"
    override(backdrop, WIDTH, "610 cm", actor=crew.bob)
    assert told(backdrop)[1] == "override"


def test_a_newer_fact_is_told_and_does_not_win(backdrop: Scope, crew: People) -> None:
    override(backdrop, WIDTH, "610 cm", actor=crew.bob)
    same, _ = held(backdrop, crew.bob, "It is 6.1 m wide", key=WIDTH, value="6.1 m")
    assert told(backdrop) == ({"number": 610, "unit": "cm"}, "override", [])
    other, _ = held(backdrop, crew.bob, "It is 7 m wide", key=WIDTH, value="7 m")
    assert told(backdrop) == ({"number": 610, "unit": "cm"}, "override", [other.ref])
    # Typed again it stands anew, and what was told gives way.
    event = override(backdrop, WIDTH, "610 cm", actor=crew.bob)
    assert told(backdrop)[2] == []
    undo(event, actor=crew.bob)
    assert told(backdrop)[2] == [other.ref]
    release(backdrop, WIDTH, actor=crew.bob)
    assert told(backdrop)[:2] == ({"number": 7, "unit": "m"}, "fact")
    assert [one.ref for one in field(backdrop).others] == [same.ref]


def test_typed_over_twice_and_given_up_the_facts_hold_again(backdrop: Scope, crew: People) -> None:
    held(backdrop, crew.bob, "6 m wide", key=WIDTH, value="6 m")
    override(backdrop, WIDTH, "610 cm", actor=crew.bob)
    with role(WEB):
        override(backdrop, WIDTH, "620 cm", actor=crew.bob)
        given_up = release(backdrop, WIDTH, actor=crew.bob)
    assert told(backdrop) == (METRES, "fact", [])
    undo(given_up, actor=crew.bob)
    assert told(backdrop) == ({"number": 620, "unit": "cm"}, "override", [])


def test_typed_twice_and_typed_anew(backdrop: Scope, crew: People) -> None:
    first = override(backdrop, WIDTH, "6 m", actor=crew.bob)
    events = JournalEvent.objects.filter(verb="override").count()
    assert override(backdrop, WIDTH, METRES, actor=crew.bob) == first
    assert JournalEvent.objects.filter(verb="override").count() == events
    second = override(backdrop, WIDTH, "7 m", actor=crew.bob)
    assert told(backdrop)[0] == {"number": 7, "unit": "m"}
    undo(second, actor=crew.bob)
    assert told(backdrop) == (METRES, "override", [])
    third = override(backdrop, "width", "8 m", actor=crew.bob, seen=field(backdrop).claim.ref)  # type: ignore[union-attr]
    release(backdrop, WIDTH, actor=crew.bob)
    assert told(backdrop) == (None, "none", [])
    assert third.ref.startswith("MAN-")


@pytest.mark.parametrize(
    ("key", "value", "error", "name"),
    [
        (WIDTH, "blue", Invalid, "value"), (WIDTH, None, Invalid, "value"), (WIDTH, "", Invalid, "value"),
        ("item.dimensions.nothing", "6 m", NotFound, ""), (WIDTH, "6 kg", Invalid, "value"),
        ("item.materials.finish", "shiny", Invalid, "value"), ("item.materials.main", "a\0b", Invalid, ""),
    ],
)  # fmt: skip
def test_what_is_no_value_or_no_key(
    backdrop: Scope, crew: People, key: str, value: Any, error: type[DomainError], name: str
) -> None:
    with pytest.raises(error) as refused:
        override(backdrop, key, value, actor=crew.bob)
    assert not name or refused.value.details["field"] == name
    assert not Claim.objects.exists()


def test_who_may_not_and_what_is_not_there(backdrop: Scope, studio: Scope, crew: People) -> None:
    for actor, error in ((crew.vera, Forbidden), (crew.charlie, NotFound), (crew.agent, Forbidden)):
        with pytest.raises(error):
            override(backdrop, WIDTH, "6 m", actor=actor)
    for refuse in (
        lambda: release(backdrop, WIDTH, actor=crew.bob),
        lambda: override(studio, "project.summary.client", "Ann", actor=crew.bob),
    ):
        with pytest.raises(NotFound):
            refuse()
    event = override(backdrop, WIDTH, "6 m", actor=crew.bob, seen="")
    with pytest.raises(StaleVersion):
        override(backdrop, WIDTH, "7 m", actor=crew.bob, seen="")
    with pytest.raises(StaleVersion):
        release(backdrop, WIDTH, actor=crew.bob, seen="FCT-20200101-001")
    assert field(backdrop).claim == Claim.objects.get(ref=event.ref)


def test_nobody_proposes_what_only_a_hand_writes(backdrop: Scope, crew: People) -> None:
    with pytest.raises(Invalid):
        say(backdrop, crew.bob, "Width: 6 m", kind="manual", key=WIDTH, value="6 m")
    waiting = candidate(backdrop, crew.bob, "6 m wide", key=WIDTH, value="6 m")
    with pytest.raises(Invalid):
        edit(waiting, actor=crew.bob, changes={"kind": "manual"})


def test_what_is_risky_takes_two_where_two_are_asked_for(backdrop: Scope, studio: Scope, crew: People) -> None:
    update_scope(studio, actor=crew.alice, changes={"policies": {"four_eyes": {}}})
    with pytest.raises(DomainError, match="two people"):
        override(backdrop, "item.dimensions.load", "90 kg", actor=crew.bob)
    assert override(backdrop, WIDTH, "6 m", actor=crew.bob)


def test_a_remark_is_no_value_and_a_default_is_shown_while_nothing_is_known(backdrop: Scope, crew: People) -> None:
    held(backdrop, crew.bob, "wide enough", key=WIDTH)
    assert told(backdrop) == (None, "none", [])
    held(backdrop, crew.bob, "Oak", key="item.materials.main")
    assert told(backdrop, "item.materials.main")[:2] == ("Oak", "fact")
