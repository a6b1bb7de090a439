"""Runs as rows (law 9): queued in the transaction that asks for them, claimed by whoever works, swept when forgotten."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Case, F, Q, Value, When
from django.utils import timezone
from django.utils.module_loading import import_string

from ledger.actions.locking import lock_names
from ledger.actor import Actor
from ledger.errors import BadTransition
from ledger.models import Gate, Run, RunHit, Scope, Source
from ledger.reads.sql import fetch_column
from ledger.rules.columns import UNSTORABLE
from ledger.rules.permissions import Right
from ledger.rules.states import RUN_STEPS

RUN_LOCK = 4712
SLOW_LOCK = 4713
RETRY_AFTER_S = (30, 120, 300)
MAX_ATTEMPTS = 1 + len(RETRY_AFTER_S)
# A run that takes its worker with it each time (memory, a fault in a library) is left to a person after so many.
MAX_DEATHS = 5
# How far down the queue a worker looks for a scope that nobody works on.
LOOKED_THROUGH = 500
# What makes another pass of the same extractor over the same text needless (law 7).
EQUAL_RUNS = Run.objects.filter(forced=False, dry=False, status__in=["queued", "running", "succeeded"])


@dataclass(frozen=True, slots=True)
class ExtractorVersion:
    """Name and version with the pack hash: the version is part of what makes a run the same run (law 7, P11). `kinds` of
    sources that it reads; empty for all. `waits_for` names the extractors that must be done with the earlier messages of a
    thread, and with the message itself, before this one reads a message (D9)."""

    name: str
    version: str
    kinds: frozenset[str] = frozenset()
    waits_for: tuple[str, ...] = ()

    def reads(self, source: Source) -> bool:
        return not self.kinds or source.kind in self.kinds


def extractors_for(scope: Scope, *, only: list[str] | None = None) -> list[ExtractorVersion]:
    """What reads a new source of the scope, for doors that don't know the extractors themselves: the setting
    `COUNTERSIGN_EXTRACTORS` names the callable that does."""
    found: list[ExtractorVersion] = import_string(settings.COUNTERSIGN_EXTRACTORS)(scope, only=only)
    return found


def _next_status(step: str, run: Run) -> str:
    """Raises `BadTransition` where a run of this status does not take the step."""
    origins, target = RUN_STEPS[step]
    if run.status not in origins:
        raise BadTransition(
            f"run {run.pk} is {run.status}: {step} leads nowhere from there", state=run.status, verb=step
        )
    return target


def queue_runs(
    sources: Sequence[Source],
    *,
    scope: Scope,
    actor: Actor,
    extractors: Sequence[ExtractorVersion],
    forced: bool = False,
    not_before: datetime | None = None,
) -> list[Run]:
    """One run per source and extractor; where an equal unforced one exists, that one is returned instead. For verbs that have
    asked for the right to ingest. None begins earlier than `not_before`."""
    wanted = {
        (source.pk, extractor.name, extractor.version): Run(
            scope=scope, source=source, input_hash=source.sha256, extractor=extractor.name,
            extractor_version=extractor.version, forced=forced, requested_by=actor.name,
            thread=source.conversation_id, place=source.position, waits_for=list(extractor.waits_for), retry_at=not_before,
        )
        for source in sources
        for extractor in extractors
        if extractor.reads(source)
    }  # fmt: skip
    if not wanted:
        return []
    with transaction.atomic(savepoint=False):
        rows = Run.objects.none() if forced else EQUAL_RUNS.filter(source__in=[source.pk for source in sources])
        known = {(row.source_id, row.extractor, row.extractor_version): row for row in rows}
        fresh = [run for key, run in wanted.items() if key not in known]
        Run.objects.bulk_create(fresh)
        if fresh:
            wake_on_commit()
        return [known.get(key, run) for key, run in wanted.items()]


def request_run(
    source: Source, *, actor: Actor, extractors: Sequence[ExtractorVersion], forced: bool = False
) -> list[Run]:
    """Ask for a pass over one source. The purged have nothing left to read."""
    if source.purged_at is not None:
        raise BadTransition(f"source {source.pk} is purged", state="purged")
    return request_runs([source], scope=source.scope, actor=actor, extractors=extractors, forced=forced)


def request_runs(
    sources: Sequence[Source],
    *,
    scope: Scope,
    actor: Actor,
    extractors: Sequence[ExtractorVersion],
    forced: bool = False,
) -> list[Run]:
    """The same for many sources of one scope."""
    actor.require(Right.INGEST, scope)
    with transaction.atomic(savepoint=False):
        # Two equal requests meet here, not in the unique index. No serving role may lock the source's own row.
        lock_names({f"runs|{source.pk}" for source in sources})
        return queue_runs(sources, scope=scope, actor=actor, extractors=extractors, forced=forced)


def wake_on_commit() -> None:
    """The message is only a wake-up; when it gets lost the sweep finds the row."""
    transaction.on_commit(import_string(settings.COUNTERSIGN_WAKE), robust=True)


@contextmanager
def working_on_next(only: Sequence[int] | None = None) -> Iterator[Run | None]:
    """Claims a queued run (of `only`) and holds it while the block works; yields None when there is none.

    The oldest of a scope that nobody works on comes first: runs of one scope wait for each other when they write, and
    would keep all workers waiting. Where every scope is worked on it is the oldest of all. A run that waits for what comes
    before it in its thread is passed over; of `only`, what it waits for is worked on too.

    A session lock marks the worker as alive: it goes with the connection, so a killed worker's run is free at once.
    """
    with transaction.atomic():
        ready = ready_runs(only) or (ready_runs(_waited_for(only)) if only else [])
        busy = set(Run.objects.filter(status="running").values_list("scope_id", flat=True))
        later = Case(When(scope_id__in=busy, then=Value(1)), default=Value(0))
        # The state is asked for once more on the row that is locked: another worker may have taken it meanwhile.
        free = Run.objects.select_for_update(skip_locked=True, of=("self",)).filter(status="queued")
        free = free.filter(pk__in=ready)
        run = free.order_by(later, "id").select_related("scope", "source").first()
        if run is not None:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_lock(%s, %s)", [RUN_LOCK, run.pk % 2**31])
            run.status = _next_status("start", run)
            run.attempts += 1
            run.started_at = timezone.now()
            run.save(update_fields=["status", "attempts", "started_at"])
    try:
        yield run
    finally:
        if run is not None:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s, %s)", [RUN_LOCK, run.pk % 2**31])


# A run waits while one that comes before it in its thread is unfinished; one that waits for another attempt holds up nobody.
_HELD_UP = """
    r.waits_for <> '{}' AND r.thread IS NOT NULL AND EXISTS (
        SELECT FROM ledger_run e
        WHERE e.thread = r.thread AND e.extractor = ANY (r.waits_for) AND e.status IN ('queued', 'running')
          AND (e.place < r.place OR (e.place = r.place AND e.extractor <> r.extractor))
          AND (e.status = 'running' OR e.retry_at IS NULL OR e.retry_at <= now()))
