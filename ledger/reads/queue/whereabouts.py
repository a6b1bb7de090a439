"""Where candidates of a place are that do not wait in the list: expired, held back, put off; and how much waits and was decided.

Everything is counted up to a thousand, by probes of the scopes in sight, so that it costs the same however much there is."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ledger.reads.queue.backlog import MAX_COUNTED
from ledger.reads.scopes import visible_ids
from ledger.reads.sql import fetch_rows
from ledger.rules.permissions import Access

# Of the latest readings of a text what they held back is looked at.
MAX_RUNS: Final = 500
DECIDING: Final = ("promote", "reject", "merge", "defer")

_OF_STATUS = """(SELECT count(*) FROM (SELECT 1 FROM v CROSS JOIN LATERAL (
    SELECT 1 FROM ledger_claim c WHERE c.scope_id = v.id AND c.status = '{status}' LIMIT %s) w LIMIT %s) few)"""
_HELD_BACK = """(SELECT count(*) FROM (SELECT 1 FROM ledger_runhit h
    WHERE h.fate = 'held_back' AND h.admitted_id IS NULL AND h.run_id IN (
        SELECT r.id FROM ledger_run r WHERE r.scope_id IN (SELECT id FROM v) ORDER BY r.id DESC LIMIT %s) LIMIT %s) few)"""
_WAITING = f"WITH v AS ({{scopes}}) SELECT {_OF_STATUS.format(status='pending')}"
_WHEREABOUTS = (
    "WITH v AS ({scopes}) SELECT "
    + ", ".join(_OF_STATUS.format(status=status) for status in ("pending", "expired", "deferred", "rejected"))
    + f", {_HELD_BACK}"
)
_DECIDED = """WITH v AS ({scopes}) SELECT count(*) FROM (SELECT 1 FROM v CROSS JOIN LATERAL (
    SELECT 1 FROM ledger_journalevent e WHERE e.scope_id = v.id AND e.at >= %s AND e.user_id = %s AND e.verb IN {verbs} LIMIT %s
    ) w LIMIT %s) few"""


_OF_EACH = """SELECT v.id,
    (SELECT count(*) FROM (SELECT 1 FROM ledger_claim c WHERE c.scope_id = v.id AND c.status = 'pending' LIMIT %s) w),
    (SELECT count(*) FROM ledger_conflict x WHERE x.scope_id = v.id AND x.status = 'open')
    FROM unnest(%s::bigint[]) v(id)"""


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """Each stops at a thousand. `held_back` is what the latest readings held back and nobody admitted."""

    waiting: int = 0
    expired: int = 0
    deferred: int = 0
    rejected: int = 0
    held_back: int = 0


def whereabouts(access: Access, root: str | None) -> Whereabouts:
    """Of the scopes in sight at and below `root`, of all without one. One query."""
    scopes, params = visible_ids(access, root=root)
    probes = (MAX_COUNTED, MAX_COUNTED) * 4
    return Whereabouts(*fetch_rows(_WHEREABOUTS.format(scopes=scopes), [*params, *probes, MAX_RUNS, MAX_COUNTED])[0])


def waiting_count(access: Access, root: str | None) -> int:
    """How many wait there, a thousand at most. One query."""
    scopes, params = visible_ids(access, root=root)
    [(count,)] = fetch_rows(_WAITING.format(scopes=scopes), [*params, MAX_COUNTED, MAX_COUNTED])
    return int(count)


def decided_since(access: Access, user_id: int | None, since: dt.datetime, root: str | None) -> int:
    """How many decisions this person has made there since then, a thousand at most. One query."""
    scopes, params = visible_ids(access, root=root)
    sql = _DECIDED.format(scopes=scopes, verbs=DECIDING)
    [(count,)] = fetch_rows(sql, [*params, since, user_id, MAX_COUNTED, MAX_COUNTED])
    return int(count)


def waiting_in_each(scopes: Sequence[int]) -> dict[int, tuple[int, int]]:
    """By scope id, without what lies below it: how many wait, a thousand at most, and how many conflicts are open. One query."""
    rows = fetch_rows(_OF_EACH, [MAX_COUNTED, list(scopes)])
    return {pk: (waiting, conflicts) for pk, waiting, conflicts in rows}
