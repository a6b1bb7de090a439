"""Buttons, forms and list actions call the ledger's verbs: the same events, through the door named admin."""

from django.urls import reverse

from ledger.models import (
    Claim,
    JournalEvent,
)
from tests.people import candidate, tell
from tests.review.admin.conftest import signed_in
from tests.review.admin.pressing import active, decide, last, quote_of_claim, said


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
