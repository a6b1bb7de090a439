"""Whether what holds can be trusted: values that lead back to a source, corrections said again, conflicts that stay open."""

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ledger.models import Claim, Pattern
from ledger.reads.claims import claim_rows
from ledger.reads.insights.discussions import earlier_corrections
from ledger.reads.insights.sampling import rows_in_sight, sample_percent
from ledger.reads.insights.throughput import days_of, start_of_day
from ledger.reads.why import traced_to_source
from ledger.rules.calibration import wilson
from ledger.rules.permissions import Access

SAMPLE: Final = 100
# Fewer than this of a sample say too little; the newest are taken instead.
FEWEST: Final = 50
MAX_CORRECTIONS: Final = 500
MAX_CONFLICTS: Final = 5_000
MAX_CHANGES: Final = 20_000
MAX_OBJECTORS: Final = 40

_NEWEST = """
    WITH v AS MATERIALIZED ({scopes})
    SELECT o.id FROM v CROSS JOIN LATERAL (
        SELECT id FROM ledger_claim WHERE scope_id = v.id AND status = 'active' ORDER BY id DESC LIMIT %(most)s) o
    ORDER BY o.id DESC LIMIT %(most)s
"""
_ANY = """
    SELECT id FROM ledger_claim TABLESAMPLE SYSTEM (%(percent)s)
    WHERE status = 'active' AND scope_id IN ({scopes}) ORDER BY random() LIMIT %(most)s
"""
_CORRECTIONS = """
    WITH v AS MATERIALIZED ({scopes})
    SELECT o.id FROM v CROSS JOIN LATERAL (
        SELECT id FROM ledger_pattern WHERE scope_id = v.id AND type = 'correction' ORDER BY id DESC LIMIT %(most)s) o
    ORDER BY o.id DESC LIMIT %(most)s
"""
_OPEN = """
    WITH v AS MATERIALIZED ({scopes})
    SELECT count(*) FROM (
        SELECT 1 FROM v CROSS JOIN LATERAL (
            SELECT id FROM ledger_conflict WHERE scope_id = v.id AND status = 'open' ORDER BY id DESC LIMIT %(most)s) o
        LIMIT %(most)s) few
"""
_TURNS = """
    WITH v AS MATERIALIZED ({scopes}), recent AS MATERIALIZED (
        SELECT o.id FROM v CROSS JOIN LATERAL (
            SELECT id FROM ledger_conflict WHERE scope_id = v.id ORDER BY id DESC LIMIT %(most)s) o
        ORDER BY o.id DESC LIMIT %(most)s)
    SELECT (t.at AT TIME ZONE 'UTC')::date, count(*) FILTER (WHERE t.opened), count(*) FILTER (WHERE NOT t.opened)
    FROM (
        SELECT e.at, coalesce(c.after ->> 'status' = 'open', false) AS opened
        FROM recent s JOIN ledger_journalchange c ON c.noun = 'conflict' AND c.row = s.id
                    JOIN ledger_journalevent e ON e.id = c.event_id
        WHERE e.at >= %(since)s AND c.after ? 'status'
          AND (c.after ->> 'status' = 'open') IS DISTINCT FROM coalesce(c.before ->> 'status' = 'open', false)
        ORDER BY c.id DESC LIMIT %(changes)s) t
    GROUP BY 1
"""
_OBJECTIONS = """
    SELECT e.actor_kind, e.actor_name, count(*), count(*) FILTER (WHERE d.weight = 0),
           count(*) FILTER (WHERE d.status = 'void'), count(DISTINCT d.claim_id)
    FROM ledger_dispute d
    JOIN ledger_journalchange c ON c.noun = 'dispute' AND c.row = d.id
    JOIN ledger_journalevent e ON e.id = c.event_id AND e.verb = 'dispute'
    WHERE d.created_at >= %(since)s AND e.scope_id IN ({scopes})
    GROUP BY 1, 2 ORDER BY 3 DESC, 2 LIMIT %(most)s
"""


@dataclass(frozen=True, slots=True)
class Objector:
    """Who objected to `claims` claims, how often; `own` rest on the objector's own words alone and weigh nothing, `answered` are
    void: a person looked and the claim stands, or the objection was taken back."""

    kind: str
    name: str
    raised: int
    own: int
    answered: int
    claims: int


@dataclass(frozen=True, slots=True)
class Traceability:
    """Of `looked_at` live values `traced` lead to words of a source, every step checked. `low` and `high` bound the share of
    all (Wilson, 95 %). `sample` is empty where all were looked at, else how they were taken: any, or the newest."""

    looked_at: int
    traced: int
    low: float
    high: float
    sample: str

    @property
    def share(self) -> float | None:
        """Traced of looked at; the target is 1. None where nothing holds."""
        return self.traced / self.looked_at if self.looked_at else None


