"""The brain's answer over HTTP, in the seed's shape."""

import datetime as dt
import json
from types import SimpleNamespace

from django.core.cache import cache
from django.db import connection
from django.utils import timezone

from extraction.observer import brain_queries
from extraction.observer.brain import ask_brain
from ledger.models import Gate, Run
from tests.extraction.observer.test_replay import ROBOTICS, confirmed, house, say

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
