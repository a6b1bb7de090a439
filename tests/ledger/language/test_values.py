"""Typed values (T5)."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.language.units import UNITS
from ledger.language.values import VALUE_TYPES, canonical_value, parse_value, same_value


@pytest.mark.parametrize(
    ("text", "value_type", "value"),
    [
        ("4.8 kg", "dimension", {"number": 4.8, "unit": "kg"}),
        ("4,800 g", "dimension", {"number": 4800, "unit": "g"}),
        ("−3 °C", "dimension", {"number": -3, "unit": "°C"}),
        ("15 minutes", "dimension", {"number": 15, "unit": "min"}),
        ("10%", "dimension", {"number": 10, "unit": "%"}),
        ("€12.50", "currency", {"number": 12.5, "unit": "EUR"}),
        ("12 dollars", "currency", {"number": 12, "unit": "USD"}),
        ("2026-01-30", "date", "2026-01-30"),
        ("30th of January 2026", "date", "2026-01-30"),
        ("January 30, 2026", "date", "2026-01-30"),
        ("1e3", "number", 1000.0),
        ("Yes", "boolean", True),
        ("Redis", "string", "Redis"),
        ("2026-02-31", "string", "2026-02-31"),
        ("9" * 40, "string", "9" * 40),
    ],
)
def test_the_most_specific_type_that_fits(text: str, value_type: str, value: object) -> None:
    assert parse_value(text) == (value_type, value)


@pytest.mark.parametrize(
    ("text", "value_type"),
    [
        ("red", "number"),
        ("4", "dimension"),
        ("maybe", "boolean"),
        ("soon", "date"),
        ("4 kg", "currency"),
        ("x", "colour"),
        (" ", "string"),
    ],
)
def test_what_does_not_fit_is_refused(text: str, value_type: str) -> None:
    with pytest.raises(ValueError, match=r"not a|unknown value type"):
        parse_value(text, value_type)


def test_an_enum_is_read_only_when_asked_for() -> None:
    assert parse_value(" Dark  Red", "enum") == ("enum", "dark red")


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("4.80 kg", "4.8 kg", True),
        ("4.8 kg", "4800 g", True),
        ("48 cm", "480 millimetres", True),
        ("1 in", "2.54 cm", True),
        ("1 h", "60 min", True),
        ("90 s", "1.5 min", True),
        ("90 s", "2 min", False),
        ("36 km/h", "10 m/s", True),
        ("2 days", "48 h", True),
        ("1 GiB", "1024 MiB", True),
        ("1 GB", "1 GiB", False),
        ("8 Mbit/s", "1 MB/s", True),
        ("68 °F", "20 °C", True),
        ("293.15 K", "20 °C", True),
        ("1 kWh", "3.6 MJ", True),
        ("1 bar", "100 kPa", True),
        ("1 L", "1000 cm³", True),
        ("10.6 lb", "4.8 kg", False),
        ("1 N·m", "1 J", False),
        ("4.8 kg", "4.8 m", False),
        ("12 EUR", "€12.00", True),
        ("12 EUR", "12 USD", False),
        ("yes", "1", False),
        ("Red", "red ", True),
    ],
)
def test_trivially_equal_forms_are_equal(one: str, other: str, same: bool) -> None:
    assert same_value(parse_value(one)[1], parse_value(other)[1]) is same


def test_values_of_other_shapes() -> None:
    assert same_value(None, None) and same_value([1, {"a": "X"}], [1.0, {"a": "x"}])
    assert not same_value(True, 1) and not same_value({"a": 1}, {"b": 1}) and not same_value("1", 1)
    assert not same_value({"number": "many", "unit": "kg"}, {"number": 1, "unit": "kg"})


@given(st.text(max_size=30), st.sampled_from([None, *VALUE_TYPES]))
def test_every_value_fits_json_and_equals_itself(text: str, value_type: str | None) -> None:
    try:
        found, value = parse_value(text, value_type)
    except ValueError:
        return
    assert found in VALUE_TYPES
    assert same_value(value, json.loads(json.dumps(value, allow_nan=False)))


MEASURES = st.fixed_dictionaries(
    {
        "number": st.sampled_from([0, 1, 4.8, 4800, 0.0048, 10**500]),
        "unit": st.sampled_from([*sorted(UNITS), "kilos", "?"]),
    }
)
ANY_VALUE = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.floats(-3, 3)
    | st.sampled_from(["A b", "a  B", "", "1"])
    | MEASURES,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("xy"), inner, max_size=2),
    max_leaves=4,
)


@given(ANY_VALUE, ANY_VALUE)
def test_what_is_the_same_has_one_form_and_what_differs_has_two(one: object, other: object) -> None:
    assert (canonical_value(one) == canonical_value(other)) is same_value(one, other)


@pytest.mark.parametrize(("one", "other"), [("5 mW", "5 MW"), ("4.8 kg", "4.8 g"), ("1 kB", "1 KiB")])
def test_units_are_told_apart_by_case(one: str, other: str) -> None:
    assert canonical_value(parse_value(one)[1]) != canonical_value(parse_value(other)[1])


def test_numbers_beyond_reckoning_are_compared_as_they_are() -> None:
    assert not same_value(10**500, 10**600)
    assert canonical_value(10**500) != canonical_value(10**600)
