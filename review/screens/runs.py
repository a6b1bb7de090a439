"""Runs: what was read by which extractor, what came of it, and what was held back."""

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_POST

from ledger.actions.admit import HitToAdmit, admit
from ledger.actions.run import retry_run
from ledger.errors import Invalid
from ledger.models import Run, RunStatus
from ledger.reads.outcomes_by_rule import outcomes_of_run
from ledger.reads.page import Page, newest_page
from ledger.reads.scopes import in_sight, require_sight
from ledger.rules.permissions import Access, Right
from review.desk.filters import Filters
from review.screens.frame import ScreenRequest, page, screen, telling_refusals
from review.screens.queue import choices
from review.screens.verbs import whole_number

PER_PAGE = 50
MAX_HITS = 500
MAX_ADMITTED = 200
MAX_GATES = 50
MAX_REFUSALS_TOLD = 5


@require_GET
@screen
def run_list(request: ScreenRequest) -> HttpResponse:
    """The newest first, of all scopes in sight or of one and what lies below it."""
    filters = Filters.read(request.GET)
    found = runs_of(filters, request.actor.access)
    context = {
        "runs": found.items,
        "filters": filters,
        "next_page": filters.next_page(found),
        "here": "runs",
        **choices(request),
        "statuses": ("any", *RunStatus.values),
    }
    return page(request, "review/runs.html", context)


def runs_of(filters: Filters, access: Access) -> Page[Run]:
    """One page. Raises `Invalid` for a status or cursor that is none, `NotFound` for a scope out of sight."""
    if filters.status and filters.status not in RunStatus.values:
        raise Invalid(f"status is one of {', '.join(RunStatus.values)}", field="status")
    rows = in_sight(Run.objects.all(), access, filters.scope or None, descend=True)
    rows = rows.filter(status=filters.status) if filters.status else rows
    if filters.held:
        rows = rows.filter(stats__held_back__gt=0)
    rows = rows.select_related("scope", "source").defer("source__text", "raw_answer")
    return newest_page(rows, filters.cursor or None, PER_PAGE)


def run_at(pk: int, access: Access) -> Run:
    """Raises `NotFound` out of sight, `Forbidden` in sight without the right to read."""
    rows = Run.objects.select_related("scope", "source").defer("source__text")
    return require_sight(rows.filter(pk=pk).first(), access, f"no run {pk}")


@require_GET
@screen
def run(request: ScreenRequest, pk: int) -> HttpResponse:
    """One run with what became of every hit, and why (C7)."""
    row = run_at(pk, request.actor.access)
    hits = row.hits.select_related("admitted", "claim").defer("admitted__search", "claim__search")
    outcomes = outcomes_of_run(pk)
    context: dict[str, Any] = {
        "run": row,
        "hits": list(hits.order_by("number")[:MAX_HITS]),
        "written": list(row.claims.defer("search").order_by("pk")[:MAX_HITS]),
        "rules": sorted(outcomes.rules.items()),
        "reasons": outcomes.reasons,
        "gates": list(row.gates.order_by("pk")[:MAX_GATES]),
        "may_ingest": request.actor.access.may(Right.INGEST, row.scope.path),
        "may_propose": request.actor.access.may(Right.PROPOSE, row.scope.path),
        "here": "runs",
    }
    return page(request, "review/run.html", context)


@require_POST
@screen
def retry(request: ScreenRequest, pk: int) -> HttpResponse:
    """Queue a failed run again."""
    row = run_at(pk, request.actor.access)
    with telling_refusals(request):
        retry_run(row, actor=request.actor)
        messages.success(request, f"Run {pk} is queued again")
    return redirect("run", pk)


@require_POST
@screen
def admit_hits(request: ScreenRequest, pk: int) -> HttpResponse:
    """Make candidates of what was held back; what cannot become one is named with its reason."""
    row = run_at(pk, request.actor.access)
    numbers = [whole_number(word) for word in request.POST.getlist("hits")]
    chosen = [HitToAdmit(number) for number in numbers if number is not None]
    if not chosen:
        messages.warning(request, "Select what to admit first")
        return redirect("run", pk)
    answer = admit(row, chosen[:MAX_ADMITTED], actor=request.actor)
    tell_admitted(request, len(answer.admitted), [f"{one['number']}: {one['why']}" for one in answer.refused])
    return redirect("run", pk)


def tell_admitted(request: ScreenRequest, count: int, refused: Sequence[str]) -> None:
    if count:
        messages.success(request, f"{count} admitted to the queue")
    for why in refused[:MAX_REFUSALS_TOLD]:
        messages.warning(request, why)
