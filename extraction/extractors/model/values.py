"""Whether a quote says a value. A model must not infer, so what the quote does not say is not the source's (§4.3)."""

from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from ledger.language.fold import PLAIN_PUNCTUATION, normalise_statement
from ledger.language.measures import Measure, measures
from ledger.language.units import canonical_unit
from ledger.language.values import parse_value, same_value
from ledger.packs import KeySpec
from ledger.rules.registry import Misfit, fit

MEASURED: Final = ("number", "dimension", "currency")
# How often, not how much.
_TIMES: Final = ("once", "twice")


class Unsupported(Exception):  # noqa: N818
    """The op can be no claim; the message tells why."""


@dataclass(frozen=True, slots=True)
class QuotedValue:
    """A value in the shape of its type. `doubt` tells why a person should look at it."""

    value: Any
    value_type: str
    doubt: str = ""


def quoted_value(
    quote: str, value: Any, value_type: str, spec: KeySpec | None, around: tuple[str, str] = ("", "")
) -> QuotedValue:
    """`around` is what stands right before and after the quote: a quote may end in the middle of a number, or before its unit.
    Raises `Unsupported` where the value can't be taken.

    The registry's type comes before the model's (T5). Numbers must stand in the quote; a unit may be the key's own, and
    is then looked at; a text must be words of the quote."""
    value = _flat(value)
    wanted = spec.value_type if spec else ""
    try:
        kind, read = _fitted(value, spec) if spec and wanted else _typed(value, value_type)
    except Misfit as misfit:
        raise Unsupported(str(misfit)) from None
    if kind in MEASURED:
        return _measured(quote, read, kind, around, bool(wanted))
    if kind == "date":
        return QuotedValue(read, kind, "" if _spells_date(quote, read) else "the quote does not spell this date out")
    if kind == "boolean":
        plain = _plain(quote).casefold().strip(" .!")
        return QuotedValue(read, kind, "" if plain in _YES_NO else "yes or no was read from words")
    if words_of(str(read), quote):
        return QuotedValue(read, kind)
    if kind == "enum":
        return QuotedValue(read, kind, "the quote says it in other words")
    raise Unsupported("its value is not in the words of the quote")


_YES_NO: Final = {"yes", "no", "true", "false", "on", "off"}


def _flat(value: Any) -> Any:
    """Lists and amounts as the words that stand for them."""
    if isinstance(value, list):
        value = ", ".join(map(str, value))
    if isinstance(value, dict) and set(value) >= {"number", "unit"}:
        value = f"{value['number']} {value['unit'] or ''}".strip()
    if value in (None, "") or isinstance(value, dict):
        raise Unsupported("a fact has a value")
    return value


def _fitted(value: Any, spec: KeySpec) -> tuple[str, Any]:
    """Type and value by the registry's word. Raises `Misfit`."""
    if spec.value_type in ("dimension", "currency") and spec.unit and _bare_number(value):
        value = f"{value} {spec.unit}"
    return spec.value_type, fit(value, spec.value_type, unit=spec.unit, values=spec.values)


def _typed(value: Any, told: str) -> tuple[str, Any]:
    """Type and value by the model's word, else by what the value looks like."""
    if isinstance(value, bool):
        return "boolean", value
    if told and told != "enum":
        with suppress(ValueError):
            return parse_value(str(value), told)
    return parse_value(str(value))


def _spells_date(quote: str, date: Any) -> bool:
    digits = float(str(date).replace("-", "") or 0)
    return any(one.what == "date" and one.low == digits for one in measures(_plain(quote)))


def _measured(quote: str, value: Any, kind: str, around: tuple[str, str], registered: bool) -> QuotedValue:
    number, unit = (value["number"], value["unit"]) if isinstance(value, dict) else (value, "")
    if type(number) not in (int, float):
        raise Unsupported("its value is no number")
    inside = _measures_in(quote, around)
    if unit and any(_same(one, number, unit) for one in inside):
        return QuotedValue(value, kind)
    # One that says another unit says another amount.
    bare = [one for one in inside if not unit or one.what == "number"]
    stands = next((one for one in bare if _stands(one, float(number))), None)
    if stands is None:
        raise Unsupported(f"the quote does not say {number}{' ' + unit if unit else ''}")
    return _as_it_stands(value, kind, unit, stands, registered)


def _as_it_stands(value: Any, kind: str, unit: str, stands: Measure, registered: bool) -> QuotedValue:
    """A number that the quote says, with the doubt that its unit or its spelling leaves."""
    whole = [] if registered or unit else _amounts(stands.said)
    if len(whole) == 1:
        # The model left off the unit that stands there; without it the number says something else.
        typed = "currency" if stands.what.isupper() and len(stands.what) == 3 else "dimension"
        return QuotedValue(whole[0], typed, "its unit was read from the quote")
    if unit:
        return QuotedValue(value, kind, f"the quote does not say {unit}")
    return QuotedValue(value, kind, "" if any(map(str.isdigit, stands.said)) else "the quote spells the number out")


def _measures_in(quote: str, around: tuple[str, str]) -> list[Measure]:
    """The measures that the quote holds at least a part of."""
    before, after = around
    low, high = len(before), len(before) + len(quote)
    return [one for one in measures(_plain(before + quote + after)) if low <= one.start < high or low < one.end <= high]


def _stands(one: Measure, number: float) -> bool:
    if one.said.casefold() in _TIMES:
        return False
    return number in _numbers(one) or (one.what == "number" and number in (one.low, one.high))


def _same(one: Measure, number: float, unit: str) -> bool:
    """`6 m` for `600 cm`: prefixes of one unit, nothing else is converted."""
    wanted = {"number": number, "unit": canonical_unit(unit)}
    return any(same_value(amount, wanted) for amount in _amounts(one.said))


def _amounts(said: str) -> list[Any]:
    found = []
    for kind in ("dimension", "currency"):
        with suppress(ValueError):
            found.append(parse_value(said.replace("-", " ") if kind == "dimension" else said, kind)[1])
    return found


def _numbers(one: Measure) -> list[float]:
    """The numbers as they stand in the text, before any unit scaled them."""
    out = []
    for word in one.said.replace("-", " ").split():
        with suppress(ValueError, TypeError):
            out.append(float(parse_value(word.strip("%€$£()"), "number")[1]))  # type: ignore[arg-type]
    return out


def _bare_number(value: Any) -> bool:
    try:
        parse_value(str(value), "number")
    except ValueError:
        return False
    return True


def words_of(said: str, quote: str) -> bool:
    """Whether a statement is made of the quote's own words, in their order: nothing added, nothing left out in between that
    turns it round."""
    wanted = normalise_statement(said).strip(" .,;:!?\"'")
    words = normalise_statement(quote)
    at = words.find(wanted) if wanted else -1
    while at >= 0:
        before, after = words[at - 1 : at] if at else "", words[at + len(wanted) : at + len(wanted) + 1]
        # Not the middle of another word; scripts without blanks have no such borders.
        if not (_joined(before, wanted[0]) or _joined(wanted[-1], after)):
            return True
        at = words.find(wanted, at + 1)
    return False


def _joined(one: str, next_: str) -> bool:
    return bool(one and next_) and one.isalnum() and next_.isalnum() and max(one, next_) < "\u2e80"


def _plain(text: str) -> str:
    return text.translate(PLAIN_PUNCTUATION)
