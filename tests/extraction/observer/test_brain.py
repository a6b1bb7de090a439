"""The brain's answer over HTTP, in the seed's shape."""

from tests.extraction.observer.test_replay import ROBOTICS, confirmed, house

__all__ = ["house"]

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
