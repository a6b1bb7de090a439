"""Tables whose head names a kind: each row of the column `Decision` or `Action` is a hit, with its owner and its day."""

import re
from collections.abc import Iterator
from typing import Final

from extraction.extractors.documents.hits import RuleMatch
from extraction.extractors.documents.nothing import settles_nothing
from extraction.extractors.documents.page import Page, trimmed
from extraction.extractors.documents.records import GONE
from ledger.language.fold import normalise_label, strip_markup
from ledger.language.values import parse_value

_TABLE: Final = re.compile(
    r"^(?P<head>[ \t]*+\|?+[^\n|]++\|[^\n]*+)\n(?=[^\n-]*--)[ \t|:-]++\n(?P<rows>(?:[^\n|]*+\|[^\n]*+(?:\n|\Z))++)",
    re.M,
)
_CELL: Final = re.compile(r"(?:\\\||[^|\n])+")
_OWNER: Final = frozenset(
    "owner owners assignee assigned responsible who by lead wer verantwortlich responsable quién".split()
)
_DUE: Final = frozenset("due deadline when date by target fällig frist fecha échéance".split()) | {
    "due date",
    "target date",
}
_STATUS: Final = frozenset({"status", "state", "stand", "estado", "statut"})
_OVER: Final = frozenset({*GONE, "done", "completed", "closed", "complete", "finished", "erledigt", "hecho", "fait"})


def table_matches(page: Page) -> Iterator[RuleMatch]:
    """A hit for each cell under a head that is a label, unless the row's status says that it is over."""
    for table in _TABLE.finditer(page.shadow) if "|" in page.shadow else ():
        heads = [_plain(page.shadow[slice(*cell)]) for cell in _cells(page.shadow, *table.span("head"))]
        columns = [(at, page.rules.labels[head]) for at, head in enumerate(heads) if head in page.rules.labels]
        at = table.start("rows")
        for line in table["rows"].splitlines(keepends=True):
            cells = _cells(page.shadow, at, at + len(line.rstrip()))
            at += len(line)
            named = dict(zip(heads, cells, strict=False))
            if columns and len(cells) > columns[0][0] and not _is_over(page, named):
                yield from _row(page, cells[columns[0][0]], columns[0][1], named)


def _row(page: Page, cell: tuple[int, int], kind: str, named: dict[str, tuple[int, int]]) -> Iterator[RuleMatch]:
    if cell[0] < cell[1] and not settles_nothing(page.shadow[slice(*cell)], kind):
        owner = _text_under(page, named, _OWNER) if kind == "action_item" else ""
        due = _day(_text_under(page, named, _DUE)) if kind == "action_item" else ""
        yield RuleMatch("table.cell", "label", kind, *cell, assignee=owner.replace("@", ""), due=due)


def _is_over(page: Page, named: dict[str, tuple[int, int]]) -> bool:
    return _plain(_text_under(page, named, _STATUS)) in _OVER


def _text_under(page: Page, named: dict[str, tuple[int, int]], heads: frozenset[str]) -> str:
    return next((strip_markup(page.shadow[slice(*cell)]) for head, cell in named.items() if head in heads), "")


def _cells(shadow: str, start: int, end: int) -> list[tuple[int, int]]:
    """The trimmed cells of one line, its outer bars apart."""
    first, last = trimmed(shadow, start, end)
    bars = (shadow.startswith("|", first, last), shadow.endswith("|", first, last))
    return [trimmed(shadow, *cell.span()) for cell in _CELL.finditer(shadow, first + bars[0], last - bars[1])]


def _plain(head: str) -> str:
    return normalise_label(strip_markup(head)).strip(" :")


def _day(words: str) -> str:
    try:
        return str(parse_value(words, "date")[1])
    except ValueError:
        return ""
