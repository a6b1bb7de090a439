"""The brain's answer over HTTP, in the seed's shape."""

import datetime as dt
import http.server
import json
import time
from collections.abc import Iterator
from contextlib import suppress
from types import SimpleNamespace
from urllib.parse import parse_qsl, urlsplit

import pytest
from django.core.cache import cache
from django.db import connection
from django.utils import timezone

from extraction.observer import brain_queries
from extraction.observer.brain import ask_brain
from extraction.observer.brain_remote import RemoteBrain, remote_brain
from ledger.models import Gate, Run
from ledger.reads.packs import packs_of
from tests.extraction.observer.test_replay import ROBOTICS, confirmed, house, say
from tests.review.hooks import serving

__all__ = ["house"]

NEXT = dt.date(2026, 10, 6)
PARTY = {"title": "party", "people": ["Noor"], "start": "2026-10-10T15:00:00", "timezone": "America/New_York"}


def test_it_answers_by_activity_and_day_with_a_relevance_of_its_own(house):
    event = confirmed(house, ROBOTICS)
    status, shown = house.vera(
        "GET", "/brain/query?scope=studio&q=robotics%20schedule%20Tuesday&context=observer&format=json"
    )
    assert status == 200
    assert shown["sources"] == [event.ref] and shown["relevance_score"] == 1.0 and shown["confidence"] == "high"
    assert {"type": "time", "value": "15:30", "context": "robotics"} in shown["temporal_entities"]
    assert {"type": "day", "value": "Tuesday", "context": "robotics"} in shown["temporal_entities"]
    assert shown["extracted_events"][0]["summary"] == "robotics" and "15:30" in shown["answer"]
    # No day asked for: the next two weeks.
    assert len(house.vera("GET", "/brain/query?scope=studio&q=robotics")[1]["extracted_events"]) in (2, 3)


def test_a_name_asks_for_nothing_and_what_is_not_known_has_no_relevance(house):
    confirmed(house, ROBOTICS)
    named = house.vera("GET", "/brain/query?scope=studio&q=When%20is%20Noor's%20robotics%20practice")[1]
    assert named["sources"] and named["relevance_score"] >= 0.5
    for question in ("chess", "Jude", "the%20weather", "%00", "%3Cscript%3E"):
        status, shown = house.vera("GET", f"/brain/query?scope=studio&q={question}")
        assert status in (200, 422)
        if status == 200:
            assert (shown["sources"], shown["relevance_score"], shown["confidence"]) == ([], 0.0, "low")


def test_who_may_ask_and_how(house):
    assert house.charlie("GET", "/brain/query?scope=studio&q=robotics")[0] == 404
    assert house.vera("GET", "/brain/query?scope=studio&q=")[0] == 422
    assert house.vera("GET", "/brain/query?scope=studio&q=x&format=xml")[0] == 422


def read(house, text: str) -> tuple[dict, list[Gate]]:
    say(house, f"10:20 cole {text}")
    run = Run.objects.filter(extractor="coordination").latest("id")
    return json.loads(run.raw_answer), list(Gate.objects.filter(run=run, stage="relevance").order_by("id"))


def test_a_message_asks_by_activity_and_day_and_its_gate_is_logged(house, monkeypatch):
    confirmed(house, ROBOTICS)
    cache.clear()
    asked: list[str] = []
    monkeypatch.setattr(
        brain_queries,
        "ask_brain",
        lambda scope, question, now: asked.append(question) or ask_brain(scope, question, now=now),
    )
    shape, gates = read(house, "I'll pick up Jude from robotics on Tuesday at 5")
    assert asked and not any("Jude" in one or "Cole" in one for one in asked)
    assert [(one.passed, one.threshold, one.type) for one in gates] == [(True, 0.5, "brain")]
    assert shape["confidence_scores"]["brain_relevance"] == gates[0].score >= 0.5
    assert shape["brain_query_context"]["used"] and "robotics" in shape["brain_query_context"]["queries"][0]["answer"]
    # Within the minute the same is not asked again.
    act = SimpleNamespace(coordinates=True, activity="robotics", implied_day=False, days=[NEXT] * 5)
    for _ in range(2):
        found = brain_queries.ask_about(act, house.scope, brain_queries.BrainLimits(), now=timezone.now())
    assert len(found.queries) == 3 and len(asked) == 2


