"""A decision is not put back over words it was not made about (design §4): edits in between are in the way of the undo."""

import pytest

from ledger.actions.decide import reject, reopen
from ledger.actions.edit import edit
from ledger.actions.merge import merge
from ledger.actions.promote import promote
from ledger.actions.scope import update_scope
from ledger.actions.undo import undo
from ledger.errors import InTheWay
from ledger.models import Claim
from tests.people import People, candidate, make_people, make_scope

KEY = "project.constraints.floor_load"


def fresh(claim: Claim) -> Claim:
    return Claim.objects.select_related("scope").get(pk=claim.pk)


def test_two_people_s_word_is_not_rewritten_by_one_through_undos(people: People) -> None:
    scope = make_scope("show", packs=("production",))
    crew = make_people(scope)
    update_scope(scope, actor=crew.alice, changes={"policies": {"four_eyes": {}}})
    risky = candidate(scope, crew.bob, "The floor bears 40 kg", key=KEY, value=40)
    other = candidate(scope, crew.bob, "The hall has two doors")
    promote(risky, actor=crew.bob)
    promote(risky, actor=crew.carol)
    promote(other, actor=crew.bob)
    merged = merge(fresh(risky), into=fresh(other), actor=crew.bob)
    reopened = reopen(fresh(risky), actor=crew.bob)
    edited = edit(fresh(risky), actor=crew.bob, changes={"statement": "The floor bears 9000 kg", "value": 9000})
    with pytest.raises(InTheWay, match=f"event {edited.pk} has since changed"):
        undo(reopened, actor=crew.bob)
    assert fresh(risky).status == "pending"
    # With the very words that two people countersigned, it comes back.
    undo(edited, actor=crew.bob)
    undo(reopened, actor=crew.bob)
    undo(merged, actor=crew.bob)
    assert (fresh(risky).status, fresh(risky).statement) == ("active", "The floor bears 40 kg")


def test_a_no_is_not_put_back_over_other_words(people: People) -> None:
    claim = candidate(people.scope, people.bob, "The door opens inwards")
    reject(claim, actor=people.bob)
    reopened = reopen(fresh(claim), actor=people.bob)
    edit(fresh(claim), actor=people.bob, changes={"statement": "The door opens outwards"})
    with pytest.raises(InTheWay):
        undo(reopened, actor=people.bob)
    edit(fresh(claim), actor=people.bob, changes={"statement": "The door opens inwards"})
    undo(reopened, actor=people.bob)
    assert fresh(claim).status == "rejected"


@pytest.mark.parametrize(
    "name", ["PROJECT.CONSTRAINTS.FLOOR_LOAD", "project.constraints.floor-load", "project.constraints.floor\u200b_load"]
)
def test_a_key_is_itself_however_it_is_spelt(people: People, name: str) -> None:
    scope = make_scope("show", packs=("production",))
    claim = candidate(scope, make_people(scope).bob, "The floor bears 50 kg", key=name, value=50)
    assert (claim.key, claim.high_risk) == (KEY, True)
