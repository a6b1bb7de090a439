"""Who calls: a bearer token, or the session of a same-origin page with CSRF."""

from urllib.parse import unquote

from django.http import HttpRequest
from ninja.errors import AuthenticationError
from ninja.utils import check_csrf

from ledger.errors import Forbidden, Invalid, NotFound
from review.access import actor_of_request, actor_of_token
from review.tokens import note_use, token_of

SAFE = {"GET", "HEAD", "OPTIONS"}


class Caller:
    """Sets `request.actor`. A header wins over a cookie: a wrong token is refused, whoever is signed in."""

    # What the API pages offer to fill in.
    openapi_security_schema = {"type": "http", "scheme": "bearer"}

    def __call__(self, request: HttpRequest) -> object:
        header = request.headers.get("Authorization")
        if header is not None:
            scheme, _, secret = header.partition(" ")
            token = token_of(secret.strip()) if scheme.lower() == "bearer" else None
            if token is None:
                raise AuthenticationError(message="The bearer token is not known, or was revoked.")
            note_use(token)
            request.actor = actor_of_token(token, request_id=getattr(request, "request_id", ""))  # type: ignore[attr-defined]
        elif request.user.is_authenticated:
            if request.method not in SAFE and check_csrf(request) is not None:
                raise Forbidden("a page's own request carries its CSRF token")
            request.actor = actor_of_request(request, "api")  # type: ignore[attr-defined]
        else:
            raise AuthenticationError(message="A bearer token or a signed-in session is needed.")
        refuse_nul(request)
        return request.actor  # type: ignore[attr-defined]


def refuse_nul(request: HttpRequest) -> None:
    """PostgreSQL holds no NUL, so nothing is there under a path with one, and no parameter can name it."""
    if "\0" in request.path:
        raise NotFound("nothing is there")
    for name, values in request.GET.lists():
        for value in values:
            if "\0" in value:
                raise Invalid(f"{unquote(name)} has a NUL character at {value.index(chr(0))}", field=name)
