"""Finding a quote in its source (T4, design §6.3)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.language.spans import locate

TEXT = "The pump “costs” 4–5 €.\r\nThe  Pump is red.\nIt costs 𝕏 e\u0301 and more. ﬁne"


def test_offsets_that_match_are_kept_even_where_the_quote_stands_twice() -> None:
    found = locate("go go", "go", 3, 5)
    assert (found.kind, found.start, found.end) == ("exact", 3, 5)
    assert locate("go go", "go", 3).kind == "exact"


@pytest.mark.parametrize(
    ("start", "end"), [(0, 2), (-2, 0), (4, 99), (99, 101), (3, 3), (5, 3), (None, None), (None, 2)]
)
def test_wrong_offsets_are_only_a_hint(start: int | None, end: int | None) -> None:
    found = locate("we go on", "go", start, end)
    assert (found.kind, found.start, found.end, found.quote) == ("relocated", 3, 5, "go")


@pytest.mark.parametrize(
    ("quote", "own_words"),
    [
        ("the pump is red", "The  Pump is red"),
        ('pump "costs" 4-5', "pump “costs” 4–5"),
        ("4-5 €. the pump", "4–5 €.\r\nThe  Pump"),
        ("costs 𝕏 \u00e9 and", "costs 𝕏 e\u0301 and"),
        ("fine", "ﬁne"),
    ],
)
def test_the_sources_own_words_are_returned(quote: str, own_words: str) -> None:
    found = locate(TEXT, quote)
    assert (found.kind, found.quote) == ("normalised", own_words)
    assert found.start is not None and TEXT[found.start : found.end] == own_words


def test_half_of_a_folded_character_has_no_offsets() -> None:
    assert locate("ﬁne", "ine").kind == "missing"
    assert locate("e\u0301", "e").kind == "relocated"


def test_several_places_are_listed_and_none_is_chosen() -> None:
    found = locate("go, Go, GO", "go.".rstrip("."))
    assert found.kind == "relocated"
    found = locate("a go, a go", "go")
    assert (found.kind, found.start, found.places) == ("ambiguous", None, [(2, 4), (8, 10)])
    assert len(locate("go " * 500, "go").places) == 50


def test_only_the_range_asked_for_counts() -> None:
    assert locate("go and go", "go", within=(3, 9)).start == 7
    assert locate("go and go", "go", within=(1, 7)).kind == "missing"
    assert locate("go and go", "go", 0, 2, within=(3, 9)).start == 7
    assert locate("go", "go", within=(-5, 99)).kind == "relocated"


@pytest.mark.parametrize("quote", ["", "  ", "\u200b", "nowhere"])
def test_nothing_is_found_nowhere(quote: str) -> None:
    found = locate(TEXT, quote)
    assert (found.kind, found.start, found.quote, found.found) == ("missing", None, quote, False)


letters = st.text(st.sampled_from("aAbB  \n\r\t“”\"'-–e\u0301ﬁß𝕏\u200bשİ"), max_size=40)


@given(letters, letters, st.integers(-3, 45), st.integers(-3, 45))
def test_a_span_is_always_its_quote(text: str, quote: str, start: int, end: int) -> None:
    found = locate(text, quote, start, end)
    if found.start is not None and found.end is not None:
        assert text[found.start : found.end] == found.quote != ""
    for low, high in found.places:
        assert 0 <= low < high <= len(text)


@given(letters, st.data())
def test_what_stands_in_a_text_is_found(text: str, data: st.DataObject) -> None:
    low = data.draw(st.integers(0, len(text)))
    quote = text[low : data.draw(st.integers(low, len(text)))]
    found = locate(text, quote, low)
    assert found.kind == ("exact" if quote else "missing")
    if quote.strip():
        assert locate(text, quote).kind in ("relocated", "ambiguous")
