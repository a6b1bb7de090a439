"""How well the work goes, as plots with their tables: who keeps up, how good the proposals are, what can be trusted; and the
priors that decisions suggest, which only an owner applies."""

from dataclasses import dataclass
from typing import Final

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.safestring import SafeString
from django.views.decorators.http import require_GET, require_POST

from ledger.actions.prior import set_prior
from ledger.errors import DomainError, Forbidden, Invalid
from ledger.models import Scope
from ledger.reads.insights.precision import EvaluationSeries, evaluations_over_time
from ledger.reads.scopes import scope_at
from ledger.rules.calibration import LEAST
from ledger.rules.permissions import Right
from review import plots
from review.desk.desk import Filters
from review.insights.charts import keeping_up, proposals, trust
from review.insights.figures import PERIODS, days_of, insights, priors
from review.screens.frame import ScreenRequest, page, screen
from review.screens.queue import choices
from review.screens.verbs import reason_of, version_of

MAX_RULES: Final = 200


@dataclass(frozen=True, slots=True)
class MeasureChart:
    """A measure with its plot."""

    series: EvaluationSeries
    plot: SafeString


@require_GET
@screen
def show(request: ScreenRequest) -> HttpResponse:
    """The figures of the scopes in sight (or of one and what lies below it) over a period, and every measure that was kept."""
    filters = Filters.read(request.GET)
    access = request.actor.access
    scope = scope_at(filters.scope, access) if filters.scope else None
    found = insights(access, root=scope.path if scope else None, days=days_of(request.GET.get("days", "")))
    context = {
        "found": found,
        "periods": PERIODS,
        "keeping_up": keeping_up(found),
        "proposals": proposals(found),
        "trust": trust(found),
        "rules": found.decided.rules[:MAX_RULES],
        "priors": priors(found, scope)[0] if scope else None,
        "scope": scope,
        "least": LEAST,
        "may_apply": scope is not None and access.may(Right.ADMINISTER, scope.path),
        "measures": [MeasureChart(series, plot_of(series)) for series in evaluations_over_time()],
        "filters": filters,
        "here": "insights",
    }
    return page(request, "review/insights.html", {**context, **choices(request)})


@require_POST
@screen
def apply_prior(request: ScreenRequest) -> HttpResponse:
    """An owner takes a proposed prior, another one, or gives the word back to the packs."""
    scope = scope_at(request.POST.get("scope", ""), request.actor.access)
    rule = request.POST.get("rule", "")
    try:
        prior = number_of(request.POST)
        event = set_prior(
            scope,
            rule,
            prior,
            actor=request.actor,
            expected_version=version_of(request.POST),
            reason=reason_of(request.POST),
        )
    except DomainError as error:
        if isinstance(error, Forbidden):
            raise
        messages.error(request, f"{error.title.capitalize()}: {error.message}")
    else:
        told = "follows the packs again" if prior is None else f"has the prior {prior:g}"
        messages.success(request, f"{rule} {told} in {scope.path}", extra_tags=f"event:{event.pk}")
    return redirect(back_of(scope, request.POST))


def number_of(posted: QueryDict) -> float | None:
    """The prior that the form names; None for its button that gives it back."""
    if posted.get("action") == "packs":
        return None
    try:
        return round(float(posted.get("prior", "")), 4)
    except ValueError:
        raise Invalid("a prior is a number", field="prior") from None


def back_of(scope: Scope, posted: QueryDict) -> str:
    """The page the form stood on, at its table."""
    query = QueryDict(mutable=True)
    query.update({"scope": scope.path, "days": str(days_of(posted.get("days", "")))})
    return f"{reverse('insights')}?{query.urlencode()}#priors"


def plot_of(series: EvaluationSeries) -> SafeString:
    """The F1 of each kept run from left to right."""
    figures = [float(one.figures["f1"]) for one in series.kept]
    said = f"F1 of {len(figures)} runs, oldest first: " + ", ".join(f"{f1:.3f}" for f1 in figures)
    return plots.spark(figures, said=said if len(figures) > 1 else f"F1 {figures[0]:.3f}", width=160, height=40)
