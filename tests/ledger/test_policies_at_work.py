"""Policies at work: only where an owner turned one on, only what is clear, listed and taken back as one (P8, law 5)."""

import datetime as dt
import uuid

import pytest
from django.utils import timezone

from extraction.runs.sweep import sweep
from ledger.actions import policy as at_work
from ledger.actions.anchoring import write_evidence
from ledger.actions.curate import curate
from ledger.actions.decide import archive, defer, reject, reopen
from ledger.actions.edit import edit
from ledger.actions.policy import promote_proposed, proposed, run_policies, set_policy, undo_policy
from ledger.actions.promote import promote
from ledger.actions.undo import undo, undo_batch
from ledger.actor import policy_actor
from ledger.errors import Forbidden, Invalid, NotFound, StaleVersion
from ledger.models import Claim, JournalEvent, Scope
from ledger.reads.journal import journal_page
from ledger.reads.policies.in_force import governed_scopes, policies_in_force, promoting_policies
from ledger.reads.verify import verify
from review.desk.reservations import reserve
from review.models import Seen
from tests.ledger.conftest import role
from tests.ledger.raw import WORKER, execute
from tests.ledger.test_races import at_once
from tests.people import People, candidate, make_scope, quote_of, say, tell

HEADING = {"rule": "heading.typed", "confidence": 0.8085}
OFTEN = {"act": "promote", "times": 3, "days": 7}


def status(claim: Claim) -> str:
    return Claim.objects.values_list("status", flat=True).get(pk=claim.pk)


def often(people: People, statement: str, *, times: int = 3, by: str = "user", **more: object) -> Claim:
    claim = candidate(people.scope, people.bob, statement, **more)
    for n in range(times - 1):
        told = tell(people.scope, people.bob, f"{statement}, once more ({n})", by=by)
        write_evidence([(claim, quote_of(told))])
    return claim


def test_all_are_off(people: People) -> None:
    claim = candidate(people.scope, people.bob, "The mast is oak", **HEADING)
    often(people, "The sail is red")
    candidate(people.scope, people.bob, "I prefer tea", kind="preference", rule="sentence.first_person", confidence=0.5)
    assert not any(one.on for one in policies_in_force(people.scope).values())
    assert run_policies() == 0 and status(claim) == "pending"
    set_policy(people.scope, "four_eyes", actor=people.alice, on=True)
    assert run_policies() == 0


def test_a_heading_is_promoted_by_the_worker_in_the_policys_name(people: People) -> None:
    first = candidate(people.scope, people.bob, "The mast is oak", **HEADING)
    second = candidate(people.scope, people.bob, "The sail is red", kind="decision", **HEADING)
    left = candidate(people.scope, people.bob, "The deck is wet", rule="heading.typed", confidence=0.79)
    set_policy(people.scope, "confidence", actor=people.alice, on=True, reason="the headings are right")
    turned = JournalEvent.objects.latest("pk")
    assert (turned.verb, turned.reason, turned.actor_name) == ("update_scope", "the headings are right", "alice")
    with role(WORKER):
        sweep()
    events = list(JournalEvent.objects.filter(actor_kind="policy").order_by("pk"))
    assert [(e.ref, e.verb, e.actor_name, e.door, e.user_id) for e in events] == [
        (claim.ref, "promote", "policy:confidence@1", "worker", None) for claim in (first, second)
    ]
    assert len({event.batch for event in events}) == 1 and events[0].batch is not None
    assert events[0].reason == "a heading with a high score: 0.81 of 0.80"
    assert [status(claim) for claim in (first, second, left)] == ["active", "active", "pending"]
    assert not verify().problems


