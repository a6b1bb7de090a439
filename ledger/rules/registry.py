"""Whether a key may be proposed here, and its value be one of its own (T5). Plain values, no database."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from ledger.language.measures import quantity_of
from ledger.language.values import UNITS, canonical_unit, parse_value

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
    spec = packs.key_named(key) if key else None
    if spec is None:
        if key and packs.keys_closed:
            raise Misfit(f"key {key!r} is not in force here", "key")
        return Registered(key, value, value_type)
    if stage and spec.stages and stage not in spec.stages:
        raise Misfit(f"key {spec.key!r} belongs to {' and '.join(spec.stages)}, and this is {stage}", "key")
    try:
        value = fit(value, spec.value_type, unit=spec.unit, values=spec.values)
    except Misfit as error:
        raise Misfit(f"key {spec.key!r}: {error}") from None
    return Registered(spec.key, value, spec.value_type or value_type, spec.high_risk)


def fit(value: Any, value_type: str, *, unit: str = "", values: Sequence[str] = ()) -> Any:
    """The value in the shape of `value_type` (see `parse_value`): itself, or read out of a text such as `6 m`.

    A dimension has a unit of the same quantity as `unit`, and keeps its own: nothing is converted. One of an enum is spelt as
    in `values`. Raises `Misfit`.
    """
    if value is None or not value_type:
        return value
    match value_type:
        case "enum":
            return _enum(value, values)
        case "dimension" | "currency":
            return _measured(value, value_type, unit)
        case "number":
            return _number(value, unit)
        case "boolean":
            if isinstance(value, bool):
                return value
            return _read(value, "boolean", "yes or no")
        case "date":
            return _date(value)
        case "event" | "assignment" | "action_item":
            return _object(value, value_type)
    if isinstance(value, str):
        return value
    raise Misfit(f"{_short(value)} is no text")


def _enum(value: Any, values: Sequence[str]) -> str:
    said = " ".join(value.split()).casefold() if isinstance(value, str) else None
    for one in values:
        if one.casefold() == said:
            return one
    raise Misfit(f"{_short(value)} is none of {', '.join(values[:20])}")


def _measured(value: Any, value_type: str, unit: str) -> Any:
    found = _read(value, value_type, f"a {value_type} such as {_sample(value_type, unit)}")
    if not isinstance(found, dict) or set(found) != {"number", "unit"} or not _is_number(found["number"]):
        raise Misfit(f"{_short(value)} is no {value_type} such as {_sample(value_type, unit)}")
    own = found["unit"]
    if not isinstance(own, str) or not own.strip():
        raise Misfit(f"{_short(value)} has no unit")
    if value_type == "currency":
        if len(own) != 3 or not own.isascii() or not own.isalpha() or own != own.upper():
            raise Misfit(f"{own[:20]!r} is no currency's code such as EUR")
    elif canonical_unit(own.strip()) not in UNITS:
        raise Misfit(f"{own[:20]!r} is no known unit")
    elif unit and quantity_of(own) != quantity_of(unit):
        raise Misfit(f"{own[:20]} cannot be told in {unit}")
    return found


def _sample(value_type: str, unit: str) -> str:
    return f"3 {unit or ('EUR' if value_type == 'currency' else 'm')}"


def _number(value: Any, unit: str) -> Any:
    if isinstance(value, dict) and set(value) == {"number", "unit"} and unit and value["unit"] == unit:
        value = value["number"]
    if _is_number(value):
        return value
    words = value.strip() if isinstance(value, str) else value
    if unit and isinstance(words, str) and words.endswith(unit):
        words = words.removesuffix(unit)
    return _read(words, "number", "a number")


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)


def _date(value: Any) -> str:
    if isinstance(value, str):
        # A day, or a day with its time: kept as it was said.
        for read in (date.fromisoformat, datetime.fromisoformat):
            try:
                read(value.strip())
            except ValueError:
                continue
            return value.strip()
    return str(_read(value, "date", "a date such as 2026-05-08"))


def _object(value: Any, value_type: str) -> Any:
    name = OBJECTS[value_type]
    if not isinstance(value, dict) or not isinstance(value.get(name), str) or not value[name].strip():
        raise Misfit(f"a value of type {value_type} is an object with {name}")
    return value


def _read(value: Any, value_type: str, what: str) -> Any:
    if not isinstance(value, str):
        if isinstance(value, dict) and value_type in ("dimension", "currency"):
            return value
        raise Misfit(f"{_short(value)} is not {what}")
    try:
        return parse_value(value, value_type)[1]
    except ValueError:
        raise Misfit(f"{_short(value)} is not {what}") from None


def _short(value: Any) -> str:
    told = repr(value)
    return told if len(told) <= 60 else told[:57] + "…"
