"""Words, spelling and packs: what the tripwire is made of."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extraction.chat.messages import ChatMessage
from extraction.chat.people import HouseholdMember
from extraction.chat.tripwire import Tripwire, TripwireError, score
from extraction.chat.tripwire.words import Spelling, tokens_of
from extraction.training.readings import household_tripwire

PACK = {
    "tripwire": {
        "base": -2.0,
        "plain": ["sister"],
        "groups": [
            {"name": "move", "weight": 3.0, "words": ["pick up", "get {who}", "recógelo"]},
            {"name": "play", "weight": 2.0, "fuzzy": True, "words": ["practice", "sitter"]},
            {"name": "when", "weight": 1.0, "patterns": [r"\b\d+pm\b"]},
            {"name": "them", "weight": 0.0, "people": True, "words": ["them"]},
        ],
        "pairs": [{"of": ["play", "when"], "weight": 1.5}],
    }
}
SPELLING = Spelling(["practice", "soccer", "ballet"], ["sock"])


@pytest.mark.parametrize(
    ("written", "meant"),
    [("pratice", "practice"), ("practise", "practice"), ("socer", "soccer"), ("soccre", "soccer"), ("balet", "ballet"),
     ("practice", "practice"), ("sock", ""), ("soc", ""), ("succour", ""), ("occer", "")],
)  # fmt: skip
def test_spelling(written: str, meant: str) -> None:
    assert SPELLING.nearest(written) == meant


def test_words_are_folded_stretched_and_possessive() -> None:
    forms = [token.forms for token in tokens_of("plssss Noor's gi?!")]
    assert "pls" in forms[0] and "noor" in forms[1] and forms[3:] == [("?",), ("!",)]


def seen(text: str, people: tuple[HouseholdMember, ...] = ()) -> set[str]:
    tripwire = Tripwire.from_packs([PACK])
    assert tripwire is not None
    return {
        why.split(":")[0].rpartition(" ")[0] or why.split(":")[0]
        for why in score(tripwire, ChatMessage("", text), (), people).patterns
    }


def test_groups_people_and_pairs() -> None:
    pim = (HouseholdMember("Pim", ("Pimmy",), "child"),)
    assert (
        "move" in seen("I get them")
        and "move" in seen("get Pimmy", pim)
        and "move" not in seen("get Pimmy", (HouseholdMember("Bo", (), "child"),))
    )
    assert "move" in seen("RECOGELO ya")
    assert "play with when" in seen("pratice 4pm") and "play" not in seen("my sister 4pm")


def test_later_packs_add_and_override() -> None:
    more = {"tripwire": {"groups": [{"name": "play", "weight": 5.0, "words": ["oboe"]}]}, "gates": {"tripwire": 0.9}}
    tripwire = Tripwire.from_packs([PACK, more])
    assert tripwire is not None and tripwire.threshold == 0.9 and tripwire.weights["play"] == 5.0
    assert score(tripwire, ChatMessage("", "oboe")).passed and score(tripwire, ChatMessage("", "practice")).passed
    assert Tripwire.from_packs([{"pack": {}}]) is None


def test_a_pair_of_unknown_groups_is_refused() -> None:
    with pytest.raises(TripwireError, match="no group 'moon'"):
        Tripwire.from_packs([PACK, {"tripwire": {"pairs": [{"of": ["play", "moon"], "weight": 1}]}}])


def test_words_of_a_later_pack() -> None:
    tripwire = Tripwire.from_packs([PACK, {"tripwire": {"vocabulary": {"Oboe": 4.0}}}])
    assert tripwire is not None
    assert "“oboe” +4.00" in score(tripwire, ChatMessage("", "an OBOE")).patterns


@pytest.mark.parametrize(("minutes", "passes"), [(14, True), (16, False)])
def test_an_open_question_is_answered_for_a_quarter_of_an_hour(minutes: int, passes: bool) -> None:
    """Whatever the answer scores by itself, and with no thread to raise it."""
    groups = [
        {"name": "ask", "weight": 5.0, "opens": True, "words": ["who gets"]},
        {"name": "take", "takes": True, "words": ["mine"]},
    ]
    tripwire = Tripwire.from_packs([{"tripwire": {"base": -2.0, "groups": groups}}])
    assert tripwire is not None
    noon = datetime(2026, 5, 5, 12, tzinfo=UTC)
    asked, answer = (
        ChatMessage("Ann", "who gets Pim", noon),
        ChatMessage("Bo", "mine", noon + timedelta(minutes=minutes)),
    )
    verdict = score(tripwire, answer, [asked])
    assert verdict.score < verdict.threshold and verdict.passed is passes
    assert ("answers an open question" in verdict.patterns) is passes


@given(st.text(max_size=300), st.lists(st.text(max_size=60), max_size=4))
def test_any_text_has_a_score(text: str, before: list[str]) -> None:
    verdict = score(HOUSEHOLD, ChatMessage("a", text), [ChatMessage("b", one) for one in before], ())
    assert 0 <= verdict.score <= 1
    assert verdict == score(HOUSEHOLD, ChatMessage("a", text), [ChatMessage("b", one) for one in before], ())


HOUSEHOLD = household_tripwire()
