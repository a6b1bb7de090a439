"""Laws 4, 5, 7 and 8 against raw SQL under each role: who decides, on whose words, and once."""

import pytest
from django.db import transaction

from ledger.actions.curate import curate
from ledger.models import Claim, Run, TrustedState
from tests.ledger.conftest import role
from tests.ledger.raw import (
    ROLES,
    SERVING,
    WEB,
    WORKER,
    change,
    event,
    evidence_columns,
    execute,
    insert,
    raw_claim,
    refuse_each,
    refused,
)  # fmt: skip
from tests.people import People, candidate, tell

# Law 4: trusted state


def raw_trusted(people: People, ref: str = "TRU-1") -> int:
    return insert(
        "ledger_trustedstate",
        {
            "ref": ref, "scope_id": people.scope.pk, "key": ref, "value": "1", "statement": "x", "cites": [],
            "status": "current", "by": "mallory", "at": "2026-01-01T00:00Z", "version": 1,
        },
    )  # fmt: skip


def test_the_worker_has_no_hand_for_trusted_state(furnished: People) -> None:
    refuse_each(
        [
            "UPDATE ledger_trustedstate SET statement = 'x'",
            "UPDATE ledger_trustedstate SET statement = 'x' WHERE false",
            "INSERT INTO ledger_trustedstate SELECT * FROM ledger_trustedstate WHERE false",
            "DELETE FROM ledger_trustedstate WHERE false",
            "UPDATE ledger_kind SET anchors = '{}'",
            "UPDATE ledger_scope SET policies = '{\"references\": {}}'",
            "UPDATE ledger_member SET role = 'owner'",
        ],
        as_role=WORKER,
    )
    with role(WORKER), refused(by={"42501"}):
        raw_trusted(furnished)


def test_trusted_state_wants_a_persons_own_event(people: People) -> None:
    user = people.carol.user_id
    wrong = [
        {"kind": "agent"}, {"kind": "system"}, {"kind": "policy", "name": "policy:x@1"}, {"token": 7}, {"door": "api"},
        {"door": "command"}, {"door": "worker"}, {"door": "demo"}, {"verb": "promote"}, {"verb": "undo"}, {"user": None},
    ]  # fmt: skip
    with role(WEB):
        with refused(by={"23001"}, saying="own hand"):
            raw_trusted(people)
        for mistake in wrong:
            with refused(by={"23001"}, saying="own hand"):
                row = raw_trusted(people)
                told = {"verb": "curate", "user": user, "door": "screen"} | mistake
                change(event(people.scope, **told), "trusted", row, {"status": "current"})
        with refused(by={"23001"}):
            row = raw_trusted(people)
            change(event(people.scope, verb="curate", user=user), "trusted", row + 1, {"status": "current"})
        with refused(by={"23001"}):
            row = raw_trusted(people)
            change(event(people.scope, verb="curate", user=user), "claim", row, {"status": "current"})
        curate(people.scope, "colour", actor=people.carol, value="red")
        with refused(by={"23001"}, saying="own hand"):
            # The event of an earlier transaction does not carry a later change.
            execute("UPDATE ledger_trustedstate SET statement = 'blue'")
        with transaction.atomic():
            row = raw_trusted(people, "TRU-2")
            change(event(people.scope, verb="curate", user=user), "trusted", row, {"status": "current"})
    assert TrustedState.objects.count() == 2


def test_the_demo_door_is_the_owners(people: People) -> None:
    with transaction.atomic():
        row = raw_trusted(people)
        change(event(people.scope, verb="curate", door="demo", user=None), "trusted", row, {"status": "current"})
    with role(WEB), refused(by={"23001"}):
        execute("UPDATE ledger_trustedstate SET statement = 'x'")
        change(event(people.scope, verb="curate", door="demo", user=None), "trusted", row, {"statement": "x"})


# Law 5: active by decision


def activate(claim: Claim) -> None:
    execute("UPDATE ledger_claim SET status = 'active', version = version + 1 WHERE id = %s", [claim.pk])


def decided(claim: Claim, **told: object) -> None:
    activate(claim)
    change(event(claim.scope, **told), "claim", claim.pk, {"status": "active"})  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ROLES)
def test_nothing_promotes_itself(people: People, name: str) -> None:
    claim = candidate(people.scope, people.bob, "It holds")
    with role(name):
        with refused(by={"23001"}, saying="active only by"):
            activate(claim)
        with refused(by={"23001"}):
            execute(
                "MERGE INTO ledger_claim t USING (SELECT 1) s ON true WHEN MATCHED THEN UPDATE SET status = 'active'"
            )
        for told in (
            {"kind": "agent"}, {"kind": "system"}, {"kind": "policy", "name": "policy:references@1"},
            {"kind": "policy", "name": "references"}, {"kind": "policy", "name": "policy:@"},
        ):  # fmt: skip
            with refused(by={"23001"}):
                decided(claim, **told)
        with refused(by={"23001"}):
            # The event must say so.
            activate(claim)
            change(event(people.scope), "claim", claim.pk, {"status": "pending"})
    old = event(people.scope)
    with role(name), refused(by={"23001"}):
        activate(claim)
        change(old, "claim", claim.pk, {"status": "active"})
    if name == WORKER:
        with role(name), refused(by={"23001"}, saying="cannot act as a human"):
            decided(claim, kind="human")
        return
    with role(name):
        atomically(claim)
    claim.refresh_from_db()
    assert claim.status == "active"


def atomically(claim: Claim, **told: object) -> None:
    with transaction.atomic():
        decided(claim, **told)


