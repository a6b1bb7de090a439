"""The protocol itself is the official package's; here stand the server that it runs, and the HTTP door to it."""

from collections.abc import Mapping
from functools import partial
from http import HTTPStatus
from typing import Any, Final

import anyio
import mcp.types as types
from asgiref.sync import async_to_sync, sync_to_async
from django.http import HttpRequest, HttpResponse
from mcp.server.lowlevel.server import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

from config.mcp import pages
from config.mcp.tools import TOOLS, call, input_schema

INSTRUCTIONS: Final = (
    "Countersign holds what a team has decided, with the words it rests on. Ask build_context before you work and check before you "
    "act; cite references. What you propose waits for a person: nothing you send becomes trusted by itself."
)
# What of a request the API is to know of its caller.
_PASSED: Final[tuple[str, ...]] = (
    "HTTP_AUTHORIZATION",
    "HTTP_HOST",
    "HTTP_X_FORWARDED_PROTO",
    "REMOTE_ADDR",
    "SERVER_NAME",
    "SERVER_PORT",
    "wsgi.url_scheme",
)


def server(headers: Mapping[str, str]) -> Server[dict[str, Any]]:
    """A server whose calls carry these headers."""

    async def templates(_: Any, __: Any) -> types.ListResourceTemplatesResult:
        return pages.templates()

    async def resources(_: Any, asked: types.PaginatedRequestParams | None) -> types.ListResourcesResult:
        return await sync_to_async(pages.resources)(asked.cursor if asked else None, headers)

    async def read(_: Any, asked: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        return await sync_to_async(pages.read)(asked.uri, headers)

    async def prompts(_: Any, __: Any) -> types.ListPromptsResult:
        return types.ListPromptsResult(prompts=list(pages.PROMPTS))

    async def prompt(_: Any, asked: types.GetPromptRequestParams) -> types.GetPromptResult:
        return await sync_to_async(pages.prompt)(asked.name, asked.arguments or {}, headers)

    return Server(
        "countersign", instructions=INSTRUCTIONS, on_list_tools=_listed, on_call_tool=partial(_called, headers),
        on_list_resources=resources, on_list_resource_templates=templates, on_read_resource=read,
        on_list_prompts=prompts, on_get_prompt=prompt,
    )  # fmt: skip


async def _listed(_: Any, __: Any) -> types.ListToolsResult:
    schemas = await sync_to_async(lambda: {name: input_schema(name) for name in TOOLS})()
    return types.ListToolsResult(
        tools=[
            types.Tool(
                name=tool.name,
                description=tool.description,
                input_schema=schemas[tool.name],
                annotations=types.ToolAnnotations(read_only_hint=tool.reads, destructive_hint=False),
            )
            for tool in TOOLS.values()
        ]
    )


async def _called(headers: Mapping[str, str], _: Any, asked: types.CallToolRequestParams) -> types.CallToolResult:
    """The API's answer as it came; what it refused is an error that the model reads."""
    if asked.name not in TOOLS:
        return _result(HTTPStatus.NOT_FOUND, f"no tool {asked.name[:60]!r}: there are {', '.join(TOOLS)}")
    return _result(*await sync_to_async(call)(asked.name, asked.arguments or {}, headers))


def _result(status: int, body: str) -> types.CallToolResult:
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=body)], is_error=status >= HTTPStatus.BAD_REQUEST
    )


def answer_http(request: HttpRequest) -> HttpResponse:
    """One JSON-RPC message and its answer, without a session: streamable HTTP as any client may use it."""
    headers: dict[str, str] = {name: request.META[name] for name in _PASSED if name in request.META}
    sent = async_to_sync(_served)(request, headers)
    start = next(message for message in sent if message["type"] == "http.response.start")
    body = b"".join(message.get("body", b"") for message in sent if message["type"] == "http.response.body")
    answer = HttpResponse(body, status=start["status"])
    for name, value in start["headers"]:
        if name.lower() != b"content-length":
            answer[name.decode("latin-1")] = value.decode("latin-1")
    return answer


async def _served(request: HttpRequest, headers: Mapping[str, str]) -> list[dict[str, Any]]:
    manager = StreamableHTTPSessionManager(server(headers), json_response=True, stateless=True)
    sent: list[dict[str, Any]] = []
    bodies: list[dict[str, Any]] = [{"type": "http.request", "body": request.body, "more_body": False}]

    async def receive() -> dict[str, Any]:
        if not bodies:
            await anyio.sleep_forever()
        return bodies.pop()

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": request.method,
        "scheme": request.scheme,
        "path": request.path,
        "raw_path": request.path.encode(),
        "query_string": b"",
        "headers": [
            (name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in request.headers.items()
        ],
        "client": ("127.0.0.1", 0),
        "server": ("localhost", 80),
    }
    async with manager.run():
        await manager.handle_request(scope, receive, send)
    return sent
