"""A stored thread read again, over HTTP: what would have been said, and nothing later in sight."""

import datetime as dt
from typing import Any

import pytest

from extraction.intake.take import take
from extraction.runs.pipeline import work_off
from ledger.actions.anchoring import find_quotes
from ledger.actions.ingest import Incoming
from ledger.actions.promote import promote
from ledger.actions.propose import Draft, propose
from ledger.actions.scope import add_person
from ledger.models import Claim, Scope
from tests.people import quote_of, tell
from tests.review.door import OPERATOR, House, build_house

ZONE = dt.timezone(dt.timedelta(hours=-4))
ROBOTICS = {
    "title": "robotics", "people": ["Jude"], "start": "2026-09-01T15:30:00", "end": "2026-09-01T17:00:00",
    "timezone": "America/New_York", "rrule": "FREQ=WEEKLY;BYDAY=TU",
}  # fmt: skip


@pytest.fixture
def house(transactional_db: None) -> House:
    house = build_house()
    Scope.objects.filter(pk=house.scope.pk).update(packs=["household"], timezone="America/New_York")
    house.scope.refresh_from_db()
    for name, role in (("Cole", "guardian"), ("Samira", "guardian"), ("Jude", "child"), ("Noor", "child")):
        add_person(house.scope, name, aliases=[name.lower()], role=role, actor=OPERATOR)
    return house


def confirmed(house: House, value: dict[str, Any]) -> Claim:
    source = tell(house.scope, OPERATOR, f"{value['title']} on Tuesdays")
    draft = Draft(kind="event", statement=source.text, quotes=(quote_of(source),), value=value, hand_authored=True)
    claim = propose(draft, scope=house.scope, actor=OPERATOR).claim
    promote(claim, actor=OPERATOR, on_conflict="coexist")
    return claim


def say(house: House, *lines: str, day: str = "2026-09-15") -> None:
    """`HH:MM sender text`, in the thread `family`."""
    for number, line in enumerate(lines, 1):
        clock, sender, text = line.split(" ", 2)
        message = Incoming(
            text=text, kind="message", sender=sender, sender_kind="user", conversation="family", external_id=f"m{number}",
            sent_at=dt.datetime.fromisoformat(f"{day}T{clock}:00").replace(tzinfo=ZONE),
        )  # fmt: skip
        for result in take([message], scope=house.scope, actor=OPERATOR):
            work_off(only=[run.pk for run in result.runs])


def replayed(house: House) -> list[dict[str, Any]]:
    status, answer = house.vera("GET", "/observer/replay?scope=studio&conversation=family")
    assert status == 200, answer
    return answer["items"]


def test_two_things_at_once_for_one_child(house):
    event = confirmed(house, ROBOTICS)
    say(
        house,
        "10:20 cole Dentist had a slot, grabbed 4pm today for Jude",
        "10:26 samira great",
        "12:02 jude i have robotics tho",
    )
    (said,) = replayed(house)
    assert (said["after"], said["rule"], said["messages"]) == ("m1", "temporal_conflict", ["m1"])
    assert event.ref in said["claims"] and said["at"].startswith("2026-09-15T")
    assert "Jude has robotics" in said["text"] and "16:00" in said["text"]


def test_two_who_take_on_the_same_duty(house):
    say(house, "15:40 cole I'll get Noor from karate", "15:46 samira already left work, getting Noor then shopping")
    (said,) = replayed(house)
    assert (said["after"], said["rule"]) == ("m2", "resource_conflict")
    assert "Cole and Samira" in said["text"]
    # The two proposals that were read from the messages are what was compared.
    kinds = Claim.objects.filter(ref__in=said["claims"]).values_list("kind", flat=True)
    assert set(kinds) == {"assignment"}


def test_what_nobody_answers_stands_after_the_last_message_before_its_time(house):
    say(house, "14:30 samira who's getting Jude at 5 today", "14:34 jude bring snacks", "15:30 cole i saw a heron")
    (said,) = replayed(house)
    assert (said["after"], said["rule"]) == ("m2", "missing_variable")
    say(
        house,
        "14:30 samira who's getting Jude at 5 today",
        "14:34 jude bring snacks",
        "15:30 cole i saw a heron",
        "16:00 samira ?",
    )
    assert replayed(house) == [said]


def test_an_answer_in_time_keeps_it_silent(house):
    say(house, "14:30 samira who's getting Jude at 5 today", "14:40 cole me")
    assert replayed(house) == []


def test_what_was_confirmed_from_a_message_is_not_known_before_it(house):
    say(house, "10:20 cole Dentist for Jude today at 4pm", "10:40 samira Jude has a party today at 4:30pm")
    source = house.scope.sources.get(external_id="m1")
    quote, _ = find_quotes(source, source.text, start=None, end=None)
    value = {
        "title": "dentist",
        "people": ["Jude"],
        "start": "2026-09-15T16:00:00-04:00",
        "timezone": "America/New_York",
    }
    draft = Draft(kind="event", statement="Jude's dentist", quotes=(quote,), value=value, hand_authored=True)  # type: ignore[arg-type]
    proposed = propose(draft, scope=house.scope, actor=OPERATOR).claim
    promote(proposed, actor=OPERATOR, on_conflict="coexist")
    (said,) = replayed(house)
    assert said["after"] == "m2" and proposed.ref in said["claims"]


def test_who_may_not_see_the_scope_or_names_no_thread_gets_404(house):
    say(house, "10:20 cole hello")
    assert house.charlie("GET", "/observer/replay?scope=studio&conversation=family")[0] == 404
    assert house.vera("GET", "/observer/replay?scope=studio&conversation=other")[0] == 404
    assert house.vera("GET", "/observer/replay?scope=studio")[0] == 422


def test_hostile_words_are_only_words(house):
    event = dict(ROBOTICS, title="robotics <script>alert(1)</script> " + "x" * 400)
    confirmed(house, event)
    say(house, "10:20 cole {people} {0} dentist for Jude today at 4pm %s")
    (said,) = replayed(house)
    assert len(said["text"]) <= 280
