"""Figures of large tables from a part of their pages, so that a page costs the same however much there is."""

from typing import Any, Final

from ledger.reads.scopes import visible_ids
from ledger.reads.sql import fetch_column, fetch_rows
from ledger.rules.permissions import Access

# Rows read of a table that is sampled.
SAMPLED: Final = 30_000


def rows_in_sight(sql: str, access: Access, root: str | None, **params: Any) -> list[tuple[Any, ...]]:
    """What one query answers, in which `{scopes}` stands for a query of the scopes that a caller may read (at and under `root`)."""
    scopes, values = visible_ids(access, root=root)
    named = {f"s{at}": value for at, value in enumerate(values)}
    return fetch_rows(sql.format(scopes=scopes % tuple(f"%({name})s" for name in named)), named | params)


def sample_percent(table: str) -> float:
    """For `TABLESAMPLE SYSTEM`: how much of the table about `SAMPLED` of its rows are, above 0 and at most 100."""
    [rows] = fetch_column("SELECT greatest(reltuples, 1) FROM pg_class WHERE oid = %s::regclass", [table])
    return min(100.0, max(0.001, 100.0 * SAMPLED / float(rows)))
