"""From a queued run to candidates: rules, gate, anchoring, budget, then one transaction that writes all or nothing."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import structlog
from django.db import transaction
from django.utils import timezone

from extraction.extractors.findings import Extractor, Findings, Reading, Unreadable
from extraction.extractors.registry import READERS
from extraction.runs.consolidate import Fate, consolidate
from extraction.runs.marking import mark
from extraction.runs.priors import with_priors
from ledger.actions.gate import log_gates
from ledger.actions.locking import lock_proposals, retry_lost_races
from ledger.actions.pattern import note_patterns
from ledger.actions.propose import Draft, Proposal, propose_all
from ledger.actions.run import fail_run, finish_run, working_on_next
from ledger.actor import system
from ledger.models import Gate, Run, RunHit, Scope, Source
from ledger.packs import PackSet
from ledger.reads.packs import packs_of

log = structlog.get_logger(__name__)

WORKER = system("worker", "extraction")
# The fates of `propose_all` that make no claim, as the run's report keeps them.
REPORTED = {
    "rejected": "dropped", "echo": "dropped", "unanchored": "held_back", "over_budget": "held_back", "note": "note",
}  # fmt: skip


@dataclass(slots=True)
class Pass:
    """What one pass over one source came to, before or after it is written. `fates` and `answers` are in the order of
    the hits; an answer stands only where the fate is to propose."""

    source: Source
    fates: list[Fate]
    findings: Findings
    extractor: Extractor
    answers: dict[int, Proposal] = field(default_factory=dict)
    stats: dict[str, int] = field(default_factory=dict)


def work_off(only: Sequence[int] | None = None, *, most: int | None = None, seconds: float | None = None) -> int:
    """Work on queued runs (of `only`) until none waits, `most` are done or the time is over; returns how many were."""
    done = 0
    until = time.monotonic() + seconds if seconds is not None else None
    while (most is None or done < most) and (until is None or time.monotonic() < until):
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
    except Unreadable as error:
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
    source, packs = run.source, packs_of(run.scope)
    extractor = READERS.get(run.extractor)
    if extractor is None:
        raise ValueError(f"there is no extractor {run.extractor!r} here")
    if source.purged_at is not None:
        raise ValueError("the source was purged before it was read")
    done = find(source, packs, extractor, version=run.extractor_version)
    write(done, run, packs)
    return done


def find(source: Source, packs: PackSet, extractor: Extractor, *, version: str) -> Pass:
    """What an extractor finds and what becomes of each hit, without a write."""
    reading = Reading(source, source.scope, packs, timezone.now())
    findings = extractor.read(reading)
    findings = replace(findings, hits=with_priors(findings.hits, extractor.name, packs))
    return Pass(source, consolidate(findings.hits, reading, extractor, version), findings, extractor)


@retry_lost_races
@transaction.atomic
def write(done: Pass, run: Run, packs: PackSet) -> None:
    """In one transaction: gates, candidates, patterns, the report of what was not written, and the run's end."""
    found = done.findings
    log_gates(gates(done, run, packs))
    propose(done, run.scope, run)
    claims = [done.answers[one.hit].claim if one.hit in done.answers else None for one in found.patterns]
    marked = mark(found.marks, done.source, {at: answer.claim for at, answer in done.answers.items() if answer.claim})
    claims = [claim or marked.get(at) for at, claim in enumerate(claims)]
    note_patterns(found.patterns, scope=run.scope, actor=WORKER, run=run, claims=claims)
    finish_run(
        run,
        stats=done.stats,
        hits=report(done, run),
        raw_answer=found.raw_answer,
        model=found.model,
        tokens=found.tokens,
        partial=found.partial,
    )


def propose(done: Pass, scope: Scope, run: Run | None) -> None:
    """Fill in the answers and the figures of a pass."""
    wanted: dict[int, list[tuple[int, Draft]]] = {}
    for at, fate in enumerate(done.fates):
        if fate.draft is not None and not fate.why:
            wanted.setdefault(fate.hit.scope_id or scope.pk, []).append((at, fate.draft))
    places = {scope.pk: scope} | Scope.objects.in_bulk(set(wanted) - {scope.pk})
    # In one order, so that two workers cannot wait crosswise for each other's scopes.
    lock_proposals(sorted(wanted))
    for pk, group in sorted(wanted.items()):
        answers = propose_all([draft for _, draft in group], scope=places[pk], actor=WORKER, run=run, in_pass=True)
        done.answers |= {at: answer for (at, _), answer in zip(group, answers, strict=True)}
    done.stats = figures(done)


