"""Proposals, duplicates and remembered noes; edits; and the decisions that move a claim through the queue and out of it."""

import datetime as dt
import itertools
from typing import Any

import pytest

from ledger.actions.decide import archive, defer, expire, reject, reopen, restore, wake, withdraw
from ledger.actions.edit import edit
from ledger.actions.merge import merge
from ledger.actions.promote import promote
from ledger.actions.propose import Draft, propose, propose_all
from ledger.errors import BadTransition, Duplicate, Forbidden, Invalid, NotFound, StaleVersion
from ledger.models import Claim, JournalEvent
from tests.ledger.told import statuses, told
from tests.people import People, candidate, make_scope, quote_of, say, tell

pytestmark = pytest.mark.usefixtures("as_web")


def held(people: People, statement: str, **more: object) -> Claim:
    claim = candidate(people.scope, people.bob, statement, **more)
    promote(claim, actor=people.bob)
    claim.refresh_from_db()
    return claim


# Proposals


def test_a_proposal_keeps_its_origin(people: People) -> None:
    source = tell(people.scope, people.bob, "The mast is heavy")
    draft = Draft(
        kind="fact", statement="The mast is heavy", quotes=(quote_of(source),), key="mast", value=4, tags=("a",),
        rule="label", extractor="rules", extractor_version="1+abc", confidence=0.7, topic="rig", assignee="ann",
    )  # fmt: skip
    answer = propose(draft, scope=people.scope, actor=people.agent, reason="read it")
    claim = answer.claim
    assert claim is not None
    claim.refresh_from_db()
    assert (claim.status, claim.version, claim.seen_count, claim.layer, claim.slot) == (
        "pending", 1, 1, "entity", "fact|k:mast",
    )  # fmt: skip
    assert claim.proposed["value"] == 4
    event = JournalEvent.objects.get(verb="propose")
    assert (event.actor_kind, event.actor_name, event.ref, event.reason) == ("agent", "scribe", claim.ref, "read it")
    change = event.changes.get()
    assert (change.noun, change.row, change.before) == ("claim", claim.pk, None)
    assert change.after["statement"] == "The mast is heavy"


@pytest.mark.parametrize("end", ["pending", "deferred", "active", "merged"])
def test_a_duplicate_adds_its_evidence_and_is_counted(people: People, end: str) -> None:
    scope, bob = people.scope, people.bob
    claim = candidate(scope, bob, "The mast is heavy")
    if end == "deferred":
        defer(claim, actor=bob)
    elif end == "active":
        promote(claim, actor=bob)
    elif end == "merged":
        merge(claim, into=held(people, "The rig is heavy"), actor=bob)
    again = say(scope, people.agent, "the *mast* is  heavy.", by="agent")
    assert (again.fate, again.claim) == ("duplicate", claim)
    claim.refresh_from_db()
    assert (claim.seen_count, claim.evidence.count(), claim.status) == (2, 2, end)
    event = JournalEvent.objects.get(verb="see_again")
    assert (event.ref, event.changes.count()) == (claim.ref, 0)
    assert Claim.objects.filter(dedup=claim.dedup).count() == 1


def test_duplicates_of_one_batch(people: People) -> None:
    sources = [tell(people.scope, people.bob, f"It is red {n}") for n in range(3)]
    drafts = [Draft(kind="fact", statement="It is red", quotes=(quote_of(source),)) for source in sources]
    answers = propose_all([*drafts, drafts[0]], scope=people.scope, actor=people.bob)
    assert [answer.fate for answer in answers] == ["written", "duplicate", "duplicate", "duplicate"]
    claim = Claim.objects.get()
    assert claim.evidence.count() == 3


def test_a_no_is_remembered_and_the_rest_may_be_said_again(people: People) -> None:
    scope, bob = people.scope, people.bob
    no = candidate(scope, bob, "It is red")
    reject(no, actor=bob, reason="it is blue")
    answer = say(scope, people.agent, "it is RED", by="agent")
    assert (answer.fate, answer.claim) == ("rejected", no)
    no.refresh_from_db()
    assert (no.seen_count, no.evidence.count()) == (1, 1)
    late = candidate(scope, bob, "It is late")
    expire(late, actor=people.machine)
    gone = held(people, "It is gone")
    archive(gone, actor=bob)
    for statement in ("It is late", "It is gone"):
        assert say(scope, people.agent, statement, by="tool").fate == "written"
    # Somewhere else it is another matter.
    child = make_scope("lab/mast", tier="item", parent=scope)
    assert say(child, bob, "It is red").fate == "written"


