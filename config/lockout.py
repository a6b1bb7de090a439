"""Too many wrong passwords of an account from an address, or too many wrong tokens from one: django-axes counts, this answers.

A right token always opens: 256 random bits are not found by trying, and whoever shares an address with a stranger is not shut out.
"""

import datetime as dt
from typing import Any

from axes.handlers.proxy import AxesProxyHandler
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from config.api_errors import problem

# As whom wrong tokens of one address are counted, all together.
BEARER = "bearer token"
PASSWORDS, TOKENS = 10, 30
PAUSE = dt.timedelta(minutes=15)
DETAIL = "too many wrong tries from this address; wait a quarter of an hour"


def failure_limit(request: HttpRequest, credentials: dict[str, Any] | None) -> int:
    """How many wrong tries lock: a person mistypes, a program goes on with a revoked token."""
    return TOKENS if (credentials or {}).get("username") == BEARER else PASSWORDS


def note_wrong_token(request: HttpRequest) -> None:
    """Count it. From the limit on the answer becomes that of `locked`."""
    try:
        AxesProxyHandler.user_login_failed(BEARER, credentials={"username": BEARER}, request=request)
    except PermissionDenied:
        request.axes_locked_out = True  # type: ignore[attr-defined]


def locked(request: HttpRequest, response: HttpResponse | None, credentials: dict[str, Any] | None) -> HttpResponse:
    """429, as a problem to the API and as a page to a person."""
    if request.path.startswith("/api/"):
        return problem(429, DETAIL, retry_after_s=int(PAUSE.total_seconds()))
    error = {"title": "too many wrong tries", "message": DETAIL}
    page = render(request, "problem.html", {"error": error}, status=429)
    page["Retry-After"] = str(int(PAUSE.total_seconds()))
    return page
