"""How much waits and since when, cheap enough for every page: counted up to a thousand, the oldest by one probe a scope."""

import datetime as dt
from dataclasses import dataclass

from django.core.exceptions import EmptyResultSet
from django.db import connection

from ledger.reads.scopes import visible
from ledger.rules.permissions import Access

COUNTED = 1000

_WAITING = """
    WITH v AS ({scopes})
    SELECT (SELECT count(*) FROM (
                SELECT 1 FROM v CROSS JOIN LATERAL (
                    SELECT 1 FROM ledger_claim c WHERE c.scope_id = v.id AND c.status = 'pending' ORDER BY c.id LIMIT %s
                ) w LIMIT %s) few),
           (SELECT min(o.created_at) FROM v CROSS JOIN LATERAL (
                SELECT c.created_at FROM ledger_claim c WHERE c.scope_id = v.id AND c.status = 'pending'
                ORDER BY c.id LIMIT 1) o)
"""


@dataclass(frozen=True, slots=True)
class Backlog:
    """`count` stops at 1000, then `more` is true; `oldest` is when the longest waiting was proposed."""

    count: int
    more: bool
    oldest: dt.datetime | None


def backlog(access: Access) -> Backlog:
    """Pending claims in the scopes a caller sees. One query."""
    try:
        scopes, params = visible(access).order_by().values("id").query.sql_with_params()
    except EmptyResultSet:
        return Backlog(0, False, None)
    with connection.cursor() as cursor:
        cursor.execute(_WAITING.format(scopes=scopes), [*params, COUNTED + 1, COUNTED + 1])
        count, oldest = cursor.fetchone()
    return Backlog(min(count, COUNTED), count > COUNTED, oldest)
