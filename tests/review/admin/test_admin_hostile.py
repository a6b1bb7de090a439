"""Text from outside stays text on every page of the admin, and no action reaches what its actor may not see."""

import pytest
from django.contrib import admin
from django.urls import reverse

from ledger.actions.curate import curate
from ledger.actions.decide import defer
from ledger.actions.scope import add_person
from ledger.models import Claim, Conversation, JournalEvent, Run, Scope, Source, Wave
from tests.people import candidate, make_scope, tell
from tests.review.admin.conftest import fill, signed_in
from tests.review.admin.pressing import act, said
from tests.review.admin.test_admin_statements import MODELS, address

HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'{{ 7|add:7 }}{% now 'Y' %}"
ACTIONS = {
    "claim": ("promote", "reject", "defer", "reopen", "archive", "withdraw", "restore", "recheck"),
    "candidate": ("promote", "reject", "defer", "reopen", "withdraw"),
    "entity": ("archive", "withdraw", "restore", "recheck"),
    "conflict": ("dismiss",),
    "run": ("retry",),
}


@pytest.fixture
def hostile(committed):
    """A row of each noun that takes words from outside, and all of them hostile."""
    people = committed
    source = tell(people.scope, people.bob, HOSTILE, sender=HOSTILE, title=HOSTILE, external_id=HOSTILE[:90])
    claim = candidate(people.scope, people.bob, HOSTILE, key=HOSTILE[:90], told=source, tags=(HOSTILE[:50],))
    defer(claim, actor=people.bob, reason=HOSTILE)
    curate(people.scope, HOSTILE[:90], actor=people.carol, statement=HOSTILE, reason=HOSTILE)
    add_person(people.scope, HOSTILE, actor=people.alice, aliases=[HOSTILE])
    Conversation.objects.create(scope=people.scope, external_id=HOSTILE, title=HOSTILE)
    Wave.objects.create(scope=people.scope, label=HOSTILE)
    Run.objects.create(
        scope=people.scope, source=source, input_hash=source.sha256, extractor="rules", extractor_version=HOSTILE[:60],
        status="failed", error=HOSTILE,
    )  # fmt: skip
    Scope.objects.filter(pk=people.scope.pk).update(name=HOSTILE)
    return people, claim


def test_markup_from_outside_is_shown_as_it_was_written_and_does_nothing(hostile):
    _, claim = hostile
    client = signed_in("root")
    pages = [reverse("admin:index"), address(Claim, "history", claim.pk)]
    for model in MODELS:
        pages.append(address(model, "changelist"))
        pages += [
            address(model, "change", pk)
            for pk in model._default_manager.order_by("-pk").values_list("pk", flat=True)[:2]
        ]
    seen = 0
    for url in pages:
        page = client.get(url).content.decode()
        assert "<script>alert(" not in page and "<img src=x" not in page, url
        seen += "&lt;script&gt;alert(1)" in page
    assert seen > 15
    assert "<script>alert(" not in client.get(address(Claim, "changelist"), {"q": HOSTILE}).content.decode()
    assert "<script>alert(" not in client.get(address(Claim, "changelist"), {"scope": HOSTILE}).content.decode()
    assert "<script>alert(" not in client.get(address(Claim, "changelist"), {"when": HOSTILE}).content.decode()


def test_the_page_between_and_its_report_escape_too(hostile):
    _, claim = hostile
    bob = signed_in("bob")
    page, answer = act(bob, reverse("admin:ledger_candidate_changelist"), "reject_selected", [claim], reason=HOSTILE)
    for answered in (page, answer):
        assert "<script>alert(" not in answered.content.decode()
    assert "&lt;script&gt;alert(1)" in page.content.decode()
    assert JournalEvent.objects.filter(verb="reject", reason=HOSTILE).count() == 1
    _, again = act(bob, reverse("admin:ledger_claim_changelist"), "reject_selected", [claim])
    assert "Skipped: 1" in dict(said(again))["warning"]


def test_an_action_reaches_nothing_out_of_sight_and_wants_the_form_s_token(people):
    fill(people, 1)
    alice, charlie = signed_in("alice", csrf=True), signed_in("charlie")
    models = {model._meta.model_name: model for model in MODELS}
    events = JournalEvent.objects.count()
    for noun, verb in ((noun, verb) for noun, verbs in ACTIONS.items() for verb in verbs):
        model, url = models[noun], address(models[noun], "changelist")
        rows = list(model._default_manager.values_list("pk", flat=True))
        before = sorted(model._default_manager.values_list("pk", "status"))
        picked = {"action": f"{verb}_selected", "index": 0, "_selected_action": rows, "sure": "yes", "until": ""}
        assert alice.post(url, picked).status_code == 403, (noun, verb)
        answer = charlie.post(url, picked, follow=True)
        assert not any("Skipped" in words or "Promoted" in words for _, words in said(answer)), (noun, verb)
        assert b"beam weighs" not in charlie.post(url, {**picked, "sure": ""}, follow=True).content, (noun, verb)
        assert JournalEvent.objects.count() == events, (noun, verb)
        assert sorted(model._default_manager.values_list("pk", "status")) == before, (noun, verb)


def test_actions_are_all_named_here():
    """A new list action gets its line above."""
    for model, one in admin.site._registry.items():
        named = {f"{verb}_selected" for verb in ACTIONS.get(model._meta.model_name or "", ())}
        mine = {getattr(action, "__name__", action) for action in one.actions or ()}
        assert named == mine - {"revoke_selected", "reset_second_factor"}, model


def test_what_only_grows_has_no_button_to_add_change_or_delete(people):
    fill(people, 1)
    client = signed_in("root")
    for model in MODELS:
        noun = model._meta.model_name
        if noun in ("user", "group"):
            continue
        row = model._default_manager.order_by("pk").last()
        for url in (address(model, "changelist"), address(model, "change", row.pk)):
            page = client.get(url).content.decode()
            for button in ("deletelink", 'name="_save"', 'name="_addanother"', "delete_selected"):
                assert button not in page, (noun, button)
            if noun in ("source", "evidence", "journalevent", "section", "seal"):
                assert f"/admin/ledger/{noun}/add/" not in page, noun
    assert Source.objects.exists()


def test_a_scope_out_of_sight_is_neither_offered_nor_found(people):
    make_scope("attic")
    page = signed_in("bob").get(address(Claim, "changelist"), {"scope": "attic"}).content.decode()
    assert "No such scope is in your sight." in page
    assert '<option value="attic">' not in page
