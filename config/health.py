"""Whether it works, and how much waits."""

from typing import Any, TypedDict

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.models import Min, OuterRef, QuerySet, Subquery
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from ninja import Router

from config.api_errors import problem
from extraction.extractors.model.server import configured
from extraction.extractors.model.spending import spent_today
from ledger.actions.encode_sources import statements_waiting, waiting
from ledger.actor import ActorRequest
from ledger.errors import Forbidden, NotFound
from ledger.models import GLOBAL, Claim, Conflict, Run, Scope
from ledger.reads.scopes import visible
from ledger.rules.permissions import Access, Right

router = Router(tags=["health"])


class StatusShape(TypedDict):
    status: str


class HealthShape(StatusShape):
    open_conflicts_count: int
    pending: int
    oldest_pending_seconds: int | None
    queued_runs: int
    queued_embeddings: int
    failed_runs: int
    scopes: int
    model: dict[str, int] | None


@router.get("/health/live", auth=None, response=StatusShape)
def live(request: HttpRequest) -> StatusShape:
    """The process answers."""
    return {"status": "ok"}


@router.get("/health/ready", auth=None, response=StatusShape)
def ready(request: HttpRequest) -> Any:
    """The database answers too."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return problem(503, "the database does not answer")
    return {"status": "ok"}


@router.get("/health", response=HealthShape)
def health(request: HttpRequest) -> HealthShape:
    """Figures over what the caller may read. `queued_runs` counts the waiting and the working,
    `queued_embeddings` the sources and statements of all that the encoder has yet to read; `model` is what asking a model
    has cost today, with its ceilings, for those who may read everything."""
    return figures(request.actor.access)  # type: ignore[attr-defined]


TEXT = {"description": "OK", "content": {"text/plain": {"schema": {"type": "string"}}}}


@router.get("/metrics", openapi_extra={"responses": {200: TEXT}})
def metrics(request: ActorRequest) -> HttpResponse:
    """Queue, runs, journal, worker and the times of answers for Prometheus, to a token that may read everything. Off (404) unless
    the server was started with `COUNTERSIGN_METRICS`."""
    if not settings.COUNTERSIGN_METRICS:
        raise NotFound("metrics are off; COUNTERSIGN_METRICS turns them on")
    if not request.actor.access.may(Right.READ, GLOBAL):
        raise Forbidden("figures over everything are for those who may read everything")
    from config import metrics as counted  # read in where it is on: the client takes a tenth of a second

    return HttpResponse(counted.page(), content_type=counted.CONTENT_TYPE)


def figures(access: Access) -> HealthShape:
    """A few counts over partial indexes: what is decided and done costs nothing."""
    scopes = visible(access)
    everything = any(root == GLOBAL and access.may(Right.READ, root) for root in access.roots())

    def count[T: (Claim, Conflict, Run)](rows: QuerySet[T], status: str) -> int:
        rows = rows.filter(status=status)
        return (rows if everything else rows.filter(scope__in=scopes)).count()

    return {
        "status": "ok",
        "open_conflicts_count": count(Conflict.objects.all(), "open"),
        "pending": count(Claim.objects.all(), "pending"),
        "oldest_pending_seconds": oldest_pending_s(scopes),
        "queued_runs": count(Run.objects.all(), "queued") + count(Run.objects.all(), "running"),
        "queued_embeddings": len(waiting()) + statements_waiting(),
        "failed_runs": count(Run.objects.all(), "failed"),
        "scopes": Scope.objects.count() if everything else scopes.count(),
        "model": spent_today() if everything and configured() else None,
    }


def oldest_pending_s(scopes: QuerySet[Scope]) -> int | None:
    first = Claim.objects.filter(scope=OuterRef("pk"), status="pending").order_by("id").values("id")[:1]
    oldest = scopes.annotate(first=Subquery(first)).aggregate(oldest=Min("first"))["oldest"]
    since = Claim.objects.filter(pk=oldest).values_list("created_at", flat=True).first()
    return None if since is None else round((timezone.now() - since).total_seconds())
