"""Price lists read row by row, and what suppliers ask, by unit and currency (T12). No rate between currencies is made up."""

import csv
import datetime as dt
import io
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from statistics import median
from typing import Any, Final

from ledger.errors import DomainError, Invalid
from ledger.language.fold import fold
from ledger.language.quantities import number_of
from ledger.language.units import UNITS, canonical_unit, unit_named
from ledger.language.values import CURRENCY_SIGN, currency_of, parse_value
from ledger.rules.columns import check_text

MAX_ROWS: Final = 2_000
LARGEST: Final = Decimal(10) ** 9
_EXACT: Final = Decimal("0.0001")
# How the columns of a price list are headed, folded.
_HEADINGS: Final = {
    "name": "name item article artikel description bezeichnung beschreibung product produkt articulo descripcion producto"
    " designation libelle material".split(),
    "supplier": "supplier vendor lieferant anbieter proveedor fournisseur shop haendler handler".split(),
    "amount": "amount price preis einzelpreis precio prix cost unit_price unit-price netto net".split(),
    "unit": "unit einheit unidad unite per uom me".split(),
    "currency": "currency wahrung waehrung moneda devise curr".split(),
    "date": "date datum fecha observed_at valid_from as_of stand".split(),
}  # fmt: skip
_FIELD_OF: Final = {heading: field for field, headings in _HEADINGS.items() for heading in headings}
_LONGEST: Final = {"name": 200, "supplier": 200, "unit": 30, "currency": 20, "date": 40, "amount": 60}
_DOTTED_DAY: Final = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})")
_SIGN: Final = rf"{CURRENCY_SIGN}|[A-Za-z]{{3,7}}"
_PRICED: Final = re.compile(rf"(?P<before>{_SIGN})?\s*(?P<number>\d[\d.,'’ ]*)\s*(?P<after>{_SIGN})?")
# A hundred, a thousand: `100 pcs` is a hundred times a piece.
_COUNTED: Final = re.compile(r"(?P<count>\d{1,6}(?:[.,]\d{1,3})?)\s*(?P<unit>[^\d\s].*)")
_PIECES: Final = frozenset(
    "piece pieces pc pcs each ea stk stuck st pza ud uds unidad unite pz stuks unit units".split()
)


@dataclass(frozen=True, slots=True)
class PriceRow:
    line: int
    name: str
    supplier: str
    amount: Decimal
    unit: str
    currency: str
    observed_at: dt.datetime


@dataclass(frozen=True, slots=True)
class RowFault:
    """What is wrong with a row of a list; rows are counted as in the list, its head included."""

    line: int
    field: str
    message: str


@dataclass(frozen=True, slots=True)
class Price:
    """One observation of an item's price, per one `unit`; `ref` where a claim says so, `name` as the supplier wrote it."""

    supplier: str
    amount: Decimal
    unit: str
    currency: str
    at: dt.datetime
    name: str = ""
    ref: str = ""
    id: int | None = None


@dataclass(frozen=True, slots=True)
class SupplierFigures:
    """What one supplier asks per unit, in one currency."""

    supplier: str
    currency: str
    unit: str
    count: int
    median: Decimal
    low: Decimal
    high: Decimal
    last: Decimal
    last_at: dt.datetime


def rows_of_csv(text: str) -> list[tuple[int, dict[str, str]]]:
    """The lines of a CSV with their numbers, by field. Raises `Invalid` where no heading names a price or a name."""
    head = text.partition("\n")[0]
    delimiter = max(";\t|,", key=head.count)
    reader = csv.reader(io.StringIO(text.lstrip("\ufeff"), newline=""), delimiter=delimiter)
    try:
        fields = [_FIELD_OF.get(fold(cell).strip().replace(" ", "_"), "") for cell in next(reader, [])]
        rows = [
            (reader.line_num, {field: cell.strip() for field, cell in zip(fields, cells, strict=False) if field})
            for cells in reader
            if any(map(str.strip, cells))
        ]
    except csv.Error as error:
        raise Invalid(f"line {reader.line_num} is no CSV: {error}", field="csv") from None
    if missing := [field for field in ("name", "amount") if field not in fields]:
        raise Invalid(f"no column is headed {' or '.join(_HEADINGS[missing[0]][:3])}", field="csv")
    return rows


def read_rows(
    rows: Iterable[tuple[int, Mapping[str, Any]]], *, defaults: Mapping[str, str], now: dt.datetime
) -> tuple[list[PriceRow], list[RowFault]]:
    """The rows that can be kept, and what is wrong with the others. What a row leaves out stands in `defaults`."""
    kept: list[PriceRow] = []
    faults: list[RowFault] = []
    for line, row in rows:
        given = {name: str(value).strip() for name, value in row.items() if value not in (None, "")}
        try:
            kept.append(_read_row(line, {**defaults, **given}, now))
        except DomainError as error:
            faults.append(RowFault(line, error.details.get("field", ""), error.message))
    return kept, faults