def figures(done: Pass) -> dict[str, int]:
    """`proposed` every hit; `written` new candidates; `duplicates` sightings of what waits already; `merged` new evidence
    for what holds already; `notes`, `held_back` and `dropped` are in the report with their reasons."""
    stats = dict.fromkeys(("proposed", "written", "duplicates", "merged", "notes", "held_back", "dropped"), 0)
    stats |= done.findings.stats
    stats["proposed"] = len(done.fates)
    stats["notes"] += len(done.findings.notes)
    for at, fate in enumerate(done.fates):
        stats[_counted(fate, done.answers.get(at))] += 1
    return stats


def _counted(fate: Fate, answer: Proposal | None) -> str:
    if answer is None:
        return "notes" if fate.fate == "note" else fate.fate
    if answer.fate == "duplicate":
        return "duplicates" if _joined(answer) == "duplicate" else "merged"
    if answer.fate in REPORTED:
        return "notes" if REPORTED[answer.fate] == "note" else REPORTED[answer.fate]
    return "written"


def _joined(answer: Proposal) -> str:
    """`duplicate` of what waits, or `merged` with what holds."""
    return "merged" if answer.claim is not None and answer.claim.status == "active" else "duplicate"


def report(done: Pass, run: Run) -> list[RunHit]:
    """The hits that are no claim of their own, numbered by their place among all hits of the pass; a claim that said it
    already, or was refused for it, stands beside (C7). What was written is told by the claims of the run."""
    rows = []
    for at, fate in enumerate(done.fates):
        answer = done.answers.get(at)
        if answer is None:
            rows.append(RunHit(run=run, number=at + 1, fate=fate.fate, why=fate.why[:300], hit=fate.as_json()))
        elif answer.fate != "written":
            kind = _joined(answer) if answer.fate == "duplicate" else REPORTED[answer.fate]
            rows.append(
                RunHit(
                    run=run, number=at + 1, fate=kind, why=answer.why[:300], hit=fate.as_json(), claim=answer.claim
                )
            )  # fmt: skip
    for number, note in enumerate(done.findings.notes, len(done.fates) + 1):
        rows.append(RunHit(run=run, number=number, fate="note", why=note.why[:300], hit=dict(note.hit)))
    return rows


def gates(done: Pass, run: Run, packs: PackSet) -> list[Gate]:
    """One log line a hit: its own score against this stage's own threshold (law 6)."""
    stage = done.extractor.stage
    threshold = float(packs.setting("gates", stage, done.extractor.threshold))
    return [
        Gate(
            source_id=run.source_id,
            run=run,
            stage=stage,
            type=fate.hit.kind,
            score=fate.hit.confidence,
            threshold=threshold,
            passed=fate.hit.confidence >= threshold,
            decision="proposed" if fate.draft is not None and not fate.why else fate.fate,
            patterns=[fate.hit.rule],
        )
        for fate in done.fates
    ]


def dry_run(source: Source, extractors: Sequence[str] = ("rules",)) -> list[dict[str, Any]]:
    """What a pass of each of `extractors` would propose now, as JSON; everything it did on the way is rolled back. What asks
    outside, and so costs money and time, is left out."""
    packs = packs_of(source.scope)
    answer: list[dict[str, Any]] = []
    for name in extractors:
        if getattr(READERS[name], "asks_outside", False):
            continue
        done = find(source, packs, READERS[name], version="dry")
        with transaction.atomic():
            propose(done, source.scope, None)
            answer += [_told(fate, done.answers.get(at)) for at, fate in enumerate(done.fates)]
            transaction.set_rollback(True)
    return answer


def _told(fate: Fate, answer: Proposal | None) -> dict[str, Any]:
    would = _counted(fate, answer)
    told: dict[str, Any] = fate.as_json() | {"would_be": would, "why": (answer.why if answer else fate.why) or None}
    if answer is not None and answer.fate == "duplicate" and answer.claim is not None:
        told["ref"] = answer.claim.ref
    return told
