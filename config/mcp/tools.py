"""Which tools there are, and what each is in the API. What a tool takes is what the API's own description says."""

import io
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final
from urllib.parse import quote, urlencode

from django.core.handlers.base import BaseHandler
from django.core.handlers.wsgi import WSGIRequest

from config.api import api

PREFIX: Final = "/api/v1"
_NAMED: Final = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class Tool:
    """One operation of the API, told to a model. `path` may name an argument in braces; `reads` says that nothing changes."""

    name: str
    method: str
    path: str
    description: str
    reads: bool = True


_ROWS: Final = (
    Tool("build_context", "POST", "/context", "Before you act: what holds in this scope and bears on the task, with citations."),
    Tool("search", "GET", "/search", "What is known by its words: claims, trusted values and, with sources=true, what was said."),
    Tool("check", "POST", "/check", "Would this sentence contradict what holds? A verdict with the rows behind it."),
    Tool("get", "GET", "/candidates/{id}", "One claim by its reference, with the exact words that it rests on."),
    Tool("why", "GET", "/why", "Why a value is there: each step from the words to the decision, verified."),
    Tool("get_task", "GET", "/tasks/{conversation}", "A conversation: what was extracted from it first, then what was said."),
    Tool("list_pending", "GET", "/candidates", "What waits for a person's decision."),
    Tool("add_source", "POST", "/sources", "Keep what was said or written, unchanged; claims are found in it.", reads=False),
    Tool("propose", "POST", "/candidates", "Propose a claim with the words it rests on. A person decides about it.", reads=False),
    Tool("report_outcome", "POST", "/outcomes", "What came of acting on what was shown.", reads=False),
)  # fmt: skip
TOOLS: Final = {tool.name: tool for tool in _ROWS}


@cache
def _described() -> dict[str, Any]:
    described: dict[str, Any] = json.loads(json.dumps(api.get_openapi_schema(path_prefix=f"{PREFIX}/")))
    return described


@cache
def input_schema(name: str) -> dict[str, Any]:
    """JSON Schema of a tool's arguments: the operation's parameters and the fields of its body, side by side."""
    tool = TOOLS[name]
    shapes = _described()["components"]["schemas"]
    operation = _described()["paths"][PREFIX + tool.path][tool.method.lower()]
    # Headers, such as Idempotency-Key, are none of a tool's arguments.
    parameters = [one for one in operation.get("parameters", []) if one.get("in") in ("path", "query")]
    properties = {one["name"]: one["schema"] | _told(one) for one in parameters}
    required = [one["name"] for one in parameters if one.get("required")]
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    body = shapes.get(body.get("$ref", "").rpartition("/")[2], body)
    schema = {
        "type": "object",
        "properties": properties | body.get("properties", {}),
        "required": required + body.get("required", []),
        "$defs": shapes,
    }
    return _with_own_definitions(schema)


def _told(parameter: Mapping[str, Any]) -> dict[str, str]:
    return {"description": parameter["description"]} if parameter.get("description") else {}


def _with_own_definitions(schema: dict[str, Any]) -> dict[str, Any]:
    """References lead into the schema itself, and only what they reach stays."""
    moved: dict[str, Any] = json.loads(json.dumps(schema).replace("#/components/schemas/", "#/$defs/"))
    shapes: dict[str, Any] = moved.pop("$defs")
    reached: dict[str, Any] = {}
    waiting = _named_in(moved)
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached[name] = shapes[name]
            waiting |= _named_in(shapes[name])
    return moved | ({"$defs": reached} if reached else {})


def _named_in(part: Any) -> set[str]:
    if isinstance(part, list):
        return set().union(*map(_named_in, part))
    if not isinstance(part, dict):
        return set()
    named = {part["$ref"].rpartition("/")[2]} if isinstance(part.get("$ref"), str) else set()
    return named.union(*map(_named_in, part.values()))


def _in_path(name: str, value: str) -> str:
    """As a server hands a path on: an id is one part of it, a conversation's name may hold anything, its bytes as Latin-1."""
    return value.encode().decode("latin-1") if name == "conversation" else quote(value, safe="")


@cache
def _handler() -> BaseHandler:
    handler = BaseHandler()
    handler.load_middleware()
    return handler


def call(name: str, arguments: Mapping[str, Any], headers: Mapping[str, str]) -> tuple[int, str]:
    """Status and body of the API's answer to a tool's call."""
    tool = TOOLS[name]
    left = dict(arguments)
    path = _NAMED.sub(lambda match: _in_path(match[1], str(left.pop(match[1], ""))), tool.path)
    return ask(tool.method, path, left, headers)


def ask(method: str, path: str, arguments: Mapping[str, Any], headers: Mapping[str, str]) -> tuple[int, str]:
    """Status and body of the API's answer, asked for in this process with the caller's own `headers` (as WSGI names them)."""
    is_query = method == "GET"
    body = b"" if is_query else json.dumps(arguments).encode()
    request = WSGIRequest(
        {
            "SERVER_NAME": "localhost",
            "SERVER_PORT": "80",
            **headers,
            "REQUEST_METHOD": method,
            "PATH_INFO": PREFIX + path,
            "QUERY_STRING": urlencode(arguments, doseq=True) if is_query else "",
            "CONTENT_TYPE": "application/json",
            "CONTENT_LENGTH": str(len(body)),
            "wsgi.input": io.BytesIO(body),
        }
    )
    answer = _handler().get_response(request)
    return answer.status_code, answer.getvalue().decode()
