"""What has waited longest below a scope, for those who are not looking."""

import datetime as dt
from dataclasses import dataclass
from typing import Final

from django.db import connection

from ledger.models import GLOBAL, Scope

COUNTED: Final = 1000
NAMED: Final = 5

_WHERE = "v.path = %s OR v.path LIKE %s"
_OVERDUE = """
    WITH v AS (SELECT id, path FROM ledger_scope v WHERE {where})
    SELECT (SELECT count(*) FROM (
                SELECT 1 FROM v CROSS JOIN LATERAL (
                    SELECT 1 FROM ledger_claim c WHERE c.scope_id = v.id AND c.status = 'pending' ORDER BY c.id LIMIT %s
                ) w LIMIT %s) few),
           (SELECT count(*) FROM (
                SELECT 1 FROM v CROSS JOIN LATERAL (
                    SELECT 1 FROM ledger_claim c WHERE c.scope_id = v.id AND c.status = 'pending' AND c.turn <= 2 LIMIT %s
                ) w LIMIT %s) urgent),
           (SELECT count(*) FROM (
                SELECT 1 FROM ledger_conflict x JOIN v ON v.id = x.scope_id WHERE x.status = 'open' LIMIT %s) open)
"""
_OLDEST = """
    SELECT o.ref, o.kind, v.path, o.created_at, o.high_risk, o.statement FROM ledger_scope v CROSS JOIN LATERAL (
        SELECT c.* FROM ledger_claim c WHERE c.scope_id = v.id AND c.status = 'pending' ORDER BY c.id LIMIT %s) o
    WHERE {where} ORDER BY o.id LIMIT %s
"""


@dataclass(frozen=True, slots=True)
class Waiting:
    ref: str
    kind: str
    scope: str
    since: dt.datetime
    high_risk: bool
    statement: str


@dataclass(frozen=True, slots=True)
class Overdue:
    """`pending`, `urgent` (contradicted or high risk) and `conflicts` stop at 1001; `oldest` are the few that came first."""

    pending: int
    urgent: int
    conflicts: int
    oldest: tuple[Waiting, ...]


def overdue(scope: Scope) -> Overdue:
    """Of the scope and all below it. Two queries of probes."""
    if scope.path == GLOBAL:
        where, params = "true", []
    else:
        escaped = scope.path.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
        where, params = _WHERE, [scope.path, escaped + "/%"]
    most = COUNTED + 1
    with connection.cursor() as cursor:
        cursor.execute(_OVERDUE.format(where=where), [*params, *(most,) * 5])
        pending, urgent, conflicts = cursor.fetchone()
        cursor.execute(_OLDEST.format(where=where), [NAMED, *params, NAMED])
        return Overdue(pending, urgent, conflicts, tuple(Waiting(*row) for row in cursor.fetchall()))
