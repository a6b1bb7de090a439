"""A message's words, and what stands for it where it has none."""

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


def listed(value: Any) -> list[dict[str, Any]]:
    """The objects of a list; nothing for whatever else may stand there."""
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def dig(value: Any, *keys: str) -> Any:
    """`value[key][key]…`, None where the way ends."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def name_of(value: Any) -> str:
    """An id as text; empty for what is none."""
    return str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""
