"""Tables as people write them, each as a head and rows of cells: of Markdown, of HTML, and the four of reStructuredText."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from operator import attrgetter
from typing import Final


@dataclass(frozen=True, slots=True)
class Cell:
    """The trimmed words `start:end`. `joined` are all of them where they stand on several lines of a drawn column, of which
    `start:end` is the first."""

    start: int
    end: int
    words: str
    joined: str = ""


@dataclass(frozen=True, slots=True)
class Grid:
    """A table `start:end`."""

    start: int
    end: int
    head: Sequence[Cell]
    rows: Sequence[Sequence[Cell]]


def grids_in(shadow: str) -> list[Grid]:
    """All tables of a masked text, in order."""
    found: list[Iterable[Grid]] = []
    if "|" in shadow:
        found.append(_markdown(shadow))
    if "<table" in shadow or "<TABLE" in shadow:
        found.append(_html(shadow))
    if "+=" in shadow:
        found.append(_drawn(shadow))
    if "== " in shadow:
        found.append(_simple(shadow))
    if "-table::" in shadow:
        found += _list_tables(shadow), _csv_tables(shadow)
    return sorted(chain.from_iterable(found), key=lambda grid: grid.start)


def in_grids(grids: Sequence[Grid], start: int, end: int) -> bool:
    """Whether one of the tables stands in `start:end`, or this in one of them."""
    before = bisect_left(grids, end, key=attrgetter("start"))
    return before > 0 and grids[before - 1].end > start


def _cell(shadow: str, start: int, end: int) -> Cell:
    words = shadow[start:end]
    first = start + len(words) - len(words.lstrip())
    return Cell(first, max(first, start + len(words.rstrip())), words.strip())


_MARKDOWN: Final = re.compile(
    r"^(?P<head>[ \t]*+\|?+[^\n|]++\|[^\n]*+)\n(?=[^\n-]*--)[ \t|:-]++\n(?P<rows>(?:[^\n|]*+\|[^\n]*+(?:\n|\Z))++)",
    re.M,
)
_BETWEEN_BARS: Final = re.compile(r"(?:\\\||[^|\n])+")


def _markdown(shadow: str) -> Iterator[Grid]:
    for table in _MARKDOWN.finditer(shadow):
        lines = _lines(shadow, *table.span("rows"))
        yield Grid(*table.span(), _piped(shadow, *table.span("head")), [_piped(shadow, *line) for line in lines])


def _lines(shadow: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while start < end:
        stop = shadow.find("\n", start, end)
        stop = end if stop < 0 else stop
        yield start, stop
        start = stop + 1


def _piped(shadow: str, start: int, end: int) -> list[Cell]:
    """The cells of one line, its outer bars apart."""
    line = _cell(shadow, start, end)
    bars = line.words.startswith("|"), line.words.endswith("|") and len(line.words) > 1
    parts = _BETWEEN_BARS.finditer(shadow, line.start + bars[0], line.end - bars[1])
    return [_cell(shadow, *part.span()) for part in parts]


_TAG: Final = re.compile(r"<(?P<close>/?)(?P<name>table|tr|th|td)\b[^<>]{0,300}>", re.I)
_FIRST_TAGS: Final = re.compile(r"(?:<(?:p|div|span|li|ul|ol|br)\b[^<>]{0,200}>\s*)*+", re.I)
_LAST_TAG: Final = re.compile(r"\s*(?:</(?:p|div|span|li|ul|ol)>|<br ?/?>)\Z", re.I)
MAX_TAG: Final = 40


@dataclass(slots=True)
class _OpenTable:
    """A table of HTML while its tags are read: the cells of each row, and whether a head cell stands in it."""

    start: int
    rows: list[list[Cell]] = field(default_factory=list)
    heads: list[bool] = field(default_factory=list)
    cell: int = -1

    def take(self, tag: re.Match[str], shadow: str) -> None:
        name = tag["name"].lower()
        if self.cell >= 0:
            self.rows[-1].append(_html_cell(shadow, self.cell, tag.start()))
            self.cell = -1
        if name == "tr" and not tag["close"]:
            self.rows.append([])
            self.heads.append(False)
        elif name in ("td", "th") and not tag["close"] and self.rows:
            self.cell = tag.end()
            self.heads[-1] |= name == "th"


def _html_cell(shadow: str, start: int, end: int) -> Cell:
    cell = _cell(shadow, start, end)
    first, last = _FIRST_TAGS.match(shadow, cell.start, cell.end).end(), cell.end  # type: ignore[union-attr]
    while tag := _LAST_TAG.search(shadow, max(first, last - MAX_TAG), last):
        last = tag.start()
    return _cell(shadow, first, last)


def _html(shadow: str) -> Iterator[Grid]:
    table: _OpenTable | None = None
    for tag in _TAG.finditer(shadow):
        if tag["name"].lower() != "table":
            if table:
                table.take(tag, shadow)
        elif tag["close"] and table:
            table.take(tag, shadow)
            if len(table.rows) > 1:
                yield Grid(table.start, tag.end(), table.rows[0], table.rows[1:])
            table = None
        elif not tag["close"]:
            table = _OpenTable(tag.start())


_DRAWN: Final = re.compile(
    r"^[ \t]*\+-[+-]{1,400}\n(?:[ \t]*\|[^\n]*\n){1,20}+[ \t]*\+=[+=]{1,400}\n(?:[ \t]*[|+][^\n]*(?:\n|\Z))++", re.M
)
_RULE: Final = re.compile(r"[ \t]*\+[-=+]+[ \t]*\Z")


def _drawn(shadow: str) -> Iterator[Grid]:
    """`+---+` and `| a |`: the rows between two rules, of which each cell may stand on several lines."""
    for table in _DRAWN.finditer(shadow):
        rows: list[list[list[Cell]]] = []
        for line in _lines(shadow, *table.span()):
            if _RULE.match(shadow[slice(*line)]):
                rows.append([])
            elif rows:
                rows[-1].append(_piped_whole(shadow, *line))
        whole = [_joined(lines) for lines in rows if lines]
        yield Grid(*table.span(), whole[0], whole[1:])


_BAR_CELL: Final = re.compile(r"(?<=\|)[^|\n]*(?=\|)")


def _piped_whole(shadow: str, start: int, end: int) -> list[Cell]:
    """The cells of one line, empty ones too."""
    return [_cell(shadow, *part.span()) for part in _BAR_CELL.finditer(shadow, start, end)]


def _joined(lines: Sequence[Sequence[Cell]]) -> list[Cell]:
    """The cells of lines that are one row: each column's words."""
    columns = zip(*lines, strict=False)
    return [_column([cell for cell in column if cell.words] or [column[0]]) for column in columns]


