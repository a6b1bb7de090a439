"""Figures of large tables from a part of their pages, so that a page costs the same however much there is."""

from typing import Any, Final

from django.core.exceptions import EmptyResultSet
from django.db import connection

from ledger.reads.scopes import visible
from ledger.rules.permissions import Access

# Rows read of a table that is sampled.
SAMPLED: Final = 30_000


def scopes_in_sight(access: Access, root: str | None) -> tuple[str, dict[str, Any]] | None:
    """A query for the ids of the scopes that a caller may read (at and under `root`), with named parameters; None where there
    is none."""
    try:
        sql, params = visible(access, root=root).order_by().values("id").query.sql_with_params()
    except EmptyResultSet:
        return None
    named = {f"s{at}": value for at, value in enumerate(params)}
    return sql % tuple(f"%({name})s" for name in named), named


def sample_percent(table: str) -> float:
    """For `TABLESAMPLE SYSTEM`: how much of the table about `SAMPLED` of its rows are, above 0 and at most 100."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT greatest(reltuples, 1) FROM pg_class WHERE oid = %s::regclass", [table])
        rows = float(cursor.fetchone()[0])
    return min(100.0, max(0.001, 100.0 * SAMPLED / rows))


def fetch_rows(sql: str, params: dict[str, Any]) -> list[tuple[Any, ...]]:
    """What one query answers."""
    with connection.cursor() as cursor:
        cursor.execute(sql, params)
        return list(cursor.fetchall())
