"""Everything but claims: trusted state, conflicts, scopes, people, purges, runs and tokens change by verbs here too."""

import pytest
from django.urls import reverse

from ledger.models import (
    Conflict,
    Member,
    Person,
    Run,
    Scope,
    Source,
    TrustedState,
)
from review.models import AgentToken
from tests.people import candidate, make_scope, quote_of, tell
from tests.review.admin.conftest import signed_in
from tests.review.admin.pressing import act, active, decide, last, said


def test_curating_is_for_curators_by_their_own_hand(committed):
    people = committed
    claim = active(people, "the load is 5 kN", key="load")
    carol = signed_in("carol")
    url = reverse("admin:ledger_trustedstate_add")
    typed = {
        "scope": people.scope.pk,
        "key": "load",
        "statement": "5 kN",
        "value": "",
        "cites": claim.ref,
        "version": 0,
    }
    assert carol.post(url, typed).status_code == 302
    row = TrustedState.objects.get()
    assert (row.by, row.cites, row.status) == ("carol", [claim.ref], "current")
    assert (last().verb, last().door) == ("curate", "admin")
    # Blind replacement is refused: its own page shows the old words.
    assert carol.post(url, typed | {"statement": "6 kN"}).status_code == 200
    again = reverse("admin:ledger_trustedstate_curate", args=[row.pk])
    assert carol.get(again).context["form"]["statement"].value() == "5 kN"
    assert carol.post(again, {"version": row.version, "statement": "6 kN"}).status_code == 302
    new = TrustedState.objects.get(status="current")
    assert (new.statement, new.replaces_id) == ("6 kN", row.pk)
    wrong = carol.post(again, {"version": new.version, "statement": "7 kN", "cites": "DEC-20200101-001"})
    assert "cites" in wrong.context["form"].errors
    retract_url = reverse("admin:ledger_trustedstate_retract", args=[new.pk])
    assert signed_in("bob").post(retract_url, {"version": new.version}).status_code == 403
    assert signed_in("bob").get(again).status_code == 403
    assert carol.post(retract_url, {"version": new.version, "reason": "measured anew"}).status_code == 302
    new.refresh_from_db()
    assert new.status == "retracted"
    assert signed_in("bob").get(url).status_code == 200
    refused = signed_in("bob").post(url, typed)
    assert refused.context["form"].non_field_errors()


def test_conflicts_are_resolved_and_dismissed(committed, bob):
    people = committed
    one, two = active(people, "the wall is 2 m", key="wall"), active(people, "the wall is 3 m", key="wall")
    conflict = Conflict.objects.get()
    page = bob.get(reverse("admin:ledger_conflict_change", args=[conflict.pk])).content.decode()
    assert page.count('data-action="resolve"') == 2
    dismiss_url = reverse("admin:ledger_conflict_settle", args=[conflict.pk, "dismiss"])
    bob.post(dismiss_url, {"version": conflict.version, "reason": "two walls"})
    conflict.refresh_from_db()
    assert conflict.status == "dismissed"
    bob.post(reverse("admin:ledger_journalevent_undo", args=[last().pk]))
    conflict.refresh_from_db()
    resolve_url = reverse("admin:ledger_conflict_settle", args=[conflict.pk, "resolve"])
    answer = bob.post(resolve_url, {"version": conflict.version, "winner": "nobody"}, follow=True)
    assert said(answer)[-1][0] == "error"
    bob.post(resolve_url, {"version": conflict.version, "winner": two.ref})
    conflict.refresh_from_db()
    one.refresh_from_db()
    assert (conflict.status, one.status, one.successor_id) == ("resolved", "superseded", two.pk)
    assert bob.post(resolve_url.replace("resolve", "burn")).status_code == 302


def test_scopes_members_and_people_change_by_verbs(committed):
    alice = signed_in("alice")
    add = reverse("admin:ledger_scope_add")
    made = {"path": "lab/rig", "tier": "item", "timezone": "UTC", "packs": ["engineering"]}
    assert alice.post(add, made).status_code == 302
    scope = Scope.objects.get(path="lab/rig")
    assert (last().verb, last().door) == ("create_scope", "admin")
    assert "path" in alice.post(add, made | {"path": "LAB rig"}).context["form"].errors | {"path": 1}
    assert alice.post(add, made).context["form"].non_field_errors()
    url = reverse("admin:ledger_scope_settings", args=[scope.pk])
    typed = {
        "version": scope.version,
        "name": "Rig",
        "timezone": "Europe/Berlin",
        "policies": '{"confidence": {}}',
        "packs": [],
    }
    assert alice.post(url, typed).status_code == 302
    scope.refresh_from_db()
    assert (scope.name, scope.timezone, scope.policies, scope.packs) == ("Rig", "Europe/Berlin", {"confidence": {}}, [])
    assert set(last().changes.get().after) == {"name", "timezone", "policies", "packs"}
    assert alice.post(url, typed | {"policies": "[1]", "version": scope.version}).context["form"].errors["policies"]
    assert alice.post(url, typed | {"name": "Late"}).context["form"].non_field_errors()
    assert alice.post(url, typed | {"retention_days": "-1"}).context["form"].errors
    member_url = reverse("admin:ledger_scope_member", args=[scope.pk])
    alice.post(member_url, {"username": "charlie", "role": "viewer"})
    assert Member.objects.get(scope=scope).role == "viewer"
    alice.post(member_url, {"username": "charlie", "role": "reviewer"})
    assert last().verb == "set_member"
    page = alice.get(reverse("admin:ledger_scope_change", args=[scope.pk])).content.decode()
    assert "charlie" in page
    alice.post(reverse("admin:ledger_scope_remove_member", args=[scope.pk]), {"username": "charlie"})
    assert not Member.objects.filter(scope=scope).exists()
    assert last().verb == "remove_member"
    answer = alice.post(member_url, {"username": "charlie", "role": "king"}, follow=True)
    assert said(answer)[-1][0] == "error"
    signed_in("bob").post(member_url, {"username": "bob", "role": "owner"})
    assert not Member.objects.filter(scope=scope).exists()
    assert signed_in("bob").get(url).status_code == 403