def test_what_was_merged_stands_for_what_it_joined(people: People) -> None:
    scope, bob = people.scope, people.bob
    for n, end in enumerate(("archived", "rejected", "active")):
        into, claim = candidate(scope, bob, f"Target {n}"), candidate(scope, bob, f"Other words {n}")
        merge(claim, into=into, actor=bob)
        if end == "rejected":
            reject(into, actor=bob)
        else:
            promote(into, actor=bob)
        if end == "archived":
            archive(into, actor=bob)
        fate = {"archived": "written", "rejected": "rejected", "active": "duplicate"}[end]
        assert say(scope, bob, f"Other words {n}").fate == fate


def test_values_decide_on_a_slot_and_words_elsewhere(people: People) -> None:
    scope, bob = people.scope, people.bob
    candidate(scope, bob, "Mast weighs 4 kg", key="mast", value={"number": 4, "unit": "kg"})
    assert say(scope, bob, "It weighs four", key="mast", value={"number": 4.0, "unit": "kg"}).fate == "duplicate"
    assert say(scope, bob, "Mast weighs 4 kg", key="mast", value={"number": 5, "unit": "kg"}).fate == "written"
    assert say(scope, bob, "Mast weighs 4 kg", key="boom", value={"number": 4, "unit": "kg"}).fate == "written"
    task = {"task": "Paint", "assignee": "ann"}
    candidate(scope, bob, "Ann paints the mast", kind="action_item", value=task)
    assert say(scope, bob, "Ann paints the boom", kind="action_item", value=task).fate == "written"


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"statement": " "}, "statement"), ({"statement": "a\0"}, "statement"), ({"statement": "a\ud800"}, "statement"),
        ({"statement": "x" * 100_001}, "statement"), ({"key": "k" * 201}, "key"), ({"topic": "\0"}, "topic"),
        ({"tags": ("t" * 61,)}, "tags.0"), ({"value": float("nan")}, "value"), ({"value": {"a": [1, "\0"]}}, "value.a.1"),
        ({"value": 10**400}, "value"), ({"confidence": 1.5}, "confidence"), ({"confidence_word": "sure"}, "confidence_word"),
        ({"value_type": "x" * 21}, "value_type"), ({"valid_from": dt.datetime(2026, 1, 1)}, "valid_from"),  # noqa: DTZ001
        ({"kind": "nonsense"}, "kind"), ({"kind": "decision", "quotes": "agent"}, "evidence"), ({"quotes": None}, "evidence"),
    ],
)  # fmt: skip
def test_what_cannot_be_proposed_is_refused_by_name(people: People, changed: dict[str, Any], field: str) -> None:
    source = tell(people.scope, people.bob, "It is red", by="agent")
    draft: dict[str, Any] = {"kind": "fact", "statement": "It is red", "quotes": (quote_of(source),)} | changed
    if draft["quotes"] is None:
        draft["quotes"] = ()
    elif draft["quotes"] == "agent":
        draft["quotes"] = (quote_of(source),)
    if field == "evidence" and not draft["quotes"]:
        draft["kind"] = "decision"
    with pytest.raises(Invalid) as caught:
        propose(Draft(**draft), scope=people.scope, actor=people.bob)
    assert caught.value.field == field
    assert not Claim.objects.exists()


def test_a_topic_that_grows_still_fits(people: People) -> None:
    claim = candidate(people.scope, people.bob, "It holds", topic="ﷺ" * 200)
    assert len(claim.slot) < 500


# Edits


def test_an_edit_keeps_what_was_proposed(people: People) -> None:
    claim = candidate(people.scope, people.bob, "Mast is 4", key="mast", value=4)
    event = edit(
        claim, actor=people.bob, changes={"statement": " Mast is 5 ", "value": 5, "tags": ["x"]}, expected_version=1
    )
    claim.refresh_from_db()
    assert (claim.statement, claim.value, claim.version, claim.status) == ("Mast is 5", 5, 2, "pending")
    assert (claim.proposed["statement"], claim.proposed["value"]) == ("Mast is 4", 4)
    assert told(event)["value"] == (4, 5)
    assert "dedup" in told(event)
    edit(claim, actor=people.bob, changes={"key": "boom"})
    claim.refresh_from_db()
    assert claim.slot == "fact|k:boom"