def _read_row(line: int, row: Mapping[str, str], now: dt.datetime) -> PriceRow:
    for field, most in _LONGEST.items():
        check_text(field, row.get(field, ""), most=most)
    for field in ("name", "supplier", "amount"):
        if not row.get(field):
            raise Invalid(f"{field} is missing", field=field)
    amount, sign = _amount(row["amount"])
    currency = currency_of(row.get("currency", "").strip().upper()) or currency_of(row.get("currency", "")) or sign
    if not currency:
        raise Invalid("currency is a code such as EUR", field="currency")
    if sign and sign != currency:
        raise Invalid(f"the price is in {sign}, the currency {currency}", field="currency")
    return PriceRow(
        line, row["name"], row["supplier"], amount, row.get("unit", ""), currency, _day(row.get("date", ""), now)
    )


def _amount(written: str) -> tuple[Decimal, str]:
    """A price above nothing, and its currency where it stands beside it."""
    hit = _PRICED.fullmatch(written)
    number = number_of(hit["number"].strip(), money=True) if hit else None
    if hit is None or number is None:
        raise Invalid(f"{written[:40]!r} is no price", field="amount")
    amount = Decimal(str(number)).quantize(_EXACT)
    if not 0 < amount <= LARGEST:
        raise Invalid("a price is above 0 and at most a thousand million", field="amount")
    return amount, currency_of(hit["before"] or hit["after"] or "") or currency_of(
        (hit["before"] or hit["after"] or "").upper()
    )


def _day(written: str, now: dt.datetime) -> dt.datetime:
    """A day as midnight in UTC; today where none is given. `03/04/2026` is two days and is not guessed at."""
    if not written:
        return now.replace(hour=0, minute=0, second=0, microsecond=0)
    dotted = _DOTTED_DAY.fullmatch(written)
    try:
        _, day = parse_value("-".join(reversed(dotted.groups())) if dotted else written, "date")
        at = dt.datetime.fromisoformat(str(day)).replace(tzinfo=dt.UTC)
    except ValueError:
        raise Invalid(f"{written[:40]!r} is no date; write it as 2026-03-01", field="date") from None
    if not 1900 <= at.year <= 9000:
        raise Invalid("a year lies between 1900 and 9000", field="date")
    return at


def per_unit(price: Price, unit: str) -> Price:
    """The price per one `unit` where its own measures the same, exactly converted: 12 per 100 g is 120 per kg. Else per one of
    its own unit: `100 pcs` is a piece."""
    count, own = _count_and_unit(price.unit)
    wanted = _count_and_unit(unit)[1]
    if own in UNITS and wanted in UNITS and unit_named(own).quantity == unit_named(wanted).quantity:
        count, own = count * unit_named(own).size / unit_named(wanted).size, wanted
    return replace(price, amount=_decimal(Fraction(price.amount) / count), unit=own)


def unit_alone(unit: str) -> str:
    """`100 pcs` → `piece`."""
    return _count_and_unit(unit)[1]


def _count_and_unit(unit: str) -> tuple[Fraction, str]:
    counted = _COUNTED.fullmatch(unit.strip())
    count, word = (number_of(counted["count"]) or 1, counted["unit"]) if counted else (1, unit.strip())
    return Fraction(str(count)), "piece" if fold(word).rstrip(".") in _PIECES else canonical_unit(word)


def _decimal(number: Fraction) -> Decimal:
    return (Decimal(number.numerator) / Decimal(number.denominator)).quantize(_EXACT)


def supplier_figures(prices: Sequence[Price], unit: str = "") -> list[SupplierFigures]:
    """By supplier, currency and unit, the lowest median first within a currency; units are converted, currencies never."""
    groups: dict[tuple[str, str, str], list[Price]] = defaultdict(list)
    for price in (per_unit(one, unit) for one in prices):
        groups[price.currency, price.unit, price.supplier].append(price)
    figures = [_figures(group) for group in groups.values()]
    return sorted(figures, key=lambda one: (one.currency, one.unit, one.median, one.supplier))


def _figures(group: Sequence[Price]) -> SupplierFigures:
    amounts, last = [one.amount for one in group], max(group, key=lambda one: (one.at, one.id or 0))
    return SupplierFigures(
        last.supplier,
        last.currency,
        last.unit,
        len(group),
        median(amounts),
        min(amounts),
        max(amounts),
        last.amount,
        last.at,
    )


def plain_amount(amount: Decimal) -> str:
    """Without the noughts that say nothing, two digits at least: `12.50`, `0.0375`."""
    whole, _, digits = f"{amount:f}".partition(".")
    return f"{whole}.{digits.rstrip('0').ljust(2, '0')}"
