"""Finding a page's rows in the key's order without reading through the table, whatever is filtered and however deep.

Three ways. Few rows that an index finds are found as a whole and sorted. Rows of known scopes are the newest of each,
merged. All else walks down the key, and only so far: a filter that fits hardly any row says how far it has looked.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import EmptyResultSet
from django.db import connection
from django.db.models import BooleanField, F, QuerySet
from django.db.models.expressions import RawSQL

# Few rows that the planner can find cheaply (its own unit: a page read in order is 1) are found as a whole and then
# sorted. It would rather walk down the key until enough rows have passed, trusting that rare rows lie spread evenly;
# those of a small scope or a rare word do not. What has no index of its own is dearer, and walking the key is right.
FEW = 20_000
CHEAP = 20_000
# So many ids are looked through for one page where no index serves what is asked.
LOOKED_THROUGH = 20_000
# Probes of one merge; a page of more scopes than that walks down the key.
MAX_PROBES = 5_000

type Places = tuple[list[int], str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Plan:
    """What the planner expects of finding all rows, in no order: how many, and its own measure of the work."""

    rows: int
    cost: float

    @property
    def few(self) -> bool:
        return self.rows <= FEW and self.cost <= CHEAP


def planned(rows: QuerySet[Any]) -> Plan:
    """Asks in about a millisecond, whatever the size of the table."""
    answer = rows.order_by().values("pk").explain(format="json")
    if not answer:
        # Django knows on its own that nothing can match.
        return Plan(0, 0)
    top = json.loads(answer)[0]["Plan"]
    return Plan(int(top["Plan Rows"]), float(top["Total Cost"]))


def sorted_after_finding(rows: QuerySet[Any], *, descending: bool = True) -> QuerySet[Any]:
    """The same rows in the key's order, of which the planner cannot know that it is the primary key's."""
    order = F("pk") + 0
    return rows.order_by(order.desc() if descending else order.asc())


def any_found(rows: QuerySet[Any]) -> bool:
    """Whether there is a row, through the filters' own indexes. What takes long to find is taken for there."""
    if not planned(rows).few:
        return True
    return bool(sorted_after_finding(rows).values_list("pk", flat=True)[:1])


def first_ids(rows: QuerySet[Any], places: Places | None, count: int, *, descending: bool) -> list[int]:
    """The first `count` ids in the key's order. With `places` (scope ids, and the column with its values that stands between
    scope and id in an index) each is asked for its first ones, and these are merged: one statement."""
    order = "-pk" if descending else "pk"
    if places is None:
        return list(rows.order_by(order).values_list("pk", flat=True)[:count])
    scopes, column, values = places
    table = rows.model._meta.db_table
    here = f'"{table}"."scope_id" = place.scope'
    if column:
        here += f' AND "{table}"."{column}" = place.part'
    inner = rows.filter(RawSQL(here, [], output_field=BooleanField())).order_by(order)  # noqa: S611
    try:
        sql, params = inner.values_list("pk", flat=True)[:count].query.sql_with_params()
    except EmptyResultSet:
        return []
    way = "DESC" if descending else "ASC"
    parts = list(values) if column else [""]
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT best.id FROM (SELECT s.id AS scope, p.name AS part FROM unnest(%s::bigint[]) s(id)"  # noqa: S608
            f" CROSS JOIN unnest(%s::text[]) p(name)) place CROSS JOIN LATERAL ({sql}) best(id)"
            f" ORDER BY best.id {way} LIMIT {int(count)}",
            [scopes, parts, *params],
        )
        return [row[0] for row in cursor.fetchall()]


def id_at(model: Any, column: str, moment: Any) -> int:
    """The lowest id whose row was written at `moment` or later, by halving: ids rise with the time of writing. No index on
    the time is needed; about two dozen probes of the primary key, in one statement."""
    table = model._meta.db_table
    with connection.cursor() as cursor:
        cursor.execute(_HALVING.format(table=table, column=column), [moment, moment])
        row = cursor.fetchone()
        return int(row[0]) if row and row[0] is not None else 0


_HALVING = """
    WITH RECURSIVE step(low, high) AS (
        SELECT coalesce(min(id), 0), coalesce(max(id), 0) + 1 FROM {table}
        UNION ALL
        SELECT CASE WHEN p.at < %s THEN p.id + 1 ELSE s.low END,
               CASE WHEN p.at < %s THEN s.high ELSE (s.low + s.high) / 2 END
        FROM step s LEFT JOIN LATERAL (
            SELECT t.id, t.{column} AS at FROM {table} t WHERE t.id >= (s.low + s.high) / 2 AND t.id < s.high
            ORDER BY t.id LIMIT 1) p ON true
        WHERE s.low < s.high
    )
    SELECT low FROM step WHERE low >= high LIMIT 1
"""
