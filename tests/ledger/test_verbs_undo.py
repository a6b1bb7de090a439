"""Every row of the reversibility table (P9), undo of undo, whole batches, and what stands in the way."""

import uuid
from collections.abc import Callable

import pytest

from ledger.actions.decide import archive, defer, expire, reject, reopen, restore, wake, withdraw
from ledger.actions.edit import edit
from ledger.actions.graduate import graduate
from ledger.actions.merge import merge
from ledger.actions.promote import promote
from ledger.actions.propose import Draft, propose_all
from ledger.actions.scope import update_scope
from ledger.actions.supersede import supersede
from ledger.actions.undo import undo, undo_batch
from ledger.errors import BadTransition, Duplicate, Forbidden, InTheWay, NotFound
from ledger.models import Claim, JournalEvent
from tests.ledger.model import Now, put_back
from tests.ledger.told import statuses, told
from tests.people import People, candidate, make_scope, quote_of, tell

pytestmark = pytest.mark.usefixtures("as_web")


def held(people: People, statement: str, **more: object) -> Claim:
    claim = candidate(people.scope, people.bob, statement, **more)
    promote(claim, actor=people.bob)
    claim.refresh_from_db()
    return claim


def last(verb: str) -> JournalEvent:
    return JournalEvent.objects.filter(verb=verb).order_by("-id")[0]


# The reversibility table, row by row


def test_a_written_candidate_is_withdrawn_and_is_no_remembered_no(people: People) -> None:
    claim = candidate(people.scope, people.bob, "I prefer tea", kind="preference")
    with pytest.raises(Forbidden):
        undo(last("propose"), actor=people.agent)
    undo(last("propose"), actor=people.bob)
    assert statuses(claim) == ("withdrawn",)
    with pytest.raises(BadTransition):
        restore(claim, actor=people.bob)
    again = candidate(people.scope, people.bob, "I prefer tea", kind="preference")
    assert again != claim


@pytest.mark.parametrize("kind", ["preference", "decision"])
def test_a_promoted_candidate_goes_back_to_the_queue(people: People, kind: str) -> None:
    claim = candidate(people.scope, people.bob, "I prefer tea", kind=kind)
    undo(promote(claim, actor=people.bob), actor=people.bob)
    claim.refresh_from_db()
    assert (claim.status, claim.promoted_at, claim.version) == ("pending", None, 3)


def test_a_rejected_candidate_goes_back_to_the_queue_by_undo_or_reopening(people: People) -> None:
    claim = candidate(people.scope, people.bob, "I prefer tea", kind="preference")
    undo(reject(claim, actor=people.bob), actor=people.bob)
    assert statuses(claim) == ("pending",)
    reject(claim, actor=people.bob)
    reopen(claim, actor=people.bob)
    assert statuses(claim) == ("pending",)


def test_a_graduation_is_undone_by_withdrawing_the_entity_candidate(people: People) -> None:
    memory = held(people, "I prefer tea", kind="preference")
    event = graduate(memory, actor=people.bob)
    entity = Claim.objects.get(graduates=memory)
    undo(event, actor=people.bob)
    assert statuses(memory, entity) == ("active", "withdrawn")


def test_an_active_entity_is_superseded_or_put_back(people: People) -> None:
    one, other = held(people, "It is red", kind="decision"), held(people, "It is blue", kind="decision")
    supersede(one, by=other, actor=people.bob)
    undo(last("supersede"), actor=people.bob)
    assert statuses(one, other) == ("active", "active")


def test_curation_and_ingest_and_scopes_have_no_undo(people: People) -> None:
    from ledger.actions.curate import curate

    curate(people.scope, "k", actor=people.carol, value=1)
    tell(people.scope, people.bob, "words")
    update_scope(people.scope, actor=people.alice, changes={"name": "Lab"})
    for verb in ("curate", "ingest", "update_scope"):
        with pytest.raises(BadTransition, match="no undo"):
            undo(last(verb), actor=people.alice)


# Each verb: undo, and undo of the undo


def cases(people: People) -> dict[str, Callable[[], JournalEvent]]:
    bob, scope = people.bob, people.scope
    fresh = iter(range(1000))

    def new() -> Claim:
        return candidate(scope, bob, f"Statement {next(fresh)}")

    def live(**more: object) -> Claim:
        return held(people, f"Statement {next(fresh)}", **more)

    def deferred() -> Claim:
        claim = new()
        defer(claim, actor=bob)
        return claim

    def archived() -> Claim:
        claim = live()
        archive(claim, actor=bob)
        return claim

    def rejected() -> Claim:
        claim = new()
        reject(claim, actor=bob)
        return claim

    return {
        "edit": lambda: edit(new(), actor=bob, changes={"key": "k", "tags": ["x"], "value": {"a": 1.5}}),
        "promote": lambda: promote(new(), actor=bob),
        "reject": lambda: reject(new(), actor=bob),
        "defer": lambda: defer(new(), actor=bob),
        "expire": lambda: expire(new(), actor=people.machine),
        "wake": lambda: wake(deferred(), actor=people.machine),
        "reopen": lambda: reopen(rejected(), actor=bob),
        "merge": lambda: merge(new(), into=live(), actor=bob),
        "merge of live ones": lambda: merge(live(), into=live(), actor=bob),
        "withdraw": lambda: withdraw(live(), actor=bob),
        "archive": lambda: archive(live(), actor=bob),
        "restore": lambda: restore(archived(), actor=bob),
        "supersede": lambda: supersede(live(), by=live(), actor=bob),
        "conflict": lambda: (
            live(key="c", value=1),
            promote(candidate(scope, bob, "C 2", key="c", value=2), actor=bob),
        )[1],
    }