def test_an_edit_into_another_scope_wants_both(people: People) -> None:
    claim = candidate(people.scope, people.bob, "Mast is 4")
    child = make_scope("lab/mast", tier="item", parent=people.scope)
    make_scope("other")
    edit(claim, actor=people.bob, changes={"scope": "lab/mast"})
    claim.refresh_from_db()
    assert claim.scope == child
    for path in ("other", "nowhere", "a\0", 3):
        with pytest.raises(Invalid) as caught:
            edit(claim, actor=people.bob, changes={"scope": path})
        assert caught.value.field == "scope"


def test_what_an_edit_refuses(people: People) -> None:
    scope, bob = people.scope, people.bob
    claim, twin = candidate(scope, bob, "Mast is 4", by="agent"), candidate(scope, bob, "Mast is 5")
    with pytest.raises(Duplicate) as caught:
        edit(claim, actor=bob, changes={"statement": "mast is 5"})
    assert caught.value.details["ref"] == twin.ref
    for changes in (
        {"statement": ""}, {"statement": 3}, {"status": "active"}, {"ref": "DEC-1"}, {"proposed": {}}, {"kind": "decision"},
        {"kind": "nonsense"}, {"kind": None}, {"value": float("inf")}, {"tags": "a"}, {"tags": [3]}, {"valid_from": "today"},
        {"confidence_word": "sure"}, {"anchor": 0}, {"key": "k" * 201}, {"value_type": None},
    ):  # fmt: skip
        with pytest.raises(Invalid) as wrong:
            edit(claim, actor=bob, changes=changes)
        assert wrong.value.field.partition(".")[0] == next(iter(changes))
    with pytest.raises(StaleVersion):
        edit(claim, actor=bob, changes={"tags": ["x"]}, expected_version=7)
    for actor, error in ((people.vera, Forbidden), (people.agent, Forbidden), (people.charlie, NotFound)):
        with pytest.raises(error):
            edit(claim, actor=actor, changes={"tags": ["x"]})
    promote(claim, actor=bob)
    with pytest.raises(BadTransition):
        edit(claim, actor=bob, changes={"tags": ["x"]})
    assert not JournalEvent.objects.filter(verb="edit").exists()


# Decisions

STEPS = {
    # verb: where it starts from, where it leads
    reject: ({"pending", "deferred"}, "rejected"),
    defer: ({"pending", "deferred"}, "deferred"),
    reopen: ({"rejected", "expired", "merged", "deferred"}, "pending"),
    expire: ({"pending", "deferred"}, "expired"),
    wake: ({"deferred"}, "pending"),
    withdraw: ({"active"}, "withdrawn"),
    archive: ({"active"}, "archived"),
    restore: ({"superseded", "archived", "graduated", "withdrawn"}, "active"),
    promote: ({"pending", "deferred"}, "active"),
}


def in_state(people: People, status: str, number: int) -> Claim:
    from ledger.actions.graduate import graduate
    from ledger.actions.supersede import supersede

    kind = "preference" if status == "graduated" else "fact"
    claim = candidate(people.scope, people.bob, f"Statement {number}", kind=kind)
    bob = people.bob
    if status in ("active", "superseded", "archived", "graduated", "withdrawn"):
        promote(claim, actor=bob)
    if status == "deferred":
        defer(claim, actor=bob)
    elif status == "rejected":
        reject(claim, actor=bob)
    elif status == "expired":
        expire(claim, actor=people.machine)
    elif status == "merged":
        merge(claim, into=candidate(people.scope, bob, f"Target {number}"), actor=bob)
    elif status == "archived":
        archive(claim, actor=bob)
    elif status == "withdrawn":
        withdraw(claim, actor=bob)
    elif status == "superseded":
        supersede(claim, by=held(people, f"Heir {number}"), actor=bob)
    elif status == "graduated":
        graduate(claim, actor=bob)
        promote(Claim.objects.get(graduates=claim), actor=bob)
    claim.refresh_from_db()
    assert claim.status == status
    return claim


