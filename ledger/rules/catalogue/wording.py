"""What a sentence that states a price says beside it: from whom, and per what."""

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

_UNIT: Final = re.compile(
    r"(?:\bper|\bpro|\bje|\bpor|\bpar|/)\s?(?P<unit>(?:\d{1,5}\s?)?[^\W\d_]{1,20}[²³]?)(?![\w])", re.I
)
_SUPPLIER: Final = re.compile(
    r"\b(?:at|from|by|bei|von|de|en|chez|da|bij|van)\s+(?P<name>[A-ZÄÖÜÉ][\w&.'-]{0,40}(?:\s(?:[A-ZÄÖÜÉ&][\w&.'-]{0,40})){0,3})"
)
# In any currency; a number of a claim may be of any size.
MAX_AMOUNT: Final = 10**12


@dataclass(frozen=True, slots=True)
class PriceTerms:
    """`supplier` and `unit` are empty where the words do not tell them."""

    supplier: str = ""
    unit: str = ""

    @staticmethod
    def amount_of(value: dict[str, Any]) -> Decimal:
        return Decimal(str(value["number"])).quantize(Decimal("0.0001"))


def states_price(value: Any) -> bool:
    """Whether a claim's value is an amount in a currency: what stands under no key may have any value."""
    number, unit = (value.get("number"), value.get("unit")) if isinstance(value, dict) else (None, None)
    told = isinstance(number, int | float) and not isinstance(number, bool) and abs(number) < MAX_AMOUNT
    return told and isinstance(unit, str)


def price_terms(statement: str) -> PriceTerms:
    """`The oak board costs 12 EUR per m² at Weber`: Weber, m²."""
    supplier, unit = _SUPPLIER.search(statement), _UNIT.search(statement)
    return PriceTerms(supplier["name"].rstrip(".") if supplier else "", unit["unit"] if unit else "")
