"""An undo that would make two claims give way to each other is refused, and names what stands in its way; a successor that was
typed goes with the supersession."""

import pytest

from ledger.actions.decide import reopen, restore
from ledger.actions.merge import merge
from ledger.actions.promote import promote
from ledger.actions.propose import Draft
from ledger.actions.supersede import supersede
from ledger.actions.undo import undo, undo_batch
from ledger.errors import InTheWay
from ledger.models import Claim, JournalEvent, Scope
from tests.ledger.told import statuses
from tests.people import People, candidate, quote_of, tell

pytestmark = pytest.mark.usefixtures("as_web")


def test_two_merged_into_each_other(lab: Scope, people: People) -> None:
    one, other = (candidate(lab, people.bob, f"Statement {name}") for name in "ab")
    merge(one, into=other, actor=people.bob)
    reopened = reopen(one, actor=people.bob)
    later = merge(other, into=one, actor=people.bob)
    with pytest.raises(InTheWay) as refused:
        undo(reopened, actor=people.bob)
    assert refused.value.details["event"] == later.pk
    undo(later, actor=people.bob)
    undo(reopened, actor=people.bob)
    assert list(Claim.objects.order_by("pk").values_list("status", flat=True)) == ["merged", "pending"]


def test_two_superseded_by_each_other(lab: Scope, people: People) -> None:
    one, other = (candidate(lab, people.bob, f"Statement {name}") for name in "ab")
    promote(one, actor=people.bob)
    promote(other, actor=people.bob)
    supersede(one, by=other, actor=people.bob)
    restored = restore(one, actor=people.bob)
    later = supersede(other, by=one, actor=people.bob)
    with pytest.raises(InTheWay) as refused:
        undo(restored, actor=people.bob)
    assert refused.value.details["event"] == later.pk
    assert sorted(Claim.objects.values_list("status", flat=True)) == ["active", "superseded"]


def typed(lab: Scope, people: People, statement: str) -> Draft:
    return Draft(kind="fact", statement=statement, quotes=(quote_of(tell(lab, people.bob, statement)),))


def test_a_successor_that_was_typed_goes_with_the_supersession_and_comes_back_with_it(
    lab: Scope, people: People
) -> None:
    one = candidate(lab, people.bob, "The lamp is on the left")
    promote(one, actor=people.bob)
    event = supersede(one, draft=typed(lab, people, "The lamp is on the right"), actor=people.bob)
    other = Claim.objects.exclude(pk=one.pk).get()
    undone = undo(event, actor=people.bob)
    assert undone.undoes == event and statuses(one, other) == ("active", "withdrawn")
    taken_back = JournalEvent.objects.filter(batch=undone.batch, ref=other.ref).get()
    assert taken_back.undoes is not None and taken_back.undoes.verb == "propose" and one.ref in taken_back.reason
    again = undo(undone, actor=people.bob)
    assert statuses(one, other) == ("superseded", "active")
    undo(again, actor=people.bob)
    assert statuses(one, other) == ("active", "withdrawn")
    # It is no remembered no.
    supersede(one, draft=typed(lab, people, "The lamp is on the right"), actor=people.bob)
    assert Claim.objects.filter(status="active", statement="The lamp is on the right").count() == 1


def test_a_successor_that_waited_before_waits_again(lab: Scope, people: People) -> None:
    one, other = (candidate(lab, people.bob, f"The lamp is {where}") for where in ("left", "right"))
    promote(one, actor=people.bob)
    event = supersede(one, draft=typed(lab, people, "The lamp is right"), actor=people.bob)
    assert statuses(one, other) == ("superseded", "active")
    undo(event, actor=people.bob)
    assert statuses(one, other) == ("active", "pending")


def test_a_batch_takes_a_typed_successor_back_once(lab: Scope, people: People) -> None:
    one = candidate(lab, people.bob, "The lamp is on the left")
    promote(one, actor=people.bob)
    event = supersede(one, draft=typed(lab, people, "The lamp is on the right"), actor=people.bob)
    assert event.batch is not None
    assert len(undo_batch(event.batch, actor=people.bob)) == 2
    assert sorted(Claim.objects.values_list("status", flat=True)) == ["active", "withdrawn"]
