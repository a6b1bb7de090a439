"""Whose turn a candidate is, and two that are told apart: one verb each, remembered and taken back (P13)."""

import pytest
from django.contrib.auth.models import User

from ledger.actions.hand_over import hand_over
from ledger.actions.keep_apart import keep_apart
from ledger.actions.promote import promote
from ledger.actions.undo import undo
from ledger.errors import BadTransition, Duplicate, Forbidden, Invalid
from ledger.models import Claim, Handover, JournalEvent
from ledger.reads.near_pairs import merge_suggestions
from ledger.reads.queue.listing import ClaimFilter, claims_page
from ledger.reads.teamwork import colleagues_of, handed_counts, holders_of, with_others
from ledger.reads.verify import verify
from tests.people import People, candidate

pytestmark = pytest.mark.django_db


def holder(claim: Claim) -> tuple[str, str, str] | None:
    found = holders_of([claim.pk]).get(claim.pk)
    return (found.to, found.by, found.note) if found else None


def test_a_candidate_is_passed_on_with_a_note_and_back(people: People) -> None:
    claim = candidate(people.scope, people.bob, "We use oak")
    first = hand_over(claim, to="carol", actor=people.bob, reason="You were there")
    assert (first.verb, first.ref, first.reason) == ("hand_over", claim.ref, "You were there")
    assert holder(claim) == ("carol", "bob", "You were there")
    second = hand_over(claim, to="bob", actor=people.carol, reason="So were you")
    assert holder(claim) == ("bob", "carol", "So were you")
    undo(second, actor=people.alice)
    assert holder(claim) == ("carol", "bob", "You were there")
    hand_over(claim, to="", actor=people.carol)
    assert holder(claim) is None
    claim.refresh_from_db()
    assert claim.version == 1 and claim.status == "pending" and verify().problems == []


def test_only_who_may_decide_passes_on_and_only_to_who_may(people: People) -> None:
    claim = candidate(people.scope, people.bob, "We use oak")
    for name in ("vera", "charlie", "nobody", "x" * 300):
        with pytest.raises(Invalid, match="alice, bob, carol") as refused:
            hand_over(claim, to=name, actor=people.bob)
        assert refused.value.details["field"] == "to"
    with pytest.raises(Forbidden):
        hand_over(claim, to="bob", actor=people.vera)
    with pytest.raises(BadTransition, match="nobody in particular already"):
        hand_over(claim, to="", actor=people.bob)
    promote(claim, actor=people.bob)
    with pytest.raises(BadTransition):
        hand_over(claim, to="bob", actor=people.bob)
    assert not Handover.objects.exists()


def test_what_is_with_whom_is_counted_and_listed(people: People) -> None:
    mine, hers, free = (candidate(people.scope, people.bob, f"We use {wood}") for wood in ("oak", "elm", "ash"))
    hand_over(mine, to="bob", actor=people.alice)
    hand_over(hers, to="carol", actor=people.alice)
    bob = User.objects.get(username="bob").pk
    assert handed_counts(people.bob.access, bob) == (1, 1) and with_others(bob) == [hers.pk]
    listed = {
        name: [row.pk for row in claims_page(people.bob.access, ClaimFilter(**{name: bob})).items]
        for name in ("handed_to", "not_handed_to")
    }
    assert listed == {"handed_to": [mine.pk], "not_handed_to": [hers.pk]} and holder(free) is None
    assert colleagues_of(people.bob.access) == ["alice", "bob", "carol"] and colleagues_of(people.charlie.access) == []


def test_two_that_are_told_apart_are_not_suggested_again(people: People) -> None:
    one = candidate(people.scope, people.bob, "We will use oak boards for the long bench")
    two = candidate(people.scope, people.bob, "We will use planed oak boards for the long bench")
    [suggested] = merge_suggestions(people.scope, most=9)
    event = keep_apart(suggested.claim, other=suggested.into, actor=people.bob, reason="one is planed")
    assert merge_suggestions(people.scope, most=9) == []
    with pytest.raises(Duplicate):
        keep_apart(one, other=two, actor=people.bob)
    undo(event, actor=people.bob)
    assert len(merge_suggestions(people.scope, most=9)) == 1
    undo(JournalEvent.objects.get(undoes=event), actor=people.bob)
    assert merge_suggestions(people.scope, most=9) == [] and verify().problems == []
    with pytest.raises(Invalid):
        keep_apart(one, other=one, actor=people.bob)
    with pytest.raises(Forbidden):
        keep_apart(one, other=two, actor=people.vera)
