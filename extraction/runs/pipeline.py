"""From a queued run to candidates: an extractor, gate, anchoring, budget, then one transaction that writes all or nothing."""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import batched

import structlog
from django.db import connection, transaction
from django.utils import timezone

from extraction.extractors.documents import Span
from extraction.extractors.findings import ClaimMark, Extractor, Findings, Reading, ReadingFailed
from extraction.extractors.registry import EXTRACTORS
from extraction.runs.consolidate import (
    HitOutcome,
    by_scope,
    consolidate,
    figures_of,
    gates_of,
    gates_of_stages,
    report_of,
    with_priors,
)
from ledger.actions.anchoring import quote_at
from ledger.actions.confirm import confirm, flag
from ledger.actions.locking import lock_proposals, lost_connection, retry_lost_races
from ledger.actions.logs import note_patterns
from ledger.actions.propose import propose_all
from ledger.actions.run import fail_run, finish_run, put_back, working_on_next
from ledger.actor import system
from ledger.models import Claim, Evidence, Run, Scope, Source
from ledger.packs import PackSet
from ledger.reads.packs import packs_of
from ledger.rules.drafts import Quote
from ledger.rules.states import UNDECIDED_OR_LIVE

log = structlog.get_logger(__name__)

WORKER = system("worker", "extraction")
STEP = 500


@dataclass(slots=True)
class Pass:
    """What one pass over one source came to, before or after it is written; `outcomes` in the order of the hits. `thresholds`
    by the stage of each gate (law 6)."""

    source: Source
    extractor: Extractor
    thresholds: Mapping[str, float]
    findings: Findings
    outcomes: list[HitOutcome]
    stats: dict[str, int] = field(default_factory=dict)


def work_off(only: Sequence[int] | None = None, *, most: int | None = None, seconds: float | None = None) -> int:
    """Work on queued runs (of `only`) until none waits, `most` are done or the time is over; returns how many were."""
    done = 0
    until = time.monotonic() + (seconds if seconds is not None else float("inf"))
    while done != most and time.monotonic() < until:
        with working_on_next(only) as run:
            if run is None:
                return done
            work_on(run)
        done += 1
    return done


def work_off_in_steps(ids: Sequence[int]) -> Iterator[int]:
    """Work on these runs, some at a time; yields how many are done."""
    done = 0
    for some in batched(ids, STEP):
        work_off(some)
        done += len(some)
        yield done


def work_on(run: Run) -> None:
    """One run to its end. What goes wrong fails the run with its reason, and nothing of it is written."""
    try:
        extract(run)
    except ReadingFailed as error:
        # What was answered is kept with the reason, and so is what it cost.
        fail_run(
            run,
            error=str(error),
            raw_answer=error.raw_answer,
            model=error.model,
            tokens=error.tokens,
            again=error.again,
            not_before=error.not_before,
        )
    except Exception as error:  # noqa: BLE001 - a fault in a rule is that run's failure, not the worker's
        if lost_connection(error):
            log.warning("run_lost_its_connection", run=run.pk, error=str(error)[:500])
            connection.close()
            put_back(run)
            return
        log.warning("run_failed", run=run.pk, source=run.source_id, error=str(error)[:500])
        fail_run(run, error=f"{type(error).__name__}: {error}")


def extract(run: Run) -> Pass:
    """Read the source, find, decide, write; the run is finished in the transaction that writes the candidates."""
    extractor = EXTRACTORS.get(run.extractor)
    if extractor is None:
        raise ValueError(f"there is no extractor {run.extractor!r} here")
    if run.source.purged_at is not None:
        raise ValueError("the source was purged before it was read")
    done = find(run.source, packs_of(run.scope), extractor, version=run.extractor_version)
    write(done, run)
    return done


