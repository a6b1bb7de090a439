"""Promotion and what it meets: the four outcomes of reconciling, each choice, graduation, and what is refused."""

import datetime as dt

import pytest

from ledger.actions.decide import archive, defer, restore
from ledger.actions.edit import edit
from ledger.actions.graduate import graduate
from ledger.actions.promote import promote
from ledger.actions.propose import Draft, propose
from ledger.actions.supersede import supersede
from ledger.actions.undo import undo
from ledger.errors import BadTransition, DecisionNeeded, Duplicate, Forbidden, Invalid, NotFound, StaleVersion
from ledger.models import Claim, Conflict, JournalEvent
from ledger.reads.rivals import previews
from tests.ledger.told import statuses, told
from tests.people import People, candidate, say, tell

pytestmark = pytest.mark.usefixtures("as_web")


def live(people: People, statement: str, **more: object) -> Claim:
    claim = candidate(people.scope, people.bob, statement, **more)
    promote(claim, actor=people.bob)
    claim.refresh_from_db()
    return claim


def outcome(claim: Claim) -> tuple[str, tuple[str, ...]]:
    claim.refresh_from_db()
    preview = previews([claim])[claim.pk]
    return preview.outcome.value, preview.against


def test_new(people: People) -> None:
    claim = candidate(people.scope, people.bob, "The mast is heavy", key="mast", value=4)
    assert outcome(claim) == ("new", ())
    event = promote(claim, actor=people.bob, expected_version=1, reason="seen it")
    assert statuses(claim) == ("active",)
    assert claim.promoted_at is not None
    assert (event.verb, event.actor_name, event.door, event.ref, event.reason) == (
        "promote", "bob", "screen", claim.ref, "seen it",
    )  # fmt: skip
    assert told(event)["status"] == ("pending", "active")
    assert set(told(event)) == {"status", "promoted_at"}


def test_same_is_merged_and_its_evidence_joins(people: People) -> None:
    held = live(people, "Mast is 48 cm", key="mast", value={"number": 48, "unit": "cm"})
    twin = candidate(people.scope, people.bob, "mast is 48 cm.", key="mast")
    assert outcome(twin) == ("same", (held.ref,))
    event = promote(twin, actor=people.bob)
    assert statuses(twin, held) == ("merged", "active")
    assert twin.successor == held
    assert told(event) == {"status": ("pending", "merged"), "successor_id": (None, held.pk)}
    undo(event, actor=people.bob)
    assert statuses(twin) == ("pending",)
    assert twin.successor is None


def test_same_in_two_places_asks_which(people: People) -> None:
    one = live(people, "Mast is 48 cm", key="mast", value={"number": 48, "unit": "cm"})
    other = candidate(people.scope, people.bob, "Mast is 48 cm", key="mast")
    archive(one, actor=people.bob)
    promote(other, actor=people.bob)
    restore(one, actor=people.bob)
    third = candidate(people.scope, people.bob, "Mast is long", key="mast", value="long")
    edit(third, actor=people.bob, changes={"statement": "Mast is 48 cm", "value": {"number": 480, "unit": "mm"}})
    with pytest.raises(DecisionNeeded) as caught:
        promote(third, actor=people.bob)
    assert {choice["into"] for choice in caught.value.choices} == {one.ref, other.ref}
    with pytest.raises(Invalid) as wrong:
        promote(third, actor=people.bob, into="DEC-nothing")
    assert wrong.value.field == "into"
    promote(third, actor=people.bob, into=other.ref)
    third.refresh_from_db()
    assert (third.status, third.successor) == ("merged", other)


def test_the_same_by_its_duplicate_key_never_meets_the_index(people: People) -> None:
    """`foo.` and `foo` are one value."""
    first = live(people, "The colour is foo", key="colour", value="foo")
    archive(first, actor=people.bob)
    second = candidate(people.scope, people.bob, "Colour: foo.", key="colour", value="foo.")
    restore(first, actor=people.bob)
    promote(second, actor=people.bob)
    assert statuses(first, second) == ("active", "merged")


