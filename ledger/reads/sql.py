"""One statement and what it answers; rows of a table in steps."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.db import connection, models

type Params = Sequence[Any] | Mapping[str, Any] | None


def fetch_rows(sql: str, params: Params = None) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, params)
        return list(cursor.fetchall())


def fetch_column(sql: str, params: Params = None) -> list[Any]:
    """The first column: ids, mostly."""
    return [row[0] for row in fetch_rows(sql, params)]


def in_steps[Row: models.Model](rows: models.QuerySet[Row], size: int) -> Iterator[list[Row]]:
    """All rows by id, `size` at a time: each step starts where the last one ended."""
    last = 0
    while step := list(rows.filter(pk__gt=last).order_by("pk")[:size]):
        yield step
        last = step[-1].pk
