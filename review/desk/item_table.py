"""A project's items as a table: a column for each key that its packs name, sorted by a column, and as CSV for spreadsheets."""

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final

from ledger.language.units import in_base_unit
from ledger.packs import KeySpec
from ledger.projections.items import Item, ItemField
from ledger.rules.blocks import is_measure, value_in_words

# What a spreadsheet would take for a formula, in the forms that it reads them.
_FORMULA: Final = re.compile(r"[\s\x00-\x1f]*[=+\-@＝＋－＠|%]")
ORIGIN_WORDS: Final = {"override": "typed by hand", "fact": "", "default": "default", "none": ""}


@dataclass(frozen=True, slots=True)
class ItemCell:
    """A field in a table: its words, empty where nothing is known, and where they come from."""

    field: ItemField
    text: str
    origin: str


@dataclass(frozen=True, slots=True)
class ItemRow:
    item: Item
    cells: list[ItemCell]


def item_rows(items: Iterable[Item]) -> list[ItemRow]:
    """Of items that have the fields of the table's columns, in their order."""
    return [ItemRow(item, list(map(_cell, item.fields))) for item in items]


def _cell(field: ItemField) -> ItemCell:
    return ItemCell(field, "" if field.value is None else value_in_words(field.value), ORIGIN_WORDS[field.origin])


def in_order_of(rows: Sequence[ItemRow], columns: Sequence[KeySpec], sort: str) -> list[ItemRow]:
    """By the column of this key, `-` before it for the largest first; by name where it is none. What is not known comes last."""
    at = next((at for at, spec in enumerate(columns) if spec.key == sort.removeprefix("-")), None)
    named = sorted(rows, key=lambda row: (row.item.scope.name.casefold(), row.item.scope.path))
    if at is None:
        return named[::-1] if sort.startswith("-") else named
    known = [row for row in named if row.cells[at].text]
    known.sort(key=lambda row: _order(row.cells[at].field.value), reverse=sort.startswith("-"))
    return known + [row for row in named if not row.cells[at].text]


def _order(value: Any) -> tuple[int, Fraction, str]:
    """Numbers before words; measured ones by their amount, in whichever unit they were told."""
    if is_measure(value):
        return 0, in_base_unit(Decimal(str(value["number"])), str(value["unit"])), ""
    if isinstance(value, int | float):
        return 0, Fraction(str(float(value))), ""
    return 1, Fraction(0), value_in_words(value).casefold()


def spreadsheet_cell(value: Any) -> str | int | float:
    """A value as a cell: numbers as they are, all else as words that no spreadsheet reads as a formula."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value
    words = "" if value is None else value_in_words(value)
    return f"'{words}" if _FORMULA.match(words) else words


class _Line:
    """What `csv` writes into: it hands the line back."""

    def write(self, line: str) -> str:
        return line


def csv_lines(items: Iterable[Item], columns: Sequence[KeySpec]) -> Iterator[bytes]:
    """Of items that have the fields of these columns, the head first. UTF-8 with a mark at the beginning, by which spreadsheets
    know it."""
    writer = csv.writer(_Line())
    yield "\ufeff".encode()
    yield writer.writerow(
        map(spreadsheet_cell, ["item", "name", *(spec.title or spec.key for spec in columns)])
    ).encode()
    for item in items:
        cells = [item.scope.path, item.scope.name, *(field.value for field in item.fields)]
        yield writer.writerow(map(spreadsheet_cell, cells)).encode()
