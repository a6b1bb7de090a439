"""An undo that would make two claims give way to each other is refused, and names what stands in its way."""

import pytest

from ledger.actions.decide import reopen, restore
from ledger.actions.merge import merge
from ledger.actions.promote import promote
from ledger.actions.supersede import supersede
from ledger.actions.undo import undo
from ledger.errors import InTheWay
from ledger.models import Claim, Scope
from tests.people import People, candidate

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
