"""One plain form of a text for all who read it, and one that moves no offset."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.language.fold import fold, fold_in_place


@pytest.mark.parametrize(
    ("written", "plain"),
    [("Mañana Fußball I’LL", "manana fussball i'll"), ("ÉCOLE – «Zoë»", 'ecole - "zoe"'), ("ﬁn № ＡＢ", "fin no ab"),
     ("STRASSE", "strasse"), ("Straße", "strasse"), ("İzmir", "izmir"), ("Ωμέγας", "ωμεγασ"), ("早上好", "早上好")],
)  # fmt: skip
def test_fold(written: str, plain: str) -> None:
    assert fold(written) == plain


def test_what_is_kept() -> None:
    assert fold("Café “Größe”", keep_accents=True) == 'café "grösse"'
    assert fold("Café “Größe”", keep_accents=True, keep_case=True) == 'Café "Größe"'
    assert fold("Café", keep_case=True) == "Cafe"


def test_in_place_a_letter_stays_one_letter() -> None:
    assert fold_in_place("Weißt du’s? SÍ — ÄRGER") == "weißt du's? si - arger"


@given(st.text())
def test_in_place_keeps_the_length(text: str) -> None:
    assert len(fold_in_place(text)) == len(text)


@given(st.text())
def test_both_say_the_same_of_letters_with_one_plain_letter(text: str) -> None:
    apart = [fold(char) for char in text]
    if all(len(char) == 1 for char in apart) and "´" not in text and "″" not in text:
        assert fold_in_place(text) == "".join(apart)
