"""Waves: sources that came together, and others that they take along (P2, P12)."""

from collections.abc import Callable, Iterable, Sequence

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
        for scope, _ in by_scope(sources):
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
            for scope, own in by_scope(some):
                runs += request_runs(own, scope=scope, actor=actor, extractors=extractors(scope), forced=forced)
    return runs


def by_scope(sources: Iterable[Source]) -> list[tuple[Scope, list[Source]]]:
    """The sources of each scope, in their order."""
    found: dict[int, tuple[Scope, list[Source]]] = {}
    for source in sources:
        found.setdefault(source.scope_id, (source.scope, []))[1].append(source)
    return list(found.values())