"""
_READY = """
    SELECT r.id FROM ({some}) r
    WHERE (r.retry_at IS NULL OR r.retry_at <= now()) AND NOT ({held_up}) ORDER BY r.id LIMIT %s
"""
_QUEUED = "SELECT * FROM ledger_run WHERE status = 'queued'"
# A long thread at the head of the queue is not gone through to its end: what is ready in it stands near its beginning.
_WINDOWS = (f"LIMIT {LOOKED_THROUGH}", f"LIMIT {10 * LOOKED_THROUGH}", "")


def ready_runs(only: Sequence[int] | None = None) -> list[int]:
    """The oldest queued runs (of `only`) that wait for nothing, by id: at most 500. Those of `COUNTERSIGN_SLOW_EXTRACTORS`,
    which wait for an answer from elsewhere, come after all others and at most `COUNTERSIGN_SLOW_AT_ONCE` at a time: a server
    that hangs holds up one worker, and nobody's text waits behind it. In the transaction that claims the run."""
    if only is not None:
        return _oldest_ready(f"{_QUEUED} AND id = ANY (%s)", list(only))
    slow = list(settings.COUNTERSIGN_SLOW_EXTRACTORS)
    ready = _first_ready(f"{_QUEUED} AND extractor <> ALL (%s)", slow)
    if not ready and _slow_at_work(slow) < settings.COUNTERSIGN_SLOW_AT_ONCE:
        ready = _first_ready(f"{_QUEUED} AND extractor = ANY (%s)", slow)
    return ready


def _first_ready(some: str, extractors: list[str]) -> list[int]:
    for window in _WINDOWS:
        if ready := _oldest_ready(f"{some} ORDER BY id {window}", extractors):
            return ready
    return []


def _oldest_ready(some: str, among: list[Any]) -> list[int]:
    return fetch_column(_READY.format(some=some, held_up=_HELD_UP), [among, LOOKED_THROUGH])


