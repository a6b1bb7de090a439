"""What the observer says to families of our own: those that its rules were tried on, and those that were kept from them."""

from pathlib import Path

import pytest

from tests.extraction.observer.families import read_family
from tests.extraction.observer.reading import Outcome, said_in

FAMILIES = sorted((Path(__file__).parent / "families").glob("*.txt"))


@pytest.mark.parametrize("part", ["", "kept_"])
def test_it_speaks_where_two_things_clash_or_nobody_goes_and_else_is_silent(part):
    outcome = Outcome()
    for path in FAMILIES:
        if path.stem.startswith("kept_") != bool(part):
            continue
        family = read_family(path)
        for thread in family.threads:
            outcome.count(thread, said_in(family, thread))
    assert outcome.right >= 0.85 * outcome.due, outcome
    assert outcome.false <= max(1, outcome.checkpoints // 40), outcome


def test_notices_are_short_and_in_the_language_of_the_chat():
    asked = {"brandt": ("Was gilt?", "Wer", "Diesmal"), "rojas": ("¿",), "okafor": ("Wh", "Different")}
    for path in FAMILIES:
        family = read_family(path)
        for thread in family.threads:
            for one in said_in(family, thread):
                assert len(one.text) <= (200 if one.rule == "clarification" else 280)
                if path.stem in asked:
                    assert any(words in one.text for words in asked[path.stem]), one.text
