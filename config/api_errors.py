"""What goes wrong in the API, as application/problem+json (RFC 9457); and a second try where only the moment was wrong."""

import random
import time
from collections.abc import Callable
from functools import wraps
from typing import Any

import structlog
from django.core.exceptions import RequestDataTooBig, SuspiciousOperation
from django.db import DataError, IntegrityError, InterfaceError, OperationalError, connection
from django.http import Http404, HttpRequest, HttpResponse, UnreadablePostError
from ninja import NinjaAPI
from ninja.errors import AuthenticationError, HttpError, ValidationError
from pydantic_core import to_json

from config.api_body import Unreadable
from config.problems import problem_of, status_of
from ledger.errors import DomainError, StaleVersion

log = structlog.get_logger(__name__)

TITLES = {
    400: "the request cannot be read", 401: "not signed in", 403: "not allowed", 404: "not found",
    405: "this method is not for this address", 413: "too large", 415: "not a type that is read here",
    422: "the input is not valid", 429: "too many requests", 500: "something went wrong here",
    503: "not now",
}  # fmt: skip
TYPES = {
    401: "unauthorized",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    413: "too_large",
    422: "invalid",
}
# SQLSTATE of a deadlock and of a failed serialization: nothing was written, and again it may well succeed.
PASSING = {"40P01", "40001"}
# SQLSTATE classes of a connection that is gone, and of a server that stops, starts or takes no more; without any it was
# the driver that saw the connection break.
LOST = {"", "08", "53", "57"}
TRIES = 3
DRAINED_BYTES = 256 * 1024 * 1024


def problem(status: int, detail: str, **more: Any) -> HttpResponse:
    body = {
        "type": TYPES.get(status, "about:blank"),
        "title": TITLES.get(status, "the request cannot be carried out"),
        "status": status,
        "detail": detail,
        **more,
    }
    return as_problem(body, status)


def as_problem(body: dict[str, Any], status: int) -> HttpResponse:
    response = HttpResponse(
        to_json(body, serialize_unknown=True, inf_nan_mode="null"),
        status=status,
        content_type="application/problem+json",
    )
    if status == 401:
        response["WWW-Authenticate"] = 'Bearer realm="countersign"'
    return response


def too_big(request: HttpRequest, error: Any) -> HttpResponse:
    """Most clients read no answer before all was sent, so that a body is taken and thrown away, within reason."""
    left = DRAINED_BYTES
    while left > 0 and (chunk := request.META["wsgi.input"].read(min(left, 1024 * 1024))):
        left -= len(chunk)
    return problem(413, "the body is larger than this server takes")


def install(api: NinjaAPI, *, shape_row: Callable[[HttpRequest, Any], Any]) -> None:
    """Each kind of error its handler. `shape_row` shows the current row of a `StaleVersion` in the API's own shape."""

    def domain(request: HttpRequest, error: Any) -> HttpResponse:
        if isinstance(error, Unreadable):
            return problem(400, error.message)
        row = shape_row(request, error.row) if isinstance(error, StaleVersion) and error.row is not None else None
        return as_problem(problem_of(error, row=row), status_of(error))

    def http(request: HttpRequest, error: Any) -> HttpResponse:
        # The framework wraps what the parser raises.
        cause = error.__cause__
        if isinstance(cause, DomainError):
            return domain(request, cause)
        if isinstance(cause, RequestDataTooBig):
            return too_big(request, cause)
        return problem(error.status_code, error.message)

    def validation(request: HttpRequest, error: Any) -> HttpResponse:
        return problem(422, "the input is not valid", errors=[field_of(one) for one in error.errors])

    def database(request: HttpRequest, error: Any) -> HttpResponse:
        state = getattr(error.__cause__, "sqlstate", "") or ""
        if isinstance(error, DataError):
            return problem(422, "a value is out of range")
        if isinstance(error, IntegrityError):
            # Somebody was faster than the check that came before the write; a law held by the database says so too.
            log.warning("refused_by_database", error=str(error)[:500], path=request.path)
            return problem(409, "the database refused this; somebody else may have been faster")
        if isinstance(error, InterfaceError) or (isinstance(error, OperationalError) and state[:2] in LOST):
            log.warning("database_lost", error=str(error)[:200], path=request.path)
            response = problem(503, "the database does not answer; try again in a moment")
            response["Retry-After"] = "2"
            return response
        if state in PASSING:
            response = problem(429, "too many are at work on the same rows; try again")
            response["Retry-After"] = "1"
            return response
        return surprise(request, error)

    def surprise(request: HttpRequest, error: Any) -> HttpResponse:
        log.error("api_error", path=request.path, method=request.method, exc_info=error)
        return problem(500, "this is a fault of the server and has been logged")

    api.add_exception_handler(DomainError, domain)
    api.add_exception_handler(HttpError, http)
    api.add_exception_handler(AuthenticationError, http)
    api.add_exception_handler(ValidationError, validation)
    api.add_exception_handler(Http404, lambda request, error: problem(404, "nothing is there"))
    api.add_exception_handler(RequestDataTooBig, too_big)
    api.add_exception_handler(SuspiciousOperation, lambda request, error: problem(400, "the request cannot be read"))
    api.add_exception_handler(UnreadablePostError, lambda request, error: problem(400, "the body broke off"))
    for kind in (DataError, IntegrityError, InterfaceError, OperationalError):
        api.add_exception_handler(kind, database)
    api.add_exception_handler(Exception, surprise)


def field_of(error: dict[str, Any]) -> dict[str, str]:
    """One of pydantic's errors as `{field, message}`; the framework puts where it looked and the parameter in front."""
    place = list(error.get("loc", ()))
    if place and place[0] in ("body", "query", "path", "header", "form"):
        where = place.pop(0)
        if where == "body" and len(place) > 1:
            place.pop(0)
    return {"field": ".".join(str(part) for part in place), "message": str(error.get("msg", ""))[:300]}


def tried_again(view: Callable[..., Any]) -> Callable[..., Any]:
    """Wraps each operation: a deadlock's loser starts anew. Safe because what failed was one transaction, rolled back."""

    @wraps(view)
    def again(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        for attempt in range(TRIES):
            try:
                return view(request, *args, **kwargs)
            except OperationalError as error:
                state = getattr(error.__cause__, "sqlstate", "")
                if state not in PASSING or attempt == TRIES - 1 or connection.in_atomic_block:
                    raise
                time.sleep(random.uniform(0.01, 0.05) * (attempt + 1))  # noqa: S311 - spreads the losers
        raise AssertionError("unreachable")

    return again
