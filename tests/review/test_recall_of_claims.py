"""Claims of common words are found however many others hold these words, whether they are new or old."""

from itertools import cycle, islice

import pytest

from ledger.recall import find
from tests.people import candidate
from tests.review.door import OPERATOR, House
from tests.review.recalling import hold, refs, search

USUAL = "the garden is wet today and dinner waits for whoever wants to walk the dog around town again".split()
OLD = "The dog of the garden waits for dinner in town"
NEW = "Whoever walks around town again wants dinner today"


@pytest.fixture
def many(house: House, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """An old claim and a new one among many, where of each word only a few are taken from the index."""
    monkeypatch.setattr(find, "MAX_PER_WORD", 3)
    monkeypatch.setattr(find, "MAX_NEWEST", 6)
    monkeypatch.setattr(find, "MIN_NEWEST", 6)
    talk = cycle(USUAL)
    between = [f"{' '.join(islice(talk, 6))} {at}" for at in range(24)]
    return {statement: hold(house.scope, statement).ref for statement in [OLD, *between, NEW]}


def test_claims_of_common_words_are_found_fresh_and_old_and_by_kind(house: House, many: dict[str, str]) -> None:
    assert many[NEW] in refs(search(house.agent, "who wants dinner around town today, is it wet", limit=10))
    assert many[OLD] in refs(search(house.agent, "dog garden dinner town", limit=10))
    decided = hold(house.scope, "Dinner waits for the dog of the town", "decision").ref
    hold(house.scope, "The dog is wet again")
    assert decided in refs(search(house.agent, "dinner dog garden", kinds="decision", limit=10))
    # What waits is not found among what holds.
    waiting = candidate(house.scope, OPERATOR, "Dinner in the town waits for the wet dog", kind="fact").ref
    assert waiting not in refs(search(house.agent, "dinner town wet dog", limit=100))