def test_only_what_is_clear(people: People) -> None:
    scope, bob = people.scope, people.bob
    set_policy(scope, "confidence", actor=people.alice, on=True)
    held = candidate(scope, bob, "The hull is 4 m", key="hull", value=4)
    promote(held, actor=bob)
    differs = candidate(scope, bob, "The hull is 5 m", key="hull", value=5, **HEADING)
    curate(scope, "flag", actor=people.carol, statement="The flag is blue")
    against_trusted = candidate(scope, bob, "The flag is red", key="flag", value="red", **HEADING)
    marked = candidate(scope, bob, "The keel is long", needs_review=True, **HEADING)
    replaces = candidate(scope, bob, "The hull is 4 m and sound", names_replaced=(held.ref,), **HEADING)
    risky = candidate(scope, bob, "The crane holds 2 t", **HEADING)
    execute("UPDATE ledger_claim SET high_risk = true WHERE id = %s", [risky.pk])
    told = tell(scope, bob, "Wet. Wet.")
    places = ({"source": told.pk, "start": 0, "end": 4}, {"source": told.pk, "start": 5, "end": 9})
    unclear = say(scope, bob, "Wet", told=told, anchors_to_choose=places, **HEADING).claim
    in_hand = candidate(scope, bob, "The rope is old", **HEADING)
    edit(in_hand, actor=bob, changes={"statement": "The rope is very old"})
    put_off = candidate(scope, bob, "The bell rings", **HEADING)
    defer(put_off, actor=bob)
    undone = candidate(scope, bob, "The oars are short", **HEADING)
    reject(undone, actor=bob)
    reopen(undone, actor=bob)
    by_hand = candidate(scope, bob, "The lamp is lit", hand_authored=True, **HEADING)
    by_agent = candidate(scope, bob, "The pump is loud", by="agent", **HEADING)
    expired = candidate(scope, bob, "The tide is high", expires_at=timezone.now() - dt.timedelta(hours=1), **HEADING)
    assert unclear is not None
    left = [
        differs,
        against_trusted,
        marked,
        replaces,
        risky,
        unclear,
        in_hand,
        put_off,
        undone,
        by_hand,
        by_agent,
        expired,
    ]
    before = [status(claim) for claim in left]
    assert run_policies() == 0 and [status(claim) for claim in left] == before
    # Nor may anybody who speaks in its name.
    name = policy_actor("policy:confidence@1")
    for claim in (differs, against_trusted, marked, risky):
        with pytest.raises(Forbidden, match="for a person"):
            promote(claim, actor=name, on_conflict="coexist")
    for wrong in ("policy:confidence@2", "policy:references@1", "policy:four_eyes@1", "policy:x@1", "confidence"):
        with pytest.raises(Forbidden, match="not on"):
            promote(by_hand, actor=policy_actor(wrong))


def test_what_is_said_already_joins_it(people: People) -> None:
    held = candidate(people.scope, people.bob, "The hull is 4 m", key="hull", value=4)
    again = candidate(
        people.scope, people.bob, "Four metres is the hull", kind="decision", key="hull", value=4, **HEADING
    )
    promote(held, actor=people.bob)
    set_policy(people.scope, "confidence", actor=people.alice, on=True)
    assert run_policies() == 1
    again.refresh_from_db()
    assert (again.status, again.successor_id) in (("merged", held.pk), ("active", None))


def test_two_that_differ_are_not_both_promoted(people: People) -> None:
    one = candidate(people.scope, people.bob, "The hull is 4 m", key="hull", value=4, **HEADING)
    other = candidate(people.scope, people.bob, "The hull is 5 m", key="hull", value=5, **HEADING)
    set_policy(people.scope, "confidence", actor=people.alice, on=True)
    assert run_policies() == 1 and (status(one), status(other)) == ("active", "pending")
    assert run_policies() == 0


def test_a_forgotten_no_is_respected(people: People) -> None:
    set_policy(people.scope, "confidence", actor=people.alice, on=True)
    claim = candidate(people.scope, people.bob, "The mast is oak", **HEADING)
    assert run_policies() == 1
    event = JournalEvent.objects.get(actor_kind="policy")
    undo(event, actor=people.bob)
    assert run_policies() == 0 and status(claim) == "pending"
    promote(claim, actor=people.bob)
    archive(claim, actor=people.bob)
    # What was retired may be proposed again, but a person has spoken about it.
    again = candidate(people.scope, people.bob, "The mast is oak", **HEADING)
    assert again.pk != claim.pk and run_policies() == 0
    assert say(people.scope, people.bob, "The mast is oak", **HEADING).fate == "duplicate"


def test_the_nearest_scope_decides(people: People) -> None:
    child = make_scope("lab/item", tier="item", parent=people.scope)
    leaf = make_scope("lab/item/leaf", tier="item", parent=child)
    settings = {"threshold": 0.5}
    set_policy(people.scope, "confidence", actor=people.alice, on=True, settings=settings)
    set_policy(child, "confidence", actor=people.alice, on=False)
    claims = {
        scope.path: candidate(scope, people.bob, "The mast is oak", rule="heading.typed", confidence=0.6)
        for scope in (people.scope, child, leaf)
    }
    found = {scope.path: policies_in_force(scope)["confidence"] for scope in (people.scope, child, leaf)}
    assert [(one.on, one.named_by, one.own) for one in found.values()] == [
        (True, "lab", settings), (False, "lab/item", False), (False, "lab/item", None),
    ]  # fmt: skip
    assert found["lab"].settings.threshold == 0.5 and set(governed_scopes(people.scope, "confidence").values()) == {
        "lab"
    }
    assert run_policies() == 1 and status(claims["lab"]) == "active"
    with pytest.raises(Forbidden, match="not on"):
        promote(claims["lab/item"], actor=policy_actor("policy:confidence@1"))
    set_policy(child, "confidence", actor=people.alice, on=None)
    assert Scope.objects.get(pk=child.pk).policies == {}
    assert run_policies() == 2


