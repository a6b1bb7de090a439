"""What is near in meaning is near in vectors, token by token."""

import pytest

from ledger.recall import encoder

pytestmark = pytest.mark.skipif(not encoder.installed(), reason="no encoder is installed")


def nearness(question: str, *texts: str, people: tuple[str, ...] = (), **weights: float) -> list[float]:
    read = dict(enumerate(encoder.encode(texts), 1))
    near = encoder.EncodedQuestion.of(question, weights, people).nearest(read)
    return [near.of(pk) for pk in read]


def test_a_vector_is_kept_for_each_of_the_first_tokens() -> None:
    (short, whole), (empty, nothing), (long, _) = encoder.encode(["Birch plywood", "", "the garden " * 500])
    assert (len(whole), nothing) == (encoder.WHOLE, b"")
    assert 0 < len(short) <= 8 * encoder.DIMENSIONS and len(short) % encoder.DIMENSIONS == 0
    assert empty == b""
    assert len(long) == encoder.MAX_TOKENS * encoder.DIMENSIONS


def test_the_same_meaning_in_other_words_is_nearer() -> None:
    physician, other = nearness(
        "Which doctor did she see?", "She met her physician", "He sold the wooden boat", doctor=3.0, see=1.0
    )
    assert physician > other


def test_a_name_weighs_nothing() -> None:
    with_name, without = nearness(
        "Anna garden", "Anna sings", "The garden is wet", people=("anna",), anna=5.0, garden=2.0
    )
    assert without > with_name


@pytest.mark.parametrize("text", ["", "   ", "?!…", "😀" * 500, "שלום עולם", "你好" * 300, "\ufffd", "a" * 5_000])
def test_no_text_breaks_it(text: str) -> None:
    ((vectors, _),) = encoder.encode([text])
    assert len(vectors) <= encoder.MAX_TOKENS * encoder.DIMENSIONS
    assert nearness(text, "The garden is wet", "")[1] == 0.0
