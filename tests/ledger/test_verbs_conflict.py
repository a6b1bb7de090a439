"""Conflicts follow the live claims; people resolve and dismiss them; trusted state never loses; disputes weigh."""

import datetime as dt

import pytest

from ledger.actions.conflict import dismiss, resolve
from ledger.actions.curate import curate, retract
from ledger.actions.decide import archive, restore, withdraw
from ledger.actions.dispute import dispute, recheck
from ledger.actions.ingest import Incoming, ingest
from ledger.actions.merge import merge
from ledger.actions.promote import promote
from ledger.actions.supersede import supersede
from ledger.actions.undo import undo
from ledger.errors import BadTransition, DecisionNeeded, Duplicate, Forbidden, InTheWay, Invalid, NotFound, StaleVersion
from ledger.models import Claim, Conflict, JournalEvent, TrustedState
from ledger.reads.insights.trust import objectors
from ledger.rules.bundles.episode import EpisodeEvent, build
from tests.ledger.told import statuses, told
from tests.people import People, agent_in, candidate, make_scope, tell

LONG_AGO = dt.datetime(2020, 1, 1, tzinfo=dt.UTC)

pytestmark = pytest.mark.usefixtures("as_web")


def live(people: People, value: object, key: str = "mast", **more: object) -> Claim:
    claim = candidate(people.scope, people.bob, f"{key} is {value}", key=key, value=value, **more)
    promote(claim, actor=people.bob)
    claim.refresh_from_db()
    return claim


def pair(people: People) -> tuple[Claim, Claim, Conflict]:
    one, other = live(people, 4), live(people, 5)
    return one, other, Conflict.objects.get(status="open")


def state_of(conflict: Conflict) -> str:
    conflict.refresh_from_db()
    return conflict.status


def test_every_verb_that_ends_a_claim_closes_the_conflict_and_restore_opens_it(people: People) -> None:
    bob = people.bob
    one, other, conflict = pair(people)
    for end in (archive, withdraw):
        event = end(one, actor=bob)
        assert state_of(conflict) == "closed"
        assert event.changes.get(noun="conflict").after == {"status": "closed"}
        restore(one, actor=bob)
        assert state_of(conflict) == "open"
    supersede(one, by=other, actor=bob)
    assert state_of(conflict) == "closed"
    undone = undo(JournalEvent.objects.get(verb="supersede"), actor=bob)
    assert state_of(conflict) == "open"
    undo(undone, actor=bob)
    assert state_of(conflict) == "closed"
    restore(one, actor=bob)
    merge(one, into=other, actor=bob)
    assert (state_of(conflict), *statuses(one, other)) == ("closed", "merged", "active")
    assert Conflict.objects.count() == 1


def test_resolve(people: People) -> None:
    one, other, conflict = pair(people)
    for actor, error in ((people.vera, Forbidden), (people.agent, Forbidden), (people.charlie, NotFound)):
        with pytest.raises(error):
            resolve(conflict, winner=one.ref, actor=actor)
    with pytest.raises(Invalid):
        resolve(conflict, winner="DEC-0", actor=people.bob)
    with pytest.raises(StaleVersion):
        resolve(conflict, winner=one.ref, actor=people.bob, expected_version=9)
    event = resolve(conflict, winner=one.ref, actor=people.bob, reason="measured")
    assert (state_of(conflict), *statuses(one, other)) == ("resolved", "active", "superseded")
    assert other.successor == one
    assert told(event)["status"] == ("open", "resolved")
    with pytest.raises(BadTransition):
        resolve(conflict, winner=one.ref, actor=people.bob)
    # A rival that comes later opens another conflict, which stands in the way of undoing this one.
    third = live(people, 6)
    second = Conflict.objects.get(status="open")
    assert second != conflict
    with pytest.raises(InTheWay) as caught:
        undo(event, actor=people.bob)
    assert caught.value.details["event"] == JournalEvent.objects.filter(verb="promote", ref=third.ref).get().pk
    archive(third, actor=people.bob)
    undone = undo(event, actor=people.bob)
    assert (state_of(conflict), state_of(second), *statuses(one, other)) == ("open", "closed", "active", "active")
    undo(undone, actor=people.bob)
    assert (state_of(conflict), *statuses(one, other)) == ("resolved", "active", "superseded")


def test_a_dismissal_holds_until_somebody_new_joins(people: People) -> None:
    one, other, conflict = pair(people)
    event = dismiss(conflict, actor=people.bob, reason="both hold")
    assert (state_of(conflict), *statuses(one, other)) == ("dismissed", "active", "active")
    archive(one, actor=people.bob)
    restore(one, actor=people.bob)
    assert not Conflict.objects.filter(status="open").exists()
    third = live(people, 6)
    second = Conflict.objects.get(status="open")
    assert second.members.count() == 3
    with pytest.raises(InTheWay):
        undo(event, actor=people.bob)
    archive(third, actor=people.bob)
    # Without the newcomer the two are what was dismissed.
    assert (state_of(conflict), state_of(second)) == ("dismissed", "closed")
    undo(event, actor=people.bob)
    assert (state_of(conflict), state_of(second)) == ("open", "closed")


