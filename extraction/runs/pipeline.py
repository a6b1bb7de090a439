"""From a queued run to candidates: an extractor, gate, anchoring, budget, then one transaction that writes all or nothing."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import structlog
from django.db import transaction
from django.utils import timezone

from extraction.extractors.documents import Span
from extraction.extractors.findings import ClaimMark, Extractor, Findings, Reading, ReadingFailed
from extraction.extractors.registry import EXTRACTORS
from extraction.runs.consolidate import HitOutcome, by_scope, consolidate, with_priors
from ledger.actions.anchoring import Quote, quote_at
from ledger.actions.confirm import SPOKEN_OF, confirm, flag
from ledger.actions.gate import log_gates
from ledger.actions.locking import lock_proposals, retry_lost_races
from ledger.actions.pattern import note_patterns
from ledger.actions.propose import propose_all
from ledger.actions.run import fail_run, finish_run, working_on_next
from ledger.actor import system
from ledger.models import Claim, Evidence, Gate, Run, RunHit, Scope, Source
from ledger.packs import PackSet
from ledger.reads.packs import packs_of

log = structlog.get_logger(__name__)

WORKER = system("worker", "extraction")
FIGURES = ("proposed", "written", "duplicates", "merged", "notes", "held_back", "dropped")


@dataclass(slots=True)
class Pass:
    """What one pass over one source came to, before or after it is written; `outcomes` in the order of the hits. `threshold` is
    that of the extractor's own gate (law 6)."""

    source: Source
    extractor: Extractor
    threshold: float
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
    threshold = float(packs.setting("gates", extractor.stage, extractor.threshold))
    hits = with_priors(findings.hits, extractor.name, packs)
    outcomes = consolidate(hits, reading, threshold=threshold, extractor=extractor.name, version=version)
    return Pass(source, extractor, threshold, findings, outcomes)


@retry_lost_races
@transaction.atomic
def write(done: Pass, run: Run) -> None:
    """In one transaction: gates, candidates, patterns, the report of what was not written, and the run's end."""
    found = done.findings
    log_gates(gates_of(done, run))
    propose(done, run.scope, run)
    claims: dict[int | None, Claim] = {
        at: one.proposal.claim
        for at, one in enumerate(done.outcomes)
        if one.proposal is not None and one.proposal.claim
    }
    about = mark_claims(found.marks, done.source, claims)
    spoken_of = [claims.get(one.hit) or about.get(at) for at, one in enumerate(found.patterns)]
    note_patterns(found.patterns, scope=run.scope, actor=WORKER, run=run, claims=spoken_of)
    finish_run(
        run,
        stats=done.stats,
        hits=report_of(done, run),
        raw_answer=found.raw_answer,
        model=found.model,
        tokens=found.tokens,
        partial=found.partial,
    )


def propose(done: Pass, scope: Scope, run: Run | None) -> None:
    """Fill in the proposals and the figures of a pass."""
    groups = by_scope(done.outcomes, scope)
    scopes = {scope.pk: scope} | Scope.objects.in_bulk(groups.keys() - {scope.pk})
    # In one order, so that two workers cannot wait crosswise for each other's scopes.
    lock_proposals(sorted(groups))
    for pk, group in sorted(groups.items(), key=lambda entry: entry[0]):
        proposals = propose_all([draft for _, draft in group], scope=scopes[pk], actor=WORKER, run=run, in_pass=True)
        for (outcome, _), proposal in zip(group, proposals, strict=True):
            outcome.proposal = proposal
    done.stats = figures_of(done)


def figures_of(done: Pass) -> dict[str, int]:
    """`proposed` every hit; `written` new candidates; `duplicates` sightings of what waits already; `merged` new evidence
    for what holds already; `notes`, `held_back` and `dropped` are in the report with their reasons."""
    stats = dict.fromkeys(FIGURES, 0) | dict(done.findings.stats)
    stats["proposed"] = len(done.outcomes)
    stats["notes"] += len(done.findings.notes)
    for outcome in done.outcomes:
        stats[outcome.counted_as] += 1
    return stats


def report_of(done: Pass, run: Run) -> list[RunHit]:
    """The hits that are no claim of their own, numbered by their place among all hits of the pass; a claim that said it
    already, or was refused for it, stands beside (C7). What was written is told by the claims of the run."""
    rows = []
    for number, one in enumerate(done.outcomes, 1):
        if one.reported_fate != "written":
            why, claim = (one.proposal.why, one.proposal.claim) if one.proposal else (one.why, None)
            rows.append(
                RunHit(run=run, number=number, fate=one.reported_fate, why=why[:300], hit=one.as_json(), claim=claim)
            )
    for number, note in enumerate(done.findings.notes, len(done.outcomes) + 1):
        rows.append(RunHit(run=run, number=number, fate="note", why=note.why[:300], hit=dict(note.hit)))
    return rows


def gates_of(done: Pass, run: Run) -> list[Gate]:
    """One log line a hit: its own score against this stage's own threshold (law 6)."""
    return [
        Gate(
            source_id=run.source_id,
            run=run,
            stage=done.extractor.stage,
            type=one.hit.kind,
            score=one.hit.confidence,
            threshold=done.threshold,
            passed=one.hit.confidence >= done.threshold,
            decision=one.fate or "proposed",
            patterns=[one.hit.rule],
        )
        for one in done.outcomes
    ]


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
    rows = Claim.objects.filter(pk__in=cited.values("claim"), scope=read.scope_id, status__in=SPOKEN_OF)
    return list(rows.select_related("scope", "kind").order_by("id"))


def words_of(span: Span | None, source: Source) -> Quote | None:
    if span is None:
        return None
    return quote_at(source, list(source.sections.all()), span.start, span.end, stance=span.stance, anchor=span.anchor)
