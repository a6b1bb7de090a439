"""Send sources, read them, ask for another pass."""

import re
import threading
import time
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Literal

from django.db import transaction
from django.db.models import Prefetch, Q
from django.http import HttpResponse
from ninja import Body, Router
from ninja.responses import Response

from extraction.api.requests import SOURCES_BODY, ExtractIn
from extraction.api.shapes import (
    ACCEPTED,
    PASS,
    BatchShape,
    FailedShape,
    QuotePage,
    SentShape,
    SourceShape,
    TripwireShape,
    quote_shape,
    run_shape,
    source_shape,
)
from extraction.extractors.registry import for_scope
from extraction.intake.batches import create_scopes
from extraction.intake.take import Delivery, incoming, latest_runs, source_in, take, take_each
from extraction.runs.dry_run import dry_run
from ledger.actions.idempotency import once_per_key
from ledger.actions.ingest import Incoming, IngestResult
from ledger.actions.run import ExtractorVersion, request_run, request_runs
from ledger.actor import Actor, ActorRequest
from ledger.errors import DomainError, Invalid, NotFound, TooLarge
from ledger.models import Conversation, Evidence, Gate, Run, Scope, Section, Source
from ledger.reads.page import check_limit, decode_cursor, page_of
from ledger.reads.scopes import scope_at, visible
from ledger.reads.secrets import show_kept
from ledger.rules.permissions import Right

router = Router(tags=["sources"])

MAX_SOURCES = 500
MAX_WAIT_S = 30
SECTIONS = Prefetch("sections", Section.objects.order_by("start"))
# Few threads serve, so at most two requests of a process wait for runs (design §10).
WAITING_PLACES = threading.BoundedSemaphore(2)
POLL_S = 0.05
UNFINISHED = ("queued", "running")
ROW_ID = re.compile("[0-9]{1,18}")

# What a record under an Idempotency-Key keeps of one text: ids, from which the answer is built anew.
type SentIds = dict[Literal["source", "duplicate", "runs"], int | bool | list[int]]


@router.post(
    "/sources",
    response=dict.fromkeys((200, 201, 202), SentShape | BatchShape),
    openapi_extra=SOURCES_BODY | ACCEPTED,
)
def post_sources(request: ActorRequest, body: Body[Any]) -> HttpResponse:
    """Send one source, or `{"sources": […]}`. 201 where something is new, 200 where all was known, 202 where `wait` ended
    before the runs did. In a batch a wrong item answers `{"error": problem}` and the others are kept; a batch without a
    good item is refused with 422."""
    if isinstance(body, dict) and "sources" in body:
        done = once_per_key(request, "sources", lambda: take_batch(body, request.actor))
        results, finished = answers_of(done.outcome, wait_of(body, *body["sources"]))
        return Response({"results": results}, status=done.status if finished else 202)
    if request.unstorable is not None:
        raise request.unstorable
    item = source_in(body)
    text = incoming(item)

    def do() -> tuple[int, Any]:
        scope = scope_for(item.scope, request.actor, made=item.create_scope)
        return take_one(text, scope, request.actor, extract=item.extract)

    return answer_one(request, "sources", do, item.wait)


# Its items are looked at one by one, so that one with a NUL does not spoil the rest.
post_sources.takes_a_batch = True  # type: ignore[attr-defined]


def take_batch(body: dict[str, Any], actor: Actor) -> tuple[int, list[SentIds | FailedShape]]:
    """Status and, in the order of the items, their ids or what is wrong with them. All that is good is written in the caller's
    transaction; raises `Invalid` where nothing is good."""
    given = listed_sources(body)
    refuse_unknown(body, {"sources", "wait"})
    scope_of = cache(lambda path, made: scope_for(path, actor, made=made))

    def read(at: int, one: Any) -> Delivery:
        item = source_in(one, f"sources.{at}.")
        return Delivery(incoming(item), scope_of(item.scope, item.create_scope), item.extract)

    results = take_each(given, read, actor=actor)
    refuse_if_all_failed(results)
    fresh = any(isinstance(result, IngestResult) and not result.duplicate for result in results)
    return (201 if fresh else 200), ids_of(results)


def scope_for(path: str, actor: Actor, *, made: bool) -> Scope:
    """Where a text goes; where it is `made` on first use, what is missing is made below a scope that the caller administers."""
    if made and not Scope.objects.filter(path=path).exists():
        with transaction.atomic():
            create_scopes(path, packs=(), actor=actor)
    return scope_at(path, actor.access, Right.INGEST)


def take_one(text: Incoming, scope: Scope, actor: Actor, *, extract: bool) -> tuple[int, SentIds]:
    """Status and ids. Raises what is wrong with the text."""
    results = take([text], scope=scope, actor=actor, extract=extract)
    return (200 if results[0].duplicate else 201), _ids(results[0], _runs(results))


