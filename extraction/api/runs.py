"""Runs, their reports, and the gates' log."""

from django.http import HttpRequest, HttpResponse
from ninja import Router
from ninja.responses import Response

from extraction.api.documented import RunPage, RunReport, RunShape, documented
from extraction.api.shapes import AdmitIn, Shape, gate_shape, hit_shape, run_shape
from extraction.api.sources import actor_of, readable
from ledger.actions.admit import admit
from ledger.actions.once import once
from ledger.actions.run import retry_run
from ledger.actor import Actor
from ledger.errors import NotFound
from ledger.models import Gate, Run, RunStatus
from ledger.reads.page import decode, limit_of, page_of
from ledger.reads.scopes import scope_at, visible
from ledger.rules.permissions import Right

router = Router(tags=["runs"])


@router.get("/runs", openapi_extra=documented(RunPage))
def list_runs(
    request: HttpRequest,
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
    access = actor_of(request).access
    rows = Run.objects.select_related("scope")
    if scope is not None and not descend:
        rows = rows.filter(scope=scope_at(scope, access))
    else:
        root = scope_at(scope, access).path if scope is not None else None
        rows = rows.filter(scope__in=visible(access, root=root))
    for name, value in (("status", status), ("source", source), ("source__wave", wave)):
        if value is not None:
            rows = rows.filter(**{name: value})
    total = rows.count() if count else None
    if cursor is not None:
        rows = rows.filter(pk__lt=decode(cursor, [int])[0])
    limit = limit_of(limit)
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
def get_run(request: HttpRequest, run_id: int) -> Shape:
    """R with `hits`: what was held back, dropped or noted, each with its reason."""
    run = run_at(actor_of(request), run_id)
    return run_shape(run) | {"hits": [hit_shape(row) for row in run.hits.select_related("admitted")[:1000]]}


@router.post("/runs/{int:run_id}/retry", openapi_extra=documented(RunShape, statuses=(202,)))
def retry(request: HttpRequest, run_id: int) -> HttpResponse:
    """Queue a failed run again."""
    actor = actor_of(request)
    run_at(actor, run_id, Right.INGEST)

    def do() -> tuple[int, int]:
        return 202, retry_run(run_at(actor, run_id, Right.INGEST), actor=actor).pk

    done = once(actor, f"runs/{run_id}/retry", request.headers.get("Idempotency-Key", ""), request.body, do)
    return Response(_answer(run_at(actor, run_id, Right.INGEST), actor), status=done.status)


@router.post("/runs/{int:run_id}/admit")
def admit_hits(request: HttpRequest, run_id: int, body: AdmitIn) -> Shape:
    """Make candidates of hits that were held back, by their numbers. What cannot be anchored stays where it is and says
    why."""
    actor = actor_of(request)
    run_at(actor, run_id, Right.PROPOSE)

    def do() -> tuple[int, Shape]:
        return 200, admit(run_at(actor, run_id, Right.PROPOSE), body.hits, actor=actor).as_json()

    done = once(actor, f"runs/{run_id}/admit", request.headers.get("Idempotency-Key", ""), request.body, do)
    return {**done.outcome, "run": _answer(run_at(actor, run_id, Right.PROPOSE), actor)}


def _answer(run: Run, actor: Actor) -> Shape:
    """R; without what went wrong, which may quote the text, for a token that may not read it."""
    shown = actor.access.may(Right.READ, run.scope.path)
    return run_shape(run) | ({} if shown else {"error": None})


@router.get("/gates")
def list_gates(request: HttpRequest, source: int, cursor: str | None = None, limit: int = 50) -> Shape:
    """The confidence checks of one source, newest first, each with its own score and threshold."""
    rows = Gate.objects.filter(source=readable(request, source))
    if cursor is not None:
        rows = rows.filter(pk__lt=decode(cursor, [int])[0])
    limit = limit_of(limit)
    page = page_of(list(rows.order_by("-id")[: limit + 1]), limit, lambda gate: [gate.pk])
    return {"items": [gate_shape(gate) for gate in page.items], "next": page.next}
