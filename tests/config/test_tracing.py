"""Spans of requests, statements and tasks: they fit together and quote nothing."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory
from django.urls import resolve
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from config import tracing
from config.middleware import RequestContextMiddleware

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"


@pytest.fixture
def spans(db: None, monkeypatch: Any) -> Iterator[InMemorySpanExporter]:
    kept, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(kept))
    monkeypatch.setattr(tracing, "tracer", lambda: provider.get_tracer("test"))
    connection.execute_wrappers.append(tracing.trace_statement)
    yield kept
    connection.execute_wrappers.remove(tracing.trace_statement)


def view(request: HttpRequest) -> HttpResponse:
    request.resolver_match = resolve("/entities/DEC-1")
    with connection.cursor() as cursor:
        cursor.execute("SELECT 'canary' WHERE %s = 'canary'", ["canary"])
    return HttpResponse()


def test_a_request_with_its_statement_and_its_id(spans: InMemorySpanExporter) -> None:
    headers = {"traceparent": f"00-{TRACE}-00f067aa0ba902b7-01", "X-Request-ID": "mine"}
    request = RequestFactory().get("/entities/DEC-1?q=canary", headers=headers)
    tracing.TraceMiddleware(RequestContextMiddleware(view))(request)
    statement, whole = spans.get_finished_spans()
    assert whole.name == "GET entities/<str:ref>" and whole.attributes["countersign.request_id"] == "mine"
    assert statement.name == "SELECT" and statement.parent.span_id == whole.context.span_id
    assert f"{whole.context.trace_id:032x}" == TRACE
    assert "canary" not in whole.to_json() + statement.to_json() and "DEC-1" not in whole.to_json()


def test_a_task_whose_statement_fails(spans: InMemorySpanExporter) -> None:
    tracing.task_begins("7", "extraction.seal")
    with pytest.raises(DatabaseError), connection.cursor() as cursor:
        cursor.execute("canary FROM nowhere")
    tracing.task_ends("7", "FAILURE")
    tracing.task_ends("8", "SUCCESS")
    statement, task = spans.get_finished_spans()
    assert (statement.name, statement.attributes["error.type"]) == ("OTHER", "ProgrammingError")
    assert task.name == "extraction.seal" and statement.context.trace_id == task.context.trace_id
    assert "canary" not in statement.to_json() and not tracing.at_work


def test_outside_of_both_nothing_is_traced(spans: InMemorySpanExporter) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    assert spans.get_finished_spans() == ()
