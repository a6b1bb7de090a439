"""Messages of one thread are read in their order, whoever works and whatever was asked for first (D9)."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from ledger.actions.ingest import Incoming, ingest
from ledger.actions.run import ExtractorVersion, fail_run, finish_run, request_runs, working_on_next
from ledger.models import Run, Source
from tests.people import People

pytestmark = pytest.mark.django_db(transaction=True)
FIRST = ExtractorVersion("rules", "1")
ORDERED = ExtractorVersion("discussion", "1", waits_for=("rules", "discussion"))
BOTH = (FIRST, ORDERED)


def thread(people: People, name: str, messages: int, extractors: tuple[ExtractorVersion, ...] = BOTH) -> list[Source]:
    items = [
        Incoming(text=f"{name} {at}", kind="message", sender_kind="user", conversation=name, external_id=f"{name}{at}")
        for at in range(messages)
    ]
    return [one.source for one in ingest(items, scope=people.scope, actor=people.bob, extractors=extractors)]


def take() -> Run | None:
    """The next run, finished at once."""
    with working_on_next() as run:
        if run is not None:
            finish_run(run, stats={})
        return run


def test_two_workers_read_each_thread_in_order(people: People) -> None:
    for name in ("a", "b", "c"):
        sources = thread(people, name, 8, ())
        request_runs(list(reversed(sources)), scope=people.scope, actor=people.bob, extractors=BOTH)
    done: list[tuple[str, int | None, int]] = []
    lock = threading.Lock()

    def work() -> None:
        try:
            idle = 0
            while idle < 40:
                with working_on_next() as run:
                    if run is None:
                        idle += 1
                        time.sleep(0.02)
                        continue
                    idle = 0
                    time.sleep(0.003 * (run.pk % 3))
                    with lock:
                        done.append((run.extractor, run.thread, run.place))
                    finish_run(run, stats={})
        finally:
            connection.close()

    with ThreadPoolExecutor(3) as pool:
        for worker in [pool.submit(work) for _ in range(3)]:
            worker.result()
    assert len(done) == 48 and not Run.objects.exclude(status="succeeded").exists()
    for thread_id in {conversation for _, conversation, _ in done}:
        places = [place for extractor, at, place in done if at == thread_id and extractor == "discussion"]
        assert places == list(range(8))
        for place in range(8):
            rules = done.index(("rules", thread_id, place))
            assert rules < done.index(("discussion", thread_id, place))


def test_what_waits_for_another_attempt_holds_up_nobody(people: People) -> None:
    thread(people, "a", 2, (ORDERED,))
    with working_on_next() as run:
        assert run is not None and run.place == 0
        with working_on_next() as other:
            assert other is None, "the second message waits while the first is read"
        fail_run(run, error="not now")
    assert Run.objects.get(pk=run.pk).status == "queued"
    second = take()
    assert second is not None and second.place == 1


def test_of_some_runs_what_they_wait_for_is_worked_on_too(people: People) -> None:
    thread(people, "a", 3)
    last = Run.objects.filter(extractor="discussion").latest("place")
    done = []
    while True:
        with working_on_next([last.pk]) as run:
            if run is None:
                break
            finish_run(run, stats={})
            done.append((run.extractor, run.place))
    assert done[-1] == ("discussion", 2) and len(done) == 6


def test_a_queue_of_a_hundred_thousand_is_no_slower(people: People) -> None:
    """Half of it one long thread that waits for its first message, which somebody reads."""
    source = thread(people, "a", 1, ())[0]
    with connection.cursor() as cursor:
        cursor.execute(
            """
            INSERT INTO ledger_run (scope_id, source_id, input_hash, extractor, extractor_version, forced, dry, status, stats,
                error, raw_answer, model, tokens, attempts, requested_by, created_at, thread, place, waits_for)
            SELECT %s, %s, n::text, 'discussion', '1', false, false, CASE WHEN n = 0 THEN 'running' ELSE 'queued' END, '{}',
                '', '', '', 0, 0, 'x', now(), 7, n, ARRAY['rules', 'discussion'] FROM generate_series(0, 49999) n
            """,
            [people.scope.pk, source.pk],
        )
        cursor.execute("ANALYZE ledger_run")
    started = time.monotonic()
    assert take() is None
    blocked_s = time.monotonic() - started
    Run.objects.filter(status="running").update(status="succeeded", finished_at=timezone.now() - timedelta(hours=1))
    started = time.monotonic()
    assert take() is not None
    assert blocked_s < 2 and time.monotonic() - started < 2
