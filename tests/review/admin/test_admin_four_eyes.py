"""Two people about what is risky, through the admin's doors: one at a time, and several from a list."""

from django.urls import reverse

from ledger.actions.scope import update_scope
from ledger.models import Claim, JournalEvent
from tests.people import candidate
from tests.review.admin.conftest import signed_in
from tests.review.admin.pressing import act, decide, said


def test_the_first_is_told_and_the_second_promotes(committed, bob):
    people = committed
    update_scope(people.scope, actor=people.alice, changes={"packs": ["production"], "policies": {"four_eyes": {}}})
    claims = [
        candidate(
            people.scope, people.bob, f"The floor bears {n}00 kg", key="project.constraints.floor_load", value=n * 100
        )
        for n in (4, 5)
    ]
    plain = candidate(people.scope, people.bob, "We load in on Monday", kind="decision")
    url = reverse("admin:ledger_claim_changelist")
    page, answer = act(bob, url, "promote_selected", [*claims, plain])
    assert dict(said(answer))["success"] == "Promoted: 1. Approved: 2. Another person must countersign."
    assert {e.door for e in JournalEvent.objects.filter(verb="approve")} == {"admin"}
    again = decide(bob, Claim.objects.get(pk=claims[0].pk), "promote", noun="candidate")
    assert again.status_code == 409 and "bob has approved" in again.content.decode()
    carol = signed_in("carol")
    decide(carol, Claim.objects.get(pk=claims[0].pk), "promote", noun="candidate")
    assert [Claim.objects.get(pk=claim.pk).status for claim in claims] == ["active", "pending"]
