"""What of a text is indexed and looked for."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.language.words import MAX_WORD, sender_key, term_key, terms


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("We kept the boats", "keep boat"),
        ("Mum's photos", "mother picture"),
        ("children", "kid"),
        ("naïve CAFÉ", "naive cafe"),
        ("والكتاب", "كتاب"),
        ("e-mail", "e mail"),
    ],
)
def test_forms_of_a_word_are_one_term(one: str, other: str) -> None:
    assert set(terms(one)) == set(terms(other))


def test_scripts_without_blanks_are_cut_into_pairs() -> None:
    assert terms("東京都庁") == ["東京", "京都", "都庁"]
    assert terms("東") == ["東"]


def test_stop_words_and_what_no_one_asks_for_are_no_terms() -> None:
    assert terms(f"the of and {'x' * (MAX_WORD + 1)} !?") == []


def test_a_number_with_signs_is_found_whole_and_by_its_parts() -> None:
    assert {"v1.2", "v1", "2"} <= set(terms("v1.2"))


def test_a_name_that_is_said_is_another_term_than_the_name_of_who_says_it() -> None:
    assert term_key("ann") != sender_key("ann")
    assert -(2**31) <= term_key("ann") < 2**31


@given(st.text(max_size=200))
def test_terms_of_any_text_are_terms_of_themselves_in_order(text: str) -> None:
    found = terms(text)
    assert all(found) and found == terms(text)


@pytest.mark.parametrize("text", ["a-" * 50_000, "'" * 100_000, "字" * 100_000, "x" * 100_000, "a.b'c" * 20_000])
def test_no_text_holds_it_up(text: str) -> None:
    began = time.process_time()
    terms(text)
    assert time.process_time() - began < 2
