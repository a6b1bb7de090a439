"""Sessions as Django keeps them, each with its user beside it, so that people see where they are signed in and end what they do not
know. Named by SESSION_ENGINE."""

import datetime as dt
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

from django.contrib.auth import SESSION_KEY
from django.contrib.auth.signals import user_logged_in
from django.contrib.sessions.backends import db
from django.http import HttpRequest
from django.utils import timezone

from review.models import BrowserSession

BEGAN, BROWSER = "began", "browser"
MAX_SESSIONS = 200


class SessionStore(db.SessionStore):
    @classmethod
    def get_model_class(cls) -> type[BrowserSession]:
        return BrowserSession

    def create_model_instance(self, data: dict[str, Any]) -> BrowserSession:
        row = cast(BrowserSession, super().create_model_instance(data))
        row.user_id = int(data[SESSION_KEY]) if SESSION_KEY in data else None
        return row


def note_beginning(sender: object, request: HttpRequest, **_: Any) -> None:
    """When and with what somebody signed in, through whichever door."""
    request.session[BEGAN] = timezone.now().isoformat()
    request.session[BROWSER] = request.headers.get("User-Agent", "")[:200]


user_logged_in.connect(note_beginning, dispatch_uid="session_began")


@dataclass(frozen=True, slots=True)
class SignIn:
    """One place where somebody is signed in. `handle` names it on a page: whoever knew the key itself would be in."""

    handle: str
    browser: str
    began: dt.datetime | None
    ends: dt.datetime
    here: bool


def sign_ins(request: HttpRequest) -> list[SignIn]:
    """The user's own, the newest first."""
    found = [
        SignIn(handle_of(row), data.get(BROWSER, ""), began_of(data), row.expire_date, is_here(row, request))
        for row, data in _own(request)
    ]
    return sorted(found, key=lambda one: (not one.here, -one.ends.timestamp()))


def end_sign_ins(request: HttpRequest, handle: str) -> int:
    """End one of the user's own, or all but this one where no handle is named; how many ended."""
    wanted = [row for row, _ in _own(request) if (handle_of(row) == handle if handle else not is_here(row, request))]
    return BrowserSession.objects.filter(pk__in=[row.pk for row in wanted]).delete()[0]


def _own(request: HttpRequest) -> Iterator[tuple[BrowserSession, dict[str, Any]]]:
    rows = BrowserSession.objects.filter(user_id=request.user.pk, expire_date__gt=timezone.now())
    return ((row, row.get_decoded()) for row in rows.order_by("-expire_date")[:MAX_SESSIONS])


def handle_of(row: BrowserSession) -> str:
    return hashlib.sha256(row.session_key.encode()).hexdigest()[:20]


def began_of(data: dict[str, Any]) -> dt.datetime | None:
    return dt.datetime.fromisoformat(data[BEGAN]) if BEGAN in data else None


def is_here(row: BrowserSession, request: HttpRequest) -> bool:
    return bool(row.session_key == request.session.session_key)
