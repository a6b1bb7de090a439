"""What cannot both be true by its words never holds without an open conflict, whatever slots it stands on (design §4)."""

import pytest

from ledger.actions.conflict import dismiss, resolve
from ledger.actions.decide import archive, restore, withdraw
from ledger.actions.promote import promote
from ledger.actions.undo import undo
from ledger.language.contradiction import subject_keys
from ledger.models import Claim, Conflict, JournalEvent
from ledger.reads.rivals import MAX_RELATED, previews
from tests.people import People, candidate

pytestmark = pytest.mark.usefixtures("as_web")

CONTRADICTING = [
    ("decision", "Use PostgreSQL", "decision", "Do not use PostgreSQL"),
    ("constraint", "Production deployment is allowed", "decision", "Production deployment is not allowed"),
    ("decision", "The door of the workshop opens at 9", "constraint", "The workshop's door opens at 10"),
    ("fact", "The kiln takes at most 12 plates", "requirement", "The kiln takes at least 20 plates"),
]
COMPATIBLE = [
    ("decision", "Use PostgreSQL for storage", "decision", "Use Valkey for queues"),
    ("decision", "The Berlin office opens at 9", "decision", "The Paris office opens at 10"),
    ("constraint", "Never deploy on Fridays", "constraint", "Never deploy on Sundays"),
    ("fact", "The panel 1 is white", "fact", "The panel 2 is not white"),
]


def live(people: People, kind: str, statement: str, **more: object) -> Claim:
    claim = candidate(people.scope, people.bob, statement, kind=kind, **more)
    promote(claim, actor=people.bob)
    claim.refresh_from_db()
    return claim


def last() -> JournalEvent:
    return JournalEvent.objects.latest("id")


def statuses() -> list[str]:
    return list(Conflict.objects.order_by("id").values_list("status", flat=True))


@pytest.mark.parametrize(("kind", "words", "other", "others"), CONTRADICTING)
def test_what_cannot_both_be_true_opens_a_conflict(
    people: People, kind: str, words: str, other: str, others: str
) -> None:
    first = live(people, kind, words)
    second = candidate(people.scope, people.bob, others, kind=other)
    preview = previews([second])[second.pk]
    assert (preview.outcome, preview.against) == ("conflict", (first.ref,))
    promote(second, actor=people.bob)
    members = Conflict.objects.get(status="open").members.values_list("claim", flat=True)
    assert set(members) == {first.pk, second.pk}


@pytest.mark.parametrize(("kind", "words", "other", "others"), COMPATIBLE)
def test_what_can_both_be_true_opens_none(people: People, kind: str, words: str, other: str, others: str) -> None:
    live(people, kind, words)
    second = candidate(people.scope, people.bob, others, kind=other)
    assert previews([second])[second.pk].outcome == "new"
    promote(second, actor=people.bob)
    assert statuses() == []


def test_two_topics_are_two_things(people: People) -> None:
    live(people, "fact", "It opens at 9", topic="Kitchen")
    live(people, "fact", "It opens at 10", topic="Office")
    assert statuses() == []


def test_any_number_of_a_kind_marked_many_holds_at_once(people: People) -> None:
    live(people, "action_item", "Paint the mast in May")
    live(people, "action_item", "Paint the mast in June")
    assert statuses() == []


def test_a_conflict_follows_what_holds(people: People) -> None:
    first, second = live(people, "decision", "Use PostgreSQL"), live(people, "decision", "Do not use PostgreSQL")
    promoted = last()
    assert statuses() == ["open"]
    undo(promoted, actor=people.bob)
    assert statuses() == ["closed"]
    undo(last(), actor=people.bob)
    assert statuses() == ["open"]
    withdraw(second, actor=people.bob)
    assert statuses() == ["closed"]
    archive(first, actor=people.bob)
    third = live(people, "decision", "We will never use PostgreSQL")
    assert statuses() == ["closed"]
    first.refresh_from_db()
    restore(first, actor=people.bob)
    assert statuses() == ["closed", "open"]
    assert set(Conflict.objects.get(status="open").members.values_list("claim", flat=True)) == {first.pk, third.pk}


def test_the_loser_gives_way_and_its_other_conflicts_close(people: People) -> None:
    loser = live(people, "decision", "Use PostgreSQL")
    winner = live(people, "decision", "Do not use PostgreSQL")
    live(people, "constraint", "PostgreSQL is not used")
    assert statuses() == ["open", "open"]
    resolve(Conflict.objects.order_by("id")[0], winner=winner.ref, actor=people.bob)
    loser.refresh_from_db()
    assert (loser.status, loser.successor) == ("superseded", winner)
    assert statuses() == ["resolved", "closed"]
    undo(last(), actor=people.bob)
    assert statuses() == ["open", "open"]


def test_what_a_person_dismissed_stays_dismissed(people: People) -> None:
    first, second = live(people, "decision", "Use PostgreSQL"), live(people, "decision", "Do not use PostgreSQL")
    dismiss(Conflict.objects.get(), actor=people.bob)
    archive(second, actor=people.bob)
    second.refresh_from_db()
    restore(second, actor=people.bob)
    assert statuses() == ["dismissed"]
    second.refresh_from_db()
    assert {first.status, second.status} == {"active"}


def test_what_shares_most_is_found_among_many_that_speak_of_the_same(people: People) -> None:
    for n in range(MAX_RELATED + 3):
        live(people, "fact", f"The pump of hall {n + 30} feeds the valve and tank {chr(ord('a') + n)}x")
    rival = live(people, "decision", "The red pump feeds the northern valve at 9")
    second = candidate(people.scope, people.bob, "The red pump feeds the northern valve at 10", kind="decision")
    assert previews([second])[second.pk].against == (rival.ref,)
    few = subject_keys(people.scope.pk, "Use PostgreSQL")
    assert len(few) == 1 and few[0] in subject_keys(people.scope.pk, "PostgreSQL stores invoices")
    assert not set(few) & set(subject_keys(people.scope.pk + 1, "Use PostgreSQL"))
