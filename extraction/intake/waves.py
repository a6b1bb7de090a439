"""Waves as they come in over the API, and passes over a whole one (P2)."""

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from extraction.extractors.registry import for_scope
from extraction.intake.gate import watched
from extraction.intake.requests import (
    MOST,
    STATUS,
    Taken,
    incoming,
    latest_runs,
    nothing_good,
    parse,
    problem,
    with_runs,
)
from extraction.runs.pipeline import dry_run
from ledger.actions.ingest import Incoming, checked, ingest
from ledger.actions.run import Extractor, request_runs
from ledger.actions.wave import new_wave, take_along
from ledger.actor import Actor
from ledger.errors import Forbidden, Invalid, NotFound, TooLarge
from ledger.models import Scope, Source, Wave
from ledger.reads.page import MAX_ID
from ledger.reads.scopes import scope_at
from ledger.reads.waves import wave_sources
from ledger.rules.permissions import Right, covers

FIELDS = {"scope", "label", "sources", "extract", "wait"}
# A dry run reads while the caller waits.
MAX_TRIED = 100


def make_wave(body: Any, actor: Actor) -> tuple[int, dict[str, Any]]:
    """201, and `{"wave": id, "results": [ids of Taken or {"error": problem}]}` in the order of `sources`: ids of sources that
    are here, or sources as POST /sources takes them (their `scope` is the wave's where they name none). All that is good is
    kept. With `extract` (the default) the wave is read at once. Raises `Invalid` where nothing is good."""
    if not isinstance(body, dict):
        raise Invalid("a wave is an object", field="body")
    if unknown := set(body) - FIELDS:
        raise Invalid(f"{sorted(map(str, unknown))[0][:60]!r} is not known here", field=str(sorted(unknown)[0])[:60])
    if not isinstance(body.get("scope"), str):
        raise Invalid("name the scope of the wave", field="scope")
    if not isinstance(body.get("extract", True), bool):
        raise Invalid("extract is true or false", field="extract")
    wave = new_wave(scope_at(body["scope"], actor.access, Right.INGEST), _label(body.get("label")), actor=actor)
    given = body.get("sources")
    if not isinstance(given, list) or not given:
        raise Invalid("sources is a list of at least one", field="sources")
    if len(given) > MOST:
        raise TooLarge(f"at most {MOST} sources in one request", field="sources")
    answers: list[dict[str, Any] | None] = [None] * len(given)
    here: dict[int, Source] = {}
    groups: dict[tuple[int, bool], list[tuple[int, Incoming]]] = {}
    scopes: dict[str, Scope] = {wave.scope.path: wave.scope}
    for at, one in enumerate(given):
        try:
            if isinstance(one, int) and not isinstance(one, bool):
                here[at] = _here(one, wave.scope, actor, f"sources.{at}")
                continue
            item = parse({"scope": wave.scope.path, **one} if isinstance(one, dict) else one, f"sources.{at}.")
            if not covers(wave.scope.path, item.scope):
                raise Invalid(f"{item.scope[:100]!r} is not of the wave's scope", field=f"sources.{at}.scope")
            if item.scope not in scopes:
                scopes[item.scope] = scope_at(item.scope, actor.access, Right.INGEST)
            text = incoming(item)
            checked(text, actor=actor, path=f"sources.{at}.")
            reads = body.get("extract", True) and item.extract
            groups.setdefault((scopes[item.scope].pk, reads), []).append((at, text))
        except tuple(STATUS) as error:
            answers[at] = {"error": problem(error)}
    if not groups and not here:
        raise nothing_good(answers)
    places = {scope.pk: scope for scope in scopes.values()}
    for (pk, reads), group in sorted(groups.items()):
        extractors = for_scope(places[pk]) if reads else ()
        items = watched([text for _, text in group], places[pk])
        done = ingest(items, scope=places[pk], actor=actor, extractors=extractors, wave=wave)
        for (at, _), one in zip(group, done, strict=True):
            if one.duplicate:
                here[at] = one.source
        answers_of = with_runs(done)
        for (at, _), taken in zip(group, answers_of, strict=True):
            answers[at] = asdict(taken)
    # What was here before comes along, so that the wave is what was sent.
    take_along(wave, list(here.values()), actor=actor)
    for scope in {source.scope_id: source.scope for source in here.values()}.values():
        mine = [source for source in here.values() if source.scope_id == scope.pk and source.purged_at is None]
        if body.get("extract", True):
            request_runs(mine, scope=scope, actor=actor, extractors=for_scope(scope))
    latest = latest_runs({source.pk for source in here.values()})
    for at, source in here.items():
        answers[at] = asdict(Taken(source.pk, True, latest.get(source.pk)))
    return 201, {"wave": wave.pk, "results": answers}


def _label(label: Any) -> str:
    if not isinstance(label, str):
        raise Invalid("label is a text", field="label")
    return label


def _here(pk: int, scope: Scope, actor: Actor, field: str) -> Source:
    """A source that is here already, in the wave's scope or below it."""
    source = Source.objects.select_related("scope").defer("text").filter(pk=pk).first() if 0 < pk <= MAX_ID else None
    if source is None or not actor.access.sees(source.scope.path):
        raise NotFound(f"no source {pk}")
    if not covers(scope.path, source.scope.path):
        raise Invalid(f"source {pk} is not of the wave's scope", field=field)
    if not actor.access.may(Right.INGEST, source.scope.path):
        raise Forbidden(f"{actor.name} may not send to {source.scope.path}")
    return source


def extractors_named(only: list[str] | None) -> Callable[[Scope], list[Extractor]]:
    """The extractors of each scope that is asked about, each worked out once."""
    known: dict[int, list[Extractor]] = {}

    def of(scope: Scope) -> list[Extractor]:
        if scope.pk not in known:
            known[scope.pk] = for_scope(scope, only=only)
        return known[scope.pk]

    return of


def try_wave(wave: Wave, only: list[str] | None) -> dict[str, Any]:
    """What a pass over the wave would propose now; nothing is written. Of a long wave the first sources are tried."""
    extractors = extractors_named(only)
    told: list[dict[str, Any]] = []
    tried = left = 0
    for some in wave_sources(wave):
        for source in some:
            if tried >= MAX_TRIED:
                left += 1
                continue
            tried += 1
            names = [one.name for one in extractors(source.scope) if not one.kinds or source.kind in one.kinds]
            told += dry_run(source, names)
    return {"dry_run": True, "proposals": told, "sources": tried, "sources_left_off": left}