def listed_sources(body: dict[str, Any]) -> list[Any]:
    given = body.get("sources")
    if not isinstance(given, list) or not given:
        raise Invalid("sources is a list of at least one", field="sources")
    if len(given) > MAX_SOURCES:
        raise TooLarge(f"at most {MAX_SOURCES} sources in one request", field="sources")
    return given


def refuse_unknown(body: dict[str, Any], known: set[str]) -> None:
    for name in sorted(set(body) - known)[:1]:
        raise Invalid(f"{name[:60]!r} is not known here", field=name[:60])


def refuse_if_all_failed(results: Sequence[IngestResult | DomainError]) -> None:
    problems = [one.as_problem() for one in results if isinstance(one, DomainError)]
    if len(problems) < len(results):
        return
    errors: list[dict[str, Any]] = []
    for at, problem in enumerate(problems):
        errors += problem.get("errors") or [{"field": f"sources.{at}", "message": problem["detail"]}]
    raise Invalid("no source of the batch can be taken", errors=errors[:MAX_SOURCES])


def ids_of(results: Sequence[IngestResult | DomainError]) -> list[SentIds | FailedShape]:
    runs = _runs([one for one in results if isinstance(one, IngestResult)])
    return [{"error": one.as_problem()} if isinstance(one, DomainError) else _ids(one, runs) for one in results]


def _runs(results: Sequence[IngestResult]) -> dict[int, list[int]]:
    """By source the runs that answer for it: its own, or the latest of each extractor where it was there before."""
    fresh = {one.source.pk: [run.pk for run in one.runs] for one in results if one.runs}
    before = {one.source.pk for one in results if one.duplicate}
    return latest_runs(before) | fresh if before else fresh


def _ids(result: IngestResult, runs: dict[int, list[int]]) -> SentIds:
    pk = result.source.pk
    return {"source": pk, "duplicate": result.duplicate, "runs": runs.get(pk, [])}


def wait_of(*asked: Any) -> float:
    """The longest wait, in seconds, that one of these objects asks for."""
    waits = [one.get("wait") for one in asked if isinstance(one, dict)]
    # Compared before it is made a float, which a very long number does not fit.
    return float(min(MAX_WAIT_S, max([0, *(wait for wait in waits if isinstance(wait, int | float))])))


def answer_one(
    request: ActorRequest, route: str, do: Callable[[], tuple[int, Any]], wait_s: float, **more: Any
) -> HttpResponse:
    """Take one text, at most once under the request's Idempotency-Key, and answer it."""
    done = once_per_key(request, route, do)
    results, finished = answers_of([done.outcome], wait_s)
    return Response({**results[0], **more}, status=done.status if finished else 202)


def answers_of(outcome: Sequence[Any], wait_s: float) -> tuple[list[SentShape | FailedShape], bool]:
    """The answers from the rows as they now stand, and whether the wait was long enough for the runs."""
    good = [one for one in outcome if "error" not in one]
    runs = Run.objects.select_related("scope").in_bulk([run for one in good for run in _runs_of(one)])
    finished = wait_for(list(runs.values()), wait_s) or wait_s <= 0
    ids = [one["source"] for one in good]
    sources = Source.objects.select_related("scope", "conversation").prefetch_related(SECTIONS).in_bulk(ids)
    show_kept(sources.values())
    tripwires = tripwires_of(ids)

    def sent(one: Any) -> SentShape:
        own = [run_shape(runs[run]) for run in _runs_of(one)]
        return {
            "source": source_shape(sources[one["source"]]),
            "duplicate": one["duplicate"],
            "tripwire": tripwires.get(one["source"]),
            "run": own[0] if own else None,
            "runs": own,
        }

    return [one if "error" in one else sent(one) for one in outcome], finished


def _runs_of(one: Any) -> list[int]:
    """A record under an Idempotency-Key from before an upgrade names one run, or none."""
    return one["runs"] if "runs" in one else [run for run in [one["run"]] if run is not None]


def tripwires_of(sources: list[int]) -> dict[int, TripwireShape]:
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


def wait_for(runs: Sequence[Run], seconds: float) -> bool:
    """Whether all are finished now. Waits up to `seconds` while one of the two places is free; refreshes the runs."""
    waiting = [run for run in runs if run.status in UNFINISHED]
    if not waiting:
        return True
    if seconds <= 0 or not WAITING_PLACES.acquire(blocking=False):
        return False
    try:
        until = time.monotonic() + seconds
        unfinished = Run.objects.filter(pk__in=[run.pk for run in waiting], status__in=UNFINISHED)
        while unfinished.exists():
            if time.monotonic() >= until:
                return False
            time.sleep(POLL_S)
    finally:
        WAITING_PLACES.release()
    for run in waiting:
        run.refresh_from_db(fields=["status", "stats", "error", "attempts", "retry_at", "started_at", "finished_at"])
    return True


