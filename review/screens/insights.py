"""How well the work goes, as plots with their tables: who keeps up, how good the proposals are, what can be trusted; and the
priors that decisions suggest, which only an owner applies."""

from typing import Final

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_GET, require_POST

from ledger.actions.prior import set_prior
from ledger.errors import Invalid
from ledger.reads.insights.precision import evaluations_over_time
from ledger.reads.scopes import scope_at
from ledger.rules.calibration import LEAST
from ledger.rules.permissions import Right
from review.desk.filters import Filters
from review.insights.agreement import samples
from review.insights.charts import f1_over_time, keeping_up, proposals, trust
from review.insights.figures import PERIODS, days_of, insights, priors
from review.screens.frame import ScreenRequest, page, screen, telling_refusals
from review.screens.queue import choices
from review.screens.verbs import reason_of, version_of

MAX_RULES: Final = 200


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
        "samples": samples(access, root=scope.path if scope else None)[:3],
        "measures": [(series, f1_over_time(series)) for series in evaluations_over_time()],
        "filters": filters,
        "here": "insights",
        **choices(request),
    }
    return page(request, "review/insights.html", context)


@require_POST
@screen
def apply_prior(request: ScreenRequest) -> HttpResponse:
    """An owner takes a proposed prior, another one, or gives the word back to the packs."""
    posted = request.POST
    scope = scope_at(posted.get("scope", ""), request.actor.access)
    rule = posted.get("rule", "")
    with telling_refusals(request, titled=True):
        prior = prior_in(posted)
        event = set_prior(
            scope, rule, prior, actor=request.actor, expected_version=version_of(posted), reason=reason_of(posted)
        )
        done = "follows the packs again" if prior is None else f"has the prior {prior:g}"
        messages.success(request, f"{rule} {done} in {scope.path}", extra_tags=f"event:{event.pk}")
    query = urlencode({"scope": scope.path, "days": str(days_of(posted.get("days", "")))})
    return redirect(f"{reverse('insights')}?{query}#priors")


def prior_in(posted: QueryDict) -> float | None:
    """The prior that the form names; None for its button that gives it back."""
    if posted.get("action") == "packs":
        return None
    try:
        return round(float(posted.get("prior", "")), 4)
    except ValueError:
        raise Invalid("a prior is a number", field="prior") from None
