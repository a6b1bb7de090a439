"""The figures of the insights for agents and engineers: the same as on the screen."""

from dataclasses import asdict
from datetime import date
from typing import Any

from django.http import HttpResponse
from ninja import Router, Schema
from pydantic import AwareDatetime

from ledger.actor import ActorRequest
from ledger.errors import Invalid
from ledger.models import Scope
from ledger.reads.insights.precision import Calibration, RuleFigures
from ledger.reads.scopes import scope_at
from review.api.shapes import answer
from review.insights.figures import PERIODS, USUAL, Insights, insights, priors

router = Router(tags=["insights"])


class ReviewerOut(Schema):
    """`hours` are stretches of ten minutes in which anything was decided."""

    name: str
    kind: str
    decided: int
    hours: float
    per_hour: float
    promoted: int
    rejected: int
    in_batches: int
    undone: int


class CountOut(Schema):
    name: str
    count: int


class TimesOut(Schema):
    """Seconds from shown to decided, of decisions at desks."""

    count: int
    median_s: float | None
    p90_s: float | None
    classes: list[CountOut]
    newest_only: bool


class DayOut(Schema):
    day: date
    came: int
    went: int
    conflicts_open: int
    conflicts_opened: int
    conflicts_closed: int


class AgesOut(Schema):
    waiting: int
    classes: list[CountOut]
    about: bool


class RuleOut(Schema):
    """`low` and `high` bound the precision (Wilson, 95 %)."""

    rule: str
    extractor: str
    version: str
    promoted: int
    rejected: int
    precision: float
    low: float
    high: float
    mean_confidence: float


class BinOut(Schema):
    low: float
    high: float
    count: int
    mean: float
    share: float
    share_low: float
    share_high: float


class CalibrationOut(Schema):
    """One extractor's own confidences (law 6). `error` is the expected calibration error; empty classes are left out."""

    extractor: str
    decided: int
    error: float
    bins: list[BinOut]


class TracedOut(Schema):
    """`sample` is empty where all was looked at, else `any` or `newest`."""

    looked_at: int
    traced: int
    share: float | None
    low: float
    high: float
    sample: str


class RepeatedOut(Schema):
    scope: str
    corrections: int
    again: int
    signed: int


class PriorOut(Schema):
    """`suggested` is null where too few were decided; applied by hand only, on the screen."""

    extractor: str
    rule: str
    current: float
    set_by: str
    promoted: int
    decided: int
    low: float
    high: float
    suggested: float | None
    closes: bool


class InsightsOut(Schema):
    """`newest_only`: only the newest decisions were read. `conflicts_about`: the daily conflicts are estimated. `priors` only
    where one scope was named."""

    at: AwareDatetime
    days: int
    reviewers: list[ReviewerOut]
    newest_only: bool
    times: TimesOut
    daily: list[DayOut]
    conflicts_about: bool
    queue_age: AgesOut
    rules: list[RuleOut]
    calibration: list[CalibrationOut]
    traceability: TracedOut
    corrections: list[RepeatedOut]
    priors: list[PriorOut] | None


@router.get("/insights", response=InsightsOut)
def get_insights(request: ActorRequest, scope: str | None = None, days: int = USUAL) -> HttpResponse:
    """Of one scope and what lies below it, or of all that the caller may read; a minute old at most."""
    if days not in PERIODS:
        raise Invalid(f"days is one of {', '.join(map(str, PERIODS))}", field="days")
    access = request.actor.access
    place = scope_at(scope, access) if scope is not None else None
    return answer(shape(insights(access, root=place.path if place else None, days=days), place))


def shape(found: Insights, scope: Scope | None) -> dict[str, Any]:
    """The figures as JSON says them."""
    flow, conflicts = found.daily, found.conflicts
    return {
        "at": found.at,
        "days": found.days,
        "reviewers": [asdict(one) | {"per_hour": round(one.per_hour, 3)} for one in found.reviewers.rows],
        "newest_only": found.reviewers.more or found.decided.more,
        "times": {
            "count": found.times.count,
            "median_s": found.times.median_s,
            "p90_s": found.times.p90_s,
            "classes": _counts(found.times.classes),
            "newest_only": found.times.more,
        },
        "daily": [
            dict(zip(DayOut.model_fields, row, strict=True))
            for row in zip(
                flow.days, flow.came, flow.went, conflicts.open, conflicts.opened, conflicts.closed, strict=True
            )
        ],
        "conflicts_about": conflicts.about,
        "queue_age": {
            "waiting": found.ages.waiting,
            "classes": _counts(found.ages.classes),
            "about": found.ages.about,
        },
        "rules": [_rule(one) for one in found.decided.rules],
        "calibration": [_calibration(one) for one in found.decided.calibrations],
        "traceability": asdict(found.traced) | {"share": found.traced.share},
        "corrections": [asdict(one) for one in found.corrections.rows],
        "priors": [asdict(one) for one in priors(found, scope)[0]] if scope else None,
    }


def _counts(classes: tuple[tuple[str, int], ...]) -> list[dict[str, Any]]:
    return [{"name": name, "count": count} for name, count in classes]


def _rule(one: RuleFigures) -> dict[str, Any]:
    told = asdict(one)
    return {"mean_confidence": told.pop("confidence"), "precision": one.precision, **told}


def _calibration(one: Calibration) -> dict[str, Any]:
    bins = [asdict(each) for each in one.bins if each.count]
    return {"extractor": one.extractor, "decided": one.decided, "error": one.error, "bins": bins}
