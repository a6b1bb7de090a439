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


@dataclass(frozen=True, slots=True)
class PriceTerms:
    """`supplier` and `unit` are empty where the words do not tell them."""

    supplier: str = ""
    unit: str = ""

    @staticmethod
    def amount_of(value: dict[str, Any]) -> Decimal:
        return Decimal(str(value["number"])).quantize(Decimal("0.0001"))


def price_terms(statement: str) -> PriceTerms:
    """`The oak board costs 12 EUR per m² at Weber`: Weber, m²."""
    supplier, unit = _SUPPLIER.search(statement), _UNIT.search(statement)
    return PriceTerms(supplier["name"].rstrip(".") if supplier else "", unit["unit"] if unit else "")
