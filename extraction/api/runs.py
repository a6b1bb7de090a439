"""Runs, their reports, and the gates' log."""

from django.db.models import Q
from django.http import HttpResponse
from ninja import Router
from ninja.responses import Response

from extraction.api.documented import RunPage, RunReport, RunShape, documented
from extraction.api.shapes import AdmitIn, Shape, gate_shape, hit_shape, run_shape, written_shapes
from extraction.api.sources import readable
from ledger.actions.admit import Wanted, admit
from ledger.actions.once import once
from ledger.actions.run import retry_run
from ledger.actor import Actor, ActorRequest
from ledger.errors import Invalid, NotFound
from ledger.models import Gate, Run, RunStatus, Wave
from ledger.reads.outcomes_by_rule import outcomes_of_run, outcomes_of_source
from ledger.reads.page import check_limit, decode_cursor, page_of
from ledger.reads.scopes import in_sight
from ledger.rules.permissions import Right

router = Router(tags=["runs"])
MAX_HITS = 1000


@router.get("/runs", openapi_extra=documented(RunPage))
def list_runs(
    request: ActorRequest,
    scope: str | None = None,
    descend: bool = False,
    status: RunStatus | None = None,
    source: int | None = None,
    wave: int | None = None,
    cursor: str | None = None,
    limit: int = 50,
    count: bool = False,
) -> Shape:
    """Newest first."""
    access = request.actor.access
    rows = in_sight(Run.objects.select_related("scope"), access, scope, descend=descend)
    for name, value in (("status", status), ("source", source)):
        if value is not None:
            rows = rows.filter(**{name: value})
    if wave is not None:
        along = Wave.taken_along.through.objects.filter(wave=wave).values("source")
        rows = rows.filter(Q(source__wave=wave) | Q(source__in=along))
    total = rows.count() if count else None
    if cursor is not None:
        rows = rows.filter(pk__lt=decode_cursor(cursor, [int])[0])
    limit = check_limit(limit)
    page = page_of(list(rows.order_by("-id")[: limit + 1]), limit, lambda run: [run.pk], total=total)
    answer: Shape = {"items": [run_shape(run) for run in page.items], "next": page.next}
    return answer | ({"total": total} if total is not None else {})


def run_at(actor: Actor, run_id: int, right: Right = Right.READ) -> Run:
    """The run if the caller may see it. Raises `NotFound`, or `Forbidden` without `right` there."""
    run = Run.objects.select_related("scope", "source").defer("source__text").filter(pk=run_id).first()
    if run is None or not actor.access.sees(run.scope.path):
        raise NotFound(f"no run {run_id}")
    actor.require(right, run.scope)
    return run


@router.get("/runs/{int:run_id}", openapi_extra=documented(RunReport))
def get_run(request: ActorRequest, run_id: int) -> Shape:
    """R with the fate of every hit (C7): `hits` that were held back, dropped, noted or joined to a claim, each with its
    reason; `written` candidates as they now stand; and `ledger`, the figures by rule. With a model's raw answer (T2)."""
    run = run_at(request.actor, run_id)
    hits = run.hits.select_related("admitted", "claim").defer("admitted__search", "claim__search")
    return run_shape(run) | {
        "raw_answer": run.raw_answer or None,
        "hits": [hit_shape(row) for row in hits[:MAX_HITS]],
        "written": written_shapes(run.claims.order_by("id")[:MAX_HITS]),
        "ledger": outcomes_of_run(run.pk).as_json(),
    }


@router.get("/sources/{int:source_id}/ledger")
def get_ledger(request: ActorRequest, source_id: int) -> Shape:
    """What became of all that passes over one source found, an episode's ledger (C7): proposed, admitted, merged, superseded,
    archived, held_back, dropped and notes, the same `by_rule`, and `reasons`."""
    source = readable(request, source_id)
    return {"source": source.pk, **outcomes_of_source(source.pk).as_json()}


@router.post("/runs/{int:run_id}/retry", openapi_extra=documented(RunShape, statuses=(202,)))
def retry(request: ActorRequest, run_id: int) -> HttpResponse:
    """Queue a failed run again."""
    actor = request.actor
    run_at(actor, run_id, Right.INGEST)

    def do() -> tuple[int, int]:
        return 202, retry_run(run_at(actor, run_id, Right.INGEST), actor=actor).pk

    done = once(actor, f"runs/{run_id}/retry", request.headers.get("Idempotency-Key", ""), request.body, do)
    return Response(_answer(run_at(actor, run_id, Right.INGEST), actor), status=done.status)


@router.post("/runs/{int:run_id}/admit")
def admit_hits(request: ActorRequest, run_id: int, body: AdmitIn) -> Shape:
    """Make candidates of hits that were held back, by their numbers; a note that lacks a quote is given one as
    `{"number": 3, "quote": "…"}`. What cannot be anchored stays where it is and says why."""
    actor = request.actor
    run_at(actor, run_id, Right.PROPOSE)

    def do() -> tuple[int, Shape]:
        wanted = [
            hit if isinstance(hit, int) else Wanted(hit.number, hit.quote, hit.start, hit.end) for hit in body.hits
        ]
        return 200, admit(run_at(actor, run_id, Right.PROPOSE), wanted, actor=actor).as_json()

    done = once(actor, f"runs/{run_id}/admit", request.headers.get("Idempotency-Key", ""), request.body, do)
    return {**done.outcome, "run": _answer(run_at(actor, run_id, Right.PROPOSE), actor)}


def _answer(run: Run, actor: Actor) -> Shape:
    """R; without what went wrong, which may quote the text, for a token that may not read it."""
    shown = actor.access.may(Right.READ, run.scope.path)
    return run_shape(run) | ({} if shown else {"error": None})


@router.get("/gates")
def list_gates(
    request: ActorRequest, source: int | None = None, run: int | None = None, cursor: str | None = None, limit: int = 50
) -> Shape:
    """The confidence checks of one source or one run, newest first, each with its own score and threshold."""
    if run is None and source is None:
        raise Invalid("name the source or the run", field="source")
    rows = Gate.objects.all()
    if source is not None:
        rows = rows.filter(source=readable(request, source))
    if run is not None:
        rows = rows.filter(run=run_at(request.actor, run))
    if cursor is not None:
        rows = rows.filter(pk__lt=decode_cursor(cursor, [int])[0])
    limit = check_limit(limit)
    page = page_of(list(rows.order_by("-id")[: limit + 1]), limit, lambda gate: [gate.pk])
    return {"items": [gate_shape(gate) for gate in page.items], "next": page.next}
