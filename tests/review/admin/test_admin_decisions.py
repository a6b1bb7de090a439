"""Cards and list actions call the ledger's verbs: the same events, through the door named admin."""

from django.urls import reverse

from ledger.actions.dispute import dispute
from ledger.models import Claim, JournalEvent
from tests.people import candidate, tell
from tests.review.admin.conftest import signed_in
from tests.review.admin.pressing import act, active, decide, last, quote_of_claim, said


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
        assert f"/admin/ledger/journalevent/{event.pk}/undo/" in answer.content.decode()


def test_the_page_is_the_card_with_what_is_possible_and_allowed(committed, bob):
    claim = candidate(committed.scope, committed.bob, "the deck is oak", key="deck")
    url = reverse("admin:ledger_candidate_change", args=[claim.pk])
    page = bob.get(url).content.decode()
    for action in ("promote", "reject", "defer", "merge", "edit"):
        assert f'data-action="{action}"' in page
    for action in ("archive", "restore", "reopen", "dispute"):
        assert f'data-action="{action}"' not in page
    assert f'<article class="card"\n           data-ref="{claim.ref}"' in page
    assert reverse("admin:ledger_candidate_decide", args=[claim.ref]) in page
    assert reverse("decide", args=[claim.ref]) not in page
    watcher = signed_in("vera").get(url).content.decode()
    assert 'data-action="promote"' not in watcher
    assert f">{quote_of_claim(claim)}</mark>" in watcher


def test_a_decision_leads_to_the_next_candidate_of_the_list_it_was_opened_from(committed, bob):
    rows = [candidate(committed.scope, committed.bob, f"hatch {n} is shut", key=f"hatch-{n}") for n in range(3)]
    other = candidate(committed.scope, committed.bob, "I like teal", kind="preference")
    kept = "_changelist_filters=kind__name__exact%3Dfact"
    url = reverse("admin:ledger_candidate_change", args=[rows[2].pk]) + "?" + kept
    page = bob.get(url)
    assert page.context["card"].next_ref == rows[1].ref
    assert page.context["previous_url"] == ""
    posted = {"version": 1, "action": "reject", "back": url, "then": rows[1].ref}
    answer = bob.post(reverse("admin:ledger_candidate_decide", args=[rows[2].ref]), posted, follow=True)
    assert answer.redirect_chain[-1][0] == reverse("admin:ledger_candidate_change", args=[rows[1].pk]) + "?" + kept
    assert answer.context["card"].next_ref == rows[0].ref
    undo_url = reverse("admin:ledger_journalevent_undo", args=[last().pk])
    back = bob.post(undo_url, {"back": answer.redirect_chain[-1][0]})
    assert back["Location"] == url
    # Behind the last one lies the list, as it was filtered; without filters all candidates follow each other.
    last_url = reverse("admin:ledger_candidate_change", args=[rows[0].pk])
    posted = {"version": 1, "action": "promote", "back": f"{last_url}?{kept}", "then": ""}
    answer = bob.post(reverse("admin:ledger_candidate_decide", args=[rows[0].ref]), posted)
    assert answer["Location"] == reverse("admin:ledger_candidate_changelist") + "?kind__name__exact=fact"
    assert bob.get(reverse("admin:ledger_candidate_change", args=[other.pk])).context["card"].next_ref == rows[2].ref


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
    decide(bob, new, "dispute", source=source.pk, quote="it was cotton", version="")
    new.refresh_from_db()
    assert new.disputed
    decide(bob, new, "recheck")
    new.refresh_from_db()
    assert not new.disputed
    memory = active(people, "I like short answers", kind="preference")
    decide(bob, memory, "graduate", kind="decision")
    assert last().verb == "graduate"
    assert Claim.objects.get(graduates=memory).kind_id == "decision"


