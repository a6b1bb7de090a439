"""The working screen: a turn is typed, kept once, and read; what was typed survives a refusal."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from extraction.runs.pipeline import work_off
from ledger.actions.scope import create_scope
from ledger.actor import operator
from ledger.models import Claim, Run, Source
from review.tokens import provision

pytestmark = pytest.mark.django_db(transaction=True)

OPERATOR = operator("tests")


@pytest.fixture
def alice() -> Client:
    provision(username="alice", password="a long password", reviewer_token="cs_owner", agent_token="cs_agent")
    create_scope("stage", tier="project", packs=["production"], actor=OPERATOR)
    for item, name in (("backdrop", "Backdrop"), ("floor", "Floor"), ("floor-two", "Floor")):
        create_scope(f"stage/{item}", tier="item", name=name, actor=OPERATOR)
    client = Client()
    client.force_login(User.objects.get(username="alice"))
    return client


def test_a_turn_is_kept_and_read(alice: Client) -> None:
    shown = alice.get("/workspace/stage?stage=planning")
    assert shown.status_code == 200 and b'aria-current="page"' in shown.content
    questions = shown.context["questions"]
    assert questions and all(question.text.endswith("?") for question in questions)
    key = questions[0].key
    typed = {
        "stage": "planning", "bundle": "turn-9", f"quick.{key}": "IDK", f"text.{key}": "ask @Floor",
        "free_chat": "Constraint: @item(backdrop:Backdrop) is never drilled.", "selected": [],
    }  # fmt: skip
    answer = alice.post("/workspace/stage", typed, follow=True)
    assert answer.status_code == 200 and "Floor can mean several items" in answer.content.decode()
    source = Source.objects.get(kind="turn")
    assert source.external_id == "turn-9" and 'selectedItemIds=["backdrop"]' in source.text
    assert f'A1(qId={key}): quick=IDK text="ask @Floor"' in source.text
    assert source.sender == "alice" and Run.objects.filter(source=source).exists()
    assert "kept before" in alice.post("/workspace/stage", typed, follow=True).content.decode()
    assert Source.objects.filter(kind="turn").count() == 1
    work_off()
    claim = Claim.objects.get(kind__name="constraint")
    assert claim.ref in alice.get("/workspace/stage").content.decode()


def test_nothing_said_is_refused_and_what_was_typed_stays(alice: Client) -> None:
    refused = alice.post("/workspace/stage", {"stage": "planning", "selected": ["floor"]})
    assert refused.status_code == 422 and "nothing was said" in refused.content.decode()
    assert refused.context["selected"] == ["floor"]
    wrong = alice.post("/workspace/stage", {"stage": "nowhere", "free_chat": "<b>Mine</b>"})
    assert wrong.status_code == 422 and "&lt;b&gt;Mine&lt;/b&gt;</textarea>" in wrong.content.decode()
    assert not Source.objects.exists()
