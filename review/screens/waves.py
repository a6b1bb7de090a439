"""Waves: what came in together, how far it is read, and what came of it (P12)."""

import hashlib
from typing import Any

from django.contrib import messages
from django.http import HttpResponse, HttpResponseNotModified
from django.shortcuts import redirect, render
from django.template.defaultfilters import pluralize
from django.views.decorators.http import require_GET, require_POST

from ledger.actions.admit import HitToAdmit, admit
from ledger.actions.run import extractors_for
from ledger.actions.wave import request_wave
from ledger.models import Run, RunHit, Wave
from ledger.reads.page import newest_page
from ledger.reads.scopes import in_sight
from ledger.reads.waves import (
    WaveProgress,
    errors_of_wave,
    outcomes_of_wave,
    silent_of_wave,
    wave_at,
    wave_progress,
    wave_runs,
)
from ledger.rules.permissions import Right
from review.desk.filters import Filters
from review.screens.frame import ScreenRequest, page, screen
from review.screens.queue import choices
from review.screens.runs import tell_admitted
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
    rows = in_sight(Wave.objects.select_related("scope"), request.actor.access, filters.scope or None, descend=True)
    found = newest_page(rows, filters.cursor or None, PER_PAGE)
    progress = wave_progress([wave.pk for wave in found.items])
    context = {
        "waves": [(wave, progress[wave.pk]) for wave in found.items],
        "filters": filters,
        "next_page": filters.next_page(found),
        "here": "waves",
        **choices(request),
    }
    return page(request, "review/waves.html", context)


@require_GET
@screen
def wave(request: ScreenRequest, pk: int) -> HttpResponse:
    """The report of one wave. For htmx its figures alone, or 304 where nothing has changed since they were sent."""
    row = wave_at(pk, request.actor)
    progress = wave_progress([pk])[pk]
    if not request.htmx:
        return page(request, "review/wave.html", wave_context(request, row, progress) | {"here": "waves"})
    admitted = RunHit.objects.filter(run__in=wave_runs(row).values("id"), admitted__isnull=False).count()
    tag = '"' + hashlib.sha256(f"{pk}|{progress.changed}|{admitted}".encode()).hexdigest()[:32] + '"'
    if request.headers.get("If-None-Match") == tag:
        return HttpResponseNotModified(headers={"ETag": tag})
    answer = render(request, "review/_wave.html", wave_context(request, row, progress))
    answer["ETag"], answer["Cache-Control"] = tag, "private, no-cache"
    return answer


def wave_context(request: ScreenRequest, row: Wave, progress: WaveProgress) -> dict[str, Any]:
    outcomes = outcomes_of_wave(row)
    hits = RunHit.objects.filter(run__in=wave_runs(row).values("id"), fate="held_back", admitted=None)
    may = request.actor.access.may
    return {
        "wave": row,
        "progress": progress,
        "figures": [(name, outcomes.total[name]) for name in FIGURES],
        "rules": sorted(outcomes.rules.items()),
        "kinds": sorted(outcomes.kinds.items(), key=lambda item: (-item[1], item[0])),
        "versions": sorted(outcomes.versions.items()),
        "reasons": outcomes.reasons[:MAX_REASONS],
        "held_back": list(hits.order_by("run_id", "number")[:MAX_HELD_BACK]),
        "errors": errors_of_wave(row),
        "silent": silent_of_wave(row),
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
    runs = request_wave(row, actor=request.actor, extractors=extractors_for, forced=bool(request.POST.get("force")))
    fresh = sum(run.pk > before for run in runs)
    if fresh:
        messages.success(request, f"{fresh} run{pluralize(fresh)} queued")
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
        of_run, number = (whole_number(part) for part in word.partition("-")[::2])
        if of_run is not None and number is not None:
            chosen.setdefault(of_run, []).append(HitToAdmit(number))
    if not chosen:
        messages.warning(request, "Select what to admit first")
        return redirect("wave", pk)
    admitted, refused = 0, []
    for run in wave_runs(row).filter(pk__in=chosen).select_related("scope").order_by("pk"):
        answer = admit(run, chosen[run.pk], actor=request.actor)
        admitted += len(answer.admitted)
        refused += [f"Hit {one['number']} of run {run.pk}: {one['why']}" for one in answer.refused]
    tell_admitted(request, admitted, refused)
    return redirect("wave", pk)
