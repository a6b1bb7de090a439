"""What a sentence is about: told by itself, by its speaker, or by the heading above it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.language.fold import opening_of
from ledger.language.subjects import (
    MAX_SUBJECT,
    item_over,
    joined,
    leaves_subject_out,
    named_by,
    names_another,
    speaks_of_itself,
    with_subject,
)  # fmt: skip


@pytest.mark.parametrize(
    "words",
    [
        "I eat no meat",
        "My desk is the one by the door",
        "Ok, I'll call the smith",
        "Ich esse kein Fleisch",
        "Soy alérgica",
    ],
)
def test_the_first_person_speaks_of_itself(words: str) -> None:
    assert speaks_of_itself(opening_of(words))


@pytest.mark.parametrize(
    "words", ["We close at nine", "It is mine", "Mon 9 am: stand-up", "Iron gates rust", "I. Opening"]
)
def test_other_persons_do_not(words: str) -> None:
    assert not speaks_of_itself(opening_of(words))


@pytest.mark.parametrize(
    ("words", "left_out"),
    [
        ("Decision: approved", True),
        ("no change", True),
        ("must be cleaned every week by two people", True),
        ("Closed from Friday noon until Monday", True),
        ("abgelehnt", True),
        ("Wird am Montag wieder geöffnet, wie immer", True),
        ("The lift must be cleaned every week", False),
        ("We use linseed oil for the window frames", False),
    ],
)
def test_a_clause_may_leave_its_subject_to_the_title(words: str, left_out: bool) -> None:
    assert leaves_subject_out(opening_of(words)) is left_out


@pytest.mark.parametrize(
    ("path", "subject"),
    [
        (["Pump 2"], "Pump 2"),
        (["Ground floor", "Cellar"], "Ground floor / Cellar"),
        (["Meeting notes 2026-02-03", "Agenda", "**Lift**"], "Lift"),
        (["Decisions"], ""),
        (["Week 7"], ""),
        (["Resolution: paint it"], ""),
        (["Issue 12"], "Issue 12"),
        (["#412"], "#412"),
    ],
)
def test_titles_that_order_a_page_name_nothing(path: list[str], subject: str) -> None:
    assert joined(named_by(title, {"decision", "resolution"}) for title in path) == subject


def test_the_subject_stands_before_words_that_do_not_name_it() -> None:
    assert with_subject("max load: 500 kg", "Crane A") == "Crane A: max load: 500 kg"
    assert with_subject("Crane A lifts 500 kg", "crane a", "") == "Crane A lifts 500 kg"


@given(st.lists(st.text(max_size=80), max_size=6), st.text(max_size=300))
def test_any_words_are_told(path: list[str], words: str) -> None:
    subject = joined(map(named_by, path))
    assert len(subject) <= MAX_SUBJECT
    assert words in with_subject(words, subject)
    opening = opening_of(words)
    assert leaves_subject_out(opening) in (True, False) and speaks_of_itself(opening) in (True, False)


@pytest.mark.parametrize(
    ("said", "subject", "statement", "another"),
    [
        ("Crane B: max load: 300 kg", "Crane A", "max load: 500 kg", True),
        ("Crane A: max load: 300 kg", "Crane A", "max load: 500 kg", False),
        ("max load: 300 kg", "Crane A", "max load: 500 kg", False),
        ("The max load of Crane B is 300 kg", "Crane A", "max load: 500 kg", True),
        ("The max load of the crane is 300 kg", "Crane A", "max load: 500 kg", False),
        ("Hall C must not be painted", "Hall B", "must be painted white", True),
        ("The Paris office is open on Mondays", "Berlin office", "closed on Mondays", True),
        ("Issue 13: approved", "Issue 12", "approved", True),
        ("Bob: I am a vegetarian", "Ann", "I am a vegetarian", True),
        ("We use PostgreSQL", "", "We use MySQL", False),
    ],
)
def test_a_sentence_may_say_that_it_is_about_something_else(
    said: str, subject: str, statement: str, another: bool
) -> None:
    assert names_another(said, subject, statement) is another


@pytest.mark.parametrize(
    "text",
    [
        "**Pier**\n\nDecision: closed", "Topic: Pier\nDecision: closed", "1. Pier\n   Decision: closed",
        "2) Pier\nDecision: closed",
        "- Pier\n  - Decision: closed", "PIER\n\nDecision: closed", "Agenda item 3: Pier\n\nDecision: closed",
    ],
)  # fmt: skip
def test_the_item_above_says_what_it_is_about(text: str) -> None:
    assert item_over(text, 0, text.index("closed")).casefold() == "pier"


@pytest.mark.parametrize(
    "text", ["We met.\n\nDecision: closed", "1. Mow\n2. Rake\n\nDecision: closed", "Decision: closed"]
)
def test_other_lines_above_are_no_item(text: str) -> None:
    assert item_over(text, 0, text.index("closed")) == ""
