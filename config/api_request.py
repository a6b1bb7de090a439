"""What is read of a request before its endpoint runs: who calls, and a JSON body that PostgreSQL could hold."""

import json
import math
import re
from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from typing import Annotated, Any, NoReturn, get_args, get_origin, get_type_hints
from urllib.parse import unquote

from django.http import HttpRequest
from ninja import Schema
from ninja.errors import AuthenticationError
from ninja.parser import Parser
from ninja.utils import check_csrf

from config.lockout import note_wrong_token
from ledger.actor import Actor, ActorRequest
from ledger.errors import Forbidden, Invalid, NotFound
from ledger.rules.columns import storable
from review.access import actor_of_request, actor_of_token, note_use, token_of

SAFE_METHODS = {"GET", "HEAD", "OPTIONS"}
# Only escapes can bring a NUL or half a surrogate pair into text that was valid UTF-8.
SUSPICIOUS_ESCAPE = re.compile(rb"\\u(?:0000|[dD][89a-fA-F])")
MAX_DEPTH = 100


class Caller:
    """Sets `request.actor`: a bearer token's, or that of the session of a same-origin page with CSRF. A header wins over a
    cookie: a wrong token is refused, whoever is signed in."""

    # What the API pages offer to fill in.
    openapi_security_schema = {"type": "http", "scheme": "bearer"}

    def __call__(self, request: ActorRequest) -> Actor:
        header = request.headers.get("Authorization")
        request.actor = actor_of_session(request) if header is None else actor_of_header(header, request)
        refuse_nul(request)
        return request.actor


def actor_of_header(header: str, request: ActorRequest) -> Actor:
    scheme, _, secret = header.partition(" ")
    token = token_of(secret.strip()) if scheme.lower() == "bearer" else None
    if token is None:
        note_wrong_token(request)
        raise AuthenticationError(message="The bearer token is not known, or was revoked.")
    note_use(token)
    return actor_of_token(token, request_id=request.request_id)


def actor_of_session(request: ActorRequest) -> Actor:
    if not request.user.is_authenticated:
        raise AuthenticationError(message="A bearer token or a signed-in session is needed.")
    if request.method not in SAFE_METHODS and check_csrf(request) is not None:
        raise Forbidden("a page's own request carries its CSRF token")
    return actor_of_request(request, "api")


def refuse_nul(request: HttpRequest) -> None:
    """PostgreSQL holds no NUL, so nothing is there under a path with one, and no parameter can name it."""
    if "\0" in request.path:
        raise NotFound("nothing is there")
    for name, values in request.GET.lists():
        for value in values:
            if "\0" in value:
                raise Invalid(f"{unquote(name)} has a NUL character at {value.index(chr(0))}", field=name)


class UnreadableBody(Invalid):
    """The body is no JSON."""

    slug = "about:blank"
    title = "the request cannot be read"
    status = 400


class StrictParser(Parser):
    """Raises `UnreadableBody` for what is no JSON (NaN and numbers without a finite value included).

    What JSON allows and PostgreSQL cannot hold is noted as `request.unstorable`, for `storable_body` to refuse; a route
    that takes a batch looks at it item by item instead.
    """

    def parse_body(self, request: HttpRequest) -> Any:
        body = read_json(request.body)
        suspicious = SUSPICIOUS_ESCAPE.search(request.body)
        request.unstorable = unstorable_in(body) if suspicious else None  # type: ignore[attr-defined]
        return body


def unstorable_in(body: Any) -> Invalid | None:
    """What is wrong with the body, its field as a path inside it: `sources.3.text`."""
    try:
        storable(body, "body")
    except Invalid as error:
        return Invalid(error.message.replace("body.", "", 1), field=error.field.removeprefix("body."))
    return None


def read_json(raw: bytes) -> Any:
    try:
        body = json.loads(raw.decode("utf-8-sig"), parse_constant=_refuse_constant, parse_float=_finite)
        _refuse_deep(body)
    except UnicodeDecodeError as error:
        raise UnreadableBody(f"the body is not UTF-8 at byte {error.start}") from None
    except json.JSONDecodeError as error:
        raise UnreadableBody(f"the body is no JSON: {error.msg} at character {error.pos}") from None
    except (ValueError, RecursionError) as error:
        raise UnreadableBody(f"the body cannot be read: {str(error)[:200]}") from None
    return body


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")


def _finite(digits: str) -> float:
    value = float(digits)
    if math.isinf(value):
        raise ValueError(f"{digits[:20]} is out of range")
    return value


def _refuse_deep(body: Any) -> None:
    """No recursion here: depth is what is measured."""
    level: list[Any] = [body]
    for _ in range(MAX_DEPTH):
        level = [child for one in level for child in _children(one)]
        if not level:
            return
    raise ValueError(f"more than {MAX_DEPTH} levels deep")


def _children(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


# Every list may be asked for these. What comes whole (`/state`, `/scope/keys`, a history) passes them over.
OF_LISTS = {"limit", "cursor", "count"}


def known_parameters(view: Callable[..., Any]) -> Callable[..., Any]:
    """Wraps each operation: a parameter that it does not take is refused by name, so that a misspelt one is not a missing one."""
    known = set(_parameter_names(view)) - {"request", "return"} | OF_LISTS

    @wraps(view)
    def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        if unknown := request.GET.keys() - known:
            name = min(unknown)
            raise Invalid(f"there is no parameter {name[:60]!r} here", field=name[:60])
        return view(request, *args, **kwargs)

    return checked


def _parameter_names(view: Callable[..., Any]) -> Iterator[str]:
    """Of those of the path too, each as it is called outside; the fields of a schema that is read from the query."""
    for name, hint in get_type_hints(view, include_extras=True).items():
        schema, *marks = get_args(hint) if get_origin(hint) is Annotated else [None]
        if isinstance(schema, type) and issubclass(schema, Schema):
            yield from schema.model_fields
        else:
            yield next((alias for mark in marks if (alias := getattr(mark, "alias", ""))), name)


def storable_body(view: Callable[..., Any]) -> Callable[..., Any]:
    """Wraps each operation; see `StrictParser`."""
    if getattr(view, "takes_a_batch", False):
        return view

    @wraps(view)
    def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        error = getattr(request, "unstorable", None)
        if error is not None:
            raise error
        return view(request, *args, **kwargs)

    return checked
