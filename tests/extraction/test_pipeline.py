"""Runs at work: gates, budget, report, failure, and workers that die."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.db import connection
from django.utils import timezone

from extraction.extractors.registry import for_scope
from extraction.runs import pipeline
from extraction.runs.pipeline import work_off
from extraction.runs.sweep import sweep
from ledger.actions.admit import HitToAdmit, admit
from ledger.actions.decide import defer, reject
from ledger.actions.ingest import Incoming, IngestResult, ingest
from ledger.actions.run import ExtractorVersion, queue_runs, request_run, retry_run, sweep_runs
from ledger.actions.scope import create_scope
from ledger.actor import operator, system
from ledger.errors import BadTransition
from ledger.models import Claim, Evidence, Gate, IdempotencyRecord, JournalEvent, Run, RunHit, Scope, Source

pytestmark = pytest.mark.django_db(transaction=True)
ROOT = Path(__file__).resolve().parents[2]
PERSON = operator("Ada")


@pytest.fixture
def yard(db: None) -> Scope:
    return create_scope("yard", tier="project", packs=["engineering"], actor=PERSON)


def send(yard: Scope, text: str, **more: str) -> IngestResult:
    return ingest([Incoming(text=text, **more)], scope=yard, actor=PERSON, extractors=for_scope(yard))[0]  # type: ignore[arg-type]


@contextmanager
def as_worker() -> Iterator[None]:
    """With the worker's rights and no more."""
    with connection.cursor() as cursor:
        cursor.execute("SET ROLE countersign_worker")
        yield
        cursor.execute("RESET ROLE")


