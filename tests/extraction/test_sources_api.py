"""Sources and runs through the API's own door."""

import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pydantic import TypeAdapter

from extraction.api.shapes import DryRunShape
from extraction.runs.pipeline import work_off
from ledger.actions.scope import create_scope
from ledger.actor import operator
from ledger.models import Claim, Evidence, IdempotencyRecord, JournalEvent, Run, Scope, Source
from review.tokens import provision

pytestmark = pytest.mark.django_db(transaction=True)

OPERATOR = operator("tests")


class Door:
    """The API with one bearer token."""

    def __init__(self, token: str | None) -> None:
        self.client = Client(raise_request_exception=False)
        self.token = token

    def __call__(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
        raw = body if isinstance(body, bytes) else json.dumps(body).encode() if body is not None else b""
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        response = self.client.generic(method, f"/api/v1{path}", raw, content_type="application/json", headers=headers)
        return response.status_code, json.loads(response.content or b"null")


@pytest.fixture
def doors(db: None) -> tuple[Door, Door]:
    """The owner's door and the agent's."""
    provision(username="alice", password="a long password", reviewer_token="cs_owner", agent_token="cs_agent")
    create_scope("yard", tier="project", packs=["engineering"], actor=OPERATOR)
    return Door("cs_owner"), Door("cs_agent")


DOC = {"scope": "yard", "kind": "document", "text": "## Decision: Keep the log append-only\n", "external_id": "one"}


def test_a_source_is_taken_once_and_becomes_a_candidate(doors: tuple[Door, Door]) -> None:
    owner, _ = doors
    code, first = owner("POST", "/sources", DOC)
    assert code == 201 and not first["duplicate"] and first["tripwire"] is None
    assert first["run"]["status"] == "queued"
    source = first["source"]
    assert source["text"] == DOC["text"] and source["sender_kind"] == "document"
    assert [s["end"] for s in source["sections"]][-1] == len(DOC["text"])
    code, again = owner("POST", "/sources", DOC)
    assert code == 200 and again["duplicate"] and again["source"]["id"] == source["id"]
    assert again["run"]["id"] == first["run"]["id"]
    assert work_off() == 1
    code, run = owner("GET", f"/runs/{first['run']['id']}")
    assert code == 200 and run["status"] == "succeeded" and run["stats"]["written"] == 1, run
    claim = Claim.objects.get()
    assert claim.kind_id == "decision" and claim.status == "pending" and claim.run_id == run["id"]
    words = Evidence.objects.get()
    assert DOC["text"][words.start : words.end] == words.quote
    code, evidence = owner("GET", f"/sources/{source['id']}/evidence")
    assert code == 200 and evidence["items"][0]["quote"] == words.quote
    code, gates = owner("GET", f"/gates?source={source['id']}")
    assert code == 200 and gates["items"][0]["passed"] and gates["items"][0]["stage"] == "rules"
    assert JournalEvent.objects.filter(verb="propose", actor_kind="system").count() == 1


def test_the_evidence_of_a_source_comes_in_pages_in_the_order_of_its_text(doors: tuple[Door, Door]) -> None:
    owner, _ = doors
    text = "".join(f"Decision: number {n} it is\n\n" for n in range(7))
    _, sent = owner("POST", "/sources", {"scope": "yard", "kind": "document", "text": text})
    work_off()
    place, cursor, seen = f"/sources/{sent['source']['id']}/evidence?limit=3", "", []
    while True:
        code, page = owner("GET", place + cursor)
        assert code == 200 and len(page["items"]) <= 3
        seen += [text[row["start"] : row["end"]] for row in page["items"]]
        if page["next"] is None:
            break
        cursor = f"&cursor={page['next']}"
    assert seen == [f"number {n} it is" for n in range(7)]
    assert owner("GET", place + "&cursor=nonsense")[0] == 422
    assert owner("GET", place.replace("limit=3", "limit=201"))[0] == 422


def test_a_batch_keeps_what_is_good(doors: tuple[Door, Door]) -> None:
    owner, _ = doors
    body = {
        "sources": [
            DOC,
            {"scope": "yard", "kind": "nope", "text": "x"},
            {"scope": "nowhere", "text": "x"},
            {"scope": "yard", "text": "a\x00b"},
            {"scope": "yard", "text": 3},
            {"scope": "yard", "text": "Two", "sent_at": "2026-01-02T03:04:05"},
            {"scope": "yard", "text": "ok"},
            7,
        ]
    }
    code, answer = owner("POST", "/sources", body)
    assert code == 201
    results = answer["results"]
    assert [("error" in r) for r in results] == [False, True, True, True, True, True, False, True]
    assert [r["error"]["status"] for r in results if "error" in r] == [422, 404, 422, 422, 422, 422]
    assert results[3]["error"]["errors"] == [{"field": "sources.3.text", "message": "text has a NUL character at 1"}]
    assert Source.objects.count() == 2
    code, answer = owner("POST", "/sources", {"sources": [DOC]})
    assert code == 200 and answer["results"][0]["duplicate"]
    code, answer = owner("POST", "/sources", {"sources": [{"scope": "yard"}]})
    assert code == 422 and answer["errors"][0]["field"] == "sources.0.text"


@pytest.mark.parametrize(
    "raw",
    [
        b"", b"null", b"[]", b"{", b"\xff\xfe", b'{"scope": NaN}', b'{"a": 1e999}', b"[" * 100_000, b"9" * 5000,
        b'{"scope": "yard", "text": "\\u0000"}', b'{"scope": "yard", "text": "\\ud800"}', b'{"scope": "\\u0000", "text": "x"}',
        b'{"scope": 3}', b'{"scope": "yard", "text": "x", "kind": "nope"}', b'{"scope": "yard", "text": ""}',
        b'{"scope": "yard", "text": "x", "wait": 31}', b'{"scope": "yard", "text": "x", "wait": "soon"}',
        b'{"sources": []}', b'{"sources": {}}', b'{"sources": null}', b'{"sources": [null]}', b'{"sources": [], "\\ud800": 1}',
        b'{"scope": "yard", "text": "x", "surprise": 1}', b'{"scope": "yard", "text": "x", "sender_kind": "god"}',
    ],
)  # fmt: skip
def test_bad_bodies_are_refused_and_write_nothing(doors: tuple[Door, Door], raw: bytes) -> None:
    code, answer = doors[0]("POST", "/sources", raw)
    assert code in (400, 422), answer
    assert answer["status"] == code and answer["title"] and answer["detail"]
    assert not Source.objects.exists()


def test_what_is_out_of_range_is_not_there(doors: tuple[Door, Door]) -> None:
    owner, _ = doors
    for path in (
        "/sources/99999999999999999999",
        "/runs/9223372036854775808",
        "/sources/5/evidence",
        "/nothing",
        "/runs/a",
    ):
        code, answer = owner("GET", path)
        assert code == 404 and answer["status"] == 404, path
    assert owner("PATCH", "/sources")[0] == 405
    assert owner("GET", "/runs?limit=1000000000000000000000")[0] == 422
    assert owner("GET", "/runs?cursor=nonsense")[0] == 422
    assert owner("GET", "/runs?source=99999999999999999999999")[0] in (200, 422)
    assert owner("GET", "/runs?scope=a%00b")[0] in (404, 422)
    assert owner("GET", "/runs?scope=" + "x" * 9000)[0] == 404
    assert owner("GET", "/gates?source=99999999999999999999999")[0] == 404
    assert owner("POST", "/conversations/%00/extract?scope=yard", {})[0] in (404, 422)


def test_waiting_ends_when_every_extractor_is_done(doors: tuple[Door, Door]) -> None:
    owner, _ = doors
    create_scope("talk", tier="project", packs=["engineering", "discussion"], actor=OPERATOR)
    message = {"scope": "talk", "kind": "message", "text": "We decided on oak.", "sender": "Ida", "conversation": "c"}
    code, sent = owner("POST", "/sources", message | {"sender_kind": "user", "external_id": "1"})
    first, *others = (run["id"] for run in sent["runs"])
    assert code == 201 and others and sent["run"]["id"] == first
    assert {run["extractor"] for run in sent["runs"]} == set(Run.objects.values_list("extractor", flat=True))
    assert work_off([first], most=1) == 1
    code, again = owner("POST", "/sources", message | {"sender_kind": "user", "external_id": "1", "wait": 0.1})
    assert code == 202 and {run["id"]: run["status"] for run in again["runs"]} == {
        first: "succeeded",
        **dict.fromkeys(others, "queued"),
    }
    work_off()
    code, done = owner(
        "POST", "/sources", {"sources": [message | {"sender_kind": "user", "external_id": "1"}], "wait": 5}
    )
    assert code == 200 and {run["status"] for run in done["results"][0]["runs"]} == {"succeeded"}


def test_the_same_key_writes_once(doors: tuple[Door, Door]) -> None:
    owner, _ = doors
    first = owner("POST", "/sources", DOC, **{"Idempotency-Key": "k1"})
    work_off()
    code, again = owner("POST", "/sources", DOC, **{"Idempotency-Key": "k1"})
    assert code == first[0] == 201
    assert again["source"]["id"] == first[1]["source"]["id"] and not again["duplicate"]
    assert again["run"]["status"] == "succeeded"
    code, refused = owner("POST", "/sources", DOC | {"text": "other"}, **{"Idempotency-Key": "k1"})
    assert code == 409 and refused["type"] == "key_reused"
    assert owner("POST", "/sources", DOC | {"kind": "nope"}, **{"Idempotency-Key": "k2"})[0] == 422
    assert IdempotencyRecord.objects.count() == 1 and Source.objects.count() == 1


def test_speakers_and_rights(doors: tuple[Door, Door]) -> None:
    owner, agent = doors
    message = {"scope": "yard", "kind": "message", "text": "I prefer tea."}
    code, answer = agent("POST", "/sources", message)
    assert code == 201 and answer["source"]["sender_kind"] == "agent"
    code, _ = agent("POST", "/sources", message | {"sender_kind": "system"})
    assert code == 403
    assert owner("POST", "/sources", message | {"sender_kind": "system"})[0] == 201
    nobody = Door(None)
    assert nobody("POST", "/sources", DOC)[0] == 401
    assert Door("cs_wrong")("GET", "/runs")[0] == 401
    work_off()
    assert not Claim.objects.filter(kind="preference").exists()
    assert User.objects.get().is_staff


def test_what_an_agent_sends_as_its_users_words_is_marked_and_wants_a_person(doors: tuple[Door, Door]) -> None:
    owner, agent = doors
    words = {"scope": "yard", "kind": "message", "text": "Decision: the gate is painted red\n", "sender_kind": "user"}
    assert agent("POST", "/sources", words)[0] == 201
    assert owner("POST", "/sources", words | {"text": "Decision: the fence is painted blue\n"})[0] == 201
    work_off()
    red, blue = Claim.objects.order_by("statement").filter(kind="decision")[::-1]
    assert (red.statement, red.needs_review, red.summary) == ("the gate is painted red", True, "brought by agent agent")
    assert not blue.needs_review and "brought" not in blue.summary
    _, shown = owner("GET", f"/candidates/{red.ref}")
    assert [words["brought_by"] for words in shown["evidence"]] == ["agent"]


def test_held_back_words_are_reported_and_cannot_be_admitted_against_law_8(doors: tuple[Door, Door]) -> None:
    owner, agent = doors
    _, sent = agent("POST", "/sources", {"scope": "yard", "kind": "message", "text": "Decision: we ship on Friday\n"})
    work_off()
    _, run = owner("GET", f"/runs/{sent['run']['id']}")
    assert run["stats"]["held_back"] == 1 and run["hits"][0]["fate"] == "held_back"
    code, answer = owner("POST", f"/runs/{run['id']}/admit", {"hits": [run["hits"][0]["number"]]})
    assert code == 200 and not answer["admitted"] and answer["refused"][0]["why"]
    assert owner("POST", f"/runs/{run['id']}/admit", {"hits": [99]})[0] == 422
    assert not Claim.objects.exists()


def test_force_proposes_beside_and_a_dry_run_writes_nothing(doors: tuple[Door, Door]) -> None:
    owner, _ = doors
    _, sent = owner("POST", "/sources", DOC | {"extract": False, "conversation": "thread-1"})
    assert sent["run"] is None
    source = sent["source"]["id"]
    code, told = owner("POST", f"/sources/{source}/extract", {"dry_run": True})
    assert code == 200 and told["proposals"][0]["would_be"] == "written"
    TypeAdapter(DryRunShape).validate_python(told, strict=True)
    assert owner("POST", f"/sources/{source}/extract", {"dry_run": 0})[0] == 422
    assert not Claim.objects.exists() and not Run.objects.exists()
    code, asked = owner("POST", f"/sources/{source}/extract", {})
    assert code == 202
    work_off()
    assert owner("POST", f"/sources/{source}/extract", {})[1]["runs"][0]["id"] == asked["runs"][0]["id"]
    code, forced = owner("POST", "/conversations/thread-1/extract?scope=yard", {"force": True})
    assert code == 202 and forced["runs"][0]["id"] != asked["runs"][0]["id"]
    work_off()
    assert Claim.objects.count() == 1 and Run.objects.get(pk=forced["runs"][0]["id"]).stats["duplicates"] == 1
    assert owner("POST", f"/sources/{source}/extract", {"extractors": ["model"]})[0] == 422
    _, listed = owner("GET", "/runs?scope=yard&limit=1&count=true")
    assert listed["total"] == 2 and len(listed["items"]) == 1
    _, rest = owner("GET", f"/runs?scope=yard&limit=1&cursor={listed['next']}")
    assert rest["next"] is None and rest["items"][0]["id"] == asked["runs"][0]["id"]


def test_health(doors: tuple[Door, Door]) -> None:
    owner, _ = doors
    owner("POST", "/sources", DOC)
    assert owner("GET", "/health")[1]["queued_runs"] == 1
    work_off()
    _, health = owner("GET", "/health")
    assert health["queued_runs"] == 0 and health["pending"] == 1 and health["oldest_pending_seconds"] >= 0
    assert Door(None)("GET", "/health")[0] == 401
    assert Door(None)("GET", "/health/live")[0] == 200 and Door(None)("GET", "/health/ready")[0] == 200


def test_a_scope_is_made_on_first_use_below_one_that_the_caller_administers(doors: tuple[Door, Door]) -> None:
    owner, agent = doors
    message = {"scope": "yard/shed/roof", "kind": "message", "text": "It leaks.", "create_scope": True}
    assert owner("POST", "/sources", message | {"create_scope": False})[0] == 404
    assert agent("POST", "/sources", message)[0] == 403
    assert owner("POST", "/sources", message)[0] == 201
    assert agent("POST", "/sources", message | {"text": "It still leaks."})[0] == 201
    made = Scope.objects.filter(path__startswith="yard/").order_by("path").values_list("path", "tier")
    assert list(made) == [("yard/shed", "item"), ("yard/shed/roof", "item")]
    assert JournalEvent.objects.filter(verb="create_scope", scope__path="yard/shed").count() == 1
    bad, good = message | {"scope": "Yard!"}, message | {"scope": "yard/pond"}
    code, answer = owner("POST", "/sources", {"sources": [bad, good, good | {"text": "It is wet."}]})
    assert code == 201 and [set(one) & {"error", "source"} for one in answer["results"]] == [
        {"error"},
        {"source"},
        {"source"},
    ]
