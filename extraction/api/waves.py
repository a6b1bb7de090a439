"""Waves: send a batch, read it as one, and its report (P2, P12)."""

from dataclasses import dataclass, field
from typing import Annotated, Any, NotRequired, TypedDict

from django.http import HttpResponse, StreamingHttpResponse
from ninja import Body, Router
from ninja.responses import Response

from extraction.api.requests import WAVE_BODY, ExtractIn
from extraction.api.shapes import ACCEPTED, NULL_BY_DEFAULT, PASS, BatchShape, run_shape
from extraction.api.sources import (
    answers_of,
    ids_of,
    listed_sources,
    refuse_if_all_failed,
    refuse_unknown,
    runs_asked_for,
    wait_of,
)
from extraction.extractors.registry import for_scope
from extraction.intake.take import Delivery, incoming, source_in, take_each
from extraction.runs.dry_run import dry_run_of_wave, extractors_named
from extraction.runs.wave_report import FILES, report_of
from ledger.actions.idempotency import once_per_key
from ledger.actions.ingest import IngestResult
from ledger.actions.run import request_runs
from ledger.actions.wave import new_wave, request_wave, take_along
from ledger.actor import Actor, ActorRequest
from ledger.errors import Forbidden, Invalid, NotFound
from ledger.models import Run, Scope, Source, Wave
from ledger.reads.page import MAX_ID, newest_page
from ledger.reads.scopes import in_sight, scope_at
from ledger.reads.waves import WaveProgress, wave_at, wave_progress
from ledger.rules.columns import storable
from ledger.rules.permissions import Right, covers

router = Router(tags=["waves"])
# Of a long wave the answer tells the first runs; the others are listed by GET /runs?wave=.
MAX_RUNS = 200


class WaveShape(TypedDict):
    """W: what came in together and how far it is read."""

    id: int
    scope: str
    label: str | None
    by: str
    created_at: str
    sources: int
    known_before: int
    runs: dict[str, int]
    written: int
    finished: bool


class WavePage(TypedDict):
    items: list[WaveShape]
    next: str | None
    total: NotRequired[Annotated[int | None, NULL_BY_DEFAULT]]


class WaveReport(WaveShape):
    """W with what was written by kind and rule, what was not and why; `files` are those of GET /waves/{id}/report/{file}."""

    report: dict[str, Any]
    files: list[str]


def wave_shape(wave: Wave, progress: WaveProgress, *, may_read: bool = True) -> WaveShape:
    """Who may not read the scope is not told the label, which may quote a text."""
    return {
        "id": wave.pk,
        "scope": wave.scope.path,
        "label": wave.label if may_read else None,
        "by": wave.by,
        "created_at": wave.created_at.isoformat(),
        "sources": progress.sources,
        "known_before": progress.known,
        "runs": {"total": progress.total, **progress.runs},
        "written": progress.written,
        "finished": progress.finished,
    }


def progress_shape(wave: Wave, *, may_read: bool = True) -> WaveShape:
    return wave_shape(wave, wave_progress([wave.pk])[wave.pk], may_read=may_read)


@router.get("/waves", response=WavePage)
def list_waves(
    request: ActorRequest,
    scope: str | None = None,
    descend: bool = False,
    cursor: str | None = None,
    limit: int = 50,
    count: bool = False,
) -> HttpResponse:
    """Newest first."""
    rows = in_sight(Wave.objects.select_related("scope"), request.actor.access, scope, descend=descend)
    page = newest_page(rows, cursor, limit, count=count)
    progress = wave_progress([wave.pk for wave in page.items])
    return Response(page.as_json([wave_shape(wave, progress[wave.pk]) for wave in page.items]))


@router.post("/waves", response=dict.fromkeys((201, 202), BatchShape), openapi_extra=WAVE_BODY | ACCEPTED)
def post_wave(request: ActorRequest, body: Body[Any]) -> HttpResponse:
    """`{scope, label, sources}`: up to 500 ids of sources that are here, or sources as POST /sources takes them. 201 with
    `{"wave": W, "results": […]}`, 202 where `wait` ended before the runs did. With `"extract": false` they are only kept, to
    be read as one by POST /waves/{id}/extract."""
    if request.unstorable is not None:
        if not (isinstance(body, dict) and isinstance(body.get("sources"), list)):
            raise request.unstorable
        for name, part in body.items():
            if name != "sources":
                storable(name, "body")
                storable(part, name)
    done = once_per_key(request, "waves", lambda: make_wave(body, request.actor))
    results, finished = answers_of(done.outcome["results"], wait_of(body))
    wave = Wave.objects.select_related("scope").get(pk=done.outcome["wave"])
    return Response({"wave": progress_shape(wave), "results": results}, status=done.status if finished else 202)


# Its items are looked at one by one, so that one with a NUL does not spoil the rest.
post_wave.takes_a_batch = True  # type: ignore[attr-defined]


def make_wave(body: Any, actor: Actor) -> tuple[int, dict[str, Any]]:
    """201, and the ids of the wave and of its items in the order of `sources`: ids of sources that are here, or sources as POST
    /sources takes them (their `scope` is the wave's where they name none). All that is good is kept. With `extract` (the
    default) the wave is read at once. Raises `Invalid` where nothing is good."""
    wave = wave_in(body, actor)
    read = WaveItems(wave.scope, actor, body.get("extract", True))
    results = take_each(listed_sources(body), read.item, actor=actor, wave=wave)
    refuse_if_all_failed(results)
    # What was here before comes along, so that the wave is what was sent.
    here = {one.source.pk: one.source for one in results if isinstance(one, IngestResult) and one.duplicate}
    take_along(wave, list(here.values()), actor=actor)
    if read.extract:
        request_again([source for source in here.values() if source.purged_at is None], actor)
    return 201, {"wave": wave.pk, "results": ids_of(results)}


