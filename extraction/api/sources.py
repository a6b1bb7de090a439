"""Send sources, read them, ask for another pass."""

from collections.abc import Callable
from typing import Any

from django.db.models import Prefetch, Q
from django.http import HttpResponse
from ninja import Body, Router
from ninja.responses import Response

from extraction.api.documented import BatchShape, RunsShape, SentShape, SourceShape, documented, schema_of
from extraction.api.shapes import (
    ExtractIn,
    Shape,
    SourceIn,
    SourcesIn,
    evidence_shapes,
    run_shape,
    source_shape,
)
from extraction.extractors.registry import for_scope
from extraction.intake.requests import Taken, take_many, take_one
from extraction.intake.waiting import wait_for
from extraction.runs.pipeline import dry_run
from ledger.actions.once import once
from ledger.actions.run import Extractor, request_run, request_runs
from ledger.actor import Actor, ActorRequest
from ledger.errors import Invalid, NotFound
from ledger.models import Conversation, Evidence, Gate, Run, Section, Source
from ledger.reads.page import check_limit, decode_cursor, page_of
from ledger.reads.scopes import scope_at, visible
from ledger.rules.permissions import Right

router = Router(tags=["sources"])

SECTIONS = Prefetch("sections", Section.objects.order_by("start"))
ONE = schema_of(SourceIn)
BATCH = schema_of(SourcesIn)
SENDS = documented(SentShape, BatchShape, statuses=(200, 201, 202), body={"anyOf": [ONE, BATCH]})
ASKS = documented(RunsShape, statuses=(200, 202))


@router.post("/sources", openapi_extra=SENDS)
def post_sources(request: ActorRequest, body: Body[Any]) -> HttpResponse:
    """Send one source, or `{"sources": […]}`. 201 where something is new, 200 where all was known, 202 where `wait` ended
    before the runs did. In a batch a wrong item answers `{"error": problem}` and the others are kept; a batch without a
    good item is refused with 422."""
    actor, key = request.actor, request.headers.get("Idempotency-Key", "")
    if isinstance(body, dict) and "sources" in body:
        done = once(actor, "sources", key, request.body, lambda: take_many(body, actor))
        return answer_many(done.status, done.outcome, wait_in(body))
    unstorable = getattr(request, "unstorable", None)
    if unstorable is not None:
        raise unstorable
    done = once(actor, "sources", key, request.body, lambda: take_one(body, actor))
    results, finished = results_of([Taken(**done.outcome)], float(body.get("wait") or 0))
    return Response(results[0], status=done.status if finished else 202)


# Its items are looked at one by one, so that one with a NUL does not spoil the rest.
post_sources.takes_a_batch = True  # type: ignore[attr-defined]


def wait_in(body: dict[str, Any]) -> float:
    """The longest wait that the batch or one of its items asks for."""
    waits = [body.get("wait"), *(item.get("wait") for item in body["sources"] if isinstance(item, dict))]
    return min(30.0, max((float(w) for w in waits if isinstance(w, int | float)), default=0.0))


def answer_many(status: int, outcome: list[Shape], wait: float) -> HttpResponse:
    good = [Taken(**item) for item in outcome if "error" not in item]
    shaped, finished = results_of(good, wait)
    rest = iter(shaped)
    results = [item if "error" in item else next(rest) for item in outcome]
    return Response({"results": results}, status=status if finished else 202)


def results_of(taken: list[Taken], wait: float) -> tuple[list[Shape], bool]:
    """The answers from the rows as they stand, and whether the wait was long enough."""
    runs = Run.objects.select_related("scope").in_bulk([t.run for t in taken if t.run is not None])
    finished = wait_for(list(runs.values()), wait) or wait <= 0
    rows = (
        Source.objects.select_related("scope", "conversation")
        .prefetch_related(SECTIONS)
        .in_bulk([t.source for t in taken])
    )
    tripwires = tripwires_of([t.source for t in taken])
    shapes: list[Shape] = [
        {
            "source": source_shape(rows[t.source]),
            "duplicate": t.duplicate,
            "tripwire": tripwires.get(t.source),
            "run": run_shape(runs[t.run]) if t.run is not None else None,
        }
        for t in taken
    ]
    return shapes, finished


def tripwires_of(sources: list[int]) -> dict[int, Shape]:
    """What the tripwire said of each message when it came."""
    rows = Gate.objects.filter(source__in=sources, stage="tripwire", run=None).order_by("id")
    return {
        row.source_id: {
            "score": row.score,
            "threshold": row.threshold,
            "passed": row.passed,
            "patterns": row.patterns,
        }
        for row in rows
    }


def readable(request: ActorRequest, source_id: int, right: Right = Right.READ) -> Source:
    """The source if the caller may see it. Raises `NotFound`, or `Forbidden` without `right` there."""
    actor = request.actor
    source = Source.objects.select_related("scope", "conversation").filter(pk=source_id).first()
    if source is None or not actor.access.sees(source.scope.path):
        raise NotFound(f"no source {source_id}")
    actor.require(right, source.scope)
    return source