@pytest.mark.parametrize("when", ["while it reads", "as it writes"])
def test_a_run_that_lost_its_connection_is_taken_up_again_at_once(
    yard: Scope, monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    """No failure of what was read: nothing of it is told as one, and nobody waits for the next attempt."""
    run = send(yard, "# Decision: Use sails\n").runs[0]
    name = "find" if when == "while it reads" else "propose_all"
    whole = getattr(pipeline, name)
    lost: list[int] = []

    def loses(*given: Any, **more: Any) -> Any:
        if not lost:
            lost.append(connection.connection.info.backend_pid)
            with psycopg.connect(connection.connection.info.dsn, password=connection.connection.info.password) as other:
                other.execute("SELECT pg_terminate_backend(%s)", lost)
            Run.objects.count()
        return whole(*given, **more)

    monkeypatch.setattr(pipeline, name, loses)
    assert work_off([run.pk]) == 2
    run.refresh_from_db()
    assert (run.status, run.attempts, run.error, Claim.objects.count()) == ("succeeded", 2, "", 1)


def test_the_worker_may_do_its_work_and_the_quotes_are_true(yard: Scope) -> None:
    text = (
        "# Notes\r\n\r\n## Decision: Use 🚀🚀 engines\r\n\r\n- [Decision] עברית first\r\n"
        "- [Decision] cafe\u0301 \u200bopens at 9\r\n\r\nRESOLVED: \U0001d54f is 4.8 kg\r\n"
    )
    done = send(yard, text)
    with as_worker():
        assert work_off() == 1
        assert sweep() == 0
    run = Run.objects.get()
    assert run.status == "succeeded" and run.stats["written"] >= 4 and run.source_id == done.source.pk
    for words in Evidence.objects.all():
        assert text[words.start : words.end] == words.quote and words.quote.strip() == words.quote
    gates = list(Gate.objects.filter(run=run))
    assert len(gates) == run.stats["proposed"] and all(gate.threshold == 0.4 for gate in gates)
    with as_worker(), connection.cursor() as cursor:
        cursor.execute("SELECT ledger_seal()")
        assert cursor.fetchone()[0] == JournalEvent.objects.count()


def test_inferred_hits_have_a_budget_and_the_rest_can_be_admitted(yard: Scope) -> None:
    text = "\n\n".join(f"I prefer colour number {n} for the door." for n in range(60)) + "\n\nDecision: paint it\n"
    send(yard, text, kind="message", sender_kind="user", sender="Ada")
    work_off()
    run = Run.objects.get()
    assert run.stats["written"] == 51 and run.stats["held_back"] == 10, run.stats
    assert Claim.objects.filter(kind="decision").count() == 1
    hit = run.hits.first()
    assert hit is not None and "50" in hit.why
    answer = admit(run, [HitToAdmit(hit.number)], actor=PERSON)
    assert answer.admitted[0]["fate"] == "written" and not answer.refused
    claim = Claim.objects.get(ref=answer.admitted[0]["ref"])
    assert claim.run_id == run.pk and claim.evidence.get().quote in text
    assert RunHit.objects.get(pk=hit.pk).admitted_id == claim.pk
    assert JournalEvent.objects.get(verb="admit").actor_name == "Ada"
    assert admit(run, [HitToAdmit(hit.number)], actor=PERSON).refused


def test_a_no_is_remembered(yard: Scope) -> None:
    done = send(yard, "Decision: sell the yard\n")
    work_off()
    reject(Claim.objects.get(), actor=PERSON)
    request_run(done.source, actor=PERSON, extractors=for_scope(yard), forced=True)
    work_off()
    assert Run.objects.order_by("-id")[0].stats["dropped"] == 1
    assert Claim.objects.count() == 1 and "rejected" in RunHit.objects.get().why


def test_a_failing_run_says_why_and_is_tried_again(yard: Scope) -> None:
    done = send(yard, "Decision: x\n", kind="document")
    work_off()
    run = queue_runs([done.source], scope=yard, actor=PERSON, extractors=[ExtractorVersion("nobody", "1")])[0]
    for attempt in (1, 2, 3, 4):
        assert work_off() == 1
        run.refresh_from_db()
        assert "nobody" in run.error and run.attempts == attempt
        assert work_off() == 0
        Run.objects.filter(pk=run.pk).update(retry_at=None)
    assert run.status == "failed" and run.finished_at is not None
    assert retry_run(run, actor=PERSON).status == "queued"


def test_a_killed_worker_loses_and_doubles_nothing(yard: Scope) -> None:
    send(yard, "Decision: keep it\n")
    worker = hold_a_run()
    run = Run.objects.get()
    assert run.status == "running" and sweep_runs() == 0
    os.kill(worker.pid, signal.SIGKILL)
    worker.wait()
    until = time.monotonic() + 10
    while sweep_runs() != 1 and time.monotonic() < until:
        time.sleep(0.05)
    assert work_off() == 1 and work_off() == 0
    run.refresh_from_db()
    assert (run.status, run.attempts) == ("succeeded", 2)
    assert Claim.objects.count() == 1 and Evidence.objects.count() == 1 and Gate.objects.count() == 1


def hold_a_run() -> subprocess.Popen[str]:
    """Another process that has done all its work on the run but the commit."""
    here = connection.settings_dict
    code = (
        "import django, time; django.setup()\n"
        "from django.db import transaction\n"
        "from extraction.runs import pipeline\n"
        "from ledger.reads.packs import packs_of\n"
        "from ledger.actions.run import working_on_next\n"
        "with working_on_next() as run:\n"
        "    with transaction.atomic():\n"
        "        packs = packs_of(run.scope)\n"
        "        found = pipeline.find(run.source, packs, pipeline.EXTRACTORS['rules'], version=run.extractor_version)\n"
        "        pipeline.write(found, run)\n"
        "        print('held', flush=True)\n"
        "        time.sleep(60)\n"
    )
    address = f"postgresql://{here['USER']}@/{here['NAME']}?host={here['HOST']}&port={here['PORT']}"
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=os.environ | {"DATABASE_URL": address, "DJANGO_SETTINGS_MODULE": "config.settings"},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None and process.stdout.readline() == "held\n"
    return process


def test_a_worker_that_lost_its_run_finishes_nothing(yard: Scope) -> None:
    from ledger.actions.run import finish_run, working_on_next

    send(yard, "Decision: keep it\n")
    with working_on_next() as run:
        assert run is not None
        Run.objects.filter(pk=run.pk).update(attempts=5)
        with pytest.raises(BadTransition):
            finish_run(run, stats={})


def test_twenty_equal_ingests_at_once_are_one(yard: Scope) -> None:
    def one(_: int) -> tuple[int, bool]:
        try:
            done = send(yard, "## Decision: One and the same\n", external_id="same")
            work_off()
            return done.source.pk, done.duplicate
        finally:
            connection.close()

    with ThreadPoolExecutor(20) as threads:
        answers = list(threads.map(one, range(20)))
    assert len({source for source, _ in answers}) == 1
    assert [duplicate for _, duplicate in answers].count(False) == 1
    work_off()
    assert Source.objects.count() == Run.objects.count() == Claim.objects.count() == Evidence.objects.count() == 1


def test_the_sweep_wakes_expires_and_forgets(yard: Scope) -> None:
    send(yard, "Decision: oak for the door\n\nDecision: ash for the frame\n\nDecision: the gate opens\n")
    work_off()
    later, never, to_come = Claim.objects.order_by("id")
    tomorrow = timezone.now() + timedelta(days=1)
    Claim.objects.filter(pk=to_come.pk).update(expires_at=timezone.now(), valid_from=tomorrow)
    defer(later, actor=PERSON, until=timezone.now() + timedelta(seconds=0.2))
    Claim.objects.filter(pk=never.pk).update(expires_at=timezone.now())
    old = IdempotencyRecord.objects.create(caller="a", route="r", key="k", body_sha256="0" * 64)
    IdempotencyRecord.objects.filter(pk=old.pk).update(created_at=timezone.now() - timedelta(days=2))
    time.sleep(0.3)
    sweep()
    later.refresh_from_db()
    never.refresh_from_db()
    to_come.refresh_from_db()
    assert (later.status, never.status, to_come.status) == ("pending", "expired", "pending")
    assert set(JournalEvent.objects.filter(actor_name="sweep").values_list("verb", flat=True)) == {"wake", "expire"}
    assert not IdempotencyRecord.objects.exists()


def test_words_of_an_agent_anchor_no_norm(yard: Scope) -> None:
    text = "USER: I prefer tea\n\n## User\n\nDecision: we ship\n"
    ingest(
        [Incoming(text=text, kind="message", sender_kind="agent")],
        scope=yard,
        actor=system(),
        extractors=for_scope(yard),
    )
    work_off()
    assert not Claim.objects.exists() and Run.objects.get().stats["held_back"] >= 1


def test_our_own_context_fed_back_yields_nothing_new(yard: Scope) -> None:
    send(yard, "Decision: keep the log\n\nmax weight = 4.8 kg\n")
    work_off()
    before = Claim.objects.count()
    pack = (
        "## Constraints and commitments\n- max weight = 4.8 kg (pending) [FCT-20260130-002 source 1:24-44]\n\n"
        "## Decisions and other entities\n- Decision: keep the log and more [DEC-20260130-001 withheld]\n"
        "- the door = 5 kg [DEC-20260130-009]\n\n## Raw text\n- RESOLVED: sell it all [source 1:0-20]\n"
    )
    for kind, speaker in (("document", "document"), ("message", "user"), ("interaction", "agent")):
        send(yard, pack, kind=kind, sender_kind=speaker)
    send(yard, "> - RESOLVED: sell it all [source 1:0-20]\r\n", kind="document")
    work_off()
    assert Claim.objects.count() == before
    send(yard, "- [Decision] Follow the older one [DEC-20260130-009]\n")
    work_off()
    assert Claim.objects.count() == before + 1
