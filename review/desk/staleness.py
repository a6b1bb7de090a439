"""What changed under a proposal since it was made, so that nobody decides on yesterday's ground."""

import datetime as dt
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, islice
from typing import Final

from django.utils import timezone

from ledger.models import Claim
from ledger.reads.packs import packs_of_each
from ledger.reads.sql import fetch_rows
from ledger.rules.states import IN_QUEUE

SOON: Final = dt.timedelta(days=3)
LONG: Final = dt.timedelta(days=30)
# Of one sort so many are named.
MAX_OF_ONE_SORT: Final = 3
WEIGHTS: Final = ("trusted", "holds", "source", "key", "expires", "version", "old")

# All of a page in one statement: what came to hold beside it, what took its source's place, what reads with a newer version.
_SINCE = """
    WITH asked AS (
        SELECT c.id, c.scope_id, c.slot, c.key, c.dedup, c.created_at, c.extractor, c.extractor_version, c.graduates_id
        FROM ledger_claim c WHERE c.id = ANY (%s)
    ), evidence AS (
        SELECT a.id AS claim, e.source_id FROM asked a JOIN ledger_evidence e ON e.claim_id = a.id
    )
    SELECT a.id, 'holds', r.ref, r.promoted_at FROM asked a
      JOIN ledger_claim r ON r.scope_id = a.scope_id AND r.slot = a.slot AND r.status = 'active' AND r.slot <> ''
     WHERE a.slot <> '' AND r.promoted_at > a.created_at AND r.dedup <> a.dedup AND r.id IS DISTINCT FROM a.graduates_id
    UNION ALL
    SELECT a.id, 'trusted', t.ref, t.at FROM asked a
      JOIN ledger_trustedstate t ON t.scope_id = a.scope_id AND t.key = a.key AND t.status = 'current'
     WHERE a.key <> '' AND a.slot <> '' AND t.at > a.created_at
    UNION ALL
    SELECT e.claim, 'source', s.id::text, s.created_at FROM evidence e
      JOIN ledger_source s ON s.replaces_id = e.source_id
    UNION ALL
    SELECT a.id, 'version', latest.extractor_version, NULL FROM asked a CROSS JOIN LATERAL (
        SELECT f.extractor_version FROM (
            SELECT r.id, r.extractor, r.extractor_version FROM ledger_run r
            WHERE r.scope_id = a.scope_id AND NOT r.dry ORDER BY r.id DESC LIMIT 100) f
        WHERE f.extractor = a.extractor ORDER BY f.id DESC LIMIT 1) latest
     WHERE a.extractor <> '' AND a.extractor_version <> '' AND latest.extractor_version <> a.extractor_version
    ORDER BY 1, 2, 4 DESC NULLS LAST
"""


@dataclass(frozen=True, slots=True)
class Staleness:
    """One thing that changed. `what` is holds, trusted, source, version, key, expires or old; `ref` names it: a claim, a trusted
    value, a source's id, a version or a key; `at` is when, or when it will be."""

    what: str
    ref: str = ""
    at: dt.datetime | None = None


def staleness_of(claims: Sequence[Claim]) -> dict[int, tuple[Staleness, ...]]:
    """By claim id what changed under it, the weightiest first; nothing for what no longer waits. At most three queries,
    whatever the number of claims."""
    waiting = [claim for claim in claims if claim.status in IN_QUEUE]
    if not waiting:
        return {}
    found: dict[int, list[Staleness]] = defaultdict(list)
    for pk, one in (*_overtaken(waiting), *_keys_gone(waiting), *_by_the_clock(waiting)):
        found[pk].append(one)
    return {pk: tuple(sorted(some, key=lambda one: WEIGHTS.index(one.what))) for pk, some in found.items()}


def _overtaken(claims: Sequence[Claim]) -> Iterator[tuple[int, Staleness]]:
    """What other rows say: the latest few of each sort."""
    rows = fetch_rows(_SINCE, [[claim.pk for claim in claims]])
    for (pk, what), group in groupby(rows, key=lambda row: row[:2]):
        for _, _, ref, at in islice(group, MAX_OF_ONE_SORT):
            yield pk, Staleness(what, ref, at)


def _keys_gone(claims: Sequence[Claim]) -> Iterator[tuple[int, Staleness]]:
    """Keys that no pack names any more, where only named ones are allowed."""
    keyed = [claim for claim in claims if claim.key]
    packs = packs_of_each([claim.scope for claim in keyed])
    for claim in keyed:
        here = packs[claim.scope_id]
        if here.keys_closed and here.key_named(claim.key) is None:
            yield claim.pk, Staleness("key", claim.key)


def _by_the_clock(claims: Sequence[Claim]) -> Iterator[tuple[int, Staleness]]:
    now = timezone.now()
    for claim in claims:
        ends = max(filter(None, (claim.expires_at, claim.expires_at and claim.valid_from)), default=None)
        if ends is not None and ends < now + SOON:
            yield claim.pk, Staleness("expires", at=ends)
        if claim.created_at < now - LONG:
            yield claim.pk, Staleness("old", at=claim.created_at)
