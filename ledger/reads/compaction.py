"""What holds and no longer earns its place: nobody saw it for long, and it is of low use or stands on little (C14)."""

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass

from ledger.models import Scope
from ledger.packs import PackSet
from ledger.reads.packs import packs_of
from ledger.reads.sql import fetch_rows
from ledger.rules.credit import CREDITED_KIND

# One batch, so that one undo takes it back in one transaction.
MAX_AT_ONCE = 1_000
# Where a database still has an older core pack.
UNSEEN_DAYS = 180
SOURCES = 2
NORMS = ["constraint", "commitment", "preference", "requirement", "identity", "manual"]
# `shown` is the last time a ref stood in any answer; that log is read once, whatever the scope holds.
_STALE = """
    WITH shown AS MATERIALIZED (
        SELECT ref, max(x.shown_at) AS last FROM ledger_exposure x, jsonb_array_elements_text(x.refs) ref GROUP BY ref),
    pinned AS MATERIALIZED (SELECT DISTINCT unnest(cites) AS ref FROM ledger_trustedstate WHERE status = 'current')
    SELECT c.ref, c.version, c.kind, c.key, c.statement, c.promoted_at, s.last, w.sources
    FROM ledger_claim c
    LEFT JOIN shown s ON s.ref = c.ref
    CROSS JOIN LATERAL (
        SELECT count(DISTINCT e.source_id) AS sources
        FROM (SELECT c.id UNION ALL SELECT m.id FROM ledger_claim m WHERE m.successor_id = c.id AND m.status = 'merged') f
        JOIN ledger_evidence e ON e.claim_id = f.id AND e.stance = 'supports') w
    WHERE c.scope_id = %(scope)s AND c.status = 'active' AND c.kind <> ALL (%(kept)s)
      AND NOT c.disputed AND c.downstream = '{}'
      AND c.promoted_at < %(since)s AND c.last_seen_at < %(since)s AND coalesce(s.last, c.promoted_at) < %(since)s
      AND coalesce(c.valid_from, c.promoted_at) < %(since)s AND coalesce(c.valid_to, c.promoted_at) < %(since)s
      AND (jsonb_typeof(c.value) = 'object' AND c.value ? 'rrule') IS NOT TRUE
      AND NOT EXISTS (SELECT FROM ledger_utility u WHERE u.claim_id = c.id AND u.wins > 0) AND c.ref NOT IN (SELECT ref FROM pinned)
      AND NOT EXISTS (SELECT FROM ledger_conflictmember p JOIN ledger_conflict q ON q.id = p.conflict_id
                      WHERE p.claim_id = c.id AND q.status = 'open')
      AND NOT EXISTS (SELECT FROM ledger_claim g WHERE g.graduates_id = c.id AND g.status IN ('pending', 'deferred'))
      AND NOT EXISTS (SELECT FROM ledger_journalevent j WHERE j.ref = c.ref AND j.at >= %(since)s)
      AND (c.kind = %(by_use)s OR w.sources < %(sources)s)
    ORDER BY c.id LIMIT %(most)s
"""


@dataclass(frozen=True, slots=True)
class StaleClaim:
    """A claim that could be archived, as it stood when it was looked at, and why."""

    ref: str
    version: int
    kind: str
    statement: str
    why: str

    @property
    def named(self) -> str:
        """`REF:VERSION`, as forms name what they showed."""
        return f"{self.ref}:{self.version}"


def stale_claims(scope: Scope, *, now: dt.datetime, most: int = MAX_AT_ONCE) -> list[StaleClaim]:
    """What the scope itself could archive, oldest first; the thresholds are those of its packs (`[compaction]`). One query beside
    that for the packs. Never listed: norms, what is disputed or in an open conflict, cited by trusted state, used downstream, shown
    in a block, decided about or said again since then (so nothing that somebody brought back), or about a time not long past."""
    return list(_stale(scope, packs_of(scope), now, most))


def _stale(scope: Scope, packs: PackSet, now: dt.datetime, most: int) -> Iterator[StaleClaim]:
    days = packs.setting("compaction", "unseen_days", UNSEEN_DAYS)
    params = {
        "scope": scope.pk, "since": now - dt.timedelta(days=days), "most": most, "by_use": CREDITED_KIND,
        "kept": packs.setting("compaction", "keeps", NORMS), "sources": packs.setting("compaction", "sources", SOURCES),
    }  # fmt: skip
    for ref, version, kind, key, statement, promoted_at, last, sources in fetch_rows(_STALE, params):
        if not packs.block_showing(kind, key, scope.tier):
            yield StaleClaim(ref, version, kind, statement, f"{_unseen(promoted_at, last)}; {_low(kind, sources)}")


def _unseen(promoted_at: dt.datetime, last: dt.datetime | None) -> str:
    if last is None:
        return f"never shown since it was promoted on {promoted_at:%Y-%m-%d}"
    return f"last shown on {last:%Y-%m-%d}"


def _low(kind: str, sources: int) -> str:
    if kind == CREDITED_KIND:
        return "nothing it was shown for went well"
    return "rests on 1 source" if sources == 1 else f"rests on {sources or 'no'} sources"
