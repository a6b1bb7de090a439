"""All figures of the insights at once, for the screen and the API: counted at most once a minute for the same eyes."""

import datetime as dt
import hashlib
import json
from dataclasses import dataclass
from typing import Final, cast

from django.core.cache import cache
from django.utils import timezone

from ledger.models import Scope
from ledger.packs import PackSet
from ledger.reads.insights.memory_gates import MemoryGates, memory_gates
from ledger.reads.insights.precision import DecisionFigures, decision_figures
from ledger.reads.insights.priors import PriorProposal, proposed_priors
from ledger.reads.insights.throughput import DailyFlow, Reviewers, WaitingAges, daily_flow, reviewers, waiting_ages
from ledger.reads.insights.trust import (
    ConflictsByDay,
    CorrectionFigures,
    Objector,
    Traceability,
    conflicts_by_day,
    correction_figures,
    objectors,
    traceability,
)
from ledger.reads.packs import packs_of
from ledger.rules.permissions import Access, Right
from review.insights.decision_times import TimeFigures, decision_times

KEPT_S: Final = 60
PERIODS: Final = {1: "a day", 7: "a week", 30: "30 days", 90: "90 days"}
USUAL: Final = 30


@dataclass(frozen=True, slots=True)
class Insights:
    """What was counted `at`, of the `days` before, in the scopes that one caller may read."""

    at: dt.datetime
    days: int
    decided: DecisionFigures
    reviewers: Reviewers
    times: TimeFigures
    daily: DailyFlow
    ages: WaitingAges
    traced: Traceability
    corrections: CorrectionFigures
    conflicts: ConflictsByDay
    objectors: list[Objector]
    memory: MemoryGates


def days_of(said: str) -> int:
    """The period that a URL names; whatever is no period is the usual one."""
    return int(said) if said in {str(days) for days in PERIODS} else USUAL


def insights(access: Access, *, root: str | None = None, days: int = USUAL) -> Insights:
    """The figures, a minute old at most. What two callers may read is what tells them apart: who may read the same is shown
    the same."""
    may = sorted(path for path in access.roots() if access.may(Right.READ, path))
    digest = hashlib.sha256(json.dumps([may, root, days]).encode()).hexdigest()
    found = cache.get_or_set(
        f"insights:{digest}", lambda: count(access, root=root, days=days, now=timezone.now()), KEPT_S
    )
    return cast(Insights, found)


def count(access: Access, *, root: str | None, days: int, now: dt.datetime) -> Insights:
    """The figures, counted now. A fixed number of queries, each over a bounded number of rows."""
    since = now - dt.timedelta(days=days)
    return Insights(
        at=now,
        days=days,
        decided=decision_figures(access, root=root, since=since),
        reviewers=reviewers(access, root=root, since=since),
        times=decision_times(access, root=root, since=since),
        daily=daily_flow(access, root=root, since=since, now=now),
        ages=waiting_ages(access, root=root, now=now),
        traced=traceability(access, root=root),
        corrections=correction_figures(access, root=root, since=since),
        conflicts=conflicts_by_day(access, root=root, since=since, now=now),
        objectors=objectors(access, root=root, since=since),
        memory=memory_gates(access, root=root, since=since, now=now),
    )


def priors(found: Insights, scope: Scope) -> tuple[list[PriorProposal], PackSet]:
    """What the decisions suggest for a scope, beside what is in force there just now, which is never kept."""
    packs = packs_of(scope)
    return proposed_priors(found.decided.rules, packs, own=scope.priors), packs
