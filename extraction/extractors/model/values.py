"""Whether a quote says a value. A model must not infer, so what the quote does not say is not the source's (§4.3)."""

from dataclasses import dataclass
from typing import Any, Final

from ledger.language.fold import PLAIN_PUNCTUATION
from ledger.language.measures import Measure, measures
from ledger.language.normalise import normalise_statement
from ledger.language.values import canonical_unit, parse_value, same_value
from ledger.packs import KeySpec
from ledger.rules.registry import Misfit, fit

MEASURED: Final = ("number", "dimension", "currency")
# How often, not how much.
_TIMES: Final = ("once", "twice")


@dataclass(frozen=True, slots=True)
class Said:
    """A value in the shape of its type. `why` tells why it can't be taken; `doubt` why a person should look at it."""

    value: Any
    value_type: str
    why: str = ""
    doubt: str = ""


def said_by(quote: str, value: Any, value_type: str, spec: KeySpec | None, around: tuple[str, str] = ("", "")) -> Said:
    """`around` is what stands right before and after the quote: a quote may end in the middle of a number, or before its unit.

    The registry's type comes before the model's (T5). Numbers must stand in the quote; a unit may be the key's own, and
    is then looked at; a text must be words of the quote."""
    if isinstance(value, list):
        value = ", ".join(map(str, value))
    if isinstance(value, dict) and set(value) >= {"number", "unit"}:
        value = f"{value['number']} {value['unit'] or ''}".strip()
    if value is None or value == "" or isinstance(value, dict):
        return Said(None, "", why="a fact has a value")
    wanted = spec.value_type if spec and spec.value_type else ""
    kind, read = _read(value, wanted, value_type, spec)
    if isinstance(read, Misfit):
        return Said(value, kind, why=str(read))
    if kind in MEASURED:
        return _measured(quote, read, kind, around, wanted)
    if kind == "date":
        dated = [one for one in measures(_plain(quote)) if one.what == "date"]
        digits = float(str(read).replace("-", "") or 0)
        known = any(one.low == digits for one in dated)
        return Said(read, kind, doubt="" if known else "the quote does not spell this date out")
    if kind == "boolean":
        return Said(
            read,
            kind,
            doubt="" if _plain(quote).casefold().strip(" .!") in _YES_NO else "yes or no was read from words",
        )
    if _words_of(str(read), quote):
        return Said(read, kind)
    if kind == "enum":
        return Said(read, kind, doubt="the quote says it in other words")
    return Said(read, kind, why="its value is not in the words of the quote")


_YES_NO: Final = {"yes", "no", "true", "false", "on", "off"}


def _read(value: Any, wanted: str, told: str, spec: KeySpec | None) -> tuple[str, Any]:
    """Type and value. Without the registry's word the model's is tried, and then what the value looks like."""
    if wanted:
        given = value
        if wanted in ("dimension", "currency") and spec and spec.unit and _bare_number(value):
            given = f"{value} {spec.unit}"
        try:
            return wanted, fit(given, wanted, unit=spec.unit if spec else "", values=spec.values if spec else ())
        except Misfit as misfit:
            return wanted, misfit
    if isinstance(value, bool):
        return "boolean", value
    words = str(value)
    if told and told != "enum":
        try:
            return parse_value(words, told)
        except ValueError:
            pass
    return parse_value(words)


def _measured(quote: str, value: Any, kind: str, around: tuple[str, str], wanted: str) -> Said:
    number, unit = (value["number"], value["unit"]) if isinstance(value, dict) else (value, "")
    if isinstance(number, bool) or not isinstance(number, int | float):
        return Said(value, kind, why="its value is no number")
    before, after = around
    low, high = len(before), len(before) + len(quote)
    found = [
        one for one in measures(_plain(before + quote + after)) if low <= one.start < high or low < one.end <= high
    ]
    if unit and any(_same(one, number, unit) for one in found):
        return Said(value, kind)
    for one in found:
        if unit and one.what != "number":
            continue  # it says another unit
        stands = float(number) in _numbers(one) or (one.what == "number" and float(number) in (one.low, one.high))
        if stands and one.said.casefold() not in _TIMES:
            if not wanted and not unit and len(whole := _amounts(one.said)) == 1:
                # The model left off the unit that stands there; without it the number says something else.
                typed = "currency" if one.what.isupper() and len(one.what) == 3 else "dimension"
                return Said(whole[0], typed, doubt="its unit was read from the quote")
            spelt = not any(char.isdigit() for char in one.said)
            doubt = f"the quote does not say {unit}" if unit else "the quote spells the number out" if spelt else ""
            return Said(value, kind, doubt=doubt)
    return Said(value, kind, why=f"the quote does not say {number}{' ' + unit if unit else ''}")


def _same(one: Measure, number: float, unit: str) -> bool:
    """`6 m` for `600 cm`: prefixes of one unit, nothing else is converted."""
    wanted = {"number": number, "unit": canonical_unit(unit)}
    return any(same_value(amount, wanted) for amount in _amounts(one.said))


def _amounts(said: str) -> list[Any]:
    found = []
    for kind in ("dimension", "currency"):
        try:
            found.append(parse_value(said.replace("-", " ") if kind == "dimension" else said, kind)[1])
        except ValueError:
            continue
    return found


def _numbers(one: Measure) -> list[float]:
    """The numbers as they stand in the text, before any unit scaled them."""
    out = []
    for word in one.said.replace("-", " ").split():
        try:
            out.append(float(parse_value(word.strip("%€$£()"), "number")[1]))  # type: ignore[arg-type]
        except (ValueError, TypeError):
            continue
    return out


def _bare_number(value: Any) -> bool:
    if isinstance(value, bool):
        return False
    try:
        parse_value(str(value), "number")
    except ValueError:
        return False
    return True


def words_of(said: str, quote: str) -> bool:
    """Whether a statement is made of the quote's own words, in their order: nothing added, nothing left out in between that
    turns it round."""
    return _words_of(said, quote)


def _words_of(said: str, quote: str) -> bool:
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