def test_a_packs_numbers_count_until_the_owner_says_otherwise(people: People) -> None:
    scope = make_scope("lab/agents", packs=("agent",), parent=people.scope)
    assert set(policies_in_force(scope)["references"].settings.never) >= {"decision", "constraint"}
    set_policy(scope, "references", actor=people.alice, on=True, settings={"never": ["decision"]})
    assert policies_in_force(scope)["references"].settings.never == ("decision",)


def test_only_its_owner_turns_one_on_and_a_wrong_setting_is_named(people: People) -> None:
    for nobody, error in ((people.carol, Forbidden), (people.agent, Forbidden), (people.charlie, NotFound)):
        with pytest.raises(error):
            set_policy(people.scope, "confidence", actor=nobody, on=True)
    with pytest.raises(Invalid) as caught:
        set_policy(people.scope, "confidence", actor=people.alice, on=True, settings={"threshold": 2})
    assert caught.value.field == "policies.confidence.threshold"
    with pytest.raises(Invalid):
        set_policy(people.scope, "trust_me", actor=people.alice, on=True)
    with pytest.raises(StaleVersion):
        set_policy(people.scope, "confidence", actor=people.alice, on=True, expected_version=9)
    set_policy(people.scope, "confidence", actor=people.alice, on=True, settings={"threshold": 0.9}, expected_version=1)
    set_policy(people.scope, "confidence", actor=people.alice, on=True)
    assert Scope.objects.get(pk=people.scope.pk).policies == {"confidence": {"threshold": 0.9}}


def test_references(people: People) -> None:
    set_policy(people.scope, "references", actor=people.alice, on=True, settings=OFTEN)
    fits = often(people, "The mast is oak")
    rare = often(people, "The sail is red", times=2)
    decided = often(people, "We sail on Monday", kind="decision")
    affects = often(people, "The wind is west", downstream=("DEC-1",))
    by_agents = often(people, "The sea is calm", by="agent")
    looked_at = often(people, "The rope is old")
    reserve(people.bob.user_id or 0, [looked_at.pk])
    assert set(Seen.objects.values_list("claim_id", flat=True)) == {looked_at.pk}
    with role(WORKER):
        assert run_policies() == 1
    assert JournalEvent.objects.get(actor_kind="policy").reason == "said in 3 sources within 7 days"
    left = (rare, decided, affects, by_agents, looked_at)
    assert status(fits) == "active" and {status(claim) for claim in left} == {"pending"}
    assert run_policies(now=timezone.now() + dt.timedelta(days=8)) == 0


def test_unless_told_references_only_propose(people: People) -> None:
    claim, other = often(people, "The mast is oak", times=5), often(people, "The sail is red", times=5)
    set_policy(people.scope, "references", actor=people.alice, on=True)
    assert run_policies() == 0 and [one.claim.ref for one in proposed(people.scope, "references")] == [
        claim.ref,
        other.ref,
    ]
    with pytest.raises(Forbidden):
        promote_proposed(people.scope, "references", actor=people.vera, refs=[claim.ref])
    with pytest.raises(Forbidden, match="not on"):
        promote(claim, actor=policy_actor("policy:references@1"))
    batch, events, left = promote_proposed(people.scope, "references", actor=people.bob, refs=[claim.ref, "FCT-1"])
    assert [(event.ref, event.actor_kind, event.batch) for event in events] == [(claim.ref, "human", batch)]
    assert left == [("FCT-1", "it is not proposed any more")] and status(other) == "pending"
    undo_batch(batch, actor=people.bob)


