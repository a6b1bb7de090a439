"""What goes wrong in the API, as application/problem+json (RFC 9457)."""

from typing import Any, NotRequired, TypedDict

import structlog
from django.core.exceptions import RequestDataTooBig, SuspiciousOperation
from django.db import DataError, IntegrityError, InterfaceError, InternalError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse, UnreadablePostError
from ninja import NinjaAPI
from ninja.errors import AuthenticationError, HttpError, ValidationError
from pydantic import TypeAdapter
from pydantic_core import to_json

from ledger.actions.locking import lost_connection, lost_race
from ledger.actor import ActorRequest
from ledger.errors import DomainError, StaleVersion
from review.api.answers import shape_row

log = structlog.get_logger(__name__)

# By status: type and title of what is no domain error.
PLAIN_PROBLEMS = {
    400: ("about:blank", "the request cannot be read"),
    401: ("unauthorized", "not signed in"),
    403: ("forbidden", "not allowed"),
    404: ("not_found", "not found"),
    405: ("method_not_allowed", "this method is not for this address"),
    413: ("too_large", "too large"),
    414: ("about:blank", "the address is too long"),
    415: ("about:blank", "not a type that is read here"),
    422: ("invalid", "the input is not valid"),
    429: ("about:blank", "too many requests"),
    431: ("about:blank", "the headers are too large"),
    500: ("about:blank", "something went wrong here"),
    503: ("about:blank", "not now"),
}
OTHER_PROBLEM = ("about:blank", "the request cannot be carried out")
# SQLSTATE classes of a server that takes no more, and of one that somebody told to stop what it does.
NOT_NOW = {"53", "57"}
MAX_DRAINED_BYTES = 256 * 1024 * 1024
# How many words the framework puts before the name of a field: where it looked, and of a body the parameter.
PLACES_IN_FRONT = {"body": 2, "query": 1, "path": 1, "header": 1, "form": 1}


class Problem(TypedDict):
    """What went wrong (RFC 9457). `type` names the kind; `errors` name each wrong `field`, a path such as `sources.3.text`, with a
    `message`. `choices` are what only a person can choose from, `current` is the row as it now stands where somebody else was
    faster, `event` the later one that an undo would overwrite, `ref` what is already there."""

    type: str
    title: str
    status: int
    detail: str
    errors: NotRequired[list[dict[str, str]]]
    choices: NotRequired[list[dict[str, Any]]]
    current: NotRequired[dict[str, Any]]
    event: NotRequired[int | None]
    ref: NotRequired[str]


PROBLEM_SCHEMA = TypeAdapter(Problem).json_schema(mode="serialization")
PROBLEM_RESPONSE = {
    "description": "What went wrong; a 4xx changed nothing",
    "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
}


def problem(status: int, detail: str, *, retry_after_s: int | None = None, **more: Any) -> HttpResponse:
    kind, title = PLAIN_PROBLEMS.get(status, OTHER_PROBLEM)
    response = as_response({"type": kind, "title": title, "status": status, "detail": detail, **more})
    if status == 401:
        response["WWW-Authenticate"] = 'Bearer realm="countersign"'
    if retry_after_s is not None:
        response["Retry-After"] = str(retry_after_s)
    return response


def as_response(body: dict[str, Any]) -> HttpResponse:
    raw = to_json(body, serialize_unknown=True, inf_nan_mode="null")
    return HttpResponse(raw, status=body["status"], content_type="application/problem+json")


def domain_problem(request: ActorRequest, error: Any) -> HttpResponse:
    """With the row as it now stands, where somebody else was faster."""
    body = error.as_problem()
    current = shape_row(request, error.row) if isinstance(error, StaleVersion) else None
    return as_response(body if current is None else body | {"current": current})


def http_problem(request: ActorRequest, error: Any) -> HttpResponse:
    """The framework wraps what the parser raises."""
    cause = error.__cause__
    if isinstance(cause, DomainError):
        return domain_problem(request, cause)
    if isinstance(cause, RequestDataTooBig):
        return too_big(request, cause)
    return problem(error.status_code, error.message)


def too_big(request: HttpRequest, error: Any) -> HttpResponse:
    """Most clients read no answer before all was sent, so that a body is taken and thrown away, within reason."""
    left = MAX_DRAINED_BYTES
    while left > 0 and (chunk := request.META["wsgi.input"].read(min(left, 1024 * 1024))):
        left -= len(chunk)
    return problem(413, "the body is larger than this server takes")


def validation_problem(request: HttpRequest, error: Any) -> HttpResponse:
    return problem(422, "the input is not valid", errors=[field_of(one) for one in error.errors])


def field_of(error: dict[str, Any]) -> dict[str, str]:
    """One of pydantic's errors as `{field, message}`; the framework puts where it looked and the parameter in front."""
    place = [str(part) for part in error["loc"]]
    named = place[PLACES_IN_FRONT.get("".join(place[:1]), 0) :] or place[1:]
    return {"field": ".".join(named), "message": error["msg"][:300]}


def integrity_problem(request: HttpRequest, error: Any) -> HttpResponse:
    """Somebody was faster than the check that came before the write; a law held by the database says so too."""
    log.warning("refused_by_database", error=str(error)[:500], path=request.path)
    return problem(409, "the database refused this; somebody else may have been faster")


def connection_problem(request: HttpRequest, error: Any) -> HttpResponse:
    log.warning("database_lost", error=str(error)[:200], path=request.path)
    return problem(503, "the database does not answer; try again in a moment", retry_after_s=2)


def database_problem(request: HttpRequest, error: Any) -> HttpResponse:
    state = getattr(error.__cause__, "sqlstate", "") or ""
    if lost_connection(error) or state[:2] in NOT_NOW:
        return connection_problem(request, error)
    if lost_race(error):
        return problem(429, "too many are at work on the same rows; try again", retry_after_s=1)
    return fault(request, error)


def fault(request: HttpRequest, error: Any) -> HttpResponse:
    log.error("api_error", path=request.path, method=request.method, exc_info=error)
    return problem(500, "this is a fault of the server and has been logged")


HANDLERS = {
    DomainError: domain_problem,
    HttpError: http_problem,
    AuthenticationError: http_problem,
    ValidationError: validation_problem,
    Http404: lambda request, error: problem(404, "nothing is there"),
    RequestDataTooBig: too_big,
    SuspiciousOperation: lambda request, error: problem(400, "the request cannot be read"),
    UnreadablePostError: lambda request, error: problem(400, "the body broke off"),
    DataError: lambda request, error: problem(422, "a value is out of range"),
    IntegrityError: integrity_problem,
    InterfaceError: connection_problem,
    InternalError: database_problem,
    OperationalError: database_problem,
    Exception: fault,
}


def install(api: NinjaAPI) -> None:
    for kind, handler in HANDLERS.items():
        api.add_exception_handler(kind, handler)
