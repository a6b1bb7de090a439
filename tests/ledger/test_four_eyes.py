"""Two people decide about what is risky, where a scope asks for it: the verbs, their undo, races, and the law beneath."""

import datetime as dt
import uuid
from dataclasses import replace

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from ledger.actions.decide import defer, reject, reopen
from ledger.actions.edit import edit
from ledger.actions.promote import promote
from ledger.actions.propose import Draft
from ledger.actions.scope import update_scope
from ledger.actions.supersede import supersede
from ledger.actions.undo import undo, undo_batch
from ledger.actor import Actor, operator
from ledger.errors import DecisionNeeded, Forbidden, InTheWay, SecondPersonNeeded, StaleVersion
from ledger.models import Approval, Claim, JournalEvent, Scope
from ledger.reads.policies.in_force import approval_states
from ledger.reads.verify import verify
from tests.ledger.conftest import role
from tests.ledger.raw import WEB, change, event, execute, insert, refused
from tests.ledger.test_races import at_once, kinds_of
from tests.people import People, candidate, make_people, make_scope, quote_of, tell

KEY = "project.constraints.floor_load"


@pytest.fixture
def crew(people: People) -> People:
    """A production whose owner asks for four eyes."""
    scope = make_scope("show", packs=("production",))
    crew = make_people(scope)
    update_scope(scope, actor=crew.alice, changes={"policies": {"four_eyes": {}}})
    return crew


def risky(crew: People, amount: int = 40, scope: Scope | None = None) -> Claim:
    claim = candidate(
        scope or crew.scope, crew.bob, f"The floor bears {amount} kg", key=KEY,
        value=amount,
    )  # fmt: skip
    assert claim.high_risk
    return claim


def fresh(claim: Claim) -> Claim:
    return Claim.objects.select_related("scope").get(pk=claim.pk)


def approvers(claim: Claim) -> list[str]:
    found = approval_states([fresh(claim)])
    return [row.by for row in found[claim.pk].approvals] if found else []


def test_the_second_person_promotes(crew: People) -> None:
    claim = risky(crew)
    first = promote(claim, actor=crew.bob, expected_version=claim.version, reason="as agreed")
    assert (first.verb, first.reason, fresh(claim).status, approvers(claim)) == (
        "approve",
        "as agreed",
        "pending",
        ["bob"],
    )
    second = promote(claim, actor=crew.carol, expected_version=claim.version)
    assert second.verb == "promote" and fresh(claim).status == "active"
    assert Approval.objects.get().status == "standing"
    assert not verify().problems


def test_a_pack_that_is_chosen_later_says_what_is_risky_of_what_waits_too(people: People) -> None:
    scope = make_scope("tour")
    crew = make_people(scope)
    claim = candidate(scope, crew.bob, "The floor bears 40 kg", key=KEY, value=40)
    assert not claim.high_risk
    update_scope(fresh(claim).scope, actor=crew.alice, changes={"packs": ["production"], "policies": {"four_eyes": {}}})
    assert promote(fresh(claim), actor=crew.bob).verb == "approve" and fresh(claim).status == "pending"
    with pytest.raises(SecondPersonNeeded):
        promote(fresh(claim), actor=crew.bob)
    done = promote(fresh(claim), actor=crew.carol)
    assert done.verb == "promote" and fresh(claim).status == "active" and fresh(claim).high_risk
    back = undo(done, actor=crew.carol)
    assert fresh(claim).status == "pending"
    undo(back, actor=crew.carol)
    assert fresh(claim).status == "active" and not verify().problems


def test_the_same_person_is_one_person(crew: People) -> None:
    claim = risky(crew)
    promote(claim, actor=crew.bob)
    for again in (crew.bob, replace(crew.bob, token_id=7, door="api"), replace(crew.bob, token_id=8, name="Bob")):
        with pytest.raises(SecondPersonNeeded, match="approved .* already; show asks for another person"):
            promote(claim, actor=again)
    for nobody in (operator("root"), replace(crew.carol, user_id=None)):
        with pytest.raises(SecondPersonNeeded, match="accounts"):
            promote(claim, actor=nobody)
    with pytest.raises(Forbidden):
        promote(claim, actor=crew.vera)
    assert fresh(claim).status == "pending" and Approval.objects.count() == 1