def test_a_refusal_stands_on_the_card_and_changes_nothing(committed, bob):
    people = committed
    claim = candidate(people.scope, people.bob, "the hull is red", key="hull")
    events = JournalEvent.objects.count()
    for verb, data, status in [
        ("archive", {}, 409), ("promote", {"version": 77}, 409), ("merge", {"into": "DEC-20200101-001"}, 422),
        ("merge", {"into": claim.ref}, 422), ("fly", {}, 422), ("reject", {"reason": "x" * 3000}, 422),
        ("reject", {"version": "x"}, 422), ("merge", {"into": "\0"}, 422),
    ]:  # fmt: skip
        answer = decide(bob, claim, verb, **data)
        assert answer.status_code == status, verb
        assert 'class="refusal"' in answer.content.decode(), (verb, data)
        assert reverse("admin:ledger_claim_change", args=[claim.pk]) in answer.content.decode()
    url = reverse("admin:ledger_claim_decide", args=[claim.ref])
    assert signed_in("vera").post(url, {"action": "reject"}).status_code == 403
    assert bob.get(url).status_code == 405
    assert bob.post(reverse("admin:ledger_claim_decide", args=["DEC-20200101-001"])).status_code == 404
    assert JournalEvent.objects.count() == events


def test_a_decision_that_is_needed_names_its_choices(committed, bob):
    people = committed
    held = active(people, "the sail is white", key="sail", by="user")
    source = tell(people.scope, people.bob, f"The sail is blue, this replaces {held.ref}.")
    claim = candidate(
        people.scope, people.bob, "the sail is blue", key="sail", told=source, names_replaced=(held.ref,)
    )  # fmt: skip
    answer = decide(bob, claim, "promote", noun="candidate")
    page = answer.content.decode()
    assert answer.status_code == 409
    assert 'name="on_conflict"' in page and held.ref in page
    claim.refresh_from_db()
    decide(bob, claim, "promote", on_conflict="supersede")
    held.refresh_from_db()
    assert held.status == "superseded"


def test_editing_writes_what_differs_and_keeps_what_was_typed_when_refused(committed, bob):
    claim = candidate(committed.scope, committed.bob, "the lamp is gren", key="lamp", tags=("x",))
    fields = bob.get(reverse("admin:ledger_candidate_change", args=[claim.pk])).context["card"].fields
    answer = decide(
        bob, claim, "edit", noun="candidate", **fields | {"statement": "the lamp is green"}, reason="spelling"
    )
    claim.refresh_from_db()
    assert claim.statement == "the lamp is green"
    assert answer.redirect_chain[-1][0] == reverse("admin:ledger_candidate_change", args=[claim.pk])
    event = last()
    assert (event.verb, event.door, event.reason) == ("edit", "admin", "spelling")
    stale = decide(bob, claim, "edit", noun="candidate", **fields | {"statement": "the lamp is blue"}, version=1)
    assert stale.status_code == 409
    assert "the lamp is blue" in stale.content.decode()
    wrong = decide(bob, claim, "edit", noun="candidate", **fields | {"scope": "nowhere"})
    assert wrong.status_code in (404, 422)


def test_list_actions_show_the_rows_first_then_decide_in_one_batch_and_tell_what_was_skipped(committed, bob):
    people = committed
    claims = [candidate(people.scope, people.bob, f"plank {n} is {n} m long", key=f"plank-{n}") for n in range(3)]
    done = active(people, "the roof is tin", key="roof")
    url = reverse("admin:ledger_claim_changelist")
    events = JournalEvent.objects.count()
    page, answer = act(bob, url, "reject_selected", [*claims, done], reason="not now")
    lines = {line.name: line for line in page.context["lines"]}
    assert lines[claims[0].ref].hindrance == "" and lines[done.ref].hindrance == "it is active"
    assert "plank 1 is 1 m long" in page.content.decode()
    messages = dict(said(answer))
    assert messages["success"] == "Rejected: 3."
    assert "Skipped: 1" in messages["warning"] and done.ref in messages["warning"]
    assert JournalEvent.objects.count() == events + 3
    rejected = JournalEvent.objects.filter(verb="reject")
    assert {(e.reason, e.door) for e in rejected} == {("not now", "admin")}
    (batch,) = {e.batch for e in rejected}
    undo_url = reverse("admin:ledger_journalevent_undo_batch", args=[batch])
    assert undo_url in answer.content.decode()
    bob.post(undo_url, {"reason": "too hasty", "back": url})
    assert {c.status for c in Claim.objects.filter(pk__in=[c.pk for c in claims])} == {"pending"}
    for name, status in [
        ("defer_selected", "deferred"), ("reopen_selected", "pending"), ("promote_selected", "active"),
        ("archive_selected", "archived"), ("restore_selected", "active"), ("recheck_selected", "active"),
        ("withdraw_selected", "withdrawn"),
    ]:  # fmt: skip
        _, answer = act(bob, url, name, claims[:1], until="week")
        claims[0].refresh_from_db()
        assert claims[0].status == status, said(answer)


