"""Buttons, forms and list actions call the ledger's verbs: the same events, through the door named admin."""

import pytest
from django.urls import reverse

from ledger.actions.promote import promote
from ledger.models import (
    Claim,
    Conflict,
    JournalEvent,
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


@pytest.fixture
def bob(committed):
    return signed_in("bob")


def decide(client, claim, verb, noun="claim", **data):
    url = reverse(f"admin:ledger_{noun}_decide", args=[claim.pk, verb])
    return client.post(url, {"version": claim.version, **data}, follow=True)


def said(answer):
    return [(m.level_tag, m.message) for m in answer.context["messages"]]


def last():
    return JournalEvent.objects.latest("id")


def active(people, statement, **more):
    claim = candidate(people.scope, people.bob, statement, **more)
    promote(claim, actor=people.bob)
    claim.refresh_from_db()
    return claim


def test_a_claim_lives_through_all_its_verbs(committed, bob):
    claim = candidate(committed.scope, committed.bob, "the mast is 4 m high", key="mast")
    steps = [
        ("defer", "deferred"), ("reopen", "pending"), ("reject", "rejected"), ("reopen", "pending"), ("promote", "active"),
        ("archive", "archived"), ("restore", "active"), ("withdraw", "withdrawn"), ("restore", "active"),
    ]  # fmt: skip
    for verb, status in steps:
        claim.refresh_from_db()
        answer = decide(bob, claim, verb, reason=f"because of {verb}")
        claim.refresh_from_db()
        assert claim.status == status, said(answer)
        event = last()
        assert (event.verb, event.door, event.actor_name, event.reason) == (verb, "admin", "bob", f"because of {verb}")
        assert said(answer)[0][0] == "success"
        assert answer.status_code == 200


def test_the_page_offers_what_is_possible_and_to_whom_it_is_allowed(committed, bob):
    claim = candidate(committed.scope, committed.bob, "the deck is oak", key="deck")
    url = reverse("admin:ledger_candidate_change", args=[claim.pk])
    page = bob.get(url).content.decode()
    for action in ("promote", "reject", "defer", "merge", "edit"):
        assert f'data-action="{action}"' in page
    for action in ("archive", "restore", "reopen", "dispute"):
        assert f'data-action="{action}"' not in page
    assert "the deck is oak" in page
    watcher = signed_in("vera").get(url).content.decode()
    assert 'data-action="promote"' not in watcher
    assert f'<q class="quote">{quote_of_claim(claim)}</q>' in watcher


def quote_of_claim(claim):
    return claim.evidence.get().quote


def test_promoting_leads_from_the_candidates_to_the_entities(committed, bob):
    claim = candidate(committed.scope, committed.bob, "the keel is steel", key="keel")
    answer = decide(bob, claim, "promote", noun="candidate")
    assert answer.redirect_chain[-1][0] == reverse("admin:ledger_entity_change", args=[claim.pk])


def test_merge_supersede_recheck_dispute_and_graduate(committed, bob):
    people = committed
    old, new = active(people, "the rope is hemp", key="rope"), active(people, "the rope is nylon", key="rope-2")
    decide(bob, old, "supersede", by=new.ref)
    old.refresh_from_db()
    assert (old.status, old.successor_id) == ("superseded", new.pk)
    twin = candidate(people.scope, people.bob, "nylon rope it is", key="rope-3")
    decide(bob, twin, "merge", into=new.ref)
    twin.refresh_from_db()
    assert twin.status == "merged"
    source = tell(people.scope, people.bob, "The rope broke, it was cotton.", by="tool")
    decide(bob, new, "dispute", source=source.pk, quote="it was cotton")
    new.refresh_from_db()
    assert new.disputed
    decide(bob, new, "recheck")
    new.refresh_from_db()
    assert not new.disputed
    memory = active(people, "I like short answers", kind="preference")
    decide(bob, memory, "graduate", kind="decision")
    assert last().verb == "graduate"
    assert Claim.objects.get(graduates=memory).kind_id == "decision"


def test_errors_of_the_domain_are_messages(committed, bob):
    people = committed
    claim = candidate(people.scope, people.bob, "the hull is red", key="hull")
    events = JournalEvent.objects.count()
    for verb, data in [
        ("archive", {}), ("promote", {"version": 77}), ("merge", {"into": "DEC-20200101-001"}), ("merge", {}),
        ("merge", {"into": claim.ref}), ("fly", {}), ("defer", {"until": "2001-01-01 00:00"}), ("defer", {"until": "soon"}),
        ("promote", {"on_conflict": "fight"}), ("reject", {"reason": "x" * 3000}), ("promote", {"into": "\0"}),
        ("supersede", {"by": "7"}), ("reject", {"version": "x"}),
    ]:  # fmt: skip
        answer = decide(bob, claim, verb, **data)
        assert answer.status_code == 200, verb
        assert said(answer)[0][0] == "error", (verb, data)
    assert JournalEvent.objects.count() == events
    assert signed_in("vera").post(reverse("admin:ledger_claim_decide", args=[claim.pk, "reject"])).status_code == 302
    assert JournalEvent.objects.count() == events
    assert bob.get(reverse("admin:ledger_claim_decide", args=[claim.pk, "reject"])).status_code == 405


def test_a_decision_that_is_needed_names_its_choices(committed, bob):
    people = committed
    held = active(people, "the sail is white", key="sail", by="user")
    source = tell(people.scope, people.bob, f"The sail is blue, this replaces {held.ref}.")
    claim = candidate(
        people.scope, people.bob, "the sail is blue", key="sail", told=source, names_replaced=(held.ref,)
    )  # fmt: skip
    answer = decide(bob, claim, "promote")
    assert "supersede" in said(answer)[0][1]
    assert held.ref in said(answer)[0][1]
    claim.refresh_from_db()
    decide(bob, claim, "promote", on_conflict="supersede")
    held.refresh_from_db()
    assert held.status == "superseded"


def test_editing_writes_what_differs_and_keeps_what_was_typed_when_refused(committed, bob):
    claim = candidate(committed.scope, committed.bob, "the lamp is gren", key="lamp", tags=("x",))
    url = reverse("admin:ledger_candidate_edit", args=[claim.pk])
    form = bob.get(url).context["form"]
    typed = {name: field.value() if field.value() is not None else "" for name, field in ((f.name, f) for f in form)}
    answer = bob.post(url, typed | {"statement": "the lamp is green", "reason": "spelling"}, follow=True)
    claim.refresh_from_db()
    assert claim.statement == "the lamp is green"
    event = last()
    assert (event.verb, event.door, event.reason) == ("edit", "admin", "spelling")
    assert set(event.changes.get().after) == {"statement", "dedup"} | ({"slot"} & set(event.changes.get().after))
    assert answer.status_code == 200
    stale = bob.post(url, typed | {"statement": "the lamp is blue"})
    assert stale.status_code == 200
    assert "the lamp is blue" in stale.content.decode()
    assert stale.context["form"].non_field_errors()
    wrong = bob.post(url, typed | {"version": claim.version, "scope": "nowhere"})
    assert "scope" in wrong.context["form"].errors
    assert bob.post(url, {}).status_code == 200
    assert signed_in("vera").get(url).status_code == 403


def test_list_actions_decide_in_one_batch_and_tell_what_was_skipped(committed, bob):
    people = committed
    claims = [candidate(people.scope, people.bob, f"plank {n} is {n} m long", key=f"plank-{n}") for n in range(3)]
    done = active(people, "the roof is tin", key="roof")
    url = reverse("admin:ledger_claim_changelist")
    picked = {"action": "reject_selected", "reason": "not now", "index": 0}
    answer = bob.post(url, picked | {"_selected_action": [c.pk for c in [*claims, done]]}, follow=True)
    messages = dict(said(answer))
    assert "Rejected: 3" in messages["success"]
    assert "Skipped: 1" in messages["warning"]
    assert done.ref in messages["warning"]
    events = JournalEvent.objects.filter(verb="reject")
    assert {e.reason for e in events} == {"not now"}
    (batch,) = {e.batch for e in events}
    assert {c.status for c in Claim.objects.filter(pk__in=[c.pk for c in claims])} == {"rejected"}
    bob.post(reverse("admin:ledger_journalevent_undo_batch", args=[batch]), {"reason": "too hasty"})
    assert {c.status for c in Claim.objects.filter(pk__in=[c.pk for c in claims])} == {"pending"}
    for action, status in [
        ("defer_selected", "deferred"),
        ("promote_selected", "active"),
        ("archive_selected", "archived"),
    ]:
        bob.post(url, {"action": action, "index": 0, "_selected_action": [claims[0].pk]})
        claims[0].refresh_from_db()
        assert claims[0].status == status


def test_a_viewer_s_list_action_does_nothing(committed):
    claim = candidate(committed.scope, committed.bob, "the door is shut")
    picked = {"action": "promote_selected", "index": 0, "_selected_action": [claim.pk]}
    answer = signed_in("vera").post(reverse("admin:ledger_claim_changelist"), picked, follow=True)
    assert "Skipped: 1" in dict(said(answer))["warning"]
    claim.refresh_from_db()
    assert claim.status == "pending"


def test_undo_from_the_claim_s_page_leads_back_to_it(committed, bob):
    claim = active(committed, "the well is deep", key="well")
    url = reverse("admin:ledger_claim_change", args=[claim.pk])
    assert 'data-action="undo"' in bob.get(url).content.decode()
    promoted = JournalEvent.objects.get(verb="promote", ref=claim.ref)
    undo_url = reverse("admin:ledger_journalevent_undo", args=[promoted.pk])
    answer = bob.post(undo_url, {"back": url})
    assert answer["Location"] == url
    claim.refresh_from_db()
    assert claim.status == "pending"
    assert last().undoes_id == promoted.pk
    assert dict(said(bob.post(undo_url, {"back": "//evil.example/admin/"}, follow=True)))["error"]
    assert bob.post(undo_url, {"back": "//evil.example"})["Location"].startswith("/admin/")
    assert bob.get(reverse("admin:ledger_journalevent_change", args=[promoted.pk])).status_code == 200


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
    people = committed
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
        "policies": '{"expire": {}}',
        "packs": [],
    }
    assert alice.post(url, typed).status_code == 302
    scope.refresh_from_db()
    assert (scope.name, scope.timezone, scope.policies, scope.packs) == ("Rig", "Europe/Berlin", {"expire": {}}, [])
    assert set(last().changes.get().after) == {"name", "timezone", "policies", "packs"}
    assert alice.post(url, typed | {"policies": "[1]", "version": scope.version}).context["form"].errors["policies"]
    assert alice.post(url, typed | {"name": "Late"}).context["form"].non_field_errors()
    assert alice.post(url, typed | {"retention_days": "-1"}).context["form"].errors
    member_url = reverse("admin:ledger_scope_member", args=[scope.pk])
    alice.post(member_url, {"user": people.charlie.user_id, "role": "viewer"})
    assert Member.objects.get(scope=scope).role == "viewer"
    alice.post(member_url, {"user": people.charlie.user_id, "role": "reviewer"})
    assert last().verb == "set_member"
    page = alice.get(reverse("admin:ledger_scope_change", args=[scope.pk])).content.decode()
    assert "charlie" in page
    alice.post(reverse("admin:ledger_scope_remove_member", args=[scope.pk]), {"username": "charlie"})
    assert not Member.objects.filter(scope=scope).exists()
    assert last().verb == "remove_member"
    answer = alice.post(member_url, {"user": "x", "role": "king"}, follow=True)
    assert said(answer)[-1][0] == "error"
    signed_in("bob").post(member_url, {"user": people.bob.user_id, "role": "owner"})
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
    assert "1 claims cite it" in alice.get(url).content.decode()
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
    picked = {"action": "retry_selected", "index": 0, "_selected_action": [r.pk for r in runs]}
    answer = bob.post(reverse("admin:ledger_run_changelist"), picked, follow=True)
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
    picked = {"action": "revoke_selected", "index": 0, "_selected_action": [token.pk]}
    url = reverse("admin:review_agenttoken_changelist")
    signed_in("bob").post(url, picked)
    token.refresh_from_db()
    assert token.revoked_at is None
    signed_in("alice").post(url, picked)
    token.refresh_from_db()
    assert token.revoked_at is not None
    assert (last().verb, last().door) == ("token_revoke", "admin")


def test_a_superuser_without_a_role_sees_all_and_decides_nothing(committed):
    claim = candidate(committed.scope, committed.bob, "the gate is locked")
    root = signed_in("root")
    answer = decide(root, claim, "reject")
    assert said(answer)[0][0] == "error"
    claim.refresh_from_db()
    assert claim.status == "pending"


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("ledger_claim_decide", (1, "reject")), ("ledger_candidate_edit", (1,)), ("ledger_journalevent_undo", (1,)),
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
    assert "withheld" in page
    assert quote_of(source).text not in page
