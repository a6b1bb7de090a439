"""What is put off: how much, and when the next of it comes back."""

import datetime as dt
from dataclasses import dataclass
from typing import Final

from django.core.exceptions import EmptyResultSet
from django.db import connection

from ledger.reads.scopes import visible
from ledger.rules.permissions import Access

COUNTED: Final = 1000

_SNOOZED = """
    WITH v AS ({scopes})
    SELECT (SELECT count(*) FROM (
                SELECT 1 FROM v CROSS JOIN LATERAL (
                    SELECT 1 FROM ledger_claim c WHERE c.scope_id = v.id AND c.status = 'deferred'
                    AND c.deferred_until IS NOT NULL LIMIT %s) w LIMIT %s) few),
           (SELECT min(o.deferred_until) FROM v CROSS JOIN LATERAL (
                SELECT c.deferred_until FROM ledger_claim c WHERE c.scope_id = v.id AND c.status = 'deferred'
                ORDER BY c.deferred_until LIMIT 1) o),
           (SELECT count(*) FROM (
                SELECT 1 FROM v CROSS JOIN LATERAL (
                    SELECT 1 FROM ledger_claim c WHERE c.scope_id = v.id AND c.status = 'deferred'
                    AND c.deferred_until IS NULL LIMIT %s) w LIMIT %s) few)
"""


@dataclass(frozen=True, slots=True)
class Snoozed:
    """`count` come back by themselves, the first of them at `until`; `for_good` never do. Both stop at 1000."""

    count: int = 0
    until: dt.datetime | None = None
    for_good: int = 0


def snoozed(access: Access, *, root: str | None = None) -> Snoozed:
    """Of the scopes that a caller sees, or of those from `root` downwards. One query of probes."""
    try:
        scopes, params = visible(access, root=root).order_by().values("id").query.sql_with_params()
    except EmptyResultSet:
        return Snoozed()
    with connection.cursor() as cursor:
        cursor.execute(_SNOOZED.format(scopes=scopes), [*params, COUNTED, COUNTED, COUNTED, COUNTED])
        return Snoozed(*cursor.fetchone())
