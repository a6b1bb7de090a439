"""Fields of objects that other programs wrote: each is read leniently, since of another type than expected it counts as missing."""

from collections.abc import Iterable
from typing import Any

from ledger.rules.sections import SectionSpan

type Sections = tuple[SectionSpan, ...] | None


def spoken(text: Any, carried: Iterable[str] = ()) -> tuple[str, Sections]:
    """The text as it is. Where it is empty, what the message carries (`[photo]`, a card's words), which nobody said: it stands
    in a section of the system, so that it anchors no norm. Empty where there is nothing at all."""
    if isinstance(text, str) and text:
        return text, None
    built = "\n".join(one for one in carried if one)
    return built, (SectionSpan("", "system", (), 0, len(built)),) if built else None


def strings(*values: Any) -> list[str]:
    """Those of the values that are text with something in it."""
    return [value for value in values if isinstance(value, str) and value.strip()]


def first(*values: Any) -> str:
    """The first of the values that is text with something in it; empty where none is."""
    return next(iter(strings(*values)), "")


def fields_of(value: Any) -> dict[str, Any]:
    """An object's fields; none for whatever else may stand there."""
    return value if isinstance(value, dict) else {}


def elements(value: Any) -> list[Any]:
    """A list's elements; none for whatever else may stand there."""
    return value if isinstance(value, list) else []


def listed(value: Any) -> list[dict[str, Any]]:
    """The objects of a list; nothing for whatever else may stand there."""
    return [one for one in elements(value) if isinstance(one, dict)]


def dig(value: Any, *keys: str) -> Any:
    """`value[key][key]…`, None where the way ends."""
    for key in keys:
        value = fields_of(value).get(key)
    return value


def name_of(*values: Any) -> str:
    """The first of the values that is an id, as text; empty where none is."""
    ids = (str(value) for value in values if isinstance(value, str | int) and not isinstance(value, bool))
    return next(filter(None, ids), "")


def present(row: Any, *paths: str) -> Any:
    """The first value there is at one of the dotted paths; None where there is none."""
    return next((value for path in paths if (value := dig(row, *path.split("."))) is not None), None)
