"""JSON bodies: read strictly, so that nothing reaches a table which PostgreSQL could not hold."""

import json
import re
from collections.abc import Callable
from functools import wraps
from typing import Any, NoReturn

from django.http import HttpRequest
from ninja.parser import Parser

from ledger.errors import Invalid
from ledger.rules.storable import storable

# Only escapes can bring a NUL or half a surrogate pair into text that was valid UTF-8.
SUSPECT = re.compile(rb"\\u(?:0000|[dD][89a-fA-F])")
DEEPEST = 100


class Unreadable(Invalid):
    """The body is no JSON; 400."""

    title = "the body cannot be read"


class StrictParser(Parser):
    """Raises `Unreadable` for what is no JSON (NaN and numbers without a finite value included).

    What JSON allows and PostgreSQL cannot hold is noted as `request.unstorable`, for `storable_body` to refuse; a route
    that takes a batch looks at it item by item instead.
    """

    def parse_body(self, request: HttpRequest) -> Any:
        body = read_json(request.body)
        request.unstorable = None  # type: ignore[attr-defined]
        if SUSPECT.search(request.body):
            try:
                storable(body, "body")
            except Invalid as error:
                request.unstorable = without_root(error)  # type: ignore[attr-defined]
        return body


def read_json(raw: bytes) -> Any:
    try:
        body = json.loads(raw.decode("utf-8-sig"), parse_constant=_refuse, parse_float=_finite)
        _shallow(body)
    except UnicodeDecodeError as error:
        raise Unreadable(f"the body is not UTF-8 at byte {error.start}") from None
    except json.JSONDecodeError as error:
        raise Unreadable(f"the body is no JSON: {error.msg} at character {error.pos}") from None
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"the body cannot be read: {str(error)[:200]}") from None
    return body


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")


def _finite(digits: str) -> float:
    value = float(digits)
    if value in (float("inf"), float("-inf")):
        raise ValueError(f"{digits[:20]} is out of range")
    return value


def _shallow(body: Any) -> None:
    """No recursion here: depth is what is measured."""
    level: list[Any] = [body]
    for _ in range(DEEPEST):
        level = [
            child
            for one in level
            if isinstance(one, dict | list)
            for child in (one.values() if isinstance(one, dict) else one)
        ]
        if not level:
            return
    raise ValueError(f"more than {DEEPEST} levels deep")


def without_root(error: Invalid) -> Invalid:
    """The field as a path inside the body: `sources.3.text`."""
    return Invalid(error.message.replace("body.", "", 1), field=error.field.removeprefix("body."))


def storable_body(view: Callable[..., Any]) -> Callable[..., Any]:
    """Wraps each operation; see `StrictParser`."""

    @wraps(view)
    def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        error = getattr(request, "unstorable", None)
        if error is not None and not getattr(view, "takes_a_batch", False):
            raise error
        return view(request, *args, **kwargs)

    return checked
