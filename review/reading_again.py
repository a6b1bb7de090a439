"""Read the sources of a claim again: what is found is proposed beside it (P11)."""

from ledger.actions.run import extractors_for, request_run
from ledger.actor import Actor
from ledger.errors import BadTransition, Forbidden
from ledger.models import Claim, Source
from ledger.reads.claims import evidence_of
from ledger.rules.permissions import Right


def read_again(claim: Claim, actor: Actor, *, only: list[str] | None = None) -> list[int]:
    """The ids of a forced run for each source and extractor (`only` these). Raises `Forbidden` where none of the sources is in
    the actor's reach, `BadTransition` where nothing is left to read."""
    cited = {row.source_id: row.source_scope for row in evidence_of([claim.pk])[claim.pk]}
    if not any(actor.access.may(Right.INGEST, path) for path in cited.values()):
        raise Forbidden("its sources belong to scopes where you may not queue extraction")
    runs = []
    for source in Source.objects.filter(pk__in=cited, purged_at=None).select_related("scope").order_by("pk"):
        if actor.access.may(Right.INGEST, source.scope.path):
            extractors = extractors_for(source.scope, only=only)
            runs += [run.pk for run in request_run(source, actor=actor, extractors=extractors, forced=True)]
    if not runs:
        raise BadTransition(f"nothing is left to read for {claim.ref}", state="purged")
    return runs
