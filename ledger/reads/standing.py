"""What claims rest on, what objects to them and what came of them, read from the rows themselves (C8 to C10)."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from ledger.models import Claim
from ledger.reads.sql import fetch_rows
from ledger.rules.credit import Standing

# A claim stands on its own words and on those of what merged into it. One text counts once, however often it is quoted or sent.
_STANDING = """
    WITH RECURSIVE family AS (
        SELECT id AS shown, id AS claim FROM unnest(%(ids)s::bigint[]) AS id
        UNION
        SELECT f.shown, m.id FROM family f JOIN ledger_claim m ON m.successor_id = f.claim AND m.status = 'merged'
    ), objected AS (
        SELECT f.shown, e.speaker, s.sha256, max(d.weight) AS weight
          FROM family f JOIN ledger_dispute d ON d.claim_id = f.claim AND d.status = 'open' AND d.weight > 0
          JOIN ledger_evidence e ON e.id = d.evidence_id JOIN ledger_source s ON s.id = e.source_id
         GROUP BY 1, 2, 3
    )
    SELECT f.shown, 'support', e.speaker, count(DISTINCT s.sha256), 0::float8
      FROM family f JOIN ledger_evidence e ON e.claim_id = f.claim AND e.stance = 'supports' AND NOT e.redacted
      JOIN ledger_source s ON s.id = e.source_id
     GROUP BY 1, 3
    UNION ALL SELECT shown, 'objections', speaker, count(*), sum(weight) FROM objected GROUP BY 1, 3
    UNION ALL SELECT f.shown, 'wins', '', sum(u.wins), 0 FROM family f JOIN ledger_utility u ON u.claim_id = f.claim GROUP BY 1
    UNION ALL SELECT f.shown, 'losses', '', sum(u.losses), 0 FROM family f JOIN ledger_utility u ON u.claim_id = f.claim GROUP BY 1
     ORDER BY 1, 2, 4 DESC, 3
"""
_SHOWN = """
    SELECT channel, count(*), max(shown_at) FROM ledger_exposure WHERE refs @> to_jsonb(ARRAY[%s::text])
     GROUP BY 1 ORDER BY 2 DESC, 1
"""


def standing_of(claims: Iterable[Claim]) -> dict[int, Standing]:
    """By claim id. One query, none for no claim."""
    kinds = {claim.pk: claim.kind_id for claim in claims}
    counted: dict[int, defaultdict[str, Counter[str]]] = {pk: defaultdict(Counter) for pk in kinds}
    opposed: Counter[int] = Counter()
    for pk, what, speaker, count, weight in fetch_rows(_STANDING, {"ids": list(kinds)}) if kinds else ():
        counted[pk][what][speaker] = int(count)
        opposed[pk] += weight
    return {
        pk: Standing(
            kind, counted[pk]["support"], counted[pk]["objections"], round(opposed[pk], 6),
            counted[pk]["wins"].total(), counted[pk]["losses"].total(),
        )
        for pk, kind in kinds.items()
    }  # fmt: skip


@dataclass(frozen=True, slots=True)
class ShownCounts:
    """How often a ref stood in an answer, by channel."""

    by_channel: dict[str, int]
    last: datetime | None

    @property
    def words(self) -> str:
        if self.last is None:
            return "It has been shown to nobody yet."
        total = sum(self.by_channel.values())
        parts = ", ".join(f"{count} {channel}" for channel, count in self.by_channel.items())
        return f"Shown {total} time{'s' if total > 1 else ''} ({parts}), last on {self.last:%Y-%m-%d}."


def shown_counts(ref: str) -> ShownCounts:
    """One query."""
    rows = fetch_rows(_SHOWN, [ref])
    return ShownCounts({channel: count for channel, count, _ in rows}, max((row[2] for row in rows), default=None))
