"""When it may speak: not at night where it can wait, once for each matter; and no text holds its phrases up."""

import time as clock
from datetime import UTC, datetime

import pytest

from extraction.observer.findings import Finding
from extraction.observer.settings import RedlineSettings
from extraction.observer.signs import phrases_in

DAY = datetime(2026, 9, 14, tzinfo=UTC)


@pytest.mark.parametrize(
    ("due", "spoken"),
    [
        ((22, 59), (14, 22, 59)),
        ((23, 5), (15, 6, 0)),
        ((0, 30), (14, 6, 0)),
        ((6, 0), (14, 6, 0)),
        ((12, 0), (14, 12, 0)),
    ],
)
def test_what_is_due_at_night_waits_for_the_morning(due: tuple[int, int], spoken: tuple[int, int, int]) -> None:
    moment = DAY.replace(hour=due[0], minute=due[1])
    assert RedlineSettings().after_quiet(moment) == DAY.replace(day=spoken[0], hour=spoken[1], minute=spoken[2])


def test_one_matter_is_the_same_message_or_the_same_people_on_a_day() -> None:
    said = Finding("temporal_conflict", 3, DAY.date(), frozenset({"Kit"}))
    assert said.same_matter(Finding("clarification", 3, DAY.date(), frozenset({"Zoe"})))
    assert said.same_matter(Finding("clarification", 7, DAY.date(), frozenset({"Kit", "Zoe"})))
    assert not said.same_matter(Finding("temporal_conflict", 7, DAY.date(), frozenset({"Zoe"})))
    assert not said.same_matter(Finding("resource_conflict", 7, DAY.date(), frozenset({"Kit"}), thing="car"))


@pytest.mark.parametrize("text", ["a", "no ", "leave the ", "i'm ", "to the ", "la mama de ", "kein ", "who is "])
def test_no_text_holds_the_phrases_up(text: str) -> None:
    begun = clock.process_time()
    phrases_in(text * (2000 // len(text)))
    assert clock.process_time() - begun < 1
