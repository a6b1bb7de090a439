"""Ceilings of calls and tokens hold over all workers, and a model holds up nobody."""

import json
import threading
import time
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, connections
from django.utils import timezone

from extraction.extractors.findings import Reading
from extraction.extractors.model.spending import Book, Ceiling, Limits, spent_today
from extraction.extractors.registry import for_scope
from extraction.models import ModelCall, ModelDay
from extraction.runs.pipeline import work_off
from extraction.runs.sweep import sweep
from ledger.actions.ingest import Incoming, ingest
from ledger.actions.run import request_run, retry_run
from ledger.models import Claim, Run, Scope
from ledger.reads.packs import packs_of
from tests.extraction.extractors.model.conftest import PERSON, make_hall, op, read, tell
from tests.extraction.extractors.model.server import Model, answers, slow

pytestmark = pytest.mark.django_db(transaction=True)
WIDE = "The back wall is 600 cm wide."
GOOD = {"ops": [op("back wall is 600 cm wide")]}


def retried(run: Run) -> Run:
    work_off([run.pk])
    run.refresh_from_db()
    return run


def test_over_the_ceiling_nothing_is_called(hall: Scope, model: Model, settings: Any) -> None:
    settings.COUNTERSIGN_MODEL_CALLS_PER_DAY = 2
    model.says(answers(GOOD))
    for at in range(2):
        assert read(hall, f"{WIDE} {at}").status == "succeeded"
    run = read(hall, WIDE + " 3")
    assert run.status == "failed" and "ceiling of 2 calls a day" in run.error and model.calls == 2
    assert run.retry_at > timezone.now() and sweep() == 0
    # Tomorrow it is tried again.
    ModelDay.objects.update(day=timezone.now().date() - timedelta(days=1))
    Run.objects.filter(pk=run.pk).update(retry_at=timezone.now())
    assert sweep() == 1 and retried(run).status == "succeeded"
    assert spent_today()["calls"] == 1


def test_a_sources_own_ceiling_holds_over_all_its_runs(hall: Scope, model: Model, settings: Any) -> None:
    settings.COUNTERSIGN_MODEL_CALLS_PER_SOURCE = 2
    model.says(answers("no"))
    run = read(hall, WIDE)
    for _ in range(3):
        request_run(run.source, actor=PERSON, extractors=[e for e in for_scope(hall) if e.name == "model"], forced=True)
        work_off()
    assert model.calls == 2 and Run.objects.filter(status="failed", error__contains="for one source").exists()


def test_tokens_have_ceilings_too_and_packs_may_lower_them(db: None, model: Model) -> None:
    model.says(answers(GOOD, tokens=700))
    small = make_hall("small", pack="thrifty", more="\n[model]\nmost_tokens_a_day = 10000\n")
    assert read(small, WIDE).status == "succeeded"
    assert ModelDay.objects.get(owner="pack:thrifty").tokens == 700
    model.says(answers(GOOD, tokens=5_000))
    assert read(small, WIDE + " 2").status == "succeeded"
    run = read(small, WIDE + " 3")
    assert run.status == "failed" and "for pack thrifty" in run.error and model.calls == 2
    tiny = make_hall("tiny", pack="miserly", more="\n[model]\nmost_tokens = 500\n")
    run = read(tiny, WIDE)
    assert run.status == "failed" and "too few to ask" in run.error and model.calls == 2


def test_a_small_ceiling_cuts_the_text(db: None, model: Model) -> None:
    model.says(answers(GOOD, tokens=8_000))
    scope = make_hall("narrow", pack="narrow", more="\n[model]\nmost_tokens = 9000\n")
    run = read(scope, WIDE + "\n" + "And so on, and on.\n" * 600)
    assert run.status == "succeeded" and "characters were sent" in run.error and "too few to ask" in run.error
    assert Claim.objects.count() == 1
    call = ModelCall.objects.get()
    assert call.reserved <= 9_000 and len(json.dumps(model.requests[0]["messages"])) < 11_000


