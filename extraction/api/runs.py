"""Runs, their reports, and the gates' log."""

from typing import Any, TypedDict

from django.db.models import Q
from django.http import HttpResponse
from ninja import Router
from ninja.responses import Response

from extraction.api.requests import AdmitIn
from extraction.api.shapes import (
    ACCEPTED,
    GatePage,
    RunPage,
    RunReport,
    RunShape,
    gate_shape,
    report_shape,
    run_shape,
)
from extraction.api.sources import readable
from ledger.actions.admit import HitToAdmit, admit
from ledger.actions.idempotency import once_per_key
from ledger.actions.run import retry_run
from ledger.actor import Actor, ActorRequest
from ledger.errors import Invalid, NotFound
from ledger.models import Gate, Run, RunStatus, Wave
from ledger.reads.outcomes_by_rule import outcomes_of_source
from ledger.reads.page import newest_page
from ledger.reads.scopes import in_sight
from ledger.rules.permissions import Right

router = Router(tags=["runs"])


@router.get("/runs", response=RunPage)
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
) -> HttpResponse:
    """Newest first."""
    rows = in_sight(Run.objects.select_related("scope"), request.actor.access, scope, descend=descend)
    if status is not None:
        rows = rows.filter(status=status)
    if source is not None:
        rows = rows.filter(source=source)
    if wave is not None:
        along = Wave.taken_along.through.objects.filter(wave=wave).values("source")
        rows = rows.filter(Q(source__wave=wave) | Q(source__in=along))
    page = newest_page(rows, cursor, limit, count=count)
    return Response(page.as_json([run_shape(run) for run in page.items]))


def run_at(actor: Actor, run_id: int, right: Right = Right.READ) -> Run:
    """The run if the caller may see it. Raises `NotFound`, or `Forbidden` without `right` there."""
    run = Run.objects.select_related("scope", "source").defer("source__text").filter(pk=run_id).first()
    if run is None or not actor.access.sees(run.scope.path):
        raise NotFound(f"no run {run_id}")
    actor.require(right, run.scope)
    return run


@router.get("/runs/{int:run_id}", response=RunReport)
def get_run(request: ActorRequest, run_id: int) -> HttpResponse:
    """R with the fate of every hit (C7): `hits` that were held back, dropped, noted or joined to a claim, each with its
    reason; `written` candidates as they now stand; and `ledger`, the figures by rule. With a model's raw answer (T2)."""
    return Response(report_shape(run_at(request.actor, run_id)))


class RuleReasonShape(TypedDict):
    fate: str
    why: str
    count: int


class OutcomesShape(TypedDict):
    """What became of what was found: in all, the same by rule, and why it was not written."""

    source: int
    proposed: int
    admitted: int
    merged: int
    superseded: int
    archived: int
    held_back: int
    dropped: int
    notes: int
    by_rule: dict[str, dict[str, int]]
    reasons: list[RuleReasonShape]


class AdmittedShape(TypedDict):
    """`admitted` tells of each hit by its number which candidate it became, `refused` why it stays where it is."""

    admitted: list[dict[str, Any]]
    refused: list[dict[str, Any]]
    run: RunShape


@router.get("/sources/{int:source_id}/ledger", response=OutcomesShape)
def get_ledger(request: ActorRequest, source_id: int) -> HttpResponse:
    """What became of all that passes over one source found, an episode's ledger (C7): proposed, admitted, merged, superseded,
    archived, held_back, dropped and notes, the same `by_rule`, and `reasons`."""
    source = readable(request, source_id)
    return Response({"source": source.pk, **outcomes_of_source(source.pk).as_json()})


@router.post("/runs/{int:run_id}/retry", response={202: RunShape}, openapi_extra=ACCEPTED)
def retry(request: ActorRequest, run_id: int) -> HttpResponse:
    """Queue a failed run again."""
    actor = request.actor
    run_at(actor, run_id, Right.INGEST)

    def do() -> tuple[int, int]:
        return 202, retry_run(run_at(actor, run_id, Right.INGEST), actor=actor).pk

    done = once_per_key(request, f"runs/{run_id}/retry", do)
    return Response(shape_for(run_at(actor, run_id, Right.INGEST), actor), status=done.status)


@router.post("/runs/{int:run_id}/admit", response=AdmittedShape)
def admit_hits(request: ActorRequest, run_id: int, body: AdmitIn) -> HttpResponse:
    """Make candidates of hits that were held back, by their numbers; a note that lacks a quote is given one as
    `{"number": 3, "quote": "…"}`. What cannot be anchored stays where it is and says why."""
    actor = request.actor
    run_at(actor, run_id, Right.PROPOSE)
    wanted = [HitToAdmit(hit) if isinstance(hit, int) else HitToAdmit(**hit.model_dump()) for hit in body.hits]

    def do() -> tuple[int, dict[str, Any]]:
        return 200, admit(run_at(actor, run_id, Right.PROPOSE), wanted, actor=actor).as_json()

    done = once_per_key(request, f"runs/{run_id}/admit", do)
    return Response({**done.outcome, "run": shape_for(run_at(actor, run_id, Right.PROPOSE), actor)})


def shape_for(run: Run, actor: Actor) -> RunShape:
    return run_shape(run, may_read=actor.access.may(Right.READ, run.scope.path))


@router.get("/gates", response=GatePage)
def list_gates(
    request: ActorRequest,
    source: int | None = None,
    run: int | None = None,
    cursor: str | None = None,
    limit: int = 50,
    count: bool = False,
) -> HttpResponse:
    """The confidence checks of one source or one run, newest first, each with its own score and threshold."""
    if run is None and source is None:
        raise Invalid("name the source or the run", field="source")
    rows = Gate.objects.all()
    if source is not None:
        rows = rows.filter(source=readable(request, source))
    if run is not None:
        rows = rows.filter(run=run_at(request.actor, run))
    page = newest_page(rows, cursor, limit, count=count)
    return Response(page.as_json([gate_shape(gate) for gate in page.items]))
