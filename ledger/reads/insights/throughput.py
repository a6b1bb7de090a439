"""Whether people keep up: who decides how fast, what comes and goes each day, how long the queue waits."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ledger.reads.insights.sampling import rows_in_sight, sample_percent
from ledger.rules.permissions import Access

MAX_DECISIONS: Final = 10_000
MAX_WAITING: Final = 10_000
MAX_PEOPLE: Final = 100
# Who decided anything in such a stretch of the clock was at it for that long.
STRETCH: Final = dt.timedelta(minutes=10)
# Upper ends of the classes of waiting, each with its name.
AGES: Final = (
    (dt.timedelta(hours=1), "< 1 h"), (dt.timedelta(days=1), "< 1 d"), (dt.timedelta(days=3), "< 3 d"),
    (dt.timedelta(weeks=1), "< 1 wk"), (dt.timedelta(days=30), "< 30 d"),
)  # fmt: skip
OLDER: Final = "older"

_REVIEWERS = """
    WITH v AS MATERIALIZED ({scopes}), done AS MATERIALIZED (
        SELECT e.* FROM v CROSS JOIN LATERAL (
            SELECT id, at, verb, actor_kind, actor_name, batch FROM ledger_journalevent
            WHERE scope_id = v.id AND verb IN ('promote', 'reject', 'merge', 'defer') AND at >= %(since)s
            ORDER BY at DESC LIMIT %(most)s) e
        ORDER BY e.at DESC LIMIT %(most)s)
    SELECT d.actor_kind, d.actor_name, count(*), count(DISTINCT date_bin(%(stretch)s, d.at, 'epoch')),
           count(*) FILTER (WHERE d.verb = 'promote'), count(*) FILTER (WHERE d.verb = 'reject'), count(d.batch),
           count(u.id), (SELECT count(*) FROM done)
    FROM done d LEFT JOIN ledger_journalevent u ON u.undoes_id = d.id
    GROUP BY 1, 2 ORDER BY 3 DESC, 2 LIMIT %(people)s
"""
# What the sealed journal says came into the queue and left it, as it was counted by hour (`ledger.actions.tally`).
_A_DAY = """
    SELECT (hour AT TIME ZONE 'UTC')::date, sum(came), sum(went) FROM ledger_tally
    WHERE hour >= %(since)s AND scope_id IN ({scopes}) GROUP BY 1
"""
_AGES = """
    WITH v AS MATERIALIZED ({scopes})
    SELECT width_bucket(%(now)s - w.created_at, %(edges)s::interval[]), count(*) FROM (
        SELECT o.created_at FROM v CROSS JOIN LATERAL (
            SELECT created_at FROM ledger_claim WHERE scope_id = v.id AND status = 'pending' ORDER BY id LIMIT %(most)s) o
        LIMIT %(most)s) w
    GROUP BY 1
"""
_AGES_ABOUT = """
    SELECT width_bucket(%(now)s - created_at, %(edges)s::interval[]), count(*)
    FROM ledger_claim TABLESAMPLE SYSTEM (%(percent)s)
    WHERE status = 'pending' AND scope_id IN ({scopes}) GROUP BY 1
"""


@dataclass(frozen=True, slots=True)
class Reviewer:
    """What one person (or policy) decided: promoted, rejected, merged, deferred. `hours` are the ten minutes of the clock in
    which they decided anything, together; `in_batches` were decided many at once, `undone` were taken back."""

    kind: str
    name: str
    decided: int
    hours: float
    promoted: int
    rejected: int
    in_batches: int
    undone: int

    @property
    def per_hour(self) -> float:
        """Decisions for each hour at it."""
        return round(self.decided / self.hours, 3)


@dataclass(frozen=True, slots=True)
class Reviewers:
    """Who decided most first; `more` where only the newest decisions were counted."""

    rows: list[Reviewer]
    more: bool


@dataclass(frozen=True, slots=True)
class DailyFlow:
    """By day (UTC), oldest first, the present one last: what came into the queue (proposed, woken, opened again) and what left
    it (decided, put off, expired). Sealed events only: the last minute may be missing."""

    days: tuple[dt.date, ...]
    came: tuple[int, ...]
    went: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class WaitingAges:
    """How many wait since when, by class; exact up to `MAX_WAITING`, beyond it `about`, from a part of the pages."""

    classes: tuple[tuple[str, int], ...]
    about: bool

    @property
    def waiting(self) -> int:
        """All together."""
        return sum(count for _, count in self.classes)


def reviewers(access: Access, *, since: dt.datetime, root: str | None = None) -> Reviewers:
    """Of the newest `MAX_DECISIONS` since then in the scopes in sight. One query."""
    rows = rows_in_sight(_REVIEWERS, access, root, since=since, most=MAX_DECISIONS, stretch=STRETCH, people=MAX_PEOPLE)
    hours = STRETCH / dt.timedelta(hours=1)
    found = [Reviewer(kind, name, n, stretches * hours, *rest) for kind, name, n, stretches, *rest, _ in rows]
    return Reviewers(found, bool(rows) and rows[0][-1] >= MAX_DECISIONS)


def daily_flow(access: Access, *, since: dt.datetime, now: dt.datetime, root: str | None = None) -> DailyFlow:
    """What came and what went, each day from `since` to `now`. One query over a row for each scope and hour."""
    days = days_of(since, now)
    by_day = {
        day: (int(came), int(went))
        for day, came, went in rows_in_sight(_A_DAY, access, root, since=start_of_day(since))
    }
    came, went = zip(*(by_day.get(day, (0, 0)) for day in days), strict=True)
    return DailyFlow(days, came, went)


def days_of(since: dt.datetime, now: dt.datetime) -> tuple[dt.date, ...]:
    """The days (UTC) from the one to the other, both included."""
    first, last = since.astimezone(dt.UTC).date(), now.astimezone(dt.UTC).date()
    return tuple(first + dt.timedelta(days=at) for at in range((last - first).days + 1))


def start_of_day(moment: dt.datetime) -> dt.datetime:
    """When its day (UTC) began."""
    return dt.datetime.combine(moment.astimezone(dt.UTC).date(), dt.time(), dt.UTC)


def waiting_ages(access: Access, *, now: dt.datetime, root: str | None = None) -> WaitingAges:
    """How long what waits has waited by `now`. One query, two more where much waits."""
    asked = {"now": now, "edges": [edge for edge, _ in AGES]}
    counted = rows_in_sight(_AGES, access, root, most=MAX_WAITING + 1, **asked)
    if sum(count for _, count in counted) <= MAX_WAITING:
        return _ages(counted, 100)
    percent = sample_percent("ledger_claim")
    return _ages(rows_in_sight(_AGES_ABOUT, access, root, percent=percent, **asked), percent)


def scaled_estimate(counted: int, percent: float) -> int:
    """How many there are where `counted` stood in so much of the table: three digits of it, for more would be made up."""
    return counted if percent >= 100 else int(float(f"{counted * 100 / percent:.3g}"))


def _ages(rows: Sequence[tuple[int, int]], percent: float) -> WaitingAges:
    """From places among the edges, 0 below the first, to names."""
    by_place = dict(rows)
    names = [*(name for _, name in AGES), OLDER]
    classes = [(name, scaled_estimate(by_place.get(place, 0), percent)) for place, name in enumerate(names)]
    return WaitingAges(tuple(classes), percent < 100)
