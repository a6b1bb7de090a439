"""One occurrence of something known is called off or moved in the chat, and what says so only nearly changes nothing."""

import time
from datetime import timedelta

import pytest

from extraction.observer.changes import occurrence_changes
from extraction.observer.known import KnownCalendar
from ledger.actions.promote import promote
from ledger.models import Claim
from ledger.rules.calendar import entry_of
from tests.extraction.chat.commitments.chat import MILLERS, Chat
from tests.extraction.observer.test_replay import ROBOTICS, confirmed, house, say
from tests.review.door import OPERATOR, House

__all__ = ["house"]

WEEK = {
    "EVT-1": {"title": "Piano lesson", "people": ["Leo"], "start": "2026-01-06T16:00:00", "rrule": "FREQ=WEEKLY;BYDAY=TU"},
    "EVT-2": {"title": "Leo soccer", "people": ["Leo"], "start": "2026-01-05T16:30:00", "rrule": "FREQ=WEEKLY;BYDAY=MO,TH",
              "end": "2026-01-05T18:00:00"},
    "EVT-3": {"title": "Mia's ballet", "people": ["Mia"], "start": "2026-01-05T16:00:00", "rrule": "FREQ=WEEKLY;BYDAY=MO"},
}  # fmt: skip


def changes(words: str) -> list[str]:
    """What a message of Monday 2026-05-04, nine o'clock, changes; a question mark behind what a person must look at."""
    chat = Chat(day="2026-05-04")
    entries = [entry_of(ref, "event", value, chat.zone) for ref, value in WEEK.items()]
    calendar = KnownCalendar(filter(None, entries), MILLERS.members, chat.zone)
    act = chat.say("09:00", "Sarah", words)
    found = occurrence_changes(act, calendar, max_chars=140, expires_after=timedelta(hours=48))
    return [hit.statement + "?" * hit.needs_review for hit in found]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("No piano this Tuesday", ["No Piano lesson on Tue 2026-05-05 16:00"]),
        ("piano teacher is sick, no lesson tomorrow", ["No Piano lesson on Tue 2026-05-05 16:00"]),
        ("kein Klavier, kein Fußball am Donnerstag", ["No Leo soccer on Thu 2026-05-07 16:30"]),
        ("se cancela el ballet hoy", ["No Mia's ballet on Mon 2026-05-04 16:00"]),
        ("soccer got cancelled", ["No Leo soccer on Mon 2026-05-04 16:30?"]),
        ("no soccer this week", ["No Leo soccer on Mon 2026-05-04 16:30", "No Leo soccer on Thu 2026-05-07 16:30"]),
        (
            "Piano is at 5 this week",
            ["Piano lesson of Tue 2026-05-05 16:00 takes place Tue 2026-05-05 17:00, with Leo"],
        ),
        ("Soccer starts at 5:30 on Thursday", ["Leo soccer of Thu 2026-05-07 16:30 takes place Thu 2026-05-07 17:30"]),
        (
            "Ballet is moved to Wednesday at 5",
            ["Mia's ballet of Mon 2026-05-04 16:00 takes place Wed 2026-05-06 17:00?"],
        ),
    ],
)
def test_what_is_off_and_what_is_moved(words: str, said: list[str]) -> None:
    assert changes(words) == said


@pytest.mark.parametrize(
    "words",
    [
        "is there piano on Tuesday?", "I can't do piano Tuesday", "if soccer is cancelled Thursday I'm going home",
        "soccer isn't cancelled Thursday", "Piano is at 5 from now on", "Can you take Leo to piano at 5 on Tuesday",
        "I'll be at piano at 5 on Tuesday", "Dinner is at 5 on Tuesday", "Leo has piano at 4 on Tuesday",
        "no piano for me please", "no chess tomorrow", "soccer moved from Tuesday to Wednesday 5pm",
        "Mia has no soccer on Thursday",
    ],
)  # fmt: skip
def test_what_changes_nothing(words: str) -> None:
    assert changes(words) == []


def test_no_text_holds_it_up() -> None:
    begun = time.process_time()
    for words in (
        "no " * 3000 + "piano",
        "piano is at " * 1500,
        "kein " + "a" * 9000 + " piano",
        "this week " * 900 + "no piano",
    ):
        changes(words)
    assert time.process_time() - begun < 4


def test_a_confirmed_change_is_in_the_calendar_and_the_series_stays(house: House) -> None:
    series = confirmed(house, ROBOTICS)
    say(house, "09:00 cole No robotics today, the coach is sick", "09:05 samira next week robotics is at 5")
    off, moved = Claim.objects.filter(status="pending", kind="event").order_by("id")
    assert (off.rule, off.value["cancelled"], off.value["series"]) == ("coordination.cancelled", True, series.ref)
    assert moved.rule == "coordination.moved" and moved.value["start"] == "2026-09-22T17:00:00"
    september = "scope=studio&from=2026-09-01T00:00:00Z&to=2026-10-01T00:00:00Z"
    assert len(house.vera("GET", f"/upcoming?{september}")[1]["items"]) == 5
    for claim in (off, moved):
        promote(claim, actor=OPERATOR)
    starts = [one["start"][:16] for one in house.vera("GET", f"/upcoming?{september}")[1]["items"]]
    assert starts == ["2026-09-01T15:30", "2026-09-08T15:30", "2026-09-22T17:00", "2026-09-29T15:30"]
    assert house.bob("POST", f"/entities/{off.ref}/withdraw", {})[0] == 200
    assert len(house.vera("GET", f"/upcoming?{september}")[1]["items"]) == 5
