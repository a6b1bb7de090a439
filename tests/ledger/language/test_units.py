"""Units: one amount told in two units of one quantity is one amount, exactly, and no other is."""

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.language.units import UNITS, canonical_unit, exact_digits, in_base_unit, quantity_of, unit_named
from ledger.language.values import canonical_value, in_another_unit, same_value

NUMBERS = st.decimals("0.001", 10**9, places=3, allow_nan=False)
UNIT = st.sampled_from(sorted(UNITS))


@pytest.mark.parametrize(
    ("number", "unit", "base"),
    [
        ("36", "km/h", "10"),
        ("1.5", "min", "90"),
        ("2500", "grams", "2500"),
        ("-40", "°F", "-40"),
        ("0", "K", "-273.15"),
        ("1", "MiB", "1048576"),
        ("1", "lbs", "453.59237"),
        ("60", "mph", "26.8224"),
        ("5", "widgets", "5"),
    ],
)
def test_how_much_an_amount_is_in_its_base_unit(number: str, unit: str, base: str) -> None:
    assert in_base_unit(Decimal(number), unit) == Fraction(base)


@given(NUMBERS, UNIT, UNIT)
def test_an_amount_is_the_same_in_every_unit_of_its_quantity(number: Decimal, one: str, other: str) -> None:
    if quantity_of(one) != quantity_of(other):
        assert not same_value({"number": float(number), "unit": one}, {"number": float(number), "unit": other})
        return
    zero = in_base_unit(Decimal(0), other)
    told = (in_base_unit(number, one) - zero) / unit_named(other).size
    assert in_base_unit(Decimal(1), one) != in_base_unit(Decimal(2), one)
    if (digits := exact_digits(told)).count("/") == 0:
        amounts = [{"number": str(number), "unit": one}, {"number": digits, "unit": other}]
        assert same_value(*amounts) and canonical_value(amounts[0]) == canonical_value(amounts[1])
        assert in_another_unit(*amounts) is (one != other)


@given(st.fractions(max_denominator=10**6), st.fractions(max_denominator=10**6))
def test_equal_numbers_have_equal_digits_and_others_have_others(one: Fraction, other: Fraction) -> None:
    assert (exact_digits(one) == exact_digits(other)) is (one == other)
    assert Fraction(exact_digits(one)) == one


def test_every_spelling_leads_to_a_unit_that_is_there() -> None:
    assert all(canonical_unit(unit) == unit for unit in UNITS)
    assert {canonical_unit(word) for word in ("kilos", "Hours", "usec", "KB", "m^2")} == {"kg", "h", "µs", "kB", "m²"}
    assert same_value({"number": 5, "unit": "EUR"}, {"number": 5.0, "unit": "EUR"})
    assert not same_value({"number": 5, "unit": "EUR"}, {"number": 5, "unit": "USD"})
