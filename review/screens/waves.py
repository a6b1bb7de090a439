"""Waves: what came in together, how far it is read, and what came of it (P12)."""

import hashlib
from typing import Any

from django.contrib import messages
from django.http import HttpResponse, HttpResponseNotModified
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from ledger.actions.admit import HitToAdmit, admit
from ledger.actions.run import extractors_for
from ledger.actions.wave import request_wave
from ledger.models import Run, RunHit, Wave
from ledger.reads.page import Page, decode_cursor, page_of
from ledger.reads.scopes import scope_at, visible
from ledger.reads.waves import WaveProgress, errors_of_wave, outcomes_of_wave, wave_at, wave_progress, wave_runs
from ledger.rules.permissions import Access, Right
from review.desk.desk import Filters
from review.screens.frame import ScreenRequest, page, screen
from review.screens.queue import choices
from review.screens.verbs import whole_number

PER_PAGE = 50
MAX_HELD_BACK = 200
MAX_REASONS = 100
FILES = ("report.json", "candidates.ndjson", "dropped.ndjson", "errors.log")
FIGURES = ("admitted", "merged", "held_back", "dropped", "notes", "superseded", "archived")


@require_GET
@screen
def wave_list(request: ScreenRequest) -> HttpResponse:
    """The newest first, of all scopes in sight or of one and what lies below it."""
    filters = Filters.read(request.GET)
    found = waves_of(filters, request.actor.access)
    progress = wave_progress([wave.pk for wave in found.items])
    context = {
        "waves": [(wave, progress[wave.pk]) for wave in found.items],
        "filters": filters,
        "next_page": filters.query(cursor=found.next) if found.next else "",
        "here": "waves",
    }
    return page(request, "review/waves.html", {**context, **choices(request)})


def waves_of(filters: Filters, access: Access) -> Page[Wave]:
    """One page. Raises `Invalid` for a cursor that is none, `NotFound` for a scope out of sight."""
    root = scope_at(filters.scope, access).path if filters.scope else None
    rows = Wave.objects.filter(scope__in=visible(access, root=root)).select_related("scope")
    if filters.cursor:
        rows = rows.filter(pk__lt=decode_cursor(filters.cursor, (int,))[0])
    return page_of(list(rows.order_by("-pk")[: PER_PAGE + 1]), PER_PAGE, lambda wave: [wave.pk])


@require_GET
@screen
def wave(request: ScreenRequest, pk: int) -> HttpResponse:
    """The report of one wave. For htmx its figures alone, or 304 where nothing has changed since they were sent."""
    row = wave_at(pk, request.actor)
    progress = wave_progress([pk])[pk]
    if request.htmx:
        held = RunHit.objects.filter(run__in=wave_runs(row).values("id"), admitted__isnull=False).count()
        tag = '"' + hashlib.sha256(f"{pk}|{progress.changed}|{held}".encode()).hexdigest()[:32] + '"'
        if request.headers.get("If-None-Match") == tag:
            return HttpResponseNotModified(headers={"ETag": tag})
        answer = render(request, "review/_wave.html", context_of(request, row, progress))
        answer["ETag"], answer["Cache-Control"] = tag, "private, no-cache"
        return answer
    return page(request, "review/wave.html", context_of(request, row, progress) | {"here": "waves"})


def context_of(request: ScreenRequest, row: Wave, progress: WaveProgress) -> dict[str, Any]:
    fates = outcomes_of_wave(row)
    hits = RunHit.objects.filter(run__in=wave_runs(row).values("id"), fate="held_back", admitted=None)
    may = request.actor.access.may
    return {
        "wave": row,
        "progress": progress,
        "figures": [(name, fates.total[name]) for name in FIGURES],
        "rules": sorted(fates.rules.items()),
        "kinds": sorted(fates.kinds.items(), key=lambda item: (-item[1], item[0])),
        "versions": sorted(fates.versions.items()),
        "reasons": fates.reasons[:MAX_REASONS],
        "held_back": list(hits.order_by("run_id", "number")[:MAX_HELD_BACK]),
        "errors": errors_of_wave(row),
        "files": FILES,
        "may_ingest": may(Right.INGEST, row.scope.path),
        "may_propose": may(Right.PROPOSE, row.scope.path),
    }


@require_POST
@screen
def read_wave(request: ScreenRequest, pk: int) -> HttpResponse:
    """Queue a pass over the whole wave: of what no pass of this version has read, or with `force` beside what there is."""
    row = wave_at(pk, request.actor, Right.INGEST)
    before = Run.objects.order_by("-id").values_list("id", flat=True).first() or 0
    runs = request_wave(
        row, actor=request.actor, extractors=lambda scope: extractors_for(scope), forced=bool(request.POST.get("force"))
    )  # fmt: skip
    fresh = sum(run.pk > before for run in runs)
    if fresh:
        messages.success(request, f"{fresh} run{'s' if fresh > 1 else ''} queued")
    else:
        messages.info(request, "Every source was read by this version already")
    return redirect("wave", pk)


@require_POST
@screen
def admit_from_wave(request: ScreenRequest, pk: int) -> HttpResponse:
    """Make candidates of what was held back, named as `run-number`; what cannot become one is told with its reason."""
    row = wave_at(pk, request.actor, Right.PROPOSE)
    chosen: dict[int, list[HitToAdmit]] = {}
    for word in request.POST.getlist("hits")[:MAX_HELD_BACK]:
        run, number = (whole_number(part) for part in word.partition("-")[::2])
        if run is not None and number is not None:
            chosen.setdefault(run, []).append(HitToAdmit(number))
    if not chosen:
        messages.warning(request, "Select what to admit first")
        return redirect("wave", pk)
    admitted = 0
    refused: list[str] = []
    for run_row in wave_runs(row).filter(pk__in=chosen).select_related("scope").order_by("pk"):
        answer = admit(run_row, chosen[run_row.pk], actor=request.actor)
        admitted += len(answer.admitted)
        refused += [f"Hit {one['number']} of run {run_row.pk}: {one['why']}" for one in answer.refused]
    if admitted:
        messages.success(request, f"{admitted} admitted to the queue")
    for why in refused[:5]:
        messages.warning(request, why)
    return redirect("wave", pk)
