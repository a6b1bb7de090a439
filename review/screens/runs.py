"""Runs: what was read by which extractor, what came of it, and what was held back."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_POST

from ledger.actions.admit import HitToAdmit, admit
from ledger.actions.run import retry_run
from ledger.errors import DomainError, Forbidden, Invalid, NotFound
from ledger.models import Run, RunStatus
from ledger.reads.outcomes_by_rule import outcomes_of_run
from ledger.reads.page import MAX_ID, Page, decode_cursor, page_of
from ledger.reads.scopes import scope_at, visible
from ledger.rules.permissions import Access, Right
from review.desk.desk import Filters
from review.screens.frame import ScreenRequest, page, screen
from review.screens.queue import choices
from review.screens.verbs import whole_number

PER_PAGE = 50
MAX_HITS = 500
MAX_ADMITTED = 200


@require_GET
@screen
def run_list(request: ScreenRequest) -> HttpResponse:
    """The newest first, of all scopes in sight or of one and what lies below it."""
    filters = Filters.read(request.GET)
    found = runs_of(filters, request.actor.access)
    following = filters.query(cursor=found.next) if found.next else ""
    context = {"runs": found.items, "filters": filters, "next_page": following, "here": "runs"}
    return page(request, "review/runs.html", {**context, **choices(request), "statuses": ("any", *RunStatus.values)})


def runs_of(filters: Filters, access: Access) -> Page[Run]:
    """One page. Raises `Invalid` for a status or cursor that is none, `NotFound` for a scope out of sight."""
    if filters.status and filters.status not in RunStatus.values:
        raise Invalid(f"status is one of {', '.join(RunStatus.values)}", field="status")
    root = scope_at(filters.scope, access).path if filters.scope else None
    rows = Run.objects.filter(scope__in=visible(access, root=root))
    rows = rows.filter(status=filters.status) if filters.status else rows
    if filters.cursor:
        rows = rows.filter(pk__lt=decode_cursor(filters.cursor, (int,))[0])
    rows = rows.select_related("scope", "source").defer("source__text", "raw_answer")
    return page_of(list(rows.order_by("-pk")[: PER_PAGE + 1]), PER_PAGE, lambda run: [run.pk])


def run_at(pk: int, access: Access) -> Run:
    """Raises `NotFound` out of sight, `Forbidden` in sight without the right to read."""
    rows = Run.objects.select_related("scope", "source").defer("source__text")
    run = rows.filter(pk=pk).first() if pk <= MAX_ID else None
    if run is None or not access.sees(run.scope.path):
        raise NotFound(f"no run {pk}")
    if not access.may(Right.READ, run.scope.path):
        raise Forbidden(f"you may not read in {run.scope.path}")
    return run


@require_GET
@screen
def run(request: ScreenRequest, pk: int) -> HttpResponse:
    """One run with the fate of every hit, and why (C7)."""
    row = run_at(pk, request.actor.access)
    rows = row.hits.select_related("admitted", "claim").defer("admitted__search", "claim__search")
    hits = list(rows.order_by("number")[:MAX_HITS])
    fates = outcomes_of_run(pk)
    context: dict[str, Any] = {
        "run": row,
        "hits": hits,
        "written": list(row.claims.defer("search").order_by("pk")[:MAX_HITS]),
        "rules": sorted(fates.rules.items()),
        "reasons": fates.reasons,
        "gates": list(row.gates.order_by("pk")[:50]),
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
    try:
        retry_run(row, actor=request.actor)
        messages.success(request, f"Run {pk} is queued again")
    except DomainError as error:
        if isinstance(error, Forbidden):
            raise
        messages.error(request, error.message)
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
    if answer.admitted:
        messages.success(request, f"{len(answer.admitted)} admitted to the queue")
    for refused in answer.refused[:5]:
        messages.warning(request, f"{refused['number']}: {refused['why']}")
    return redirect("run", pk)
