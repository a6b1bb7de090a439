"""What decides nothing yet, what nobody filled in, and asides of a chat, in other languages too."""

import pytest

from tests.extraction.reading import read


@pytest.mark.parametrize(
    "words",
    [
        "not yet, we wait for Kim", "later", "none so far", "next week", "noch nicht", "bisher keine", "in der nächsten Sitzung",
        "aún no", "más tarde", "en la próxima reunión", "pas encore", "plus tard", "ainda não", "non ancora",
        "alla prossima riunione", "nog niet",
        "まだ", "尚未", "아직",
    ],
)  # fmt: skip
def test_not_yet_is_no_decision(words: str) -> None:
    assert [hit for hit in read(f"Decision: {words}") if hit.kind == "decision"] == []


@pytest.mark.parametrize(
    "words", ["not yet the final form but oak it is", "later trains are fine", "next week we move to the pier"]
)
def test_words_that_only_begin_so_are_one(words: str) -> None:
    assert [hit.statement for hit in read(f"Decision: {words}") if hit.kind == "decision"] == [words]


@pytest.mark.parametrize(
    "text",
    [
        "Entscheidung: [Beschluss]", "Aufgabe: [Name] bis [Datum]", "Aufgabe: <Wer> macht <was> bis <wann>",
        "Tarea: [nombre] para [fecha]", "Action : [nom] doit [tâche] avant le [date]", "Tarea: {{nombre}} hasta {{fecha}}",
    ],
)  # fmt: skip
def test_a_form_that_nobody_filled_in_says_nothing(text: str) -> None:
    assert read(text) == []


@pytest.mark.parametrize("text", ["kay: 5 min, brb", "lou: 2 min late", "sam: 20 min pls"])
def test_an_aside_of_a_chat_is_no_fact(text: str) -> None:
    assert read(text) == []


def test_tonnes_weigh() -> None:
    assert [hit.value for hit in read("max load: 3 t")] == [{"number": 3, "unit": "t"}]