def wave_in(body: Any, actor: Actor) -> Wave:
    """Not yet a row. Raises `Invalid` naming the field."""
    if not isinstance(body, dict):
        raise Invalid("a wave is an object", field="body")
    refuse_unknown(body, {"scope", "label", "sources", "extract", "wait"})
    if not isinstance(body.get("scope"), str):
        raise Invalid("name the scope of the wave", field="scope")
    if not isinstance(body.get("extract", True), bool):
        raise Invalid("extract is true or false", field="extract")
    scope = scope_at(body["scope"], actor.access, Right.INGEST)
    if not isinstance(body.get("label"), str):
        raise Invalid("label is a text", field="label")
    return new_wave(scope, body["label"], actor=actor)


@dataclass(slots=True)
class WaveItems:
    """Reads the items of a wave, which are of its scope or of one below it."""

    scope: Scope
    actor: Actor
    extract: bool
    scopes: dict[str, Scope] = field(default_factory=dict)

    def item(self, at: int, one: Any) -> Delivery | Source:
        if isinstance(one, int) and not isinstance(one, bool):
            return source_of_wave(one, self.scope, self.actor, f"sources.{at}")
        body = {"scope": self.scope.path, **one} if isinstance(one, dict) else one
        item = source_in(body, f"sources.{at}.")
        if not covers(self.scope.path, item.scope):
            raise Invalid(f"{item.scope[:100]!r} is not of the wave's scope", field=f"sources.{at}.scope")
        return Delivery(incoming(item), self.scope_named(item.scope), self.extract and item.extract)

    def scope_named(self, path: str) -> Scope:
        if path == self.scope.path:
            return self.scope
        if path not in self.scopes:
            self.scopes[path] = scope_at(path, self.actor.access, Right.INGEST)
        return self.scopes[path]


def source_of_wave(pk: int, scope: Scope, actor: Actor, field: str) -> Source:
    """A source that is here already, in the wave's scope or below it."""
    source = Source.objects.select_related("scope").defer("text").filter(pk=pk).first() if 0 < pk <= MAX_ID else None
    if source is None or not actor.access.sees(source.scope.path):
        raise NotFound(f"no source {pk}")
    if not covers(scope.path, source.scope.path):
        raise Invalid(f"source {pk} is not of the wave's scope", field=field)
    if not actor.access.may(Right.INGEST, source.scope.path):
        raise Forbidden(f"{actor.name} may not send to {source.scope.path}")
    return source


def request_again(sources: list[Source], actor: Actor) -> None:
    """What no pass of the present rules and packs has read is read."""
    for scope in {source.scope_id: source.scope for source in sources}.values():
        own = [source for source in sources if source.scope_id == scope.pk]
        request_runs(own, scope=scope, actor=actor, extractors=for_scope(scope))


@router.get("/waves/{int:wave_id}", response=WaveReport)
def get_wave(request: ActorRequest, wave_id: int) -> HttpResponse:
    """W with its report: what was written by kind and rule, what was not and why."""
    wave = wave_at(wave_id, request.actor)
    return Response({**progress_shape(wave), "report": report_of(wave), "files": list(FILES)})


@router.post("/waves/{int:wave_id}/extract", response=PASS, openapi_extra=ACCEPTED)
def extract_wave(request: ActorRequest, wave_id: int, body: ExtractIn | None = None) -> HttpResponse:
    """A pass over the whole wave: 202 with its runs, 200 once they are finished or where `dry_run` only tells."""
    wanted, actor = body or ExtractIn(), request.actor
    wave = wave_at(wave_id, actor, Right.INGEST)
    if wanted.dry_run:
        # It tells what stands in the texts.
        actor.require(Right.READ, wave.scope)
        return Response(dry_run_of_wave(wave, wanted.extractors))

    def ask() -> list[Run]:
        extractors = extractors_named(wanted.extractors)
        extractors(wave.scope)
        return request_wave(wave, actor=actor, extractors=extractors, forced=wanted.force)

    runs, finished = runs_asked_for(request, f"waves/{wave_id}/extract", ask, wanted.wait)
    may_read = actor.access.may(Right.READ, wave.scope.path)
    answer = {
        "wave": progress_shape(wave, may_read=may_read),
        "runs": [run_shape(run, may_read=may_read) for run in runs[:MAX_RUNS]],
        "total": len(runs),
    }
    return Response(answer, status=200 if finished else 202)


# What the report's files are, by their types.
REPORT_FILE = {
    "description": "OK",
    "content": {content_type: {"schema": {"type": "string"}} for content_type, _ in FILES.values()},
}


@router.get("/waves/{int:wave_id}/report/{file}", openapi_extra={"responses": {200: REPORT_FILE}})
def get_report(request: ActorRequest, wave_id: int, file: str) -> StreamingHttpResponse:
    """One of report.json, candidates.ndjson, dropped.ndjson and errors.log, made from rows as it is sent."""
    wave = wave_at(wave_id, request.actor)
    if file not in FILES:
        raise NotFound(f"a report has {', '.join(FILES)}")
    content_type, made = FILES[file]
    answer = StreamingHttpResponse(made(wave), content_type=content_type)
    answer["Content-Disposition"] = f'attachment; filename="wave-{wave.pk}-{file}"'
    return answer
