"""What a registry takes (T5): the key by its own name, the value as one of its type."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.language.units import UNITS
from ledger.packs import KeySpec, PackSet
from ledger.rules.registry import Misfit, Registered, fit, register

WIDTH = KeySpec("item.width", "dimension", "cm", stages=("planning", "building"), also=("width",))
FINISH = KeySpec("item.finish", "enum", values=("matt", "High Gloss"), high_risk=True)
PACKS = PackSet(
    ("core",),
    "",
    ({},),
    keys={"item.width": WIDTH, "item.finish": FINISH},
    keys_closed=True,
    also={"width": "item.width"},
)


@pytest.mark.parametrize(
    ("value", "value_type", "more", "stands"),
    [
        (True, "boolean", {}, True), ("Yes", "boolean", {}, True), ("off", "boolean", {}, False),
        (6, "number", {}, 6), ("1,200", "number", {}, 1200), ("4.5 kg/m²", "number", {"unit": "kg/m²"}, 4.5),
        ({"number": 3, "unit": "boxes"}, "number", {"unit": "boxes"}, 3),
        ("6 m", "dimension", {"unit": "cm"}, {"number": 6, "unit": "m"}),
        ("20 ft", "dimension", {"unit": "cm"}, {"number": 20, "unit": "ft"}),
        ({"number": 2, "unit": "kg"}, "dimension", {}, {"number": 2, "unit": "kg"}),
        ("3 weeks", "dimension", {"unit": "d"}, {"number": 3, "unit": "wk"}),
        ("€ 1,500", "currency", {"unit": "USD"}, {"number": 1500, "unit": "EUR"}),
        ("2026-05-08", "date", {}, "2026-05-08"), ("2026-05-08T16:30+02:00", "date", {}, "2026-05-08T16:30+02:00"),
        ("8 May 2026", "date", {}, "2026-05-08"),
        ("HIGH  gloss", "enum", {"values": ("matt", "High Gloss")}, "High Gloss"),
        ("Hall 3", "string", {}, "Hall 3"), ("as it is", "", {}, "as it is"), (None, "dimension", {}, None),
        ({"title": "Load-in"}, "event", {}, {"title": "Load-in"}),
    ],
)  # fmt: skip
def test_what_fits(value: Any, value_type: str, more: dict[str, Any], stands: Any) -> None:
    assert fit(value, value_type, **more) == stands


@pytest.mark.parametrize(
    ("value", "value_type", "more", "why"),
    [
        ("perhaps", "boolean", {}, "yes or no"), (1, "boolean", {}, "yes or no"), (True, "number", {}, "a number"),
        ("six", "number", {}, "a number"), ({"number": 3, "unit": "bags"}, "number", {"unit": "boxes"}, "a number"),
        (600, "dimension", {"unit": "cm"}, "3 cm"), ("600", "dimension", {"unit": "cm"}, "3 cm"),
        ("6 kg", "dimension", {"unit": "cm"}, "cannot be told in cm"),
        ({"number": "6", "unit": "m"}, "dimension", {}, "is no dimension"),
        ({"number": 6, "unit": "hands"}, "dimension", {}, "no known unit"),
        ({"number": 6, "unit": " "}, "dimension", {}, "no unit"),
        ({"number": 6}, "dimension", {}, "is no dimension"), ("6 m", "currency", {}, "3 EUR"),
        ({"number": 6, "unit": "euros"}, "currency", {}, "currency's code"), ("soon", "date", {}, "a date such as"),
        (20260508, "date", {}, "a date"), ("2026-02-30", "date", {}, "a date"),
        ("satin", "enum", {"values": ("matt",)}, "none of matt"),
        (3, "enum", {"values": ("3",)}, "none of 3"), (3, "string", {}, "no text"), ({"task": "x"}, "event", {}, "with title"),
        ("fetch Ann", "assignment", {}, "with task"),
    ],
)  # fmt: skip
def test_what_does_not_fit(value: Any, value_type: str, more: dict[str, Any], why: str) -> None:
    with pytest.raises(Misfit) as refused:
        fit(value, value_type, **more)
    assert why in str(refused.value) and refused.value.field == "value"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["number", "unit", "task", "x"]), inner)
    ),
    max_leaves=4,
)
TYPES = (
    "boolean",
    "enum",
    "number",
    "dimension",
    "currency",
    "date",
    "string",
    "note",
    "event",
    "assignment",
    "action_item",
)


@given(JSON, st.sampled_from(TYPES), st.sampled_from(["", "cm", "kg", "EUR", *sorted(UNITS)[:5]]))
def test_any_value_fits_or_is_refused_and_what_fits_fits_again(value: Any, value_type: str, unit: str) -> None:
    try:
        stands = fit(value, value_type, unit=unit, values=("a", "b"))
    except Misfit:
        return
    assert stands == fit(stands, value_type, unit=unit, values=("a", "b")) or stands != stands  # noqa: PLR0124 - NaN


def test_a_key_by_any_of_its_names() -> None:
    width = Registered("item.width", {"number": 6, "unit": "m"}, "dimension")
    assert register(PACKS, "Width", "6 m", "") == register(PACKS, "item.width", "6 m", "string") == width
    assert register(PACKS, "item.finish", "MATT", "") == Registered("item.finish", "matt", "enum", True)
    assert register(PACKS, "", 3, "number") == Registered("", 3, "number")
    assert register(PackSet((), "", ()), "anything", 3, "number") == Registered("anything", 3, "number")


@pytest.mark.parametrize(
    ("key", "value", "stage", "field", "why"),
    [
        ("depth", None, "", "key", "not in force"),
        ("width", "6 m", "idea", "key", "belongs to planning and building, and this is idea"),
        ("width", "red", "planning", "value", "'item.width': 'red' is not a dimension"),
    ],
)
def test_what_a_registry_refuses(key: str, value: Any, stage: str, field: str, why: str) -> None:
    with pytest.raises(Misfit) as refused:
        register(PACKS, key, value, "", stage=stage)
    assert refused.value.field == field and why in str(refused.value)
