"""Rows as the journal tells them: the changes of a row put together again, now or as of a time past."""

import datetime as dt
import json
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from django.db import models

from ledger.journal import NOUN_OF, NOUNS, snapshot, typed
from ledger.reads.sql import fetch_column, fetch_rows

# Later changes win; keys of one object come in the order of the row's own history.
_REPLAY = """
    SELECT c.row, jsonb_object_agg(kv.key, kv.value ORDER BY c.id)::text
    FROM ledger_journalchange c
    JOIN ledger_journalevent e ON e.id = c.event_id
    CROSS JOIN LATERAL jsonb_each(c.after) kv
    WHERE c.noun = %s AND c.row = ANY (%s) AND (%s::timestamptz IS NULL OR e.at <= %s)
    GROUP BY c.row
"""
_REDACTED = "SELECT DISTINCT c.row FROM ledger_journalchange c WHERE c.noun = %s AND c.row = ANY (%s) AND c.redacted"
_ONCE_THERE = """
    SELECT DISTINCT c.row FROM ledger_journalevent e JOIN ledger_journalchange c ON c.event_id = e.id
    WHERE e.scope_id = ANY (%s) AND e.at <= %s AND c.noun = %s AND c.after ->> 'status' = ANY (%s)
"""


def replayed_columns(noun: str, rows: Iterable[int], *, until: dt.datetime | None = None) -> dict[int, dict[str, Any]]:
    """The owned columns of each row by the journal alone, as JSON keeps them; a row without a change is not there."""
    return {row: json.loads(columns) for row, columns in fetch_rows(_REPLAY, [noun, list(rows), until, until])}


def redacted_rows(noun: str, rows: Iterable[int]) -> set[int]:
    """The rows whose past a purge took away."""
    return set(fetch_column(_REDACTED, [noun, list(rows)]))


def matches_journal(row: models.Model, told: dict[str, Any] | None) -> bool:
    """Whether the row's columns are what the journal says they are."""
    return told is not None and snapshot(row) == told


def set_replayed(row: models.Model, told: dict[str, Any]) -> None:
    """Set the row's owned columns, in memory, to what the journal tells."""
    model = type(row)
    for name in told.keys() & set(NOUNS[NOUN_OF[model]].columns):
        setattr(row, name, typed(model, name, told[name]))


def rows_at[Row: models.Model](
    model: type[Row], scope_ids: Collection[int], *, at: dt.datetime, status: Sequence[str]
) -> list[Row]:
    """The rows of these scopes that stood in one of `status` at `at`, as they then stood, by id."""
    noun = NOUN_OF[model]
    once_there = fetch_column(_ONCE_THERE, [list(scope_ids), at, noun, list(status)])
    told = {
        pk: columns
        for pk, columns in replayed_columns(noun, once_there, until=at).items()
        if columns.get("status") in status and columns.get("scope_id") in scope_ids
    }
    rows = list(model._default_manager.filter(pk__in=told).select_related("scope").order_by("pk"))
    for row in rows:
        set_replayed(row, told[row.pk])
    return rows