def test_undo_puts_back_exactly_what_its_verb_changed_and_can_be_undone(people: People) -> None:
    for name, act in cases(people).items():
        event = act()
        after = Now([people.scope]).rows
        undone = undo(event, actor=people.bob, reason="mistaken")
        before = Now([people.scope]).rows
        put_back(event.pk, after, before)
        assert (undone.verb, undone.undoes, undone.ref, undone.reason) == ("undo", event, event.ref, "mistaken"), name
        with pytest.raises(BadTransition, match="undone already"):
            undo(event, actor=people.bob)
        again = undo(undone, actor=people.bob)
        assert Now([people.scope]).rows == after, name
        undo(again, actor=people.bob)
        rows = Now([people.scope]).rows
        assert rows == before, name
        undo(JournalEvent.objects.get(undoes=again), actor=people.bob)


def test_undo_needs_the_right_of_its_verb(people: People) -> None:
    event = promote(candidate(people.scope, people.bob, "It is red"), actor=people.bob)
    for actor, error in (
        (people.vera, Forbidden), (people.agent, Forbidden), (people.machine, Forbidden), (people.charlie, NotFound),
    ):  # fmt: skip
        with pytest.raises(error):
            undo(event, actor=actor)


# What stands in the way


def test_the_later_event_is_named(people: People) -> None:
    bob = people.bob
    claim = candidate(people.scope, bob, "It is red")
    proposed = last("propose")
    edited = edit(claim, actor=bob, changes={"statement": "It is blue"})
    promoted = promote(claim, actor=bob)
    archived = archive(claim, actor=bob)
    for event in (promoted, edited, proposed):
        with pytest.raises(InTheWay) as caught:
            undo(event, actor=bob)
        assert caught.value.details["event"] == archived.pk
    restored = restore(claim, actor=bob)
    for event, way in ((archived, restored), (edited, restored), (proposed, restored)):
        with pytest.raises(InTheWay) as caught:
            undo(event, actor=bob)
        assert caught.value.details["event"] == way.pk
    for event in (restored, archived, promoted, edited, proposed):
        undo(event, actor=bob)
    assert statuses(claim) == ("withdrawn",)
    claim.refresh_from_db()
    assert claim.statement == "It is red"


def test_what_undos_cancelled_out_is_not_in_the_way(people: People) -> None:
    bob = people.bob
    claim = candidate(people.scope, bob, "It is red")
    first = edit(claim, actor=bob, changes={"tags": ["a"]})
    second = edit(claim, actor=bob, changes={"tags": ["b"]})
    third = edit(claim, actor=bob, changes={"tags": ["c"]})
    undo(third, actor=bob)
    with pytest.raises(InTheWay) as caught:
        undo(first, actor=bob)
    assert caught.value.details["event"] == second.pk
    undo(second, actor=bob)
    undo(first, actor=bob)
    claim.refresh_from_db()
    assert claim.tags == []


def test_other_columns_are_not_in_the_way(people: People) -> None:
    bob = people.bob
    claim = candidate(people.scope, bob, "It is red")
    first = edit(claim, actor=bob, changes={"tags": ["a"]})
    edit(claim, actor=bob, changes={"assignee": "ann"})
    event = undo(first, actor=bob)
    claim.refresh_from_db()
    assert (claim.tags, claim.assignee) == ([], "ann")
    assert told(event) == {"tags": (["a"], [])}


def test_two_edits_make_one_duplicate_key_and_each_can_be_undone(people: People) -> None:
    """What one edit did to slot and duplicate key rests on what the other did."""
    claim = candidate(people.scope, people.bob, "It is red", kind="episodic")
    first = edit(claim, actor=people.bob, changes={"value": 4})
    edit(claim, actor=people.bob, changes={"key": "mast"})
    undo(first, actor=people.bob)
    claim.refresh_from_db()
    twin = candidate(people.scope, people.bob, "It was red", kind="episodic")
    edit(twin, actor=people.bob, changes={"key": "mast"})
    with pytest.raises(Duplicate):
        edit(twin, actor=people.bob, changes={"statement": "it is red"})
    other = candidate(people.scope, people.bob, "Mast", topic="rig")
    edits = [edit(other, actor=people.bob, changes=changes) for changes in ({"key": "k"}, {"statement": "Boom"})]
    undo(edits[0], actor=people.bob)
    other.refresh_from_db()
    assert (other.slot, other.statement) == ("fact|t:rig", "Boom")


