"""Staff see the rows of their scopes. The rest is, for them, not there."""

import uuid

from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from ledger.models import GLOBAL, Claim, Conflict, JournalEvent, Member, Person, Run, Scope, Source, TrustedState
from tests.people import candidate, make_scope
from tests.review.admin.conftest import fill, signed_in
from tests.review.admin.test_admin_pages import FOR_SUPERUSERS, MODELS, address

# What belongs to no scope: every member of staff may read the packs and kinds in force.
FOR_ALL = {"pack", "kind"}


def test_staff_without_a_scope_sees_nothing(people):
    fill(people, 1)
    charlie = signed_in("charlie")
    for model in MODELS:
        row = model._default_manager.order_by("pk").last()
        if model._meta.model_name in FOR_ALL:
            assert charlie.get(address(model, "change", row.pk)).status_code == 200, model
            continue
        answer = charlie.get(address(model, "changelist"))
        if model._meta.model_name in FOR_SUPERUSERS:
            assert answer.status_code == 403, model
            continue
        assert answer.context["cl"].result_list == [], model
        assert charlie.get(address(model, "change", row.pk)).status_code == 404, model
        assert charlie.get(address(model, "history", row.pk)).status_code == 404, model
        searched = charlie.get(address(model, "changelist"), {"q": str(getattr(row, "ref", row.pk))})
        assert searched.context["cl"].result_list == [], model


def test_behind_every_button_a_row_out_of_sight_is_404(people):
    fill(people, 1)
    first = {model: model.objects.first().pk for model in (Conflict, JournalEvent, Person, Run, Source, TrustedState)}
    charlie = signed_in("charlie")
    for name, *args in (
        ("ledger_claim_decide", Claim.objects.first().ref),
        ("ledger_candidate_decide", Claim.objects.filter(status="pending").first().ref),
        ("ledger_journalevent_undo", first[JournalEvent]),
        ("ledger_conflict_settle", first[Conflict], "dismiss"),
        ("ledger_run_retry", first[Run]),
        ("ledger_source_purge", first[Source]),
        ("ledger_scope_member", people.scope.pk),
        ("ledger_scope_settings", people.scope.pk),
        ("ledger_trustedstate_retract", first[TrustedState]),
        ("ledger_person_edit", first[Person]),
        ("ledger_journalevent_undo_batch", uuid.uuid4()),
    ):
        assert charlie.post(reverse(f"admin:{name}", args=args), {}).status_code == 404, name


def test_a_role_reaches_down_and_not_sideways(people):
    inside = make_scope("lab/rig", tier="item", parent=people.scope)
    outside = make_scope("attic")
    mine = candidate(inside, people.machine, "the rig hums", by="tool")
    theirs = candidate(outside, people.machine, "the attic is cold", by="tool")
    vera = signed_in("vera")
    ids = {row.pk for row in vera.get(address(Claim, "changelist")).context["cl"].result_list}
    assert ids == {mine.pk}
    assert vera.get(address(Claim, "change", mine.pk)).status_code == 200
    assert vera.get(address(Claim, "change", theirs.pk)).status_code == 404
    assert not vera.get(address(Claim, "changelist"), {"scope": outside.pk}).context["cl"].result_list
    page = vera.get(address(Claim, "changelist")).content.decode()
    assert '<option value="lab/rig">' in page and "attic" not in page


def test_a_role_in_global_sees_all(people):
    Member.objects.create(
        scope=Scope.objects.get(path=GLOBAL), user=User.objects.get(username="charlie"), role="viewer"
    )
    claim = candidate(people.scope, people.bob, "the sky is blue")
    assert signed_in("charlie").get(address(Claim, "change", claim.pk)).status_code == 200


def test_the_admin_is_for_staff(people):
    claim = candidate(people.scope, people.bob, "the sea is wet")
    User.objects.filter(username="bob").update(is_staff=False)
    for client in (Client(), signed_in("bob")):
        for url in (reverse("admin:index"), address(Claim, "change", claim.pk), address(Claim, "changelist")):
            assert client.get(url).status_code == 302
            assert "/login/" in client.get(url)["Location"]
    url = reverse("admin:ledger_claim_decide", args=[claim.ref])
    assert signed_in("bob").post(url, {"action": "reject"}).status_code == 302
    assert signed_in("bob").get("/admin/login/").status_code == 403
    assert signed_in("alice").get("/admin/login/")["Location"] == "/admin/"
    claim.refresh_from_db()
    assert claim.status == "pending"


def test_users_are_kept(people):
    root = signed_in("root")
    bob = User.objects.get(username="bob")
    assert root.get(reverse("admin:auth_user_change", args=[bob.pk])).status_code == 200
    assert root.post(reverse("admin:auth_user_delete", args=[bob.pk]), {"post": "yes"}).status_code == 403
    picked = {"action": "delete_selected", "index": 0, "_selected_action": [bob.pk], "post": "yes"}
    root.post(reverse("admin:auth_user_changelist"), picked)
    assert User.objects.filter(username="bob").exists()
    assert signed_in("alice").get(reverse("admin:auth_user_changelist")).status_code == 403
