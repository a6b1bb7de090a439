"""Waves: send a batch, read it as one, and its report (P2, P12)."""

from typing import Any

from django.http import HttpResponse, StreamingHttpResponse
from ninja import Body, Router
from ninja.responses import Response

from extraction.api.documented import BatchShape, RunsShape, documented
from extraction.api.shapes import ExtractIn, Shape, run_shape, time_of
from extraction.api.sources import results_of
from extraction.intake.requests import Taken
from extraction.intake.waiting import wait_for
from extraction.intake.waves import extractors_named, make_wave, try_wave
from extraction.runs.wave_report import FILES, report_of
from ledger.actions.once import once
from ledger.actions.wave import request_wave
from ledger.actor import ActorRequest
from ledger.errors import NotFound
from ledger.models import Run, Wave
from ledger.reads.page import check_limit, decode_cursor, page_of
from ledger.reads.scopes import in_sight
from ledger.reads.waves import WaveProgress, wave_at, wave_progress
from ledger.rules.permissions import Right
from ledger.rules.storable import storable

router = Router(tags=["waves"])
# Of a long wave the answer tells the first runs; the others are listed by GET /runs?wave=.
MAX_RUNS = 200
BODY: Shape = {
    "type": "object",
    "required": ["scope", "label", "sources"],
    "properties": {
        "scope": {"type": "string"},
        "label": {"type": "string", "maxLength": 200},
        "sources": {"type": "array", "maxItems": 500, "items": {"anyOf": [{"type": "integer"}, {"type": "object"}]}},
        "extract": {"type": "boolean", "default": True},
        "wait": {"type": "number", "minimum": 0, "maximum": 30},
    },
}


def wave_shape(wave: Wave, progress: WaveProgress) -> Shape:
    """W: what came in together and how far it is read."""
    return {
        "id": wave.pk,
        "scope": wave.scope.path,
        "label": wave.label,
        "by": wave.by,
        "created_at": time_of(wave.created_at),
        "sources": progress.sources,
        "known_before": progress.known,
        "runs": {"total": progress.total, **progress.runs},
        "written": progress.written,
        "finished": progress.finished,
    }


def shown(wave: Wave) -> Shape:
    return wave_shape(wave, wave_progress([wave.pk])[wave.pk])


@router.get("/waves")
def list_waves(
    request: ActorRequest,
    scope: str | None = None,
    descend: bool = False,
    cursor: str | None = None,
    limit: int = 50,
    count: bool = False,
) -> Shape:
    """Newest first."""
    access = request.actor.access
    rows = in_sight(Wave.objects.select_related("scope"), access, scope, descend=descend)
    total = rows.count() if count else None
    if cursor is not None:
        rows = rows.filter(pk__lt=decode_cursor(cursor, [int])[0])
    limit = check_limit(limit)
    page = page_of(list(rows.order_by("-id")[: limit + 1]), limit, lambda wave: [wave.pk])
    progress = wave_progress([wave.pk for wave in page.items])
    answer: Shape = {"items": [wave_shape(wave, progress[wave.pk]) for wave in page.items], "next": page.next}
    return answer | ({"total": total} if total is not None else {})


@router.post("/waves", openapi_extra=documented(BatchShape, statuses=(201, 202), body=BODY))
def post_wave(request: ActorRequest, body: Body[Any]) -> HttpResponse:
    """`{scope, label, sources}`: up to 500 ids of sources that are here, or sources as POST /sources takes them. 201 with
    `{"wave": W, "results": […]}`, 202 where `wait` ended before the runs did. With `"extract": false` they are only kept, to
    be read as one by POST /waves/{id}/extract."""
    actor = request.actor
    unstorable = getattr(request, "unstorable", None)
    if unstorable is not None:
        if not (isinstance(body, dict) and isinstance(body.get("sources"), list)):
            raise unstorable
        for name, part in body.items():
            if name != "sources":
                storable(name, "body")
                storable(part, name)
    done = once(
        actor, "waves", request.headers.get("Idempotency-Key", ""), request.body, lambda: make_wave(body, actor)
    )
    given = body.get("wait") if isinstance(body, dict) else 0
    # Compared before it is made a float, which a very long number does not fit.
    wait = float(min(30, max(0, given))) if isinstance(given, int | float) else 0.0
    good = [Taken(**item) for item in done.outcome["results"] if "error" not in item]
    shaped, finished = results_of(good, wait)
    rest = iter(shaped)
    results = [item if "error" in item else next(rest) for item in done.outcome["results"]]
    wave = Wave.objects.select_related("scope").get(pk=done.outcome["wave"])
    return Response({"wave": shown(wave), "results": results}, status=done.status if finished else 202)


# Its items are looked at one by one, so that one with a NUL does not spoil the rest.
post_wave.takes_a_batch = True  # type: ignore[attr-defined]


@router.get("/waves/{int:wave_id}")
def get_wave(request: ActorRequest, wave_id: int) -> Shape:
    """W with its report: what was written by kind and rule, what was not and why."""
    wave = wave_at(wave_id, request.actor)
    return shown(wave) | {"report": report_of(wave), "files": list(FILES)}


@router.post("/waves/{int:wave_id}/extract", openapi_extra=documented(RunsShape, statuses=(200, 202)))
def extract_wave(request: ActorRequest, wave_id: int, body: ExtractIn | None = None) -> HttpResponse:
    """A pass over the whole wave: 202 with its runs, 200 once they are finished or where `dry_run` only tells."""
    wanted, actor = body or ExtractIn(), request.actor
    wave = wave_at(wave_id, actor, Right.INGEST)
    if wanted.dry_run:
        # It tells what stands in the texts.
        actor.require(Right.READ, wave.scope)
        return Response(try_wave(wave, wanted.extractors))

    def do() -> tuple[int, list[int]]:
        extractors = extractors_named(wanted.extractors)
        extractors(wave.scope)
        runs = request_wave(wave, actor=actor, extractors=extractors, forced=wanted.force)
        return 202, [run.pk for run in runs]

    done = once(actor, f"waves/{wave_id}/extract", request.headers.get("Idempotency-Key", ""), request.body, do)
    runs = list(Run.objects.select_related("scope").filter(pk__in=done.outcome).order_by("id"))
    finished = wait_for(runs, wanted.wait)
    # Who may only send is told how far it is, and neither a label nor an error that may quote a text.
    reads = actor.access.may(Right.READ, wave.scope.path)
    told = [run_shape(run) | ({} if reads else {"error": None}) for run in runs[:MAX_RUNS]]
    about = shown(wave) | ({} if reads else {"label": None})
    return Response({"wave": about, "runs": told, "total": len(runs)}, status=200 if finished else 202)


@router.get("/waves/{int:wave_id}/report/{file}")
def get_report(request: ActorRequest, wave_id: int, file: str) -> StreamingHttpResponse:
    """One of report.json, candidates.ndjson, dropped.ndjson and errors.log, made from rows as it is sent."""
    wave = wave_at(wave_id, request.actor)
    if file not in FILES:
        raise NotFound(f"a report has {', '.join(FILES)}")
    content_type, made = FILES[file]
    answer = StreamingHttpResponse(made(wave), content_type=content_type)
    answer["Content-Disposition"] = f'attachment; filename="wave-{wave.pk}-{file}"'
    return answer
