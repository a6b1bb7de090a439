"""Rows as the journal tells them: the changes of a row put together again, now or as of a time past."""

import datetime as dt
import json
from collections.abc import Iterable, Sequence
from typing import Any

from django.db import connection, models

from ledger.journal import NOUN_OF, NOUNS, snapshot, typed

# Later changes win; keys of one object come in the order of the row's own history.
_REPLAY = """
    SELECT c.row, jsonb_object_agg(kv.key, kv.value ORDER BY c.id)
    FROM ledger_journalchange c
    JOIN ledger_journalevent e ON e.id = c.event_id
    CROSS JOIN LATERAL jsonb_each(c.after) kv
    WHERE c.noun = %s AND c.row = ANY (%s) AND (%s::timestamptz IS NULL OR e.at <= %s)
    GROUP BY c.row
"""
_REDACTED = "SELECT DISTINCT c.row FROM ledger_journalchange c WHERE c.noun = %s AND c.row = ANY (%s) AND c.redacted"


def replayed_columns(noun: str, rows: Iterable[int], *, until: dt.datetime | None = None) -> dict[int, dict[str, Any]]:
    """The owned columns of each row by the journal alone, as JSON keeps them; a row without a change is not there."""
    with connection.cursor() as cursor:
        cursor.execute(_REPLAY, [noun, list(rows), until, until])
        return {row: json.loads(v) if isinstance(v, str) else v for row, v in cursor.fetchall()}


def redacted_rows(noun: str, rows: Iterable[int]) -> set[int]:
    """The rows whose past a purge took away."""
    with connection.cursor() as cursor:
        cursor.execute(_REDACTED, [noun, list(rows)])
        return {row for (row,) in cursor.fetchall()}


def matches_journal(row: models.Model, told: dict[str, Any] | None) -> bool:
    """Whether the row's columns are what the journal says they are."""
    return told is not None and snapshot(row) == told


def set_replayed(row: models.Model, told: dict[str, Any]) -> None:
    """Set the row's owned columns, in memory, to what the journal tells."""
    model = type(row)
    for name in NOUNS[NOUN_OF[model]].columns:
        if name in told:
            setattr(row, name, typed(model, name, told[name]))


def rows_at(noun: str, scope_ids: Sequence[int], *, at: dt.datetime, status: Sequence[str]) -> list[models.Model]:
    """The rows of these scopes that stood in one of `status` at `at`, as they then stood."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT DISTINCT c.row FROM ledger_journalevent e JOIN ledger_journalchange c ON c.event_id = e.id"
            " WHERE e.scope_id = ANY (%s) AND e.at <= %s AND c.noun = %s AND c.after ->> 'status' = ANY (%s)",
            [list(scope_ids), at, noun, list(status)],
        )
        ids = [row for (row,) in cursor.fetchall()]
    told = replayed_columns(noun, ids, until=at)
    ids = [pk for pk, columns in told.items() if columns.get("status") in status and "scope_id" in columns]
    model = NOUNS[noun].model
    rows = model._default_manager.filter(pk__in=ids).select_related("scope").order_by("pk")
    found = []
    for row in rows:
        set_replayed(row, told[row.pk])
        if told[row.pk]["scope_id"] in scope_ids:
            found.append(row)
    return found