def _slow_at_work(slow: list[str]) -> int:
    """How many slow runs are at work. Until the caller's transaction ends nobody else counts them, so that two workers don't
    both take the last place."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, 0)", [SLOW_LOCK])
    return Run.objects.filter(status="running", extractor__in=slow).count()


def _waited_for(only: Sequence[int]) -> list[int]:
    """What the held-up runs of `only` wait for."""
    return fetch_column(
        """
        SELECT DISTINCT e.id FROM ledger_run r JOIN ledger_run e
            ON e.thread = r.thread AND e.extractor = ANY (r.waits_for) AND e.status = 'queued'
           AND (e.place < r.place OR (e.place = r.place AND e.extractor <> r.extractor))
        WHERE r.id = ANY (%s) AND r.status = 'queued' AND r.thread IS NOT NULL
        """,
        [list(only)],
    )


def finish_run(
    run: Run,
    *,
    stats: dict[str, Any],
    hits: Sequence[RunHit] = (),
    gates: Sequence[Gate] = (),
    raw_answer: str = "",
    model: str = "",
    tokens: int = 0,
    partial: str = "",
) -> Run:
    """Succeeded, with its report and the log of its gates; called in the transaction that writes the candidates, so that all are
    there or none. `partial` says why
    not all was read; it stands as the run's error beside its success."""
    RunHit.objects.bulk_create(hits)
    Gate.objects.bulk_create(gates)
    # The attempt is compared too: a worker that lost its connection, and with it the run, finishes nothing.
    done = Run.objects.filter(pk=run.pk, status="running", attempts=run.attempts).update(
        status=_next_status("succeed", run), stats=stats, error=_storable(partial[:4000]), finished_at=timezone.now(),
        raw_answer=_storable(raw_answer), model=model[:100], tokens=F("tokens") + tokens,
    )  # fmt: skip
    if done != 1:
        raise BadTransition(f"run {run.pk} is no longer running", state=run.status)
    run.refresh_from_db()
    return run


def fail_run(
    run: Run,
    *,
    error: str,
    raw_answer: str = "",
    model: str = "",
    tokens: int = 0,
    again: bool = True,
    not_before: datetime | None = None,
) -> Run:
    """Failed with its reason; tried again after 30 s, 2 and 5 minutes, or `not_before`, then left to a person (T2, O5). Not
    `again` where another attempt cannot end otherwise: with a `not_before` it stays failed until then, when the sweep
    queues it again."""
    now = timezone.now()
    outcome: dict[str, Any] = {"status": "failed", "retry_at": None if again else not_before, "finished_at": now}
    if again and run.attempts < MAX_ATTEMPTS:
        soonest = now + timedelta(seconds=RETRY_AFTER_S[run.attempts - 1])
        outcome = {"status": "queued", "retry_at": max(soonest, not_before or soonest), "finished_at": None}
    Run.objects.filter(pk=run.pk, status="running", attempts=run.attempts).update(
        error=_storable(error[:4000]),
        # An attempt that got no answer leaves the last one that came.
        raw_answer=_storable(raw_answer) or F("raw_answer"),
        model=model[:100] or F("model"),
        tokens=F("tokens") + tokens,
        **outcome,
    )
    run.refresh_from_db()
    return run


def _storable(text: str) -> str:
    """What a model or a library says may hold what PostgreSQL cannot; a failure must be kept all the same."""
    return UNSTORABLE.sub("\N{REPLACEMENT CHARACTER}", text)


def retry_run(run: Run, *, actor: Actor) -> Run:
    """A person's retry of a failed run."""
    with transaction.atomic(savepoint=False):
        run = Run.objects.select_for_update(of=("self",)).select_related("scope").get(pk=run.pk)
        actor.require(Right.INGEST, run.scope)
        run.status = _next_status("retry", run)
        run.retry_at = run.finished_at = None
        run.save(update_fields=["status", "retry_at", "finished_at"])
        wake_on_commit()
    return run


def sweep_runs() -> int:
    """Requeue what a dead worker left running, or give it up after `MAX_DEATHS` attempts; returns how many runs wait.
    Safe to call at any time, by anyone."""
    for run in Run.objects.filter(status="running").order_by("id")[:1000]:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SELECT pg_try_advisory_xact_lock(%s, %s)", [RUN_LOCK, run.pk % 2**31])
            if cursor.fetchone()[0]:
                put_back(run)
    _queue_the_due()
    return Run.objects.filter(status="queued").filter(Q(retry_at=None) | Q(retry_at__lte=timezone.now())).count()


def put_back(run: Run) -> None:
    """Queued again at once where its worker or its connection was lost, which is no failure of what was read. The attempt counts,
    as what was read may be what ended them: after `MAX_DEATHS` it is given up."""
    still = Run.objects.filter(pk=run.pk, status="running", attempts=run.attempts)
    if run.attempts < MAX_DEATHS:
        still.update(status=_next_status("requeue", run), retry_at=None)
    else:
        error = f"its worker died at each of {run.attempts} attempts"
        still.update(status=_next_status("fail", run), error=error, finished_at=timezone.now())


def _queue_the_due() -> None:
    """Failed until a time that has come. Where an equal run was asked for meanwhile, that one is enough."""
    for run in Run.objects.filter(status="failed", retry_at__lte=timezone.now()).order_by("id")[:1000]:
        equal = EQUAL_RUNS.filter(
            source=run.source_id, input_hash=run.input_hash, extractor=run.extractor,
            extractor_version=run.extractor_version,
        )  # fmt: skip
        with transaction.atomic():
            lock_names([f"runs|{run.source_id}"])
            still = Run.objects.filter(pk=run.pk, status="failed")
            if not run.forced and not run.dry and equal.exists():
                still.update(retry_at=None)
            else:
                still.update(status=_next_status("retry", run), retry_at=None, finished_at=None)