def test_two_workers_never_pass_the_days_ceiling(hall: Scope, model: Model) -> None:
    source = tell(hall, WIDE)
    reading = Reading(source, hall, packs_of(hall), timezone.now())
    limits = Limits(10_000, 10**9, 50, 30_000)
    passed: list[int] = []

    def spend() -> None:
        book = Book(reading, limits, "host", "small-1")
        for _ in range(20):
            try:
                call = book.reserve(1_000)
            except Ceiling:
                continue
            passed.append(call.pk)
            day = ModelDay.objects.get(owner="")
            assert day.tokens <= 30_000 and day.calls <= 50
        connections.close_all()

    threads = [threading.Thread(target=spend) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(passed) == 30 and ModelDay.objects.get(owner="").tokens == 30_000
    book = Book(reading, limits, "host", "small-1")
    for call in ModelCall.objects.filter(pk__in=passed):
        book.settle(call, 10, "answered")
        book.settle(call, 10, "answered")
    day = ModelDay.objects.get(owner="")
    assert (day.calls, day.tokens) == (30, 300)


def test_two_workers_and_one_call_left(hall: Scope, model: Model, settings: Any) -> None:
    settings.COUNTERSIGN_MODEL_CALLS_PER_DAY = 3
    model.says(slow(0.2, answers(GOOD)))
    for at in range(8):
        tell(hall, f"{WIDE} {at}")

    def work() -> None:
        work_off()
        connections.close_all()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert model.calls == 3 and ModelDay.objects.get(owner="").calls == 3
    assert Run.objects.filter(extractor="model", status="failed", error__contains="ceiling").count() == 5


def test_nobodys_text_waits_behind_a_model(hall: Scope, model: Model) -> None:
    model.says(answers(GOOD))
    for at in range(3):
        tell(hall, f"{WIDE} {at}")
    later = ingest([Incoming(text="Decision: paint it\n")], scope=hall, actor=PERSON, extractors=for_scope(hall))[0]
    assert work_off(most=1) == 1 and model.calls == 0
    assert Run.objects.get(source=later.source, extractor="rules").status == "succeeded"
    assert work_off() == 4 and model.calls == 4


def test_the_worker_may_do_all_of_it_and_the_last_answer_stays(hall: Scope, model: Model, settings: Any) -> None:
    model.says(answers("no JSON at all"))
    source = tell(hall, WIDE)
    with connection.cursor() as cursor:
        cursor.execute("SET ROLE countersign_worker")
        try:
            work_off()
            settings.COUNTERSIGN_MODEL_CALLS_PER_SOURCE = 1
            Run.objects.filter(source=source).update(retry_at=None)
            work_off()
        finally:
            cursor.execute("RESET ROLE")
    run = Run.objects.get(source=source)
    assert run.status == "failed" and "ceiling" in run.error
    assert run.raw_answer == "no JSON at all"
    settings.COUNTERSIGN_MODEL_CALLS_PER_SOURCE = 9
    model.says(answers(GOOD))
    retry_run(run, actor=PERSON)
    with connection.cursor() as cursor:
        cursor.execute("SET ROLE countersign_worker")
        try:
            assert retried(run).status == "succeeded"
        finally:
            cursor.execute("RESET ROLE")
    assert Claim.objects.count() == 1


def test_a_server_that_hangs_holds_up_one_worker(hall: Scope, model: Model) -> None:
    model.says(slow(1.0, answers(GOOD)))
    for at in range(3):
        tell(hall, f"{WIDE} {at}")

    def work() -> None:
        work_off()
        connections.close_all()

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    time.sleep(0.5)
    assert Run.objects.filter(extractor="model", status="running").count() == 1
    quick = ingest([Incoming(text="Decision: paint it\n")], scope=hall, actor=PERSON, extractors=for_scope(hall))[0]
    work_off(most=1)
    assert Run.objects.get(source=quick.source, extractor="rules").status == "succeeded"
    for thread in threads:
        thread.join()
    assert not Run.objects.filter(status__in=("queued", "running")).exclude(source=quick.source).exists()
