"""Tables whose head names a kind: each row of the column `Decision` or `Action` is a hit, with its owner and its day. Below a
heading that names the kind, the column that says what."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from extraction.extractors.documents.grids import Cell, Grid
from extraction.extractors.documents.hits import RuleMatch
from extraction.extractors.documents.nothing import settles_nothing
from extraction.extractors.documents.page import Page
from extraction.extractors.documents.records import GONE
from ledger.language.fold import normalise_label, strip_markup, summary_of
from ledger.language.values import parse_value

_OWNER: Final = frozenset(
    """owner owners assignee assignees assigned responsible who by lead name person wer verantwortlich zuständig responsable
    encargado quién quien qui responsabile chi""".split()
) | {"assigned to", "action owner", "owned by"}
_DUE: Final = frozenset(
    "due deadline when date by target fällig frist termin wann bis fecha cuándo plazo échéance quand date".split()
) | {"due date", "target date", "due by", "by when", "bis wann", "fecha límite", "date limite"}
_STATUS: Final = frozenset({"status", "state", "stand", "estado", "statut", "stato"})
_WHAT: Final = frozenset(
    """what description item text details detail summary statement title subject content was beschreibung thema inhalt qué que
    descripción detalle quoi libellé intitulé sujet cosa descrizione wat omschrijving""".split()
)
_OVER: Final = frozenset(
    {
        *GONE,
        "done",
        "completed",
        "closed",
        "complete",
        "finished",
        "erledigt",
        "hecho",
        "fait",
        "terminé",
        "✅",
        "✔",
        "x",
    }
)


def table_matches(page: Page) -> Iterator[RuleMatch]:
    """A hit for each cell under a head that is a label, unless the row's status says that it is over."""
    for grid in page.grids:
        heads = [_plain(cell.words) for cell in grid.head]
        if named := _kind_column(heads, page) or _what_column(heads, grid, page):
            for row in grid.rows:
                yield from _row(dict(zip(heads, row, strict=False)), *named)


def _kind_column(heads: list[str], page: Page) -> tuple[str, str] | None:
    """The first head that is a label, and the label's kind."""
    return next(((head, page.rules.labels[head]) for head in heads if head in page.rules.labels), None)


def _what_column(heads: list[str], grid: Grid, page: Page) -> tuple[str, str] | None:
    """The head that says what, where the heading above the table names the kind."""
    kind = next((one.kind for one in page.sections if one.start <= grid.start < one.end and one.form != "sections"), "")
    what = next((head for head in heads if head in _WHAT), "")
    return (what, kind) if kind and what else None


def _row(named: Mapping[str, Cell], head: str, kind: str) -> Iterator[RuleMatch]:
    cell = named.get(head, _NO_CELL)
    if not cell.words or settles_nothing(cell.words, kind) or _plain(_text(named, _STATUS)) in _OVER:
        return
    match = RuleMatch(
        "table.cell", "label", kind, cell.start, cell.end, statement=cell.joined and summary_of(cell.joined)
    )
    if kind == "action_item":
        match = replace(match, assignee=_text(named, _OWNER).replace("@", ""), due=_day(_text(named, _DUE)))
    yield match


_NO_CELL: Final = Cell(0, 0, "")


def _text(named: Mapping[str, Cell], heads: frozenset[str]) -> str:
    return next((strip_markup(cell.words) for head, cell in named.items() if head in heads), "")


def _plain(head: str) -> str:
    return normalise_label(strip_markup(head)).strip(" :")


def _day(words: str) -> str:
    try:
        return str(parse_value(words, "date")[1])
    except ValueError:
        return ""