def test_undoing_a_dismissal_of_what_is_gone_leaves_it_closed(people: People) -> None:
    one, _, conflict = pair(people)
    event = dismiss(conflict, actor=people.bob)
    archive(one, actor=people.bob)
    undone = undo(event, actor=people.bob)
    assert state_of(conflict) == "closed"
    undo(undone, actor=people.bob)
    assert state_of(conflict) == "dismissed"


def test_two_that_differ_through_a_third_without_value(people: People) -> None:
    """Who has no value can say the same as two that differ."""
    bare = candidate(people.scope, people.bob, "mast is heavy", key="mast")
    promote(bare, actor=people.bob)
    for value in (4, 5):
        claim = candidate(people.scope, people.bob, "mast is heavy", key="mast", value=value)
        archive(bare, actor=people.bob)
        promote(claim, actor=people.bob)
        restore(bare, actor=people.bob)
    assert Conflict.objects.filter(status="open").exists()


# Trusted state


def test_trusted_state_is_curated_by_hand_and_never_loses(people: People) -> None:
    scope, carol = people.scope, people.carol
    claim = live(people, 4)
    for actor in (people.bob, people.vera, people.agent, people.machine):
        with pytest.raises(Forbidden):
            curate(scope, "mast", actor=actor, value=5)
    event = curate(scope, "mast", actor=carol, value=5, cites=[claim.ref], reason="weighed", expected_version=0)
    row = TrustedState.objects.get()
    assert (row.value, row.statement, row.cites, row.by, row.status) == (5, "mast: 5", [claim.ref], "carol", "current")
    assert (event.verb, event.ref, event.door) == ("curate", row.ref, "screen")
    conflict = Conflict.objects.get(status="open")
    with pytest.raises(Invalid, match="never loses"):
        resolve(conflict, winner=claim.ref, actor=carol)
    promoted = candidate(scope, people.bob, "mast is 6", key="mast", value=6)
    promote(promoted, actor=people.bob, on_conflict="supersede")
    row.refresh_from_db()
    assert row.status == "current"
    resolve(conflict, winner=row.ref, actor=people.bob)
    assert statuses(claim, promoted) == ("superseded", "superseded")
    row.refresh_from_db()
    assert row.status == "current"


def test_curating_again_replaces_and_settles(people: People) -> None:
    scope, carol = people.scope, people.carol
    live(people, 4)
    curate(scope, "mast", actor=carol, value=5)
    conflict = Conflict.objects.get(status="open")
    with pytest.raises(StaleVersion):
        curate(scope, "mast", actor=carol, value=4, expected_version=0)
    event = curate(scope, "mast", actor=carol, value=4.0, expected_version=1)
    assert state_of(conflict) == "closed"
    assert [(row.value, row.status) for row in TrustedState.objects.order_by("id")] == [
        (5, "replaced"),
        (4.0, "current"),
    ]
    retracted = retract(scope, "mast", actor=carol, reason="not sure")
    assert TrustedState.objects.filter(status="retracted").count() == 1
    for irreversible in (event, retracted):
        with pytest.raises(BadTransition, match="no undo"):
            undo(irreversible, actor=carol)
    with pytest.raises(NotFound):
        retract(scope, "mast", actor=carol)


def test_what_curation_refuses(people: People) -> None:
    scope, carol = people.scope, people.carol
    unseen = candidate(make_scope_as_owner("elsewhere"), people.machine, "hidden")
    for more, field in (
        ({"key": " ", "value": 1}, "key"), ({"key": "k" * 201, "value": 1}, "key"), ({"key": "a\0", "value": 1}, "key"),
        ({"key": "k"}, "statement"), ({"key": "k", "value": float("nan")}, "value"),
        ({"key": "k", "statement": "x" * 4001}, "statement"), ({"key": "k", "value": 1, "cites": ["DEC-0"]}, "cites.0"),
        ({"key": "k", "value": 1, "cites": [unseen.ref]}, "cites.0"),
    ):  # fmt: skip
        with pytest.raises(Invalid) as caught:
            curate(scope, actor=carol, **more)  # type: ignore[arg-type]
        assert caught.value.field == field
    assert not TrustedState.objects.exists()


def make_scope_as_owner(path: str):  # noqa: ANN201
    return make_scope(path)


# Disputes


