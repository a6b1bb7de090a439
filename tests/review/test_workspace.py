"""The working screen: a turn is typed, kept once, and read; what was typed survives a refusal."""

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

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
    assert questions and all(question.spec.question.endswith("?") for question in questions)
    key = questions[0].spec.key
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


def test_an_item_is_asked_about_its_own_and_what_is_irrelevant_is_not_asked_again(alice: Client) -> None:
    asked = {question.spec.key for question in alice.get("/workspace/stage?stage=planning").context["questions"]}
    of_item = alice.get("/workspace/stage?stage=planning&item=backdrop").context
    assert asked and all(key.startswith("project.") for key in asked)
    assert of_item["selected"] == ["backdrop"] and of_item["place"].path == "stage/backdrop"
    keys = [question.spec.key for question in of_item["questions"]]
    assert keys and all(key.startswith("item.") for key in keys)
    risks = [question.spec.high_risk for question in of_item["questions"]]
    assert risks == sorted(risks, reverse=True)
    alice.post("/workspace/stage", {"stage": "planning", "item": "backdrop", f"quick.{keys[0]}": "IRRELEVANT"})
    later = alice.get("/workspace/stage?stage=planning&item=backdrop").context["questions"]
    assert keys[0] not in {question.spec.key for question in later}
    chat = alice.get("/workspace/stage?stage=planning&panel=chat")
    assert "Nothing is asked" in chat.content.decode() and b'name="quick.' not in chat.content


def test_a_turn_is_kept_before_the_agent_answers_and_the_answer_is_a_turn(alice: Client, settings: object) -> None:
    assert b"data-no-reply" in alice.get("/workspace/stage").content
    settings.COUNTERSIGN_REPLIES = "tests.review.replies"  # type: ignore[attr-defined]
    sent = alice.post(
        "/workspace/stage", {"stage": "planning", "free_chat": "Constraint: nothing is drilled", "bundle": "t-1"}
    )
    turn = Source.objects.get(kind="turn")
    assert f"reply={turn.pk}" in sent["Location"] and b"data-reply" in alice.get(sent["Location"]).content
    answer = alice.post(f"/workspace-reply/{turn.pk}")
    assert b"".join(answer.streaming_content) == b"Is the backdrop fire-proof?"
    reply = Source.objects.exclude(pk=turn.pk).get(kind="turn")
    assert reply.external_id == "t-1-reply" and "[AGENT_OUTPUT]\nIs the backdrop fire-proof?" in reply.text
    assert [part.speaker for part in reply.sections.all() if part.speaker != "system"] == ["agent"]
    shown = alice.get("/workspace/stage").content.decode()
    assert shown.index("nothing is drilled") < shown.index("Is the backdrop fire-proof?")


def test_what_is_found_appears_on_the_right_and_is_decided_there(alice: Client) -> None:
    alice.post("/workspace/stage", {"stage": "planning", "free_chat": "Constraint: nothing is drilled."})
    before = alice.get("/workspace-state/stage")
    assert "is being read" in before.content.decode()
    with CaptureQueriesContext(connection) as asked:
        assert alice.get("/workspace-state/stage", headers={"If-None-Match": before["ETag"]}).status_code == 304
    assert len(asked) <= 3, "where nothing happened, whose session it is and that nothing did"
    create_scope("elsewhere", tier="project", actor=OPERATOR)
    assert alice.get("/workspace-state/stage", headers={"If-None-Match": before["ETag"]}).status_code == 304
    work_off()
    found = alice.get("/workspace-state/stage", headers={"If-None-Match": before["ETag"]})
    claim = Claim.objects.get(kind__name="constraint")
    assert found.status_code == 200 and f'data-ref="{claim.ref}"' in found.content.decode()
    form = {"action": "promote", "version": claim.version, "back": "/workspace/stage", "then": ""}
    done = alice.post(f"/candidates/{claim.ref}/decide", form)
    assert done["Location"] == "/workspace/stage"
    shown = alice.get("/workspace/stage").content.decode()
    assert 'data-block="project.constraints"' in shown and claim.ref in shown and 'data-action="undo"' in shown


def test_about_an_item_its_own_candidates_come_first_and_answers_are_told_as_people_say_them(alice: Client) -> None:
    sent = {"stage": "planning", "bundle": "all", "free_chat": "Constraint: nothing is drilled."}
    alice.post("/workspace/stage", sent)
    width = {"selected": ["floor"], "text.item.dimensions.width": "6 m", "quick.item.dimensions.depth": "IDK"}
    alice.post("/workspace/stage", {"stage": "planning", "item": "floor", "bundle": "one", **width})
    work_off()
    Claim.objects.filter(key="").update(rank=1)
    shown = alice.get("/workspace/stage?item=floor&stage=planning")
    assert shown.context["state"].card.claim.key == "item.dimensions.width"
    assert {claim.scope.path for claim in shown.context["state"].waiting} >= {"stage"}
    assert alice.get("/workspace/stage").context["state"].card.claim.key == ""
    said = dict(shown.context["turns"][-1].parts)["user"]
    assert "? 6 m" in said and "Don&#x27;t know" in shown.content.decode() and "qId" not in said


def test_a_question_offers_what_its_key_can_be(alice: Client) -> None:
    shown = alice.get("/workspace/stage?item=floor&stage=planning")
    listed = [one for one in shown.context["questions"] if one.spec.value_type == "enum"]
    measured = [one for one in shown.context["questions"] if one.spec.value_type == "dimension"]
    assert listed and measured and not any(one.takes_yes for one in (*listed, *measured))
    text = shown.content.decode()
    assert all(f'<option value="{value}">' in text for value in listed[0].spec.values)
    assert f'name="quick.{measured[0].spec.key}"\n                 value="IDK"' in text
    assert f'name="quick.{measured[0].spec.key}"\n                 value="YES"' not in text


def test_hostile_words_are_shown_as_words(alice: Client) -> None:
    alice.post("/workspace/stage", {"stage": "planning", "free_chat": "<script>alert(1)</script>"})
    assert "<script>alert" not in alice.get("/workspace/stage").content.decode()


def test_the_page_asks_as_much_of_the_database_however_many_items_there_are(alice: Client) -> None:
    counts = []
    for number in range(2):
        for at in range(6 * number):
            create_scope(f"stage/more-{at}", tier="item", name=f"More {at}", actor=OPERATOR)
        with CaptureQueriesContext(connection) as queries:
            assert alice.get("/workspace/stage?stage=planning").status_code == 200
        counts.append(len(queries))
    assert counts[0] == counts[1]
