"""How much waits and since when, what is put off, what is overdue: cheap enough for every page, as it is counted up to a
thousand and estimated beyond."""

import datetime as dt
from dataclasses import dataclass
from typing import Final

from django.utils import timezone

from ledger.models import GLOBAL, Scope
from ledger.reads.scopes import reads_everything, visible_ids
from ledger.reads.sql import fetch_rows
from ledger.rules.permissions import Access

MAX_COUNTED: Final = 1000
MAX_OLDEST: Final = 5
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
    scopes, params = visible_ids(access)
    everything = reads_everything(access)
    this_hour = timezone.now().replace(minute=0, second=0, microsecond=0)
    mine = "" if everything else "AND t.scope_id IN (SELECT id FROM v)"
    [(count, oldest, estimate, reading, hours)] = fetch_rows(
        _WAITING.format(scopes=scopes, mine=mine),
        [*params, *(MAX_COUNTED + 1,) * 4, this_hour - dt.timedelta(hours=HOURS)],
    )
    by_hour = {at: (came, went) for at, came, went in hours or ()}
    day = [by_hour.get(int(this_hour.timestamp()) - 3600 * back, (0, 0)) for back in reversed(range(HOURS))]
    came, went = zip(*day, strict=True)
    more = count > MAX_COUNTED
    estimated = more and everything and estimate > MAX_COUNTED
    shown = _rounded(estimate) if estimated else min(count, MAX_COUNTED)
    return Backlog(shown, more, oldest, estimated, reading, came, went)


def _rounded(estimate: int) -> int:
    """Two figures of it: an estimate tells no more."""
    step = max(1, 10 ** (len(str(estimate)) - 2))
    return int(round(estimate / step) * step)


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


def snoozed(access: Access) -> Snoozed:
    """Of the scopes that a caller sees. One query of probes."""
    scopes, params = visible_ids(access)
    return Snoozed(*fetch_rows(_SNOOZED.format(scopes=scopes), [*params, *(MAX_COUNTED,) * 4])[0])


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
class OverdueClaim:
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
    oldest: tuple[OverdueClaim, ...]


def overdue(scope: Scope) -> Overdue:
    """Of the scope and all below it. Two queries of probes."""
    below = scope.path.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "/%"
    where, params = ("true", []) if scope.path == GLOBAL else (_WHERE, [scope.path, below])
    [(pending, urgent, conflicts)] = fetch_rows(_OVERDUE.format(where=where), [*params, *(MAX_COUNTED + 1,) * 5])
    oldest = fetch_rows(_OLDEST.format(where=where), [MAX_OLDEST, *params, MAX_OLDEST])
    return Overdue(pending, urgent, conflicts, tuple(OverdueClaim(*row) for row in oldest))
