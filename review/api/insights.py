"""The figures of the insights for agents and engineers: the same as on the screen."""

from datetime import date, datetime
from typing import TypedDict, cast

from django.http import HttpResponse
from ninja import Router

from ledger.actor import ActorRequest
from ledger.errors import Invalid
from ledger.models import Scope
from ledger.reads.scopes import scope_at
from ledger.rules.agreement import Agreement
from review.api.shapes import answer, shape_of
from review.insights.agreement import SampleState, samples
from review.insights.figures import PERIODS, USUAL, Insights, insights, priors

router = Router(tags=["insights"])


class ReviewerShape(TypedDict):
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


class AgreementShape(TypedDict):
    """Of `judged` candidates that two people both judged blind `same` were judged alike. `kappa` with its range at 95 % is null
    where it says nothing."""

    sample: int
    scope: str
    readers: list[str]
    judged: int
    same: int
    kappa: float | None
    low: float | None
    high: float | None


class CountShape(TypedDict):
    name: str
    count: int


class DecisionTimesShape(TypedDict):
    """Seconds from shown to decided, of decisions at desks."""

    count: int
    median_s: float | None
    p90_s: float | None
    classes: list[CountShape]
    newest_only: bool


class DayShape(TypedDict):
    day: date
    came: int
    went: int
    conflicts_open: int
    conflicts_opened: int
    conflicts_closed: int


class WaitingAgesShape(TypedDict):
    waiting: int
    classes: list[CountShape]
    about: bool


class RuleFiguresShape(TypedDict):
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


class BinShape(TypedDict):
    low: float
    high: float
    count: int
    mean: float
    share: float
    share_low: float
    share_high: float


class CalibrationShape(TypedDict):
    """One extractor's own confidences (law 6). `error` is the expected calibration error; empty classes are left out."""

    extractor: str
    decided: int
    error: float
    bins: list[BinShape]


class TraceabilityShape(TypedDict):
    """`sample` is empty where all was looked at, else `any` or `newest`."""

    looked_at: int
    traced: int
    share: float | None
    low: float
    high: float
    sample: str


class CorrectionsShape(TypedDict):
    scope: str
    corrections: int
    again: int
    signed: int


class ObjectorShape(TypedDict):
    """`own`: by words that the objecting agent brought in itself; they weigh nothing. `answered`: void by now."""

    name: str
    kind: str
    raised: int
    own: int
    answered: int
    claims: int


class MemoryGatesShape(TypedDict):
    """Whether finer credit for what agents were shown would pay: four gates, each with its figure; null where nothing is known."""

    conversations: int
    a_week: float
    precision: float | None
    growth: float | None
    gain: float | None
    mixed_share: float | None
    is_stable: bool
    is_bounded: bool
    is_plateau: bool
    is_enough: bool


class PriorShape(TypedDict):
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


class InsightsShape(TypedDict):
    """`newest_only`: only the newest decisions were read. `conflicts_about`: the daily conflicts are estimated. `priors` only
    where one scope was named."""

    at: datetime
    days: int
    reviewers: list[ReviewerShape]
    newest_only: bool
    times: DecisionTimesShape
    daily: list[DayShape]
    conflicts_about: bool
    queue_age: WaitingAgesShape
    rules: list[RuleFiguresShape]
    calibration: list[CalibrationShape]
    traceability: TraceabilityShape
    corrections: list[CorrectionsShape]
    objectors: list[ObjectorShape]
    agreement: list[AgreementShape]
    memory: MemoryGatesShape
    priors: list[PriorShape] | None


@router.get("/insights", response=InsightsShape)
def get_insights(request: ActorRequest, scope: str | None = None, days: int = USUAL) -> HttpResponse:
    """Of one scope and what lies below it, or of all that the caller may read; a minute old at most."""
    if days not in PERIODS:
        raise Invalid(f"days is one of {', '.join(map(str, PERIODS))}", field="days")
    access = request.actor.access
    place = scope_at(scope, access) if scope is not None else None
    root = place.path if place else None
    judged = [_agreement(one) for one in samples(access, root=root) if one.result]
    return answer(shape(insights(access, root=root, days=days), place, judged))


def shape(found: Insights, scope: Scope | None, judged: list[AgreementShape]) -> InsightsShape:
    """The figures as JSON says them."""
    return {
        "at": found.at,
        "days": found.days,
        "reviewers": [shape_of(ReviewerShape, one) for one in found.reviewers.rows],
        "newest_only": found.reviewers.more or found.decided.more,
        "times": {
            "count": found.times.count,
            "median_s": found.times.median_s,
            "p90_s": found.times.p90_s,
            "classes": _counts(found.times.classes),
            "newest_only": found.times.more,
        },
        "daily": _days(found),
        "conflicts_about": found.conflicts.about,
        "queue_age": {
            "waiting": found.ages.waiting,
            "classes": _counts(found.ages.classes),
            "about": found.ages.about,
        },
        "rules": [shape_of(RuleFiguresShape, one) for one in found.decided.rules],
        "calibration": [
            {
                "extractor": one.extractor,
                "decided": one.decided,
                "error": one.error,
                "bins": [shape_of(BinShape, each) for each in one.bins if each.count],
            }
            for one in found.decided.calibrations
        ],
        "traceability": shape_of(TraceabilityShape, found.traced),
        "corrections": [shape_of(CorrectionsShape, one) for one in found.corrections.rows],
        "objectors": [shape_of(ObjectorShape, one) for one in found.objectors],
        "agreement": judged,
        "memory": shape_of(MemoryGatesShape, found.memory),
        "priors": [shape_of(PriorShape, one) for one in priors(found, scope)[0]] if scope else None,
    }


def _agreement(state: SampleState) -> AgreementShape:
    sample, found = state.sample, state.result or Agreement(0, 0)
    return {
        "sample": sample.pk, "scope": sample.scope.path, "readers": [sample.first.username, sample.second.username],
        "judged": found.count, "same": found.same, "kappa": found.kappa, "low": found.low, "high": found.high,
    }  # fmt: skip


def _days(found: Insights) -> list[DayShape]:
    flow, conflicts = found.daily, found.conflicts
    days = zip(flow.days, flow.came, flow.went, conflicts.open, conflicts.opened, conflicts.closed, strict=True)
    names = DayShape.__annotations__
    return [cast(DayShape, dict(zip(names, figures, strict=True))) for figures in days]


def _counts(classes: tuple[tuple[str, int], ...]) -> list[CountShape]:
    return [{"name": name, "count": count} for name, count in classes]
