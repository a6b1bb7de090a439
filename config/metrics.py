"""Figures for Prometheus: what waits, what was done, how long answers take. Off unless COUNTERSIGN_METRICS is set.

Requests and tasks are counted by the processes that serve them, in small files of one folder (PROMETHEUS_MULTIPROC_DIR), so
that any web process tells all of its machine's; what stands in rows is counted when it is asked for. No figure holds a
word, a name or a scope.
"""

import os
import time
from collections.abc import Callable, Iterator

from django.http import HttpRequest, HttpResponse
from prometheus_client import REGISTRY, CollectorRegistry, Gauge, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector

from ledger.reads.sql import fetch_rows

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}

REQUEST_SECONDS = Histogram(
    "countersign_request_seconds",
    "Time to answer a request, by address and class of status",
    ["method", "route", "status"],
    buckets=(0.005, 0.02, 0.05, 0.1, 0.25, 1, 5, 30),
)
TASK_SECONDS = Histogram(
    "countersign_task_seconds", "Time of a worker's task", ["task", "state"], buckets=(0.01, 0.05, 0.25, 1, 5, 30, 120)
)
WORKER_SEEN = Gauge(
    "countersign_worker_seen_timestamp_seconds", "When a worker last ended a task", multiprocess_mode="max"
)

# Open runs lie in partial indexes. Finished ones are counted as long as that is quick, and estimated from there on.
RUNS = """
    WITH open AS (SELECT status, count(*) FROM ledger_run WHERE status IN ('queued', 'running', 'failed') GROUP BY 1)
    SELECT status, count FROM open UNION ALL
    SELECT 'succeeded', CASE WHEN reltuples < 100000 THEN (SELECT count(*) FROM ledger_run WHERE status = 'succeeded')
        ELSE greatest(reltuples - (SELECT coalesce(sum(count), 0) FROM open), 0) END
    FROM pg_class WHERE oid = 'ledger_run'::regclass
"""
ROWS = (
    ("countersign_candidates_pending", "Candidates that wait for a decision",
     "SELECT count(*) FROM ledger_claim WHERE status = 'pending'"),
    ("countersign_conflicts_open", "Conflicts that nobody settled",
     "SELECT count(*) FROM ledger_conflict WHERE status = 'open'"),
    ("countersign_oldest_queued_run_seconds", "How long the run has waited that has waited longest",
     "SELECT coalesce(extract(epoch FROM now() - min(created_at)), 0) FROM ledger_run WHERE status = 'queued'"),
    ("countersign_journal_sealed", "Events of the journal that are sealed",
     "SELECT coalesce(max(number), 0) FROM ledger_seal"),
)  # fmt: skip


class RowCollector:
    """What the database holds, counted at each reading."""

    def collect(self) -> Iterator[Metric]:
        runs = GaugeMetricFamily("countersign_runs", "Runs by status", labels=["status"])
        counted = dict.fromkeys(("queued", "running", "succeeded", "failed"), 0.0)
        for status, count in (counted | dict(fetch_rows(RUNS))).items():
            runs.add_metric([status], float(count))
        yield runs
        for name, told, sql in ROWS:
            [[value]] = fetch_rows(sql)
            yield GaugeMetricFamily(name, told, value=float(value))


def page() -> bytes:
    """Everything, in Prometheus' text format."""
    rows = CollectorRegistry()
    rows.register(RowCollector())
    counted = REGISTRY
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        counted = CollectorRegistry()
        MultiProcessCollector(counted)  # type: ignore[no-untyped-call]
    return generate_latest(counted) + generate_latest(rows)


def note_task(task: str, state: str, seconds: float) -> None:
    TASK_SECONDS.labels(task, state).observe(seconds)
    WORKER_SEEN.set(time.time())


class LatencyMiddleware:
    """Times every request, under the pattern of its address: there are as many series as there are addresses."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        began = time.perf_counter()
        response = self.get_response(request)
        route = request.resolver_match.route if request.resolver_match else "none"
        method = request.method if request.method in METHODS else "other"
        status = f"{response.status_code // 100}xx"
        REQUEST_SECONDS.labels(method, route, status).observe(time.perf_counter() - began)
        return response