@dataclass(frozen=True, slots=True)
class ScopeCorrections:
    """Corrections of one scope since the period began, of which `again` say what an earlier one had made a constraint, and
    `signed` of these after a person had promoted it: told, signed, and still done wrong."""

    scope: str
    corrections: int
    again: int
    signed: int


@dataclass(frozen=True, slots=True)
class CorrectionFigures:
    """By scope, most often repeated first; `more` where only the newest were read."""

    rows: list[ScopeCorrections]
    more: bool

    @property
    def total(self) -> int:
        """All corrections of the period."""
        return sum(one.corrections for one in self.rows)

    @property
    def again(self) -> int:
        """All that had been said before; the target is none."""
        return sum(one.again for one in self.rows)

    @property
    def signed(self) -> int:
        """All that had been said and promoted before."""
        return sum(one.signed for one in self.rows)


@dataclass(frozen=True, slots=True)
class ConflictsByDay:
    """By day (UTC), the present one last: how many stood open at its end, and how many opened and closed on it. `about` where
    only the newest were read."""

    days: tuple[dt.date, ...]
    open: tuple[int, ...]
    opened: tuple[int, ...]
    closed: tuple[int, ...]
    about: bool


def traceability(access: Access, *, root: str | None = None) -> Traceability:
    """Of live values in sight: all up to `SAMPLE`, beyond it as many of any. A fixed number of queries."""
    newest = rows_in_sight(_NEWEST, access, root, most=SAMPLE + 1)
    chosen, sample = newest[:SAMPLE], ""
    if len(newest) > SAMPLE:
        some = rows_in_sight(_ANY, access, root, percent=sample_percent("ledger_claim"), most=SAMPLE)
        chosen, sample = (some, "any") if len(some) >= FEWEST else (chosen, "newest")
    traced = traced_to_source(list(claim_rows().filter(pk__in=[pk for (pk,) in chosen])), access)
    right = sum(traced.values())
    return Traceability(len(traced), right, *wilson(right, len(traced)), sample)


def correction_figures(access: Access, *, since: dt.datetime, root: str | None = None) -> CorrectionFigures:
    """Corrections of the period, each measured against all that came before it in its scope. Two queries."""
    ids = [pk for (pk,) in rows_in_sight(_CORRECTIONS, access, root, most=MAX_CORRECTIONS + 1)]
    found = Pattern.objects.filter(pk__in=ids[:MAX_CORRECTIONS]).select_related("claim", "scope")
    by_scope: dict[str, list[Pattern]] = defaultdict(list)
    for one in found.defer("claim__search", "claim__near").order_by("pk"):
        by_scope[one.scope.path].append(one)
    rows = [_of_scope(path, patterns, since) for path, patterns in by_scope.items()]
    kept = sorted(rows, key=lambda one: (-one.again, -one.corrections, one.scope))
    return CorrectionFigures([one for one in kept if one.corrections], len(ids) > MAX_CORRECTIONS)


def _of_scope(path: str, patterns: Sequence[Pattern], since: dt.datetime) -> ScopeCorrections:
    earlier = earlier_corrections([one.claim for one in patterns])
    recent = [(one, at) for one, at in zip(patterns, earlier, strict=True) if one.detected_at >= since]
    again = [(one, patterns[at].claim) for one, at in recent if at is not None]
    signed = [one for one, claim in again if _was_signed(claim, one.detected_at)]
    return ScopeCorrections(path, len(recent), len(again), len(signed))


def _was_signed(claim: Claim | None, by: dt.datetime) -> bool:
    return claim is not None and claim.promoted_at is not None and claim.promoted_at < by


def conflicts_by_day(
    access: Access, *, since: dt.datetime, now: dt.datetime, root: str | None = None
) -> ConflictsByDay:
    """How many stand open now, and backwards from there by what the journal says of each day. Two queries."""
    days = days_of(since, now)
    [(standing,)] = rows_in_sight(_OPEN, access, root, most=MAX_CONFLICTS + 1)
    turns = rows_in_sight(
        _TURNS, access, root, since=start_of_day(since), most=MAX_CONFLICTS + 1, changes=MAX_CHANGES + 1
    )
    opened = Counter({day: up for day, up, _ in turns})
    closed = Counter({day: down for day, _, down in turns})
    about = standing > MAX_CONFLICTS or opened.total() + closed.total() > MAX_CHANGES
    levels = []
    for day in reversed(days):
        levels.append(max(0, standing))
        standing -= opened[day] - closed[day]
    return ConflictsByDay(
        days, tuple(reversed(levels)), tuple(opened[day] for day in days), tuple(closed[day] for day in days), about
    )


def objectors(access: Access, *, root: str | None = None, since: dt.datetime) -> list[Objector]:
    """Who objects most to what holds in the scopes in sight, and what comes of it. One query."""
    return [Objector(*row) for row in rows_in_sight(_OBJECTIONS, access, root, since=since, most=MAX_OBJECTORS)]