@pytest.mark.parametrize("choice", [None, "coexist", "supersede"])
def test_conflict(people: People, choice: str | None) -> None:
    held = live(people, "Mast weighs 4", key="mast", value=4)
    rival = candidate(people.scope, people.bob, "Mast weighs 5", key="mast", value=5)
    assert outcome(rival) == ("conflict", (held.ref,))
    event = promote(rival, actor=people.bob, on_conflict=choice)
    if choice == "supersede":
        assert statuses(held, rival) == ("superseded", "active")
        assert held.successor == rival
        assert not Conflict.objects.exists()
        assert told(event, held) == {"status": ("active", "superseded"), "successor_id": (None, rival.pk)}
    else:
        assert statuses(held, rival) == ("active", "active")
        conflict = Conflict.objects.get(status="open")
        assert {member.claim for member in conflict.members.all()} == {held, rival}
        change = event.changes.get(noun="conflict")
        assert (change.row, change.implicit) == (conflict.pk, True)
    undo(event, actor=people.bob)
    assert statuses(held, rival) == ("active", "pending")
    assert not Conflict.objects.exclude(status="closed").exists()


@pytest.mark.parametrize("choice", ["coexist", "supersede"])
def test_supersedes_by_name_is_confirmed(people: People, choice: str) -> None:
    held = live(people, "We take steel", kind="decision")
    newer = candidate(people.scope, people.bob, "We take oak", kind="decision", names_replaced=(held.ref.lower(),))
    assert outcome(newer) == ("supersedes", (held.ref,))
    with pytest.raises(DecisionNeeded) as caught:
        promote(newer, actor=people.bob)
    assert [c["on_conflict"] for c in caught.value.choices] == ["supersede", "coexist"]
    promote(newer, actor=people.bob, on_conflict=choice)
    assert statuses(held, newer) == ("superseded" if choice == "supersede" else "active", "active")


def test_the_same_speaker_later_supersedes(people: People) -> None:
    scope, bob = people.scope, people.bob
    day = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
    sources = [
        tell(scope, bob, f"Mast weighs {n}", sender=sender, sent_at=day + dt.timedelta(days=n))
        for n, sender in ((4, "ann"), (5, "ben"), (6, "ann"), (3, "ann"))
    ]
    claims = [
        say(scope, bob, source.text, key="mast", value=int(source.text[-1]), told=source).claim for source in sources
    ]
    first, others, later, earlier = (claim for claim in claims if claim)
    promote(first, actor=bob)
    assert outcome(others)[0] == "conflict"
    assert outcome(later) == ("supersedes", (first.ref,))
    assert outcome(earlier)[0] == "conflict"


def test_nearest_scope_and_other_kinds_are_other_slots(people: People) -> None:
    live(people, "Mast weighs 4", key="mast", value=4)
    decision = candidate(people.scope, people.bob, "Build the mast", kind="decision", key="mast", value=5)
    assert outcome(decision) == ("new", ())
    topic = candidate(people.scope, people.bob, "The mast is blue", topic="mast", value=6)
    assert outcome(topic) == ("new", ())


def test_refusals(people: People) -> None:
    claim = candidate(people.scope, people.bob, "The mast is heavy")
    with pytest.raises(Forbidden):
        promote(claim, actor=people.vera)
    with pytest.raises(NotFound):
        promote(claim, actor=people.charlie)
    for actor in (people.agent, people.machine):
        with pytest.raises(Forbidden):
            promote(claim, actor=actor)
    with pytest.raises(StaleVersion) as stale:
        promote(claim, actor=people.bob, expected_version=2)
    assert stale.value.row == claim
    with pytest.raises(Invalid):
        promote(claim, actor=people.bob, on_conflict="win")
    with pytest.raises(Invalid) as reason:
        promote(claim, actor=people.bob, reason="a\0b")
    assert reason.value.field == "reason"
    defer(claim, actor=people.bob)
    promote(claim, actor=people.bob)
    with pytest.raises(BadTransition):
        promote(claim, actor=people.bob)
    assert JournalEvent.objects.filter(verb="promote").count() == 1


def test_an_unchosen_anchor_is_asked_for(people: People) -> None:
    source = tell(people.scope, people.bob, "red or red")
    places = ({"source": source.pk, "start": 0, "end": 3}, {"source": source.pk, "start": 7, "end": 10})
    draft = Draft(kind="decision", statement="It is red", quotes=(), anchors_to_choose=places)
    claim = propose(draft, scope=people.scope, actor=people.bob).claim
    assert claim is not None
    with pytest.raises(DecisionNeeded) as caught:
        promote(claim, actor=people.bob)
    assert [choice["start"] for choice in caught.value.choices] == [0, 7]
    for wrong in (2, -1, True, "0"):
        with pytest.raises(Invalid):
            promote(claim, actor=people.bob, changes={"anchor": wrong})
    promote(claim, actor=people.bob, changes={"anchor": 1, "tags": ["chosen"]})
    claim.refresh_from_db()
    assert (claim.status, claim.tags, claim.evidence.get().start) == ("active", ["chosen"], 7)
    assert claim.proposed["tags"] == []
    other = live(people, "It is blue", kind="decision")
    waiting = Draft(kind="decision", statement="It is green", quotes=(), anchors_to_choose=places)
    with pytest.raises(DecisionNeeded):
        supersede(other, draft=waiting, actor=people.bob)
    assert statuses(other) == ("active",)


