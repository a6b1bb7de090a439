"""What every request carries, and the one place where domain errors become pages."""

import re
import uuid
from collections.abc import Callable

import structlog
from django.conf import settings
from django.db import DataError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django_htmx.http import HttpResponseClientRedirect

from config.api_errors import problem
from ledger.errors import DomainError, Invalid
from review.second_factor import SecondFactorNeeded

PLAIN_ID = re.compile("[ -~]{1,64}")


class RequestContextMiddleware:
    """A request id for the journal and the log: the caller's own if it is short and plain, else a new one."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        given = PLAIN_ID.fullmatch(request.headers.get("X-Request-ID", ""))
        request.request_id = given[0] if given else uuid.uuid4().hex  # type: ignore[attr-defined]
        with structlog.contextvars.bound_contextvars(request_id=request.request_id):  # type: ignore[attr-defined]
            response = self.get_response(request)
        response["X-Request-ID"] = request.request_id  # type: ignore[attr-defined]
        return response


class NothingStoredMiddleware:
    """What somebody sees who is signed in stays in no cache of the browser or on the way; what is asked for again and again with
    its tag is asked of the server each time."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        signed_in = settings.SESSION_COOKIE_NAME in request.COOKIES or "Authorization" in request.headers
        if signed_in and "Cache-Control" not in response:
            response["Cache-Control"] = "private, no-cache" if "ETag" in response else "no-store"
        return response


class TooLongMiddleware:
    """An address or headers that are longer than anything here needs are refused in our own words, below the limits of the server,
    which answers without any (64 kB of address, a hundred headers)."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        sent = request.META
        headers = [len(name) + len(str(value)) for name, value in sent.items() if name.startswith("HTTP_")]
        if len(sent.get("PATH_INFO", "")) + len(sent.get("QUERY_STRING", "")) > MAX_ADDRESS:
            status = 414
        elif len(headers) > MAX_HEADERS or sum(headers) > MAX_HEADER_BYTES:
            status = 431
        else:
            return self.get_response(request)
        if request.path.startswith("/api/"):
            return problem(status, DETAILS[status])
        error = {"title": "too long", "message": DETAILS[status]}
        return render(request, "problem.html", {"error": error}, status=status)


MAX_ADDRESS, MAX_HEADERS, MAX_HEADER_BYTES = 32_768, 90, 65_536


class ApiProblemMiddleware:
    """Whatever answers for the API before or beside it (no such address, wrong method) answers as problem+json too."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        kind = response.get("Content-Type", "")
        if response.status_code < 400 or not request.path.startswith("/api/") or kind.startswith("application/"):
            return response
        translated = problem(response.status_code, DETAILS.get(response.status_code, "the request was refused"))
        for name in KEPT_HEADERS & {*response.headers}:
            translated[name] = response[name]
        return translated


KEPT_HEADERS = {"Allow", "Retry-After"}
DETAILS = {
    400: "the request cannot be read",
    404: "nothing is there",
    405: "the address takes other methods",
    414: "the address is longer than this server reads; send long text as a body",
    431: "the headers are longer, or more, than this server reads",
}


class DomainErrorMiddleware:
    """A domain error raised by a screen becomes a page that says what happened; the API translates its own."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if isinstance(error, DataError):
            # As in the API: no input is the server's failure, a NUL character that no check caught least of all.
            error = Invalid("something in this request cannot be stored")
        if isinstance(error, SecondFactorNeeded):
            to_set_up = HttpResponseClientRedirect if request.headers.get("HX-Request") else HttpResponseRedirect
            return to_set_up("/second-factor")
        if isinstance(error, DomainError):
            return render(request, "problem.html", {"error": error}, status=error.status)
        return None