def test_first_person_answers_and_a_models_facts(people: People) -> None:
    mine = candidate(
        people.scope, people.bob, "I prefer tea", kind="preference", rule="sentence.first_person", confidence=0.5
    )
    promise = candidate(people.scope, people.bob, "I promise to come", kind="commitment", rule="sentence.first_person")
    fact = candidate(people.scope, people.bob, "The van is white", rule="model.add", confidence=0.9)
    unsure = candidate(people.scope, people.bob, "The van is blue", rule="model.add", confidence=0.8)
    answer = candidate(people.scope, people.bob, "Width: 6 m", rule="answer.structured", confidence=0.9)
    clash = candidate(people.scope, people.bob, "The door is narrow", rule="model.conflict", confidence=0.9)
    for name in ("first_person", "auto_accept"):
        set_policy(people.scope, name, actor=people.alice, on=True)
    assert run_policies() == 3
    assert [status(claim) for claim in (mine, fact, answer)] == ["active"] * 3
    assert [status(claim) for claim in (promise, unsure, clash)] == ["pending"] * 3


# Listed, and taken back as one


def test_all_it_did_is_listed_and_undone(people: People) -> None:
    access = people.alice.access
    set_policy(people.scope, "confidence", actor=people.alice, on=True)
    early = [candidate(people.scope, people.bob, f"The plank {n} is dry", **HEADING) for n in range(3)]
    assert run_policies() == 3
    between = timezone.now()
    late = candidate(people.scope, people.bob, "The mast is oak", **HEADING)
    assert run_policies() == 1
    listed = [event.ref for event in journal_page(access, policy="confidence").items]
    assert listed == [*(claim.ref for claim in early), late.ref]
    assert journal_page(access, policy="references").items == [] and not journal_page(access, policy="conf").items
    with pytest.raises(Forbidden):
        undo_policy(people.scope, "confidence", actor=people.vera)
    done, left = undo_policy(people.scope, "confidence", actor=people.bob, since=between)
    assert [event.ref for event in done] == [late.ref] and not left and status(late) == "pending"
    # What somebody has built on stays, and is named with the reason.
    archive(early[1], actor=people.bob)
    done, left = undo_policy(people.scope, "confidence", actor=people.bob, reason="too eager")
    assert {event.ref for event in done} == {early[0].ref, early[2].ref} and len({event.batch for event in done}) == 1
    assert [(event.ref, "since changed" in why) for event, why in left] == [(early[1].ref, True)]
    assert run_policies() == 0 and not verify().problems
    # And as one again.
    undo_batch(done[0].batch, actor=people.bob)
    assert status(early[0]) == "active"
    first, *_ = JournalEvent.objects.filter(actor_kind="policy").order_by("pk")
    assert len(undo_policy(people.scope, "confidence", actor=people.bob)[0]) == 2 and first.batch is not None


def test_a_pass_is_bounded_and_goes_on_where_it_stopped(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"MAX_AT_ONCE": 2, "STRETCH": 5, "NEWEST": 1}.items():
        monkeypatch.setattr(at_work, name, value)
    claims = [candidate(people.scope, people.bob, f"The plank {n} is dry", **HEADING) for n in range(12)]
    set_policy(people.scope, "confidence", actor=people.alice, on=True)
    at_work._go_on_from(claims[0].pk - 1)
    passes = [run_policies() for _ in range(8)]
    # Two of the next stretch and two of the newest at most.
    assert sum(passes) == 12 and max(passes) <= 4 and {status(claim) for claim in claims} == {"active"}


def test_one_pass_at_a_time_and_a_person_is_never_overruled(people: People) -> None:
    set_policy(people.scope, "confidence", actor=people.alice, on=True)
    claims = [candidate(people.scope, people.bob, f"The plank {n} is dry", **HEADING) for n in range(6)]
    acts = [
        run_policies,
        run_policies,
        *(lambda c=claim: reject(c, actor=people.bob, expected_version=1) for claim in claims[:3]),
    ]
    at_once(acts)
    run_policies()
    for claim in claims:
        events = JournalEvent.objects.filter(ref=claim.ref, verb__in=("promote", "reject"))
        assert events.count() == 1 and status(claim) in ("active", "rejected")


def test_turned_off_in_between_the_database_has_the_last_word(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    set_policy(people.scope, "confidence", actor=people.alice, on=True)
    claim = candidate(people.scope, people.bob, "The mast is oak", **HEADING)
    # Read before, written after: what the verb believed is not what holds at the commit.
    believed = promoting_policies(people.scope)
    monkeypatch.setattr("ledger.actions.promote.promoting_policies", lambda scope: believed)
    found = at_work.proposed(people.scope, "confidence")
    set_policy(people.scope, "confidence", actor=people.alice, on=False)
    assert at_work._promote_each(found, policy_actor("policy:confidence@1"), uuid.uuid4()) == 0
    assert status(claim) == "pending"