def test_a_kind_does_not_come_back_onto_the_wrong_words(people: People) -> None:
    source = tell(people.scope, people.bob, "red or red", by="agent")
    places = ({"source": source.pk, "start": 0, "end": 3}, {"source": source.pk, "start": 7, "end": 10})
    draft = Draft(kind="decision", statement="It is red", quotes=(), anchors_to_choose=places)
    (answer,) = propose_all([draft], scope=people.scope, actor=people.bob)
    assert answer.claim is not None
    first = edit(answer.claim, actor=people.bob, changes={"kind": "fact"})
    second = edit(answer.claim, actor=people.bob, changes={"anchor": 0})
    with pytest.raises(InTheWay) as caught:
        undo(first, actor=people.bob)
    assert caught.value.details["event"] == second.pk
    undo(second, actor=people.bob)
    undo(first, actor=people.bob)


def test_a_twin_that_came_meanwhile_is_in_the_way(people: People) -> None:
    bob, scope = people.bob, people.scope
    first = held(people, "It is red")
    archived = archive(first, actor=bob)
    second = candidate(scope, bob, "It is red")
    promoted = promote(second, actor=bob)
    with pytest.raises(InTheWay) as caught:
        undo(archived, actor=bob)
    assert caught.value.details["event"] == promoted.pk
    late = candidate(scope, bob, "It is late")
    expired = expire(late, actor=people.machine)
    candidate(scope, bob, "It is late")
    with pytest.raises(InTheWay) as caught:
        undo(expired, actor=bob)
    assert caught.value.details["event"] == last("propose").pk


def test_an_edit_that_moved_scopes_needs_both_to_be_undone(people: People) -> None:
    claim = candidate(people.scope, people.bob, "It is red")
    make_scope("lab/x", tier="item", parent=people.scope)
    event = edit(claim, actor=people.bob, changes={"scope": "lab/x"})
    undo(event, actor=people.bob)
    claim.refresh_from_db()
    assert claim.scope == people.scope


# Batches


def test_a_batch_is_undone_all_or_nothing(people: People) -> None:
    bob, batch = people.bob, uuid.uuid4()
    claims = [candidate(people.scope, bob, f"It is {n}") for n in range(3)]
    for claim in claims:
        promote(claim, actor=bob, batch=batch)
    later = archive(claims[1], actor=bob)
    with pytest.raises(InTheWay) as caught:
        undo_batch(batch, actor=bob)
    assert caught.value.details["event"] == later.pk
    assert statuses(*claims) == ("active", "archived", "active")
    undo(later, actor=bob)
    events = undo_batch(batch, actor=bob, reason="all of them")
    assert statuses(*claims) == ("pending",) * 3
    assert len({event.batch for event in events}) == 1
    assert events[0].batch not in (None, batch)
    with pytest.raises(NotFound):
        undo_batch(batch, actor=bob)
    redone = events[0].batch
    assert redone is not None
    undo_batch(redone, actor=bob)
    assert statuses(*claims) == ("active",) * 3
    # Done, undone, done again: it holds, and can be undone as one once more.
    undo_batch(batch, actor=bob)
    assert statuses(*claims) == ("pending",) * 3
    with pytest.raises(NotFound):
        undo_batch(uuid.uuid4(), actor=bob)


def test_a_batch_of_steps_on_one_claim(people: People) -> None:
    bob, batch = people.bob, uuid.uuid4()
    claim = candidate(people.scope, bob, "It is red")
    promote(claim, actor=bob, changes={"statement": "It is blue"}, batch=batch)
    archive(claim, actor=bob, batch=batch)
    undo_batch(batch, actor=bob)
    claim.refresh_from_db()
    assert (claim.status, claim.statement) == ("pending", "It is red")


def test_a_superseding_statement_is_undone_as_one(people: People) -> None:
    old = held(people, "It is red", kind="decision")
    source = tell(people.scope, people.bob, "No, blue")
    draft = Draft(kind="decision", statement="It is blue", quotes=(quote_of(source),))
    event = supersede(old, draft=draft, actor=people.bob)
    assert event.batch is not None
    undo_batch(event.batch, actor=people.bob)
    new = Claim.objects.get(statement="It is blue")
    assert statuses(old, new) == ("active", "withdrawn")


def test_a_sighting_has_no_undo_and_stops_no_batch(people: People) -> None:
    bob, batch = people.bob, uuid.uuid4()
    source = tell(people.scope, bob, "It is red")
    draft = Draft(kind="fact", statement="It is red", quotes=(quote_of(source),))
    propose_all([draft, draft], scope=people.scope, actor=bob, batch=batch)
    with pytest.raises(BadTransition):
        undo(last("see_again"), actor=bob)
    undo_batch(batch, actor=bob)
    assert Claim.objects.get().status == "withdrawn"
