"""Four figures that say whether finer credit for what an agent was shown would pay (C16)."""

import datetime as dt
from dataclasses import dataclass
from typing import Final

from ledger.reads.insights.sampling import rows_in_sight
from ledger.rules.permissions import Access

MAX_OUTCOMES: Final = 20_000
MAX_CLAIMS: Final = 100_000
MAX_EVENTS: Final = 20_000
# From which each gate is open; below `FEWEST` answers nothing is said of the first.
HELPFUL: Final = 0.8
FEWEST: Final = 20
GROWTH: Final = 0.1
GAIN: Final = 0.02
MIXED: Final = 0.2
A_WEEK: Final = 50
WEEK: Final = dt.timedelta(weeks=1)

_CONVERSATIONS = """
    WITH v AS MATERIALIZED ({scopes}), o AS (
        SELECT r.* FROM v CROSS JOIN LATERAL (
            SELECT scope_id, conversation, type, at FROM ledger_outcome
            WHERE scope_id = v.id AND at >= %(since)s ORDER BY id DESC LIMIT %(most)s) r
        LIMIT %(most)s),
    c AS (
        SELECT min(at) < %(half)s AS earlier, bool_or(type = 'user_confirmed_helpful') AS helpful,
               bool_or(type = 'user_corrected') AS corrected,
               bool_or(type IN ('tool_success', 'user_confirmed_helpful')) AS won,
               bool_or(type IN ('tool_failure', 'user_corrected')) AS lost
        FROM o GROUP BY scope_id, conversation)
    SELECT count(*), count(*) FILTER (WHERE helpful), count(*) FILTER (WHERE corrected), count(*) FILTER (WHERE won AND lost),
           count(*) FILTER (WHERE earlier), count(*) FILTER (WHERE earlier AND won AND NOT lost),
           count(*) FILTER (WHERE won AND NOT lost)
    FROM c
"""
_STORE = """
    WITH v AS MATERIALIZED ({scopes}), held AS (
        SELECT r.promoted_at FROM v CROSS JOIN LATERAL (
            SELECT promoted_at FROM ledger_claim WHERE scope_id = v.id AND status = 'active' ORDER BY id DESC LIMIT %(most)s) r
        LIMIT %(most)s),
    left_since AS (
        SELECT 1 FROM v CROSS JOIN LATERAL (
            SELECT verb, at FROM ledger_journalevent WHERE scope_id = v.id ORDER BY id DESC LIMIT %(events)s) e
        WHERE e.at >= %(since)s AND e.verb IN ('archive', 'withdraw', 'supersede') LIMIT %(events)s)
    SELECT count(*), count(*) FILTER (WHERE promoted_at >= %(since)s), (SELECT count(*) FROM left_since) FROM held
"""


@dataclass(frozen=True, slots=True)
class MemoryGates:
    """Of a period: `conversations` with an outcome, in how many a user confirmed help or corrected, how many were `mixed`, and
    how the earlier and the later half of the time went (`earlier_won` of `earlier`, `won` of all). `holds` now, of which `grown`
    were promoted in the period, while `retired` left."""

    weeks: float
    conversations: int
    helpful: int
    corrected: int
    mixed: int
    earlier: int
    earlier_won: int
    won: int
    holds: int
    grown: int
    retired: int

    @property
    def precision(self) -> float | None:
        """Confirmed of confirmed or corrected."""
        answers = self.helpful + self.corrected
        return self.helpful / answers if answers else None

    @property
    def growth(self) -> float | None:
        """What holds more than at the beginning, as a share of what holds."""
        return (self.grown - self.retired) / self.holds if self.holds else None

    @property
    def gain(self) -> float | None:
        """How much more often the later half went well."""
        later = self.conversations - self.earlier
        return (
            (self.won - self.earlier_won) / later - self.earlier_won / self.earlier if later and self.earlier else None
        )

    @property
    def mixed_share(self) -> float | None:
        return self.mixed / self.conversations if self.conversations else None

    @property
    def a_week(self) -> float:
        return self.conversations / self.weeks

    @property
    def is_stable(self) -> bool:
        return self.helpful + self.corrected >= FEWEST and (self.precision or 0) >= HELPFUL

    @property
    def is_bounded(self) -> bool:
        return self.growth is not None and self.growth <= GROWTH

    @property
    def is_plateau(self) -> bool:
        return self.gain is not None and self.gain <= GAIN and (self.mixed_share or 0) >= MIXED

    @property
    def is_enough(self) -> bool:
        return self.a_week >= A_WEEK

    @property
    def open_gates(self) -> int:
        return sum((self.is_stable, self.is_bounded, self.is_plateau, self.is_enough))

    def as_words(self) -> list[tuple[str, bool, str, str]]:
        """Each gate with whether it is open, its figure, and from which figure on it would be."""
        return [
            ("Packs help", self.is_stable, _share(self.precision), f"{HELPFUL:.0%} confirmed, of {FEWEST} answers at least"),
            ("The store stays bounded", self.is_bounded, _share(self.growth), f"grows by {GROWTH:.0%} at most"),
            ("Tactics stop improving", self.is_plateau, _share(self.gain), f"{GAIN:.0%} at most, {MIXED:.0%} mixed at least"),
            ("There is enough", self.is_enough, f"{self.a_week:.0f} a week", f"{A_WEEK} conversations a week"),
        ]  # fmt: skip


def _share(figure: float | None) -> str:
    return "–" if figure is None else f"{figure:.0%}"


def memory_gates(access: Access, *, since: dt.datetime, now: dt.datetime, root: str | None = None) -> MemoryGates:
    """Two queries over a bounded number of rows."""
    half = since + (now - since) / 2
    [talks] = rows_in_sight(_CONVERSATIONS, access, root, since=since, half=half, most=MAX_OUTCOMES)
    [store] = rows_in_sight(_STORE, access, root, since=since, most=MAX_CLAIMS, events=MAX_EVENTS)
    return MemoryGates((now - since) / WEEK, *talks, *store)
