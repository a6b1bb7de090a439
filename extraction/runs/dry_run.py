"""What a pass would propose now, without a write."""

from collections.abc import Callable, Sequence
from typing import Any

from django.db import transaction

from extraction.extractors.registry import EXTRACTORS, for_scope
from extraction.runs.pipeline import find, propose
from ledger.actions.run import ExtractorVersion
from ledger.models import Scope, Source, Wave
from ledger.reads.packs import packs_of
from ledger.reads.waves import wave_sources

# A dry run reads while the caller waits.
MAX_SOURCES = 100


def dry_run(source: Source, extractors: Sequence[ExtractorVersion]) -> list[dict[str, Any]]:
    """What a pass of each of `extractors` would propose, as JSON; everything it did on the way is rolled back. What asks
    outside, and so costs money and time, is left out, and so is who does not read sources of this kind."""
    packs = packs_of(source.scope)
    proposals: list[dict[str, Any]] = []
    for named in extractors:
        extractor = EXTRACTORS[named.name]
        if extractor.asks_outside or not named.reads(source):
            continue
        done = find(source, packs, extractor, version="dry")
        with transaction.atomic():
            propose(done, source.scope, None)
            proposals += [one.as_proposed() for one in done.outcomes]
            transaction.set_rollback(True)
    return proposals


def dry_run_of_wave(wave: Wave, only: list[str] | None) -> dict[str, Any]:
    """The same over the first sources of a wave."""
    extractors = extractors_named(only)
    proposals: list[dict[str, Any]] = []
    sources = [source for some in wave_sources(wave) for source in some]
    for source in sources[:MAX_SOURCES]:
        proposals += dry_run(source, extractors(source.scope))
    tried = min(len(sources), MAX_SOURCES)
    return {"dry_run": True, "proposals": proposals, "sources": tried, "sources_left_off": len(sources) - tried}


def extractors_named(only: list[str] | None) -> Callable[[Scope], list[ExtractorVersion]]:
    """The extractors of each scope that is asked about, each worked out once."""
    known: dict[int, list[ExtractorVersion]] = {}

    def of(scope: Scope) -> list[ExtractorVersion]:
        if scope.pk not in known:
            known[scope.pk] = for_scope(scope, only=only)
        return known[scope.pk]

    return of
