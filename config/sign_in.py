"""What a sign-in passes first: whether its account and address are locked out (see `lockout`)."""

from typing import Any

from axes.backends import AxesStandaloneBackend
from django.http import HttpRequest


class LockoutBackend(AxesStandaloneBackend):  # type: ignore[misc]
    """A program in this process, such as a test's client, comes from no address that could be counted."""

    def authenticate(self, request: HttpRequest | None, **credentials: Any) -> None:
        if request is not None:
            super().authenticate(request, **credentials)
