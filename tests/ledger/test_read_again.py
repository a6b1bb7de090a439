"""What happens when a source whose claims were edited is read again."""

import pytest

from ledger.actions.decide import archive, reject
from ledger.actions.edit import edit
from ledger.actions.promote import promote
from ledger.models import Claim, Scope
from tests.people import People, say, tell

pytestmark = pytest.mark.usefixtures("as_web")


def first_said(lab: Scope, people: People) -> tuple[Claim, object]:
    told = tell(lab, people.bob, "The mast ways four kilos")
    answer = say(lab, people.bob, "The mast ways four kilos", told=told)
    assert answer.claim is not None
    return answer.claim, told


def test_the_same_words_read_again_join_what_a_person_made_of_them(lab: Scope, people: People) -> None:
    claim, told = first_said(lab, people)
    edit(claim, actor=people.bob, changes={"statement": "The mast weighs four kilos"})
    promote(claim, actor=people.bob)

    again = say(lab, people.bob, "The mast ways four kilos", told=told)

    assert (again.fate, again.claim) == ("duplicate", claim)
    assert Claim.objects.get(pk=claim.pk).seen_count == 2


def test_a_no_is_remembered_under_the_words_first_said(lab: Scope, people: People) -> None:
    claim, told = first_said(lab, people)
    edit(claim, actor=people.bob, changes={"statement": "The mast weighs four kilos"})
    reject(claim, actor=people.bob)

    assert say(lab, people.bob, "The mast ways four kilos", told=told).fate == "rejected"


def test_the_same_statement_from_another_source_is_proposed(lab: Scope, people: People) -> None:
    claim, _ = first_said(lab, people)
    edit(claim, actor=people.bob, changes={"statement": "The mast weighs five kilos"})
    promote(claim, actor=people.bob)

    assert say(lab, people.bob, "The mast ways four kilos").fate == "written"


def test_what_was_only_retired_may_be_proposed_again(lab: Scope, people: People) -> None:
    claim, told = first_said(lab, people)
    edit(claim, actor=people.bob, changes={"statement": "The mast weighs four kilos"})
    promote(claim, actor=people.bob)
    archive(claim, actor=people.bob)

    assert say(lab, people.bob, "The mast ways four kilos", told=told).fate == "written"
