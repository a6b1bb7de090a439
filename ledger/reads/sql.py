"""One statement, and what it answers."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import connection

type Params = Sequence[Any] | Mapping[str, Any] | None


def fetch_rows(sql: str, params: Params = None) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, params)
        return list(cursor.fetchall())


def fetch_column(sql: str, params: Params = None) -> list[Any]:
    """The first column: ids, mostly."""
    return [row[0] for row in fetch_rows(sql, params)]