@router.get("/sources/{int:source_id}", openapi_extra=documented(SourceShape))
def get_source(request: ActorRequest, source_id: int) -> Shape:
    """S: one source with its sections."""
    return source_shape(readable(request, source_id))


@router.get("/sources/{int:source_id}/evidence")
def get_evidence(request: ActorRequest, source_id: int, cursor: str | None = None, limit: int = 200) -> Shape:
    """The quotes of this source that claims rest on, in the order of the text."""
    source = readable(request, source_id)
    most = check_limit(limit)
    rows = Evidence.objects.filter(source=source, claim__scope__in=visible(request.actor.access))
    if cursor is not None:
        start, last = decode_cursor(cursor, [int, int])
        rows = rows.filter(Q(start__gt=start) | Q(start=start, pk__gt=last), start__gte=start)
    found = list(rows.select_related("section", "claim").order_by("start", "id")[: most + 1])
    page = page_of(found, most, lambda row: (row.start, row.pk))
    return {"items": evidence_shapes(page.items), "next": page.next}


@router.post("/sources/{int:source_id}/extract", openapi_extra=ASKS)
def extract_source(request: ActorRequest, source_id: int, body: ExtractIn | None = None) -> HttpResponse:
    """Another pass over one source: 202 with its runs, 200 once they are finished or where `dry_run` only tells."""
    wanted = body or ExtractIn()
    source = readable(request, source_id, Right.INGEST)
    if wanted.dry_run:
        # It tells what stands in the text.
        request.actor.require(Right.READ, source.scope)
    extractors = for_scope(source.scope, only=wanted.extractors)
    if wanted.dry_run:
        return Response({"dry_run": True, "proposals": dry_run(source, names_of(extractors, source))})

    def do() -> tuple[int, list[int]]:
        runs = request_run(source, actor=request.actor, extractors=extractors, forced=wanted.force)
        return 202, [run.pk for run in runs]

    return answer_runs(asked(request, f"sources/{source_id}/extract", do), wanted.wait)


@router.post("/conversations/{conversation}/extract", openapi_extra=ASKS)
def extract_conversation(
    request: ActorRequest, conversation: str, scope: str | None = None, body: ExtractIn | None = None
) -> HttpResponse:
    """Another pass over every source of a thread, named by its id, or by its own id together with `scope`."""
    wanted = body or ExtractIn()
    thread = thread_of(request.actor, conversation, scope)
    if wanted.dry_run:
        request.actor.require(Right.READ, thread.scope)
    extractors = for_scope(thread.scope, only=wanted.extractors)
    rows = Source.objects.filter(conversation=thread, purged_at=None).select_related("scope").order_by("position")
    if wanted.dry_run:
        return Response(
            {
                "dry_run": True,
                "proposals": [told for source in rows for told in dry_run(source, names_of(extractors, source))],
            }
        )

    def do() -> tuple[int, list[int]]:
        runs = request_runs(
            list(rows.defer("text")),
            scope=thread.scope,
            actor=request.actor,
            extractors=extractors,
            forced=wanted.force,
        )
        return 202, [run.pk for run in runs]

    return answer_runs(asked(request, f"conversations/{thread.pk}/extract", do), wanted.wait)


def names_of(extractors: list[Extractor], source: Source) -> list[str]:
    """Those that read sources of this kind."""
    return [one.name for one in extractors if not one.kinds or source.kind in one.kinds]


def asked(request: ActorRequest, route: str, do: Callable[[], tuple[int, list[int]]]) -> list[Run]:
    """The runs that the request asked for, now or when it came first under its Idempotency-Key."""
    done = once(request.actor, route, request.headers.get("Idempotency-Key", ""), request.body, do)
    return list(Run.objects.select_related("scope").filter(pk__in=done.outcome).order_by("id"))


def thread_of(actor: Actor, name: str, path: str | None) -> Conversation:
    rows = Conversation.objects.select_related("scope")
    if path is not None:
        thread = rows.filter(scope=scope_at(path, actor.access, Right.INGEST), external_id=name).first()
    elif name.isascii() and name.isdigit() and len(name) < 19:
        thread = rows.filter(pk=int(name)).first()
    else:
        raise Invalid("name the scope of a conversation that is named by its own id", field="scope")
    if thread is None or not actor.access.sees(thread.scope.path):
        raise NotFound(f"no conversation {name[:100]!r}")
    actor.require(Right.INGEST, thread.scope)
    return thread


def answer_runs(runs: list[Run], wait: float) -> HttpResponse:
    finished = wait_for(runs, wait)
    return Response({"runs": [run_shape(run) for run in runs]}, status=200 if finished else 202)
