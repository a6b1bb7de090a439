"""Words are told from one another, and brought to a stem."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.language.words import STOP_WORDS, edit_distance, stem


@pytest.mark.parametrize(
    ("words", "root"),
    [
        ("ships shipped shipping ship Ship's", "ship"),
        ("notes note noting noted", "not"),
        ("studies studied study", "study"),
    ],
)
def test_forms_of_a_word_have_one_stem(words: str, root: str) -> None:
    assert {stem(word) for word in words.split()} == {root}


@pytest.mark.parametrize("word", ["glass", "ab1s", "los", "größen", "Ärzten", "日本語"])
def test_short_words_and_other_scripts_stay(word: str) -> None:
    assert stem(word) == word.lower()


def test_distance_counts_swapped_neighbours_as_one() -> None:
    others = ("abcd", "abdc", "abc", "abxd", "dcba")
    assert [edit_distance("abcd", other, most=9) for other in others] == [0, 1, 1, 1, 3]


@given(st.text(max_size=8), st.text(max_size=8), st.integers(0, 9))
def test_a_distance_is_the_same_both_ways_and_never_beyond_most(one: str, other: str, most: int) -> None:
    whole = edit_distance(one, other, most=99)
    assert edit_distance(other, one, most=99) == whole
    assert edit_distance(one, other, most=most) in ((whole,) if whole <= most else (whole, most + 1))


def test_stop_words_of_a_language_are_plain() -> None:
    assert all(word == word.lower() for words in STOP_WORDS.values() for word in words)