def test_every_step_and_every_missing_one(people: People) -> None:
    number = itertools.count()
    for status in sorted({state for origins, _ in STEPS.values() for state in origins}):
        standing = in_state(people, status, next(number))
        before = JournalEvent.objects.count()
        for verb in [verb for verb, (origins, _) in STEPS.items() if status not in origins]:
            with pytest.raises(BadTransition) as caught:
                verb(standing, actor=people.bob)  # type: ignore[operator]
            assert caught.value.details["state"] == status
        assert statuses(standing) == (status,)
        assert JournalEvent.objects.count() == before
        for verb, target in [(verb, target) for verb, (origins, target) in STEPS.items() if status in origins]:
            claim = in_state(people, status, next(number))
            event = verb(claim, actor=people.bob)  # type: ignore[operator]
            assert statuses(claim) == (target,)
            assert event.verb == verb.__name__  # type: ignore[attr-defined]
            if status != target:
                assert told(event)["status"] == (status, target)
                assert claim.version > 1


def test_who_may_decide(people: People) -> None:
    claim = candidate(people.scope, people.bob, "It is red")
    for verb in (reject, defer, withdraw, archive, reopen, restore):
        for actor, error in (
            (people.vera, Forbidden), (people.agent, Forbidden), (people.machine, Forbidden), (people.charlie, NotFound),
        ):  # fmt: skip
            with pytest.raises(error):
                verb(claim, actor=actor)
        with pytest.raises(StaleVersion):
            verb(claim, actor=people.bob, expected_version=5)


def test_deferred_until(people: People) -> None:
    claim = candidate(people.scope, people.bob, "It is red")
    with pytest.raises(Invalid) as caught:
        defer(claim, actor=people.bob, until=dt.datetime(2020, 1, 1, tzinfo=dt.UTC))
    assert caught.value.field == "until"
    until = dt.datetime.now(dt.UTC) + dt.timedelta(days=1)
    event = defer(claim, actor=people.bob, until=until)
    assert told(event)["deferred_until"] == (None, until.isoformat())
    wake(claim, actor=people.machine)
    claim.refresh_from_db()
    assert (claim.status, claim.deferred_until) == ("pending", None)


def test_expired_then_said_again_then_reopened(people: People) -> None:
    scope, bob = people.scope, people.bob
    first = candidate(scope, bob, "It is red")
    expire(first, actor=people.machine)
    second = candidate(scope, bob, "It is red")
    with pytest.raises(Duplicate) as caught:
        reopen(first, actor=bob)
    assert caught.value.details["ref"] == second.ref
    reject(second, actor=bob)
    reopen(first, actor=bob)
    assert statuses(first, second) == ("pending", "rejected")


def test_restore_meets_what_holds_by_now(people: People) -> None:
    bob = people.bob
    first = held(people, "It is red")
    archive(first, actor=bob)
    second = held(people, "It is red")
    with pytest.raises(Duplicate) as caught:
        restore(first, actor=bob)
    assert caught.value.details["ref"] == second.ref


def test_merging(people: People) -> None:
    scope, bob = people.scope, people.bob
    one, two, three = (candidate(scope, bob, statement) for statement in ("One", "Two", "Three"))
    live = held(people, "Live")
    elsewhere = candidate(make_scope("lab/x", tier="item", parent=scope), bob, "Elsewhere")
    for claim, into, error in (
        (one, one, Invalid), (one, elsewhere, Invalid), (live, one, BadTransition),
    ):  # fmt: skip
        with pytest.raises(error):
            merge(claim, into=into, actor=bob)
    event = merge(one, into=two, actor=bob)
    assert told(event) == {"status": ("pending", "merged"), "successor_id": (None, two.pk)}
    merge(two, into=three, actor=bob)
    merge(three, into=live, actor=bob)
    assert statuses(one, two, three, live) == ("merged", "merged", "merged", "active")
    with pytest.raises(BadTransition):
        merge(candidate(scope, bob, "Four"), into=one, actor=bob)
    # The chain leads to the live one: what says the first words again is a duplicate.
    assert say(scope, bob, "One").fate == "duplicate"
    reopen(two, actor=bob)
    two.refresh_from_db()
    assert (two.status, two.successor) == ("pending", None)