def test_it_is_asked_of_what_is_risky_and_below_too(crew: People) -> None:
    child = make_scope("show/panel", tier="item", parent=crew.scope)
    # Whoever owns what lies below cannot do without.
    Scope.objects.filter(pk=child.pk).update(policies={"four_eyes": False})
    assert promote(risky(crew, scope=child), actor=crew.bob).verb == "approve"
    plain = candidate(crew.scope, crew.bob, "We load in on Monday", kind="decision")
    with CaptureQueriesContext(connection) as captured:
        assert promote(plain, actor=crew.bob).verb == "promote"
    assert not any("approval" in query["sql"] for query in captured.captured_queries)
    update_scope(crew.scope, actor=crew.alice, changes={"policies": {"four_eyes": False}})
    assert promote(risky(crew), actor=crew.bob).verb == "promote"


def test_each_of_the_two_takes_few_statements(crew: People) -> None:
    claim = risky(crew)
    for actor in (crew.bob, crew.carol):
        with CaptureQueriesContext(connection) as captured:
            promote(claim, actor=actor, expected_version=claim.version)
        assert len(captured) <= 24, "\n".join(query["sql"][:110] for query in captured.captured_queries)
    assert fresh(claim).status == "active"


def test_only_an_owner_turns_it_on(crew: People) -> None:
    with pytest.raises(Forbidden):
        update_scope(crew.scope, actor=crew.carol, changes={"policies": {}})


def test_an_edit_voids_the_approval_and_its_undo_brings_it_back(crew: People) -> None:
    claim = risky(crew)
    promote(claim, actor=crew.bob)
    edited = edit(claim, actor=crew.carol, changes={"statement": "The floor bears 40 kg, all in"})
    assert approvers(claim) == [] and Approval.objects.get().status == "void"
    undo(edited, actor=crew.carol)
    assert approvers(claim) == ["bob"]
    # Words that another edit changed meanwhile are not those that were approved, whatever the row says.
    first = edit(claim, actor=crew.carol, changes={"statement": "The floor bears 40 kg at most"})
    edit(claim, actor=crew.carol, changes={"topic": "floor"})
    undo(first, actor=crew.carol)
    assert Approval.objects.get().status == "standing" and approvers(claim) == []
    assert promote(claim, actor=crew.carol).verb == "approve"
    assert promote(claim, actor=crew.bob).verb == "promote"
    assert not verify().problems


def test_who_edits_while_promoting_is_the_first(crew: People) -> None:
    claim = risky(crew)
    promote(claim, actor=crew.bob)
    changes = {"statement": "The floor bears 40 kg in all"}
    assert promote(claim, actor=crew.carol, changes=changes).verb == "approve"
    assert approvers(claim) == ["carol"] and promote(claim, actor=crew.bob).verb == "promote"


def test_an_edit_that_changes_nothing_keeps_it(crew: People) -> None:
    claim = risky(crew)
    promote(claim, actor=crew.bob)
    edit(claim, actor=crew.carol, changes={"statement": claim.statement})
    assert approvers(claim) == ["bob"]


def test_undo(crew: People) -> None:
    claim = risky(crew)
    approval = promote(claim, actor=crew.bob)
    taken_back = undo(approval, actor=crew.bob)
    assert approvers(claim) == [] and promote(claim, actor=crew.carol).verb == "approve"
    # Nobody approves in another's name.
    with pytest.raises(SecondPersonNeeded, match="only bob"):
        undo(taken_back, actor=crew.carol)
    undo(taken_back, actor=crew.bob)
    assert approvers(claim) == ["bob", "carol"]
    promotion = promote(claim, actor=crew.alice)
    # What rests on it is undone first.
    with pytest.raises(InTheWay) as caught:
        undo(JournalEvent.objects.filter(verb="approve").latest("pk"), actor=crew.carol)
    assert caught.value.details["event"] == promotion.pk
    back = undo(promotion, actor=crew.alice)
    assert fresh(claim).status == "pending" and approvers(claim) == ["bob", "carol"]
    undo(back, actor=crew.alice)
    assert fresh(claim).status == "active" and not verify().problems


def test_a_promotion_comes_back_by_two_as_well(crew: People) -> None:
    claim = risky(crew)
    promote(claim, actor=crew.bob)
    back = undo(promote(claim, actor=crew.carol), actor=crew.alice)
    with pytest.raises(SecondPersonNeeded):
        undo(back, actor=crew.bob)
    edit(claim, actor=crew.alice, changes={"topic": "floor"})
    with pytest.raises(SecondPersonNeeded):
        undo(back, actor=crew.carol)
    assert fresh(claim).status == "pending"