@pytest.mark.parametrize(
    ("speakers", "tier", "recheck_at"),
    [
        (["tool"], "project", 1), (["document"], "project", 1), (["user", "user"], "project", 2),
        (["agent", "agent", "agent"], "project", 3), (["document", "user"], "domain", 2), (["user"], "item", None),
    ],
)  # fmt: skip
def test_disputes_weigh_by_who_speaks_and_where(
    people: People, speakers: list[str], tier: str, recheck_at: int | None
) -> None:
    people.scope.tier = tier
    people.scope.save()
    claim = live(people, 4)
    for at, by in enumerate(speakers, 1):
        source = tell(people.scope, people.bob, f"No, says number {at}", by=by)
        event = dispute(claim, source=source, quote=source.text, actor=people.agent)
        claim.refresh_from_db()
        assert claim.disputed
        assert claim.needs_recheck == (recheck_at is not None and at >= recheck_at)
        assert event.changes.filter(noun="dispute").count() == 1


@pytest.mark.parametrize("by", ["agent", "tool", "document"])
def test_an_agents_own_words_mark_nothing_down(people: People, by: str) -> None:
    claim = live(people, 4)
    for text in ("nope, wrong", "nope, wrong again"):
        own = tell(people.scope, people.agent, text, by=by)
        event = dispute(claim, source=own, quote=text, actor=people.agent)
        claim.refresh_from_db()
        assert (claim.disputed, claim.needs_recheck) == (False, False)
        assert event.changes.get().after["weight"] == 0
    # Another agent, or a person, who finds that they are right vouches for them.
    dispute(claim, source=own, quote="nope", actor=agent_in(people.scope, name="second"))
    claim.refresh_from_db()
    assert claim.disputed
    assert [(one.name, one.raised, one.own) for one in objectors(people.bob.access, since=LONG_AGO)] == [
        ("scribe", 2, 2), ("second", 1, 0),
    ]  # fmt: skip
    assert objectors(people.charlie.access, since=LONG_AGO) == []


def test_a_program_that_ended_speaks_for_itself(people: People) -> None:
    claim = live(people, 4)
    text, sections = build([EpisodeEvent("model", "mast is 5"), EpisodeEvent("tool", "mast is 5", "measure", 0)])
    episode = Incoming(text=text, kind="episode", sender_kind="agent", sections=sections)
    [told] = ingest([episode], scope=people.scope, actor=people.agent)
    places = [text.index("mast is 5"), text.rindex("mast is 5")]
    for start, marked in zip(places, (False, True), strict=True):
        dispute(claim, source=told.source, quote="mast is 5", start=start, end=start + 9, actor=people.agent)
        claim.refresh_from_db()
        assert (claim.disputed, claim.needs_recheck) == (marked, marked)


def test_one_text_counts_once_however_often_it_is_quoted(people: People) -> None:
    claim = live(people, 4)
    for conversation, quote in (("a", "it is"), ("a", "not so"), ("b", "it is not so")):
        said = tell(people.scope, people.bob, "it is not so", conversation=conversation)
        dispute(claim, source=said, quote=quote, actor=people.agent)
    claim.refresh_from_db()
    assert (claim.disputed, claim.needs_recheck) == (True, False)


def test_objections_are_taken_back_one_by_one(people: People) -> None:
    claim = live(people, 4)
    events = []
    for n in (1, 2):
        source = tell(people.scope, people.bob, f"No {n}", by="user")
        events.append(dispute(claim, source=source, quote=source.text, actor=people.bob))
        with pytest.raises(Duplicate):
            dispute(claim, source=source, quote=source.text, actor=people.bob)
    claim.refresh_from_db()
    assert (claim.disputed, claim.needs_recheck) == (True, True)
    undone = undo(events[0], actor=people.bob)
    claim.refresh_from_db()
    assert (claim.disputed, claim.disputes.filter(status="open").count()) == (True, 1)
    undo(events[1], actor=people.bob)
    claim.refresh_from_db()
    assert (claim.disputed, claim.needs_recheck) == (False, False)
    undo(undone, actor=people.bob)
    claim.refresh_from_db()
    assert claim.disputed


def test_a_recheck_answers_all_objections(people: People) -> None:
    claim = live(people, 4)
    with pytest.raises(BadTransition):
        recheck(claim, actor=people.bob)
    source = tell(people.scope, people.bob, "No. No.", by="tool")
    with pytest.raises(DecisionNeeded):
        dispute(claim, source=source, quote="No.", actor=people.bob)
    dispute(claim, source=source, quote="No.", start=0, end=3, actor=people.bob)
    with pytest.raises(Forbidden):
        recheck(claim, actor=people.agent)
    event = recheck(claim, actor=people.bob)
    claim.refresh_from_db()
    assert (claim.disputed, claim.needs_recheck, claim.disputes.get().status) == (False, False, "void")
    undo(event, actor=people.bob)
    claim.refresh_from_db()
    assert (claim.disputed, claim.needs_recheck, claim.disputes.get().status) == (True, True, "open")
    waiting = candidate(people.scope, people.bob, "not yet")
    with pytest.raises(BadTransition):
        dispute(waiting, source=source, quote="No.", start=0, end=3, actor=people.bob)
    with pytest.raises(Forbidden):
        dispute(claim, source=source, quote="No.", start=4, end=7, actor=people.vera)