def readable(request: ActorRequest, source_id: int, right: Right = Right.READ) -> Source:
    """The source if the caller may see it. Raises `NotFound`, or `Forbidden` without `right` there."""
    source = Source.objects.select_related("scope", "conversation").filter(pk=source_id).first()
    if source is None or not request.actor.access.sees(source.scope.path):
        raise NotFound(f"no source {source_id}")
    request.actor.require(right, source.scope)
    return source


@router.get("/sources/{int:source_id}", response=SourceShape)
def get_source(request: ActorRequest, source_id: int) -> HttpResponse:
    """S: one source with its sections."""
    source = readable(request, source_id)
    show_kept([source])
    return Response(source_shape(source))


@router.get("/sources/{int:source_id}/evidence", response=QuotePage)
def get_evidence(
    request: ActorRequest, source_id: int, cursor: str | None = None, limit: int = 200, count: bool = False
) -> HttpResponse:
    """The quotes of this source that claims rest on, in the order of the text."""
    source = readable(request, source_id)
    most = check_limit(limit)
    rows = Evidence.objects.filter(source=source, claim__scope__in=visible(request.actor.access))
    total = rows.count() if count else None
    if cursor is not None:
        start, last = decode_cursor(cursor, [int, int])
        rows = rows.filter(Q(start__gt=start) | Q(start=start, pk__gt=last), start__gte=start)
    found = list(rows.select_related("section", "claim").order_by("start", "id")[: most + 1])
    page = page_of(found, most, lambda row: (row.start, row.pk), total=total)
    return Response(page.as_json([quote_shape(row) for row in page.items]))


@router.post("/sources/{int:source_id}/extract", response=PASS, openapi_extra=ACCEPTED)
def extract_source(request: ActorRequest, source_id: int, body: ExtractIn | None = None) -> HttpResponse:
    """Another pass over one source: 202 with its runs, 200 once they are finished or where `dry_run` only tells."""
    wanted = body or ExtractIn()
    source = readable(request, source_id, Right.INGEST)
    extractors = extractors_for_pass(request, source.scope, wanted)
    if wanted.dry_run:
        return Response({"dry_run": True, "proposals": dry_run(source, extractors)})

    def ask() -> list[Run]:
        return request_run(source, actor=request.actor, extractors=extractors, forced=wanted.force)

    runs, finished = runs_asked_for(request, f"sources/{source_id}/extract", ask, wanted.wait)
    return Response({"runs": [run_shape(run) for run in runs]}, status=200 if finished else 202)


@router.post("/conversations/{conversation}/extract", response=PASS, openapi_extra=ACCEPTED)
def extract_conversation(
    request: ActorRequest, conversation: str, scope: str | None = None, body: ExtractIn | None = None
) -> HttpResponse:
    """Another pass over every source of a thread, named by its id, or by its own id together with `scope`."""
    wanted = body or ExtractIn()
    thread = thread_of(request.actor, conversation, scope)
    extractors = extractors_for_pass(request, thread.scope, wanted)
    rows = Source.objects.filter(conversation=thread, purged_at=None).select_related("scope").order_by("position")
    if wanted.dry_run:
        proposals = [proposal for source in rows for proposal in dry_run(source, extractors)]
        return Response({"dry_run": True, "proposals": proposals})

    def ask() -> list[Run]:
        sources = list(rows.defer("text"))
        return request_runs(
            sources, scope=thread.scope, actor=request.actor, extractors=extractors, forced=wanted.force
        )

    runs, finished = runs_asked_for(request, f"conversations/{thread.pk}/extract", ask, wanted.wait)
    return Response({"runs": [run_shape(run) for run in runs]}, status=200 if finished else 202)


def extractors_for_pass(request: ActorRequest, scope: Scope, wanted: ExtractIn) -> list[ExtractorVersion]:
    """A dry run tells what stands in the texts, and so needs the right to read them."""
    if wanted.dry_run:
        request.actor.require(Right.READ, scope)
    return for_scope(scope, only=wanted.extractors)


def runs_asked_for(
    request: ActorRequest, route: str, ask: Callable[[], list[Run]], wait_s: float
) -> tuple[list[Run], bool]:
    """The runs that the request asks for, now or when it came first under its Idempotency-Key; and whether all are finished."""
    done = once_per_key(request, route, lambda: (202, [run.pk for run in ask()]))
    runs = list(Run.objects.select_related("scope").filter(pk__in=done.outcome).order_by("id"))
    return runs, wait_for(runs, wait_s)


def thread_of(actor: Actor, name: str, path: str | None) -> Conversation:
    rows = Conversation.objects.select_related("scope")
    if path is not None:
        thread = rows.filter(scope=scope_at(path, actor.access, Right.INGEST), external_id=name).first()
    elif ROW_ID.fullmatch(name):
        thread = rows.filter(pk=int(name)).first()
    else:
        raise Invalid("name the scope of a conversation that is named by its own id", field="scope")
    if thread is None or not actor.access.sees(thread.scope.path):
        raise NotFound(f"no conversation {name[:100]!r}")
    actor.require(Right.INGEST, thread.scope)
    return thread
