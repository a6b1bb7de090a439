"""What the observer says to families of our own: those that its rules were tried on, and those that were kept from them."""

from functools import cache
from pathlib import Path

import pytest

from tests.extraction.observer.families import ObservedThread, read_family
from tests.extraction.observer.reading import Outcome, SaidInThread, said_in

FAMILIES = sorted((Path(__file__).parent / "families").glob("*.txt"))


@cache
def read_and_watched(path: Path) -> list[tuple[ObservedThread, list[SaidInThread]]]:
    family = read_family(path)
    return [(thread, said_in(family, thread)) for thread in family.threads]


@pytest.mark.parametrize("part", ["", "kept_"])
def test_it_speaks_where_two_things_clash_or_nobody_goes_and_else_is_silent(part):
    outcome = Outcome()
    for path in FAMILIES:
        if path.stem.startswith("kept_") == bool(part):
            for thread, said in read_and_watched(path):
                outcome.count(thread, said)
    assert outcome.right >= 0.9 * outcome.due, outcome
    assert outcome.false <= outcome.checkpoints // 100, outcome


def test_a_car_by_its_make_a_childs_thing_by_its_place_and_whoever_stays_with_the_children():
    said = {
        thread.name: [one.rule for one in said]
        for name in ("hollis", "reimann")
        for thread, said in read_and_watched(Path(__file__).parent / "families" / f"{name}.txt")
    }
    assert said["hollis-4"] == ["missing_variable"] and said["hollis-8"] == ["resource_conflict"]
    assert said["reimann-1"] == ["temporal_conflict"] and said["reimann-2"] == []


def test_notices_are_short_and_in_the_language_of_the_chat():
    asked = {"brandt": ("Was gilt?", "Wer", "Diesmal"), "rojas": ("¿",), "okafor": ("Wh", "Different")}
    for path in FAMILIES:
        for _, said in read_and_watched(path):
            assert all(len(one.text) <= (200 if one.rule == "clarification" else 280) for one in said)
            words = asked.get(path.stem, ("",))
            assert all(any(word in one.text for word in words) for one in said), [one.text for one in said]
