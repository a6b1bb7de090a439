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


@pytest.mark.parametrize(
    "words",
    [
        "we ran out of time", "put off to the autumn", "opinions differed, come back in May", "nobody dared to commit",
        "ohne Mehrheit vertagt", "queda para otra sesión", "sans accord", "fica para a próxima reunião", "se ne riparla",
        "uitgesteld",
    ],
)  # fmt: skip
def test_what_may_have_been_left_open_is_looked_at_first(words: str) -> None:
    assert all(hit.needs_review for hit in read(f"Decision: {words}") if hit.kind == "decision")


@pytest.mark.parametrize(
    "words", ["postpone the regatta to June", "leave the sluice open", "wait for the divers before we dredge"]
)
def test_to_put_something_off_is_a_decision(words: str) -> None:
    assert [(hit.statement, hit.needs_review) for hit in read(f"Decision: {words}")] == [(words, False)]


@pytest.mark.parametrize(
    "line",
    [
        "mooring fee: 40 € yearly", "mooring fee: 40 € die Woche", "mooring fee: 40 € pcm", "draught: 2 m was a misreading",
        "draught: 2 m (superseded)", "draught: 2 m, corrected: 2.2 m", "draught: 2 m at the most",
        "draught: 2 m. Correction: it is less",
        "once draught = 2 m we turn", "See data/draught=2m.csv", "`draught: 2 m` is how to write it",
    ],
)  # fmt: skip
def test_words_behind_an_amount_that_may_change_it_leave_no_value(line: str) -> None:
    assert [hit for hit in read(line) if hit.kind == "fact"] == []


@pytest.mark.parametrize(
    "line", ["draught: 2 m with ballast", "draught: 2 m (in salt water)", "draught: 2 m, beam: 3 m"]
)
def test_words_that_say_of_what_leave_it(line: str) -> None:
    assert read(line)[0].value == {"number": 2, "unit": "m"}


@pytest.mark.parametrize("line", ["Sailors say that draught = 2 m", "Hopefully draught = 2 m"])
def test_a_value_that_somebody_only_tells_of_is_looked_at_first(line: str) -> None:
    assert all(hit.needs_review for hit in read(line))


def test_hours_of_other_languages_are_hours() -> None:
    assert [hit.value for hit in read("Fahrzeit: 1,5 Std.")] == [{"number": 1.5, "unit": "h"}]


@pytest.mark.parametrize(
    "text",
    [
        "Decision: [describe the decision]", "Decision: your decision here", "Mustertext: Beschluss: Steg sperren",
        "Suppose the log says: Decision: close the pier", "Input: talk\nExpected output:\n  Decision: close the pier\n",
    ],
)  # fmt: skip
def test_what_a_form_asks_for_is_nothing(text: str) -> None:
    assert read(text) == []


def test_an_empty_line_of_a_quotation_leaves_no_mark() -> None:
    (hit,) = read("## Decision\n\n> The pier is closed.\n>\n> It rots.\n")
    assert hit.statement == "The pier is closed. It rots."
