"""Whether a key may be proposed here, and its value be one of its own (T5). Plain values, no database."""

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

from ledger.language.fold import normalise_label
from ledger.language.units import UNITS, canonical_unit, quantity_of
from ledger.language.values import parse_value

if TYPE_CHECKING:
    from ledger.packs import PackSet

# What an object of these types cannot do without.
OBJECTS = {"event": "title", "assignment": "task", "action_item": "task"}


class Misfit(ValueError):
    """It is not allowed here; the message says why, in words for people, and `field` whose fault it is."""

    def __init__(self, why: str, field: str = "value") -> None:
        super().__init__(why)
        self.field = field


@dataclass(frozen=True, slots=True)
class Registered:
    """A key by its own name, and its value as the registry has it."""

    key: str
    value: Any
    value_type: str
    high_risk: bool = False


def register(packs: "PackSet", key: str, value: Any, value_type: str, *, stage: str = "") -> Registered:
    """The entry as it may stand. Another name of a key gives way to the key; a value of a key with a type is read as one of
    that type, and has that type. Keys that no pack lists pass unchanged where keys are open.

    Raises `Misfit`: an unknown key where keys are closed, a key that is not for this `stage` (none: any), a value that is
    none of the key's.
    """
    if not key:
        return Registered(key, value, value_type)
    spec = packs.key_named(key)
    if spec is None and packs.keys_closed:
        raise Misfit(f"key {key!r} is not in force here", "key")
    if spec is None:
        return Registered(key, value, value_type)
    if spec.stages and stage not in ("", *spec.stages):
        raise Misfit(f"key {spec.key!r} belongs to {' and '.join(spec.stages)}, and this is {stage}", "key")
    try:
        value = fit(value, spec.value_type, unit=spec.unit, values=spec.values)
    except Misfit as error:
        raise Misfit(f"key {spec.key!r}: {error}") from None
    return Registered(spec.key, value, spec.value_type or value_type, spec.high_risk)


@dataclass(frozen=True, slots=True)
class ValueShape:
    """What a value must be: of a type, in a unit of the quantity of `unit`, of an enum one of `values`."""

    value_type: str
    unit: str = ""
    values: Sequence[str] = ()

    @property
    def sample(self) -> str:
        return f"{self.value_type} such as 3 {self.unit or ('EUR' if self.value_type == 'currency' else 'm')}"


def fit(value: Any, value_type: str, *, unit: str = "", values: Sequence[str] = ()) -> Any:
    """The value in the shape of `value_type` (see `parse_value`): itself, or read out of a text such as `6 m`.

    A dimension has a unit of the same quantity as `unit`, and keeps its own: nothing is converted. One of an enum is spelt as
    in `values`. Raises `Misfit`.
    """
    if value is None or not value_type:
        return value
    return _FITTED.get(value_type, _text)(value, ValueShape(value_type, unit, values))


def _text(value: Any, _: ValueShape) -> Any:
    if not isinstance(value, str):
        raise Misfit(f"{_short(value)} is no text")
    return value


def _enum(value: Any, shape: ValueShape) -> str:
    said = normalise_label(value) if isinstance(value, str) else None
    for one in shape.values:
        if one.casefold() == said:
            return one
    raise Misfit(f"{_short(value)} is none of {', '.join(shape.values[:20])}")


def _boolean(value: Any, _: ValueShape) -> Any:
    return value if isinstance(value, bool) else _read(value, "boolean", "yes or no")


def _measured(value: Any, shape: ValueShape) -> Any:
    found: dict[str, Any] = value if isinstance(value, dict) else _read(value, shape.value_type, f"a {shape.sample}")
    if found.keys() != {"number", "unit"} or not _is_number(found["number"]):
        raise Misfit(f"{_short(value)} is no {shape.sample}")
    own = found["unit"]
    if not isinstance(own, str) or not own.strip():
        raise Misfit(f"{_short(value)} has no unit")
    if fault := _currency_fault(own) if shape.value_type == "currency" else _unit_fault(own, shape.unit):
        raise Misfit(fault)
    return found


def _currency_fault(own: str) -> str:
    return "" if re.fullmatch("[A-Z]{3}", own) else f"{own[:20]!r} is no currency's code such as EUR"


def _unit_fault(own: str, unit: str) -> str:
    if canonical_unit(own.strip()) not in UNITS:
        return f"{own[:20]!r} is no known unit"
    return f"{own[:20]} cannot be told in {unit}" if unit and quantity_of(own) != quantity_of(unit) else ""


def _number(value: Any, shape: ValueShape) -> Any:
    if shape.unit and isinstance(value, dict) and value == {"number": value.get("number"), "unit": shape.unit}:
        value = value["number"]
    if isinstance(value, str):
        value = value.strip().removesuffix(shape.unit)
    return value if _is_number(value) else _read(value, "number", "a number")


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)


def _date(value: Any, _: ValueShape) -> str:
    if isinstance(value, str):
        with suppress(ValueError):  # a day, or a day with its time, is kept as it was said
            datetime.fromisoformat(value.strip())
            return value.strip()
    return str(_read(value, "date", "a date such as 2026-05-08"))


def _object(value: Any, shape: ValueShape) -> Any:
    name = OBJECTS[shape.value_type]
    if not isinstance(value, dict) or not isinstance(value.get(name), str) or not value[name].strip():
        raise Misfit(f"a value of type {shape.value_type} is an object with {name}")
    return value


_FITTED: Final[dict[str, Callable[[Any, ValueShape], Any]]] = {
    "enum": _enum, "dimension": _measured, "currency": _measured, "number": _number, "boolean": _boolean, "date": _date,
    **dict.fromkeys(OBJECTS, _object),
}  # fmt: skip


def _read(value: Any, value_type: str, what: str) -> Any:
    if isinstance(value, str):
        with suppress(ValueError):
            return parse_value(value, value_type)[1]
    raise Misfit(f"{_short(value)} is not {what}")


def _short(value: Any) -> str:
    told = repr(value)
    return told if len(told) <= 60 else told[:57] + "…"
