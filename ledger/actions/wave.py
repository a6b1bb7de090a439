"""Waves: sources that came together, and others that they take along (P2, P12)."""

from collections.abc import Callable, Sequence

from django.db import transaction

from ledger.actions.run import ExtractorVersion, request_runs
from ledger.actor import Actor
from ledger.errors import Invalid
from ledger.models import Run, Scope, Source, Wave
from ledger.reads.waves import wave_sources
from ledger.rules.columns import check_text
from ledger.rules.permissions import Right

MAX_LABEL = 200


def new_wave(scope: Scope, label: str, *, actor: Actor) -> Wave:
    """Not yet a row: an ingest saves it with its first source, `take_along` with the first that it takes along."""
    actor.require(Right.INGEST, scope)
    label = " ".join(label.split())
    check_text("label", label, most=MAX_LABEL)
    if not label:
        raise Invalid("a wave needs a label", field="label")
    return Wave(scope=scope, label=label, by=actor.name[:200])


def take_along(wave: Wave, sources: Sequence[Source], *, actor: Actor) -> None:
    """Sources that are here already join the wave; they stay what they are (law 1). In a scope of the wave's or below it."""
    if not sources:
        return
    with transaction.atomic(savepoint=False):
        for scope in {source.scope_id: source.scope for source in sources}.values():
            actor.require(Right.INGEST, scope)
        if wave.pk is None:
            wave.save()
        through = Wave.taken_along.through
        through.objects.bulk_create(
            [through(wave_id=wave.pk, source_id=source.pk) for source in sources if source.wave_id != wave.pk],
            ignore_conflicts=True,
        )


def request_wave(
    wave: Wave, *, actor: Actor, extractors: Callable[[Scope], Sequence[ExtractorVersion]], forced: bool = False
) -> list[Run]:
    """A pass over every source of the wave that is not purged, in the order in which they came; `extractors` tells those of
    a scope."""
    runs: list[Run] = []
    with transaction.atomic(savepoint=False):
        for some in wave_sources(wave):
            for scope in {source.scope_id: source.scope for source in some}.values():
                runs += request_runs(
                    [source for source in some if source.scope_id == scope.pk],
                    scope=scope,
                    actor=actor,
                    extractors=extractors(scope),
                    forced=forced,
                )
    return runs
