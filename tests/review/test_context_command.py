"""`manage.py context`: what a session begins with."""

import io
import json
import sys

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from ledger.actions.promote import promote
from ledger.models import Exposure
from tests.people import candidate
from tests.review.door import OPERATOR, House


def printed(*arguments: str) -> str:
    out = io.StringIO()
    call_command("context", *arguments, stdout=out)
    return out.getvalue()


def test_a_session_begins_with_what_holds(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    assert printed("--scope", "studio") == ""
    claim = candidate(house.scope, OPERATOR, "Never touch the migrations", kind="constraint")
    promote(claim, actor=OPERATOR)
    monkeypatch.setattr(sys, "stdin", io.StringIO(json.dumps({"session_id": "s1", "hook_event_name": "SessionStart"})))
    page = printed("--scope", "studio", "--hook", "claude-code")
    assert "Never touch the migrations" in page and claim.ref in page
    assert Exposure.objects.latest("pk").conversation == "claude-code:s1"
    monkeypatch.setattr(sys, "stdin", io.StringIO(json.dumps({"conversation_id": "c1"})))
    assert json.loads(printed("--scope", "studio", "--hook", "cursor"))["additional_context"].strip() == page.strip()
    assert Exposure.objects.latest("pk").conversation == "cursor:c1"
    told = json.loads(printed("--scope", "studio", "--json", "--token", house.agent.token or ""))
    assert told["items"][0]["ref"] == claim.ref and Exposure.objects.latest("pk").shown_to == "scribe"


def test_what_is_out_of_reach_is_refused(house: House) -> None:
    with pytest.raises(CommandError, match="no scope"):
        printed("--scope", "kitchen", "--token", house.agent.token or "")
    with pytest.raises(CommandError, match="no such token"):
        printed("--scope", "studio", "--token", "cs_x")
