"""How much waits and since when, what came and what went in the last day, cheap enough for every page: counted up to a thousand
or estimated, the oldest by one probe a scope, the day from what was counted by the hour."""

import datetime as dt
from dataclasses import dataclass
from typing import Final

from django.core.exceptions import EmptyResultSet
from django.db import connection
from django.utils import timezone

from ledger.models import GLOBAL
from ledger.reads.scopes import visible
from ledger.rules.permissions import Access, Right

COUNTED: Final = 1000
HOURS: Final = 24

# The planner keeps the size of the index of what waits, brought up to date by every vacuum and analyze.
_WAITING = """
    WITH v AS ({scopes})
    SELECT (SELECT count(*) FROM (
                SELECT 1 FROM v CROSS JOIN LATERAL (
                    SELECT 1 FROM ledger_claim c WHERE c.scope_id = v.id AND c.status = 'pending' ORDER BY c.id LIMIT %s
                ) w LIMIT %s) few),
           (SELECT min(o.created_at) FROM v CROSS JOIN LATERAL (
                SELECT c.created_at FROM ledger_claim c WHERE c.scope_id = v.id AND c.status = 'pending'
                ORDER BY c.id LIMIT 1) o),
           (SELECT reltuples::bigint FROM pg_class WHERE oid = 'queue_by_age'::regclass),
           (SELECT count(*) FROM (
                (SELECT scope_id FROM ledger_run WHERE status = 'running' LIMIT %s)
                UNION ALL (SELECT scope_id FROM ledger_run WHERE status = 'queued' ORDER BY id LIMIT %s)) r
            WHERE r.scope_id IN (SELECT id FROM v)),
           (SELECT array_agg(ARRAY[extract(epoch FROM d.hour)::bigint, d.came, d.went]) FROM (
                SELECT t.hour, sum(t.came)::bigint AS came, sum(t.went)::bigint AS went
                FROM ledger_tally t WHERE t.hour > %s {mine} GROUP BY t.hour) d)
"""


@dataclass(frozen=True, slots=True)
class Backlog:
    """`count` is exact up to 1000; above, `more` is true, and `estimated` where it is the planner's estimate. `oldest` is when
    the longest waiting was proposed; `reading` counts the runs that wait or work, up to a thousand of each. `came` and `went`
    are hour by hour, the oldest of the last 24 first, this one last."""

    count: int
    more: bool
    oldest: dt.datetime | None
    estimated: bool = False
    reading: int = 0
    came: tuple[int, ...] = ()
    went: tuple[int, ...] = ()

    @property
    def came_today(self) -> int:
        return sum(self.came)

    @property
    def went_today(self) -> int:
        return sum(self.went)


def backlog(access: Access) -> Backlog:
    """Pending claims in the scopes a caller sees. One query."""
    try:
        scopes, params = visible(access).order_by().values("id").query.sql_with_params()
    except EmptyResultSet:
        return Backlog(0, False, None)
    everything = any(root == GLOBAL and access.may(Right.READ, root) for root in access.roots())
    this_hour = timezone.now().replace(minute=0, second=0, microsecond=0)
    mine = "" if everything else "AND t.scope_id IN (SELECT id FROM v)"
    with connection.cursor() as cursor:
        cursor.execute(
            _WAITING.format(scopes=scopes, mine=mine),
            [*params, *(COUNTED + 1,) * 4, this_hour - dt.timedelta(hours=HOURS)],
        )
        count, oldest, estimate, reading, hours = cursor.fetchone()
    by_hour = {at: (came, went) for at, came, went in hours or ()}
    day = [by_hour.get(int(this_hour.timestamp()) - 3600 * back, (0, 0)) for back in range(HOURS - 1, -1, -1)]
    more = count > COUNTED
    estimated = more and everything and estimate > COUNTED
    return Backlog(
        count=_rounded(estimate) if estimated else min(count, COUNTED),
        more=more,
        oldest=oldest,
        estimated=estimated,
        reading=reading,
        came=tuple(came for came, _ in day),
        went=tuple(went for _, went in day),
    )


def _rounded(estimate: int) -> int:
    """Two figures of it: an estimate tells no more."""
    step = max(1, 10 ** (len(str(estimate)) - 2))
    return int(round(estimate / step) * step)