def test_reject_and_defer_by_anybody(crew: People) -> None:
    claim = risky(crew)
    promote(claim, actor=crew.bob)
    defer(claim, actor=crew.bob)
    assert approvers(claim) == ["bob"]
    no = reject(claim, actor=crew.bob)
    assert Approval.objects.get().status == "void"
    undo(no, actor=crew.carol)
    assert approvers(claim) == ["bob"]
    reject(claim, actor=crew.carol)
    reopen(claim, actor=crew.carol)
    # After a no the question is asked anew.
    assert approvers(claim) == [] and promote(claim, actor=crew.carol).verb == "approve"


def test_what_must_be_chosen_is_asked_first(crew: People) -> None:
    # The same speaker says later that the budget is another one.
    for at, amount in enumerate((40, 50)):
        told = tell(
            crew.scope, crew.alice, f"The floor bears {amount} kg", sender="ann",
            sent_at=timezone.now() - dt.timedelta(days=2 - at),
        )  # fmt: skip
        claim = candidate(
            crew.scope, crew.bob, told.text, told=told, key=KEY, value=amount,
        )  # fmt: skip
        if at == 0:
            promote(claim, actor=crew.bob)
            promote(claim, actor=crew.carol)
    with pytest.raises(DecisionNeeded):
        promote(claim, actor=crew.bob)
    assert promote(claim, actor=crew.bob, on_conflict="supersede").verb == "approve"
    assert promote(claim, actor=crew.carol, on_conflict="supersede").verb == "promote"
    with pytest.raises(StaleVersion):
        promote(claim, actor=crew.alice, expected_version=1)


def test_a_draft_that_supersedes_is_proposed_instead(crew: People) -> None:
    claim = risky(crew)
    promote(claim, actor=crew.bob)
    promote(claim, actor=crew.carol)
    told = tell(crew.scope, crew.alice, "The floor bears 60 kg now")
    draft = Draft(
        kind="fact", statement=told.text, quotes=(quote_of(told),), key=KEY,
        value=60,
    )  # fmt: skip
    with pytest.raises(SecondPersonNeeded, match="propose it"):
        supersede(claim, draft=draft, actor=crew.alice)
    assert fresh(claim).status == "active" and Claim.objects.filter(scope=crew.scope).count() == 1


def test_a_batch_with_an_approval_is_undone_as_one(crew: People) -> None:
    claim = risky(crew)
    made = promote(claim, actor=crew.bob, changes={"topic": "floor"}, batch=(batch := uuid.uuid4()))
    assert made.verb == "approve" and len(undo_batch(batch, actor=crew.bob)) == 2
    assert approvers(claim) == [] and fresh(claim).topic == ""


# Races


@pytest.mark.parametrize("turn", range(5))
def test_two_at_once(crew: People, turn: int) -> None:
    claim = risky(crew)
    answers = at_once([lambda actor=actor: promote(claim, actor=actor) for actor in (crew.bob, crew.carol)])
    assert sorted(answer.verb for answer in answers) == ["approve", "promote"] and fresh(claim).status == "active"


def test_one_person_twice_at_once(crew: People) -> None:
    claim = risky(crew)
    phone = replace(crew.bob, token_id=3)
    answers = at_once([lambda actor=actor: promote(claim, actor=actor) for actor in (crew.bob, phone, crew.bob)])
    assert kinds_of(answers) == {"JournalEvent": 1, "SecondPersonNeeded": 2} and fresh(claim).status == "pending"


def test_an_edit_at_once_with_the_second(crew: People) -> None:
    for amount in (41, 42, 43):
        claim = risky(crew, amount)
        promote(claim, actor=crew.bob)
        version = fresh(claim).version
        answers = at_once(
            [
                lambda claim=claim, version=version: promote(
                    claim, actor=crew.carol, expected_version=version, on_conflict="coexist"
                ),
                lambda claim=claim: edit(claim, actor=crew.alice, changes={"topic": "floor"}),
            ]
        )  # fmt: skip
        now = fresh(claim)
        # Either the edit came first, and the words are new to everybody, or it came too late.
        assert (now.status, now.topic) in (("pending", "floor"), ("active", "")), answers


# The law


