"""Normal forms: one statement said in two ways, and open keys."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.language.fold import normalise_statement, slug_key, strip_markup


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("We use Redis.", "we  use\nREDIS"),
        ("**We** use `Redis`", "We use Redis"),
        ("We “use” it", 'We "use" it'),
        ("it’s 4–5", "it's 4-5"),
        ("see [the page](http://x.org/a_(b))", "See the page!"),
        ("<b>We</b> use<br> Redis", "We use Redis"),
        ("Stra\u00dfe", "STRASSE"),
        ("\u200bcafe\u0301\ufeff", "caf\u00e9"),
        ("\uff21\uff22", "ab"),
    ],
)
def test_the_same_statement_has_the_same_form(one: str, other: str) -> None:
    assert normalise_statement(one) == normalise_statement(other) != ""


@pytest.mark.parametrize(
    ("one", "other"),
    [("We go", "We go?"), ("snake_case", "snakecase"), ("2 * 3", "2 3"), ("not it", "it"), ("a.b", "ab")],
)
def test_other_statements_stay_apart(one: str, other: str) -> None:
    assert normalise_statement(one) != normalise_statement(other)


@given(st.text(max_size=60))
def test_normalising_twice_changes_nothing(text: str) -> None:
    once = normalise_statement(text)
    assert normalise_statement(once) == once


@given(st.text(st.sampled_from("*_`~<>[]()b/ .!a"), max_size=40))
def test_normalising_markup_twice_changes_nothing(text: str) -> None:
    once = normalise_statement(text)
    assert normalise_statement(once) == once


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("Max weight", "max-weight"),
        ("  **Max  weight** ", "max-weight"),
        ("db/Engine_name.Foo", "db.engine-name.foo"),
        ("motor.max_torque", "motor.max-torque"),
        ("Größe (cm)", "grösse-cm"),
        ("???", ""),
    ],
)
def test_a_name_gives_its_key(name: str, key: str) -> None:
    assert slug_key(name) == key == slug_key(key)


def test_markup_goes_and_words_stay() -> None:
    assert (
        strip_markup("**Use** the _red_ [pump](x), `__init__.py` costs 2 * 3")
        == "Use the red pump, __init__.py costs 2 * 3"
    )
    assert strip_markup("Paint the crane ****") == "Paint the crane"