@pytest.mark.parametrize("name", SERVING)
def test_a_claim_is_not_born_active(people: People, name: str) -> None:
    columns = [
        column
        for (column,) in execute(
            "SELECT column_name FROM information_schema.columns WHERE table_name = 'ledger_claim' AND is_generated = 'NEVER'"
        )
        if column != "id"
    ]
    candidate(people.scope, people.bob, "It holds")
    changed = {"ref": "'DEC-1'", "dedup": "'x'", "status": "'active'"}
    chosen = ", ".join(changed.get(column, f'"{column}"') for column in columns)
    with role(name), refused(by={"23001"}):
        execute(f"INSERT INTO ledger_claim ({', '.join(columns)}) SELECT {chosen} FROM ledger_claim")


@pytest.mark.parametrize("name", SERVING)
def test_a_policy_promotes_where_an_owner_turned_it_on(people: People, name: str) -> None:
    told = {"kind": "policy", "name": "policy:references@1.0", "door": "worker", "user": None}
    claim = candidate(people.scope, people.bob, "It holds")
    risky = candidate(people.scope, people.bob, "It is safe")
    execute("UPDATE ledger_claim SET high_risk = true WHERE id = %s", [risky.pk])
    with role(name), refused(by={"23001"}):
        decided(claim, **told)
    execute("UPDATE ledger_scope SET policies = '{\"confidence\": {}}' WHERE id = %s", [people.scope.pk])
    with role(name), refused(by={"23001"}):
        decided(claim, **told)
    # On in a scope above is on.
    execute("UPDATE ledger_scope SET policies = '{\"references\": {}}' WHERE path = 'global'")
    with role(name):
        with refused(by={"23001"}):
            decided(risky, **told)
        with refused(by={"23001"}):
            # High risk is what stands at the commit, and what stood at the step.
            execute("UPDATE ledger_claim SET high_risk = false WHERE id = %s", [risky.pk])
            decided(risky, **told)
            execute("UPDATE ledger_claim SET high_risk = true WHERE id = %s", [risky.pk])
        atomically(claim, **told)
    execute("UPDATE ledger_scope SET policies = '{}' WHERE path = 'global'")


# Law 8 and the rule that nothing is without evidence


@pytest.mark.parametrize("name", ROLES)
def test_a_claim_rests_on_the_right_persons_words(people: People, name: str) -> None:
    fact = candidate(people.scope, people.bob, "It holds", by="agent")
    source = tell(people.scope, people.bob, "more words of an agent", by="agent")
    with role(name):
        with refused(by={"23001"}, saying="rests on no words"):
            raw_claim(fact)
        with refused(by={"23001"}, saying="rests on no words"):
            raw_claim(fact, proposed="'{\"redacted\": true}'")
        with refused(by={"23001"}, saying="user or document"):
            made = raw_claim(fact, kind="'decision'")
            execute("UPDATE ledger_claim SET rank = 2 WHERE id = %s", [made])
            insert("ledger_evidence", evidence_columns(Claim.objects.get(pk=made), source, 0, 4))
        with refused(by={"23001"}, saying="user or document"):
            execute("UPDATE ledger_claim SET kind = 'decision' WHERE id = %s", [fact.pk])
        with refused(by={"23001"}):
            # Only context, and only objections, anchor nothing.
            made = raw_claim(fact)
            insert("ledger_evidence", evidence_columns(Claim.objects.get(pk=made), source, 0, 4, stance="context"))
        if name != WORKER:
            # What waits for its anchor cannot hold. (The worker cannot let anything hold.)
            with refused(by={"23001"}, saying="rests on no words"):
                made = raw_claim(fact, anchors_to_choose="'[{\"source\": 1}]'")
                decided(Claim.objects.get(pk=made))


# Law 7: runs, and refs


@pytest.mark.parametrize("name", ROLES)
def test_one_run_per_input_extractor_and_version(people: People, name: str) -> None:
    source = tell(people.scope, people.bob, "words")
    columns = {
        "scope_id": people.scope.pk, "source_id": source.pk, "input_hash": source.sha256, "extractor": "rules",
        "extractor_version": "1", "forced": False, "dry": False, "status": "queued", "stats": "{}", "error": "",
        "raw_answer": "", "model": "", "tokens": 0, "attempts": 0, "requested_by": "", "created_at": "2026-01-01T00:00Z",
        "place": 0, "waits_for": "{}",
    }  # fmt: skip
    with role(name):
        insert("ledger_run", columns)
        for status in ("queued", "running", "succeeded"):
            with refused(by={"23505"}):
                insert("ledger_run", columns | {"status": status})
        insert("ledger_run", columns | {"extractor_version": "2"})
        insert("ledger_run", columns | {"forced": True})
        insert("ledger_run", columns | {"forced": True})
        insert("ledger_run", columns | {"status": "failed"})
        insert("ledger_run", columns | {"dry": True})
    assert Run.objects.count() == 6


def test_a_ref_is_given_once(people: People) -> None:
    claim = candidate(people.scope, people.bob, "It holds")
    with refused(by={"23505"}):
        raw_claim(claim, ref="ref")
    prefixes = ["DEC", "FCT", "TRU", "PAT"] * 100
    refs = [ref for (ref,) in execute("SELECT ledger_next_refs(%s)", [prefixes])]
    with role(WORKER):
        refs += [ref for (ref,) in execute("SELECT ledger_next_refs(%s)", [prefixes])]
    assert len({ref.rpartition("-")[2] for ref in refs}) == len(refs) == 800
    assert all(ref.startswith(f"{prefix}-") for prefix, ref in zip(prefixes * 2, refs, strict=True))
