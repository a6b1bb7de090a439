"""How good the extractors are: against labelled texts over time, and by what reviewers decide of their proposals."""

from dataclasses import dataclass
from typing import Final

from django.http import HttpResponse
from django.views.decorators.http import require_GET

from ledger.reads.insights import RuleFigures, Series, evaluations_over_time, precision_by_rule
from ledger.reads.scopes import scope_at
from review.screens.desk import Filters
from review.screens.frame import Asked, page, screen
from review.screens.queue import choices

# The plot's own units; the page scales it. One dot a run, worst at the bottom.
WIDTH: Final = 240
HEIGHT: Final = 60
MARGIN: Final = 6


@dataclass(frozen=True, slots=True)
class Plot:
    """A line of F1 over runs, as SVG attributes: no script, no style. `said` is the same in words."""

    line: str
    dots: tuple[tuple[str, str, str], ...]
    said: str


@dataclass(frozen=True, slots=True)
class Bar:
    """A rule with its range as SVG attributes, on a line from 0 to 100."""

    figures: RuleFigures
    low: str
    width: str
    precision: str


@dataclass(frozen=True, slots=True)
class Shown:
    """A measure with its plot."""

    series: Series
    plot: Plot


@require_GET
@screen
def insights(request: Asked) -> HttpResponse:
    """Precision by rule of the scopes in sight (or of one and what lies below it), and every measure that was kept."""
    filters = Filters.read(request.GET)
    access = request.actor.access
    root = scope_at(filters.scope, access).path if filters.scope else None
    context = {
        "rules": [bar_of(one) for one in precision_by_rule(access, root=root)],
        "measures": [Shown(series, plot_of(series)) for series in evaluations_over_time()],
        "filters": filters,
        "here": "insights",
    }
    return page(request, "review/insights.html", {**context, **choices(request)})


def bar_of(one: RuleFigures) -> Bar:
    """Where its range begins, how wide it is, and its dot."""
    return Bar(one, f"{one.low * 100:.1f}", f"{(one.high - one.low) * 100:.1f}", f"{one.precision * 100:.1f}")


def plot_of(series: Series) -> Plot:
    """The F1 of each kept run from left to right; a single run stands in the middle."""
    figures = [float(one.figures["f1"]) for one in series.kept]
    step = (WIDTH - 2 * MARGIN) / max(1, len(figures) - 1)
    left = MARGIN if len(figures) > 1 else WIDTH / 2
    places = [(left + step * at, HEIGHT - MARGIN - f1 * (HEIGHT - 2 * MARGIN)) for at, f1 in enumerate(figures)]
    points = [(f"{x:.1f}", f"{y:.1f}", f"{f1:.3f}") for (x, y), f1 in zip(places, figures, strict=True)]
    said = f"F1 of {len(figures)} runs, oldest first: " + ", ".join(f1 for _, _, f1 in points)
    return Plot(
        " ".join(f"{x},{y}" for x, y, _ in points), tuple(points), said if len(points) > 1 else f"F1 {points[0][2]}"
    )