def find(source: Source, packs: PackSet, extractor: Extractor, *, version: str) -> Pass:
    """What an extractor finds and what becomes of each hit, without a write."""
    reading = Reading(source, source.scope, packs, timezone.now())
    findings = extractor.read(reading)
    gates = {extractor.stage: extractor.threshold, **extractor.other_gates}
    thresholds = {stage: float(packs.setting("gates", stage, least)) for stage, least in gates.items()}
    staged = [replace(hit, stage=hit.stage or extractor.stage) for hit in findings.hits]
    hits = with_priors(staged, extractor.name, packs)
    outcomes = consolidate(hits, reading, thresholds=thresholds, extractor=extractor.name, version=version)
    return Pass(source, extractor, thresholds, findings, outcomes)


@retry_lost_races
@transaction.atomic
def write(done: Pass, run: Run) -> None:
    """In one transaction: candidates, patterns, the report of what was not written, gates, and the run's end."""
    found = done.findings
    propose(done, run.scope, run)
    if found.marks or found.patterns:
        note_thread(done, run)
    finish_run(
        run,
        stats=done.stats,
        hits=report_of(done.outcomes, found.notes, run),
        gates=[*gates_of(done.outcomes, done.thresholds, run), *gates_of_stages(found.scores, run)],
        raw_answer=found.raw_answer,
        model=found.model,
        tokens=found.tokens,
        partial=found.partial,
    )


def propose(done: Pass, scope: Scope, run: Run | None) -> None:
    """Fill in the proposals and the figures of a pass."""
    groups = by_scope(done.outcomes, scope)
    scopes = {scope.pk: scope} | Scope.objects.in_bulk(groups.keys() - {scope.pk})
    if len(groups) > 1:
        # In one order, so that two workers cannot wait crosswise for each other's scopes.
        lock_proposals(sorted(groups))
    for pk in sorted(groups):
        drafts = [outcome.draft for outcome in groups[pk]]
        proposals = propose_all(drafts, scope=scopes[pk], actor=WORKER, run=run, in_pass=True)
        for outcome, proposal in zip(groups[pk], proposals, strict=True):
            outcome.proposal = proposal
    done.stats = figures_of(done.outcomes, done.findings)


def note_thread(done: Pass, run: Run) -> None:
    """What a message says of its thread: confirmations and objections, and the patterns that it is part of."""
    claims: dict[int | None, Claim] = {at: one.claim for at, one in enumerate(done.outcomes) if one.claim}
    about = mark_claims(done.findings.marks, done.source, claims)
    patterns = done.findings.patterns
    spoken_of = [claims.get(one.hit) or about.get(at) for at, one in enumerate(patterns)]
    note_patterns(patterns, scope=run.scope, actor=WORKER, run=run, claims=spoken_of)


def mark_claims(marks: Sequence[ClaimMark], source: Source, claims: Mapping[int | None, Claim]) -> dict[int, Claim]:
    """What a message confirms or objects to, of the claims of this pass (by the places of their hits) and of those that are there
    already; written by the ledger's verbs. Returns by pattern the first claim that it is about."""
    about: dict[int, Claim] = {}
    for mark in marks:
        meant = {claims[at].pk: claims[at] for at in mark.hits if at in claims}
        meant |= {claim.pk: claim for claim in claims_on(mark, source)}
        if not meant:
            continue
        words, reason = words_of(mark.words, source), mark.reason[:500]
        if mark.verb == "flag":
            flag(list(meant.values()), words=words, actor=WORKER, reason=reason)
        elif words is not None:
            confirm(list(meant.values()), words=words, actor=WORKER, reason=reason)
        if mark.pattern is not None:
            about.setdefault(mark.pattern, next(iter(meant.values())))
    return about


def claims_on(mark: ClaimMark, read: Source) -> list[Claim]:
    """Claims of the scope that wait or hold and are supported by the words that the mark is about."""
    cited = Evidence.objects.filter(
        source=mark.source_id or read.pk, start__lt=mark.end, end__gt=mark.start, stance="supports"
    )
    rows = Claim.objects.filter(pk__in=cited.values("claim"), scope=read.scope_id, status__in=UNDECIDED_OR_LIVE)
    return list(rows.select_related("scope", "kind").order_by("id"))


def words_of(span: Span | None, source: Source) -> Quote | None:
    if span is None:
        return None
    return quote_at(source, list(source.sections.all()), span.start, span.end, stance=span.stance, anchor=span.anchor)