@pytest.mark.parametrize("kind", [None, "fact", "decision"])
@pytest.mark.parametrize("keyed", [True, False])
def test_a_memory_graduates_when_its_entity_is_promoted(people: People, kind: str | None, keyed: bool) -> None:
    more = {"key": "tea", "value": "green"} if keyed else {}
    memory = live(people, "I prefer tea", kind="preference", **more)
    with pytest.raises(BadTransition):
        graduate(candidate(people.scope, people.bob, "I prefer rum", kind="preference"), actor=people.bob)
    event = graduate(memory, actor=people.bob, kind=kind)
    entity = Claim.objects.get(graduates=memory)
    assert (entity.layer, entity.status, entity.kind_id) == ("entity", "pending", kind or "preference")
    assert entity.evidence.get().quote == memory.evidence.get().quote
    assert statuses(memory) == ("active",)
    assert event.changes.get().row == entity.pk
    assert outcome(entity) == ("new", ())
    promoted = promote(entity, actor=people.bob)
    assert statuses(memory, entity) == ("graduated", "active")
    assert memory.successor == entity
    with pytest.raises(Duplicate):
        restore(memory, actor=people.bob)
        graduate(memory, actor=people.bob, kind=kind)
    undo(JournalEvent.objects.get(verb="restore"), actor=people.bob)
    undo(promoted, actor=people.bob)
    assert statuses(memory, entity) == ("active", "pending")
    undo(event, actor=people.bob)
    assert statuses(memory, entity) == ("active", "withdrawn")


def test_an_entity_edited_back_into_its_memory_takes_its_place(people: People) -> None:
    """An edit that names the memory's own kind makes the two duplicates by key; the memory gives way first."""
    memory = live(people, "I prefer tea", kind="preference")
    graduate(memory, actor=people.bob, kind="fact")
    entity = Claim.objects.get(graduates=memory)
    event = promote(entity, actor=people.bob, changes={"kind": "preference"})
    assert statuses(memory, entity) == ("graduated", "active")
    undo(event, actor=people.bob)
    assert statuses(memory, entity) == ("active", "pending")
    for kind in ("nonsense", "a\0"):
        with pytest.raises(Invalid):
            graduate(memory, actor=people.bob, kind=kind)
        with pytest.raises(Invalid):
            supersede(memory, draft=Draft(kind=kind, statement="x", quotes=()), actor=people.bob)


def test_supersede_by_ref_and_by_words(people: People) -> None:
    scope, bob = people.scope, people.bob
    old, new = live(people, "We take steel", kind="decision"), live(people, "We take oak", kind="decision")
    waiting = candidate(scope, bob, "We take pine", kind="decision")
    for by, error in ((old, Invalid), (waiting, BadTransition)):
        with pytest.raises(error):
            supersede(old, by=by, actor=bob)
    with pytest.raises(Invalid):
        supersede(old, actor=bob)
    event = supersede(old, by=new, actor=bob, expected_version=old.version)
    assert statuses(old, new) == ("superseded", "active")
    assert told(event) == {"status": ("active", "superseded"), "successor_id": (None, new.pk)}
    source = tell(scope, bob, "No: we take bamboo")
    from tests.people import quote_of

    event = supersede(
        new, draft=Draft(kind="decision", statement="We take bamboo", quotes=(quote_of(source),)), actor=bob
    )
    newest = Claim.objects.get(statement="We take bamboo")
    assert statuses(new, newest) == ("superseded", "active")
    assert new.successor == newest
    assert [e.verb for e in JournalEvent.objects.filter(batch=event.batch).order_by("id")] == ["propose", "supersede"]
    with pytest.raises(Duplicate):
        supersede(
            newest, draft=Draft(kind="decision", statement="we take bamboo.", quotes=(quote_of(source),)), actor=bob
        )
