"""Tables whose head names a kind: each row of the column `Decision` or `Action` is a hit, with its owner and its day. Below a
heading that names the kind, the column that says what."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import chain
from typing import Final

from extraction.extractors.documents.grids import Cell, Grid
from extraction.extractors.documents.hits import RuleMatch
from extraction.extractors.documents.nothing import settles_nothing
from extraction.extractors.documents.owners import owner_of
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
_BESIDE: Final = _OWNER | _DUE | _STATUS | {"priority", "prio", "prioridad", "priorité", "priorität", "notes", "links"}
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
        rows = [dict(zip(heads, row, strict=False)) for row in grid.rows]
        # A column of numbers is no statement, whatever its head.
        saying = [head for head in heads if any(_WORD.search(row[head].words) for row in rows if head in row)]
        if named := _kind_column(saying, page) or _what_column(saying, grid, page):
            for row in rows:
                yield from _row(row, *named, page.known)


_WORD: Final = re.compile(r"[^\W\d_]{2}")


def _kind_column(heads: list[str], page: Page) -> tuple[str, str] | None:
    """The first head that is a label, or labels of one kind (`Agreement/Decision`), and the kind."""
    for head in heads:
        kinds = {page.rules.labels.get(part.strip(), "") for part in head.split("/")}
        if len(kinds) == 1 and (kind := kinds.pop()):
            return head, kind
    return None


def _what_column(heads: list[str], grid: Grid, page: Page) -> tuple[str, str] | None:
    """The head that says what, where the heading above the table names the kind: by its only word, by its first or last one, or
    as the first that stands beside an owner's."""
    kind = next((one.kind for one in page.sections if one.start <= grid.start < one.end and one.form != "sections"), "")
    if not kind:
        return None
    by_word = (head for head in heads if _WHAT.intersection(head.split()[:1] + head.split()[-1:]))
    owned = (head for head in heads if _OWNER.intersection(heads) and head not in _BESIDE)
    what = next(chain((head for head in heads if head in _WHAT), by_word, owned), "")
    return (what, kind) if what else None


def _row(named: Mapping[str, Cell], head: str, kind: str, known: frozenset[str]) -> Iterator[RuleMatch]:
    cell = named.get(head, _NO_CELL)
    if not cell.words or settles_nothing(cell.words, kind) or _plain(_text(named, _STATUS)) in _OVER:
        return
    match = RuleMatch(
        "table.cell", "label", kind, cell.start, cell.end, statement=cell.joined and summary_of(cell.joined)
    )
    if kind == "action_item":
        owner = _text(named, _OWNER).replace("@", "") or owner_of(cell.words, known=known).names
        match = replace(match, assignee=owner, due=_day(_text(named, _DUE)))
    yield match


_NO_CELL: Final = Cell(0, 0, "")


def _text(named: Mapping[str, Cell], heads: frozenset[str]) -> str:
    return next((strip_markup(cell.words) for head, cell in named.items() if head in heads), "")


_PLURAL: Final = re.compile(r"\((?:e?s|en|n)\)")


def _plain(head: str) -> str:
    """A head as it is looked up: without marks, and `Responsable(s)` for one."""
    return _PLURAL.sub("", normalise_label(strip_markup(head))).strip(" :")


def _day(words: str) -> str:
    try:
        return str(parse_value(words, "date")[1])
    except ValueError:
        return ""