def test_a_recheck_that_nobody_asked_for_is_told_beforehand(committed, bob):
    claims = [active(committed, f"the {name} is dry", key=name) for name in ("hold", "bilge")]
    words = tell(committed.scope, committed.bob, "The bilge is wet")
    dispute(claims[1], source=words, quote="The bilge is wet", actor=committed.bob)
    url = reverse("admin:ledger_entity_changelist")
    page, answer = act(bob, url, "recheck_selected", claims)
    told = {line.name: line.hindrance for line in page.context["lines"]}
    assert told == {claims[0].ref: "it is neither disputed nor waiting for a recheck", claims[1].ref: ""}
    messages = dict(said(answer))
    assert messages["success"] == "Rechecked: 1." and claims[0].ref in messages["warning"]


def test_only_what_the_page_showed_is_decided(committed, bob):
    people = committed
    claims = [candidate(people.scope, people.bob, f"beam {n} is oak", key=f"beam-{n}") for n in range(2)]
    url = reverse("admin:ledger_candidate_changelist")
    picked = {"action": "promote_selected", "index": 0, "_selected_action": [c.pk for c in claims]}
    page = bob.post(url, picked)
    assert [line.cells[-1] for line in page.context["lines"]] == ["new", "new"]
    decide(bob, claims[0], "edit", statement="beam 0 is ash")
    versions = {f"version-{line.pk}": line.version for line in page.context["lines"]}
    answer = bob.post(url, picked | versions | {"sure": "yes"}, follow=True)
    assert dict(said(answer))["success"] == "Promoted: 1."
    assert claims[0].ref in dict(said(answer))["warning"]
    claims[0].refresh_from_db()
    assert claims[0].status == "pending"


def test_an_action_without_its_page_asks_first_and_a_long_reason_is_refused(committed, bob):
    claim = candidate(committed.scope, committed.bob, "the pier is long")
    url = reverse("admin:ledger_candidate_changelist")
    page, answer = act(bob, url, "reject_selected", [claim], reason="x" * 1001)
    assert answer.context["form"].errors["reason"]
    claim.refresh_from_db()
    assert claim.status == "pending"


def test_a_viewer_s_list_action_does_nothing(committed):
    claim = candidate(committed.scope, committed.bob, "the door is shut")
    page, answer = act(signed_in("vera"), reverse("admin:ledger_claim_changelist"), "promote_selected", [claim])
    assert page.context["lines"][0].hindrance == "you may not decide here"
    assert "Skipped: 1" in dict(said(answer))["warning"]
    claim.refresh_from_db()
    assert claim.status == "pending"


def test_undo_from_the_claim_s_page_leads_back_to_it(committed, bob):
    claim = active(committed, "the well is deep", key="well")
    url = reverse("admin:ledger_claim_change", args=[claim.pk])
    promoted = JournalEvent.objects.get(verb="promote", ref=claim.ref)
    undo_url = reverse("admin:ledger_journalevent_undo", args=[promoted.pk])
    assert undo_url in bob.get(url).content.decode()
    answer = bob.post(undo_url, {"back": url})
    assert answer["Location"] == url
    claim.refresh_from_db()
    assert claim.status == "pending"
    assert (last().undoes_id, last().door) == (promoted.pk, "admin")
    assert dict(said(bob.post(undo_url, {"back": "//evil.example/admin/"}, follow=True)))["error"]
    assert bob.post(undo_url, {"back": "//evil.example"})["Location"].startswith("/admin/")
    assert bob.get(reverse("admin:ledger_journalevent_change", args=[promoted.pk])).status_code == 200