def _column(cells: Sequence[Cell]) -> Cell:
    return replace(cells[0], joined=" ".join(cell.words for cell in cells) if len(cells) > 1 else "")


_SIMPLE: Final = re.compile(
    r"^(?P<rule>[ \t]*=+(?:[ ]+=+)+)[ \t]*\n(?P<head>[^\n=][^\n]*)\n[ \t]*=+(?:[ ]+=+)+[ \t]*\n"
    r"(?P<rows>(?:(?![ \t]*==)[^\n]*\n){1,400}?)[ \t]*=+(?:[ ]+=+)+[ \t]*(?:\n|\Z)",
    re.M,
)
_COLUMN: Final = re.compile(r"=+")


def _simple(shadow: str) -> Iterator[Grid]:
    """Columns below rules of `====`; a line whose first column is empty goes on with the row above."""
    for table in _SIMPLE.finditer(shadow):
        edges = [found.start() for found in _COLUMN.finditer(table["rule"])]
        rows: list[list[list[Cell]]] = []
        for line in _lines(shadow, *table.span("rows")):
            cells = _in_columns(shadow, line, edges)
            if cells[0].words or not rows:
                rows.append([])
            rows[-1].append(cells)
        yield Grid(*table.span(), _in_columns(shadow, table.span("head"), edges), [_joined(lines) for lines in rows])


def _in_columns(shadow: str, line: tuple[int, int], edges: Sequence[int]) -> list[Cell]:
    start, end = line
    stops = [*edges[1:], end - start]
    return [_cell(shadow, min(end, start + a), min(end, start + b)) for a, b in zip(edges, stops, strict=True)]


_LIST_TABLE: Final = re.compile(
    r"^(?P<margin>[ \t]*)\.\. list-table::[^\n]*\n(?:(?P=margin)[ \t]+:[^\n]*\n)*(?:[ \t]*\n)*"
    r"(?P<rows>(?:(?P=margin)[ \t]+[^\n]*(?:\n|\Z)|[ \t]*\n)++)",
    re.M,
)
_LIST_CELL: Final = re.compile(r"^[ \t]*(?P<row>\*[ \t]+)?-[ \t]*(?P<words>[^\n]*)", re.M)


def _list_tables(shadow: str) -> Iterator[Grid]:
    for table in _LIST_TABLE.finditer(shadow):
        rows: list[list[Cell]] = []
        for cell in _LIST_CELL.finditer(shadow, *table.span("rows")):
            if cell["row"] or not rows:
                rows.append([])
            rows[-1].append(_cell(shadow, *cell.span("words")))
        if len(rows) > 1:
            yield Grid(*table.span(), rows[0], rows[1:])


_CSV_TABLE: Final = re.compile(
    r"^(?P<margin>[ \t]*)\.\. csv-table::[^\n]*\n(?:(?P=margin)[ \t]+:(?!header:)[^\n]*\n)*"
    r"(?P=margin)[ \t]+:header:(?P<head>[^\n]*)\n(?:(?P=margin)[ \t]+:[^\n]*\n)*"
    r"(?P<rows>(?:(?P=margin)[ \t]+[^\n]*(?:\n|\Z)|[ \t]*\n)++)",
    re.M,
)
_VALUE: Final = re.compile(r"[ \t]*(?:\"(?P<quoted>[^\"\n]*)\"|(?P<plain>[^,\n]+))[ \t]*(?:,|$)", re.M)


def _csv_tables(shadow: str) -> Iterator[Grid]:
    for table in _CSV_TABLE.finditer(shadow):
        lines = [line for line in _lines(shadow, *table.span("rows")) if shadow[slice(*line)].strip()]
        yield Grid(*table.span(), _values(shadow, *table.span("head")), [_values(shadow, *line) for line in lines])


def _values(shadow: str, start: int, end: int) -> list[Cell]:
    found = _VALUE.finditer(shadow, start, end)
    return [_cell(shadow, *value.span("quoted" if value["quoted"] is not None else "plain")) for value in found]