def approved(crew: People, claim: Claim, user: int, **more: object) -> int:
    """An approval by raw SQL, with its event."""
    row = insert(
        "ledger_approval",
        {
            "claim_id": claim.pk, "user_id": user, "by": "mallory", "status": "standing", "at": "2026-01-01T00:00Z",
            "content": execute("SELECT ledger_claim_content(%s)", [claim.pk])[0][0], **more,
        },
    )  # fmt: skip
    change(event(crew.scope, verb="approve", user=user), "approval", row, {"status": "standing"})
    return row


def activate(crew: People, claim: Claim, **told: object) -> None:
    execute("UPDATE ledger_claim SET status = 'active', version = version + 1 WHERE id = %s", [claim.pk])
    change(event(crew.scope, **told), "claim", claim.pk, {"status": "active"})  # type: ignore[arg-type]


def test_the_law(crew: People) -> None:
    claim = risky(crew)
    one, two = (User.objects.get(username=name).pk for name in ("bob", "carol"))
    with role(WEB):
        with refused(by={"23001"}, saying="two people"):
            activate(crew, claim, user=one)
        with refused(by={"23001"}, saying="two people"):
            # Oneself is no second person, and nobody's account is nobody.
            approved(crew, claim, one)
            activate(crew, claim, user=one)
        with refused(by={"23001"}, saying="two people"):
            approved(crew, claim, one)
            activate(crew, claim, user=None)
        with refused(by={"23001"}, saying="two people"):
            approved(crew, claim, one, status="void")
            activate(crew, claim, user=two)
        with refused(by={"23514"}, saying="what the claim says"):
            approved(crew, claim, one, content="0" * 64)
        with refused(by={"23001"}, saying="two people"):
            # Other words than those that were approved.
            approved(crew, claim, one)
            execute("UPDATE ledger_claim SET statement = 'The floor bears 90 kg' WHERE id = %s", [claim.pk])
            activate(crew, claim, user=two)
        with refused(by={"23001"}, saying="two people"):
            # What is risky at the commit or at the step is risky.
            execute("UPDATE ledger_claim SET high_risk = false WHERE id = %s", [claim.pk])
            activate(crew, claim, user=two)
            execute("UPDATE ledger_claim SET high_risk = true WHERE id = %s", [claim.pk])
        with refused(by={"23001"}, saying="never rewritten"):
            approved(crew, claim, one)
            execute("UPDATE ledger_approval SET user_id = %s", [two])
        with refused():
            approved(crew, claim, one)
            execute("DELETE FROM ledger_approval")
        with refused(by={"23001"}, saying="two people"):
            # An approval that no event tells of.
            row = approved(crew, claim, one)
            execute("UPDATE ledger_approval SET status = 'void' WHERE id = %s", [row])
            insert(
                "ledger_approval",
                {
                    "claim_id": claim.pk, "user_id": one, "by": "x", "status": "standing", "at": "2026-01-01T00:00Z",
                    "content": execute("SELECT ledger_claim_content(%s)", [claim.pk])[0][0],
                },
            )  # fmt: skip
            activate(crew, claim, user=two)
        with transaction.atomic():
            approved(crew, claim, one)
            activate(crew, claim, user=two)
    assert fresh(claim).status == "active"


def test_the_law_knows_no_time_zone(crew: People) -> None:
    claim = candidate(
        crew.scope, crew.bob, "The floor bears 44 kg", key=KEY, value=44, valid_from=timezone.now(),
    )  # fmt: skip
    found = set()
    for zone in ("UTC", "Asia/Kathmandu"):
        with transaction.atomic():
            execute(f"SET LOCAL TIME ZONE '{zone}'")
            found.add(execute("SELECT ledger_claim_content(%s)", [claim.pk])[0][0])
    assert len(found) == 1


def test_a_policy_by_the_name_of_four_eyes_acts_for_nobody(crew: People) -> None:
    plain = candidate(crew.scope, crew.bob, "The doors open at seven")
    with refused(by={"23001"}, saying="active only by"):
        activate(crew, plain, kind="policy", name="policy:four_eyes@1", user=None, door="worker")
    ghost = Actor("policy", "policy:four_eyes@1", "worker", access=operator("x").access)
    with pytest.raises(Forbidden):
        promote(plain, actor=ghost)
    with pytest.raises(IntegrityError), transaction.atomic():
        execute("UPDATE ledger_scope SET policies = '{\"references\": false}' WHERE id = %s", [crew.scope.pk])
        activate(crew, plain, kind="policy", name="policy:references@1", user=None, door="worker")