def test_a_slow_brain_is_not_waited_for_and_what_coordinates_nothing_asks_nothing(house, monkeypatch):
    def slow(scope, question, now):
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_sleep(2)")

    cache.clear()
    monkeypatch.setattr(brain_queries, "ask_brain", slow)
    act = SimpleNamespace(coordinates=True, activity="chess", implied_day=True, days=[])
    found = brain_queries.ask_about(act, house.scope, brain_queries.BrainLimits(timeout_s=0.02), now=timezone.now())
    assert found.relevance is None and found.queries[0].question == "chess schedule"
    assert [(one.type, one.passed, one.decision) for one in found.scores] == [
        ("brain_timeout", False, "proceed_no_context")
    ]
    act.coordinates = False
    assert brain_queries.ask_about(act, house.scope, brain_queries.BrainLimits(), now=timezone.now()).as_json is None


class Elsewhere(http.server.ThreadingHTTPServer):
    """Answers with `body` after `wait_s`; keeps what it was asked."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), ElsewhereHandler)
        self.asked: list[tuple[str, str]] = []
        self.body: object = {"answer": "robotics: Tuesday 15:30.", "relevance_score": 0.75, "sources": []}
        self.status, self.wait_s = 200, 0.0


class ElsewhereHandler(http.server.BaseHTTPRequestHandler):
    server: Elsewhere

    def do_GET(self) -> None:
        self.server.asked.append((self.path, self.headers.get("Authorization", "")))
        time.sleep(self.server.wait_s)
        self.send_response(self.server.status)
        self.send_header("Location", self.path)
        self.end_headers()
        with suppress(OSError):
            self.wfile.write(json.dumps(self.server.body).encode())

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def elsewhere(settings) -> Iterator[Elsewhere]:
    cache.clear()
    with serving(Elsewhere()) as server:
        settings.COUNTERSIGN_BRAIN_URL = f"http://127.0.0.1:{server.server_address[1]}/brain/query"
        settings.COUNTERSIGN_BRAIN_TOKEN = "cs_made_up"
        yield server


def test_a_brain_elsewhere_is_asked_in_the_same_shape(house, elsewhere):
    shape, gates = read(house, "I'll pick up Jude from robotics on Tuesday at 5")
    (path, token) = elsewhere.asked[0]
    query = dict(parse_qsl(urlsplit(path).query))
    assert (
        query["scope"] == "studio" and query["context"] == "observer" and query["q"].startswith("robotics schedule Tue")
    )
    assert token == "Bearer cs_made_up" and "Jude" not in path
    assert [(one.type, one.score, one.passed) for one in gates] == [("brain", 0.75, True)]
    assert shape["brain_query_context"]["queries"][0]["answer"] == "robotics: Tuesday 15:30."


@pytest.mark.parametrize(
    ("status", "body"),
    [(500, {}), (302, {"answer": "x", "relevance_score": 1}), (200, []), (200, {"answer": "x"}),
     (200, {"answer": "x", "relevance_score": 7}), (200, {"answer": "x", "relevance_score": "high"})],
)  # fmt: skip
def test_what_a_brain_elsewhere_does_not_answer_is_done_without(house, elsewhere, status, body):
    elsewhere.status, elsewhere.body = status, body
    shape, gates = read(house, "I'll pick up Jude from robotics on Tuesday at 5")
    assert [(one.type, one.passed) for one in gates] == [("brain_timeout", False)] and len(elsewhere.asked) == 1
    assert shape["brain_query_context"]["used"] is False


def test_a_slow_brain_elsewhere_is_not_waited_for(elsewhere, settings):
    elsewhere.wait_s = 3
    begun = time.monotonic()
    assert RemoteBrain(settings.COUNTERSIGN_BRAIN_URL, "", "studio").ask("chess", 0.2) is None
    assert time.monotonic() - begun < 2


def test_no_question_goes_where_the_scopes_texts_may_not(house, elsewhere, settings):
    settings.COUNTERSIGN_BRAIN_URL = "https://brain.example.org/brain/query"
    assert remote_brain(house.scope, packs_of(house.scope)) is None
    house.scope.allowed_endpoints = ["brain.example.org"]
    house.scope.save()
    assert remote_brain(house.scope, packs_of(house.scope)) is not None
