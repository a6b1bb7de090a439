"""The seed's own sheets (T7, T8, T10, T11; seed 1 §5 to §7), turn by turn: sent and decided on the screens, read through the
API to the byte."""

import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from extraction.runs.pipeline import work_off
from ledger.actions.policy import run_policies, set_policy, undo_policy
from ledger.actions.scope import create_scope
from ledger.actor import operator
from ledger.models import Claim, JournalEvent, Scope
from review.tokens import provision

pytestmark = pytest.mark.django_db(transaction=True)
WIDTH, DEPTH = "item.dimensions.width", "item.dimensions.depth"
DIMENSIONS = (
    '{"width": {"value": 600, "unit": "cm", "factId": "%s"}, "height": {"value": null, "unit": "cm", "factId": null}, '
    '"depth": {"value": null, "unit": "cm", "factId": null}, "notes": [{"text": "maybe 6m, not sure", "factId": "%s"}]}'
)
CONSTRAINTS = (
    '{"constraints": [{"text": "No drilling allowed", "factId": "%s", "severity": "hard"}, '
    '{"text": "Install at night only", "factId": "%s", "severity": "hard"}]}'
)


class Screens:
    def __init__(self) -> None:
        provision(username="alice", password="a long password", reviewer_token="cs_owner", agent_token="cs_agent")
        create_scope("stage", tier="project", packs=["production"], actor=operator("tests"))
        create_scope("stage/backdrop", tier="item", name="Backdrop", actor=operator("tests"))
        self.client = Client()
        self.client.force_login(User.objects.get(username="alice"))

    def turn(self, **typed: Any) -> Claim:
        """What a user's turn says, once it was read: one claim."""
        before = set(Claim.objects.values_list("pk", flat=True))
        assert self.client.post("/workspace/stage", {"stage": "planning", **typed}).status_code == 302
        work_off()
        return Claim.objects.exclude(pk__in=before).exclude(extractor="enricher").get()

    def promote(self, claim: Claim) -> None:
        form = {"action": "promote", "version": claim.version, "back": "/workspace/stage", "then": ""}
        assert self.client.post(f"/candidates/{claim.ref}/decide", form).status_code == 302
        claim.refresh_from_db()
        assert claim.status == "active"

    def content(self, block: str, scope: str) -> str:
        answer = self.client.get(f"/api/v1/scope/blocks/{block}?scope={scope}")
        return json.dumps(json.loads(answer.content)["content"], ensure_ascii=False)

    def propose(self, **body: Any) -> Claim:
        sent = self.client.post("/api/v1/candidates", json.dumps(body), content_type="application/json")
        return Claim.objects.get(ref=sent.json()["candidate"]["ref"])


def test_the_seeds_sheets_fill_turn_by_turn() -> None:
    screens = Screens()
    drilling = screens.turn(free_chat="Constraint: No drilling allowed")
    screens.promote(drilling)
    night = screens.turn(free_chat="Constraint: Install at night only")
    screens.promote(night)
    assert screens.content("project.constraints", "stage") == CONSTRAINTS % (drilling.ref, night.ref)

    width = screens.turn(**{f"text.{WIDTH}": "600 cm", "selected": ["backdrop"]})
    screens.promote(width)
    note = screens.propose(scope="stage/backdrop", kind="fact", key=DEPTH, statement="maybe 6m, not sure")
    screens.promote(note)
    wanted = DIMENSIONS % (width.ref, note.ref)
    assert screens.content("item.dimensions", "stage/backdrop") == wanted
    page = screens.client.get("/workspace/stage?item=backdrop").content.decode()
    assert width.ref in page and "600 cm" in page

    backdrop = Scope.objects.get(path="stage/backdrop")
    item = screens.client.get(f"/items/{backdrop.pk}").content.decode()
    assert 'data-action="source"' in item and f"/sources/{width.evidence.get().source_id}" in item
    typed = {"key": WIDTH, "seen": width.ref, "value": "610 cm", "action": "override"}
    assert "typed by hand" in screens.client.post(f"/items/{backdrop.pk}/fields", typed, follow=True).content.decode()
    manual = Claim.objects.get(kind="manual")
    shown = json.loads(screens.content("item.dimensions", "stage/backdrop"))["width"]
    assert shown == {"value": 610, "unit": "cm", "factId": manual.ref}
    event = JournalEvent.objects.get(verb="override")
    screens.client.post(f"/journal/{event.pk}/undo")
    undone = JournalEvent.objects.filter(undoes=event).exists()
    assert undone and screens.content("item.dimensions", "stage/backdrop") == wanted


def test_what_auto_accept_did_is_shown_and_taken_back_as_one() -> None:
    screens, budget = Screens(), "project.budget.total"
    stage = Scope.objects.get(path="stage")
    empty = screens.content("item.dimensions", "stage/backdrop")
    given = {f"text.{WIDTH}": "600 cm", f"text.{budget}": "9000 EUR", "selected": ["backdrop"]}
    screens.client.post("/workspace/stage", {"stage": "planning", **given})
    work_off()
    assert run_policies() == 0
    set_policy(stage, "auto_accept", actor=operator("tests"), on=True)
    assert run_policies() == 1
    width, money = Claim.objects.get(key=WIDTH, kind="fact"), Claim.objects.get(key=budget, kind="fact")
    assert (width.status, money.status) == ("active", "pending")
    assert width.ref in screens.content("item.dimensions", "stage/backdrop")
    listed = screens.client.get("/api/v1/journal?policy=auto_accept").json()["items"]
    assert [(one["ref"], one["verb"]) for one in listed] == [(width.ref, "promote")]
    assert width.ref in screens.client.get("/journal?policy=auto_accept").content.decode()
    undo_policy(stage, "auto_accept", actor=operator("tests"))
    assert screens.content("item.dimensions", "stage/backdrop") == empty and run_policies() == 0
