"""Traces for OpenTelemetry: a span a request, a task and a statement. Off unless COUNTERSIGN_TRACES is set.

No span holds a word, a name, an address beyond its pattern, or the text of a statement: only what was done, how long it took, and
the request id that the journal and the log have too.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import structlog
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created
from django.http import HttpRequest, HttpResponse
from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.propagate import extract
from opentelemetry.sdk.resources import SERVICE_NAME, Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import Span, SpanKind, StatusCode

VERBS = {"SELECT", "INSERT", "UPDATE", "DELETE", "WITH", "SET", "SAVEPOINT", "RELEASE", "ROLLBACK", "LOCK", "CALL"}


@cache
def tracer() -> trace.Tracer:
    """This process's own, made with its first span, after it was forked. Where spans go, OTEL_EXPORTER_OTLP_ENDPOINT says."""
    provider = TracerProvider(resource=Resource.create({SERVICE_NAME: "countersign"}))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    watch_statements()
    return provider.get_tracer("countersign")


@contextmanager
def span(name: str, kind: SpanKind, attributes: dict[str, Any], **more: Any) -> Iterator[Span]:
    """A failure is told by the name of its kind: its words may quote a row."""
    with tracer().start_as_current_span(
        name, kind=kind, attributes=attributes, record_exception=False, set_status_on_exception=False, **more
    ) as current:
        try:
            yield current
        except BaseException as error:
            current.set_status(StatusCode.ERROR)
            current.set_attribute("error.type", type(error).__name__)
            raise


class TraceMiddleware:
    """Around everything else; goes on with the trace of a proxy that sends `traceparent`. The log's lines carry the trace's id."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        method = request.method or ""
        with span(
            method, SpanKind.SERVER, {"http.request.method": method}, context=extract(request.headers)
        ) as current:
            with structlog.contextvars.bound_contextvars(trace_id=f"{current.get_span_context().trace_id:032x}"):
                response = self.get_response(request)
            route = request.resolver_match.route if request.resolver_match else "none"
            current.update_name(f"{method} {route}")
            current.set_attribute("http.route", route)
            current.set_attribute("http.response.status_code", response.status_code)
            current.set_attribute("countersign.request_id", response.get("X-Request-ID", ""))
            if response.status_code >= 500:
                current.set_status(StatusCode.ERROR)
        return response


def trace_statement(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: dict[str, Any]) -> Any:
    """One span for each statement within a request or a task, named by its first word."""
    if not trace.get_current_span().is_recording():
        return execute(sql, params, many, context)
    word = str(sql).lstrip("( \n").split(None, 1)[0].upper()
    verb = word if word in VERBS else "OTHER"
    with span(verb, SpanKind.CLIENT, {"db.system.name": "postgresql", "db.operation.name": verb}):
        return execute(sql, params, many, context)


def watch_statements() -> None:
    from django.db import connections

    connection_created.connect(_watch, dispatch_uid="traces")
    for connection in connections.all(initialized_only=True):
        _watch(connection=connection)


def _watch(*, connection: BaseDatabaseWrapper, **_: Any) -> None:
    if trace_statement not in connection.execute_wrappers:
        connection.execute_wrappers.append(trace_statement)


# Spans of tasks at work, by id, with what ends them.
at_work: dict[str, Any] = {}


def task_begins(task_id: str, name: str) -> None:
    at_work[task_id] = span(name, SpanKind.CONSUMER, {"messaging.system": "celery", "countersign.task_id": task_id})
    at_work[task_id].__enter__()


def task_ends(task_id: str, state: str) -> None:
    if task_id in at_work:
        trace.get_current_span().set_attribute("countersign.task_state", state)
        at_work.pop(task_id).__exit__(None, None, None)