def test_people_are_added_and_brought_up_to_date(committed):
    alice = signed_in("alice")
    add = reverse("admin:ledger_person_add")
    assert alice.post(add, {"scope": committed.scope.pk, "name": "Ann", "aliases": "A, Annie"}).status_code == 302
    person = Person.objects.get()
    assert person.aliases == ["A", "Annie"]
    url = reverse("admin:ledger_person_edit", args=[person.pk])
    assert alice.post(url, {"aliases": "A", "role": "guardian", "username": "vera"}).status_code == 302
    person.refresh_from_db()
    assert (person.name, person.role, person.user_id) == ("Ann", "guardian", committed.vera.user_id)
    assert last().verb == "add_person"
    wrong = alice.post(url, {"username": "nobody"})
    assert wrong.status_code == 200
    assert signed_in("bob").get(url).status_code == 403


def test_a_purge_asks_twice_and_is_for_owners(committed):
    claim = candidate(committed.scope, committed.bob, "the secret is out")
    source = Source.objects.get()
    url = reverse("admin:ledger_source_purge", args=[source.pk])
    assert signed_in("bob").get(url).status_code == 403
    alice = signed_in("alice")
    assert "Claims that cite it: 1." in alice.get(url).content.decode()
    assert alice.post(url, {"reason": "asked to"}).context["form"].errors["sure"]
    assert alice.post(url, {"sure": "on", "reason": ""}).context["form"].errors["reason"]
    assert alice.post(url, {"reason": "asked to", "sure": "on"}).status_code == 302
    source.refresh_from_db()
    assert source.text == ""
    assert (last().verb, last().door, last().reason) == ("purge", "admin", "asked to")
    page = alice.get(reverse("admin:ledger_source_change", args=[source.pk])).content.decode()
    assert "Purged on" in page
    assert 'data-action="purge"' not in page
    assert alice.get(reverse("admin:ledger_claim_change", args=[claim.pk])).status_code == 200
    assert alice.post(url, {"reason": "again", "sure": "on"}).context["form"].non_field_errors()


def test_failed_runs_are_retried(committed, bob):
    source = tell(committed.scope, committed.bob, "nothing here")
    runs = [
        Run.objects.create(
            scope=committed.scope, source=source, input_hash=source.sha256, extractor=f"e{n}", extractor_version="1",
            status="failed",
        )
        for n in range(3)
    ]  # fmt: skip
    bob.post(reverse("admin:ledger_run_retry", args=[runs[0].pk]))
    _, answer = act(bob, reverse("admin:ledger_run_changelist"), "retry_selected", runs)
    assert "Queued again: 2" in dict(said(answer))["success"]
    assert "Skipped: 1" in dict(said(answer))["warning"]
    assert set(Run.objects.values_list("status", flat=True)) == {"queued"}


def test_tokens_are_revoked(committed):
    token = AgentToken.objects.create(
        kind="agent",
        name="scribe",
        sha256="0" * 64,
        prefix="cs_abcde",
        scopes=["lab"],
        grants=["read"],
        created_by="alice",
    )
    url = reverse("admin:review_agenttoken_changelist")
    signed_in("bob").post(url, {"action": "revoke_selected", "_selected_action": [token.pk], "sure": "yes"})
    token.refresh_from_db()
    assert token.revoked_at is None
    act(signed_in("alice"), url, "revoke_selected", [token], reason="lost")
    token.refresh_from_db()
    assert token.revoked_at is not None
    assert (last().verb, last().door) == ("token_revoke", "admin")


def test_a_superuser_without_a_role_sees_all_and_decides_nothing(committed):
    claim = candidate(committed.scope, committed.bob, "the gate is locked")
    root = signed_in("root")
    assert root.get(reverse("admin:ledger_claim_change", args=[claim.pk])).status_code == 200
    assert decide(root, claim, "reject").status_code == 404
    claim.refresh_from_db()
    assert claim.status == "pending"


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("ledger_claim_decide", ("DEC-20260101-001",)), ("ledger_candidate_decide", ("DEC-20260101-001",)),
        ("ledger_journalevent_undo", (1,)),
        ("ledger_conflict_settle", (1, "dismiss")), ("ledger_run_retry", (1,)), ("ledger_source_purge", (1,)),
        ("ledger_scope_member", (1,)), ("ledger_scope_remove_member", (1,)), ("ledger_scope_settings", (1,)),
        ("ledger_scope_add", ()), ("ledger_trustedstate_add", ()), ("ledger_trustedstate_retract", (1,)),
        ("ledger_person_add", ()), ("ledger_claim_changelist", ()),
    ],
)  # fmt: skip
def test_writes_without_a_token_of_the_page_are_refused(people, name, args):
    assert signed_in("alice", csrf=True).post(reverse(f"admin:{name}", args=args), {}).status_code == 403


def test_quotes_of_a_source_out_of_sight_are_withheld(committed, bob):
    people = committed
    hidden = make_scope("vault")
    source = tell(hidden, people.machine, "The safe holds 3 bars.", by="document")
    claim = candidate(people.scope, people.machine, "the safe holds 3 bars", told=source)
    page = bob.get(reverse("admin:ledger_claim_change", args=[claim.pk])).content.decode()
    assert "Withheld: the source" in page
    assert quote_of(source).text not in page
