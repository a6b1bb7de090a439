"""An OpenAI-compatible server on a real socket, which answers, refuses and breaks as it is told."""

import json
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

type Reply = Callable[["Handler", dict[str, Any]], None]


@dataclass
class Model:
    """`script` is worked off call by call, its last entry for ever. `refuses` are fields answered with a 400."""

    script: list[Reply] = field(default_factory=list)
    refuses: set[str] = field(default_factory=set)
    requests: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    address: str = ""
    lock: threading.Lock = field(default_factory=threading.Lock)

    def says(self, *replies: Reply) -> None:
        self.script[:] = replies

    @property
    def calls(self) -> int:
        return len(self.requests)

    def next(self) -> Reply:
        with self.lock:
            return self.script.pop(0) if len(self.script) > 1 else self.script[0]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    model: Model

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with self.model.lock:
            self.model.requests.append(body)
            self.model.headers.append({name.lower(): value for name, value in self.headers.items()})
        if self.path != "/v1/chat/completions":
            return self.send(404, {"error": {"message": f"no route {self.path}"}})
        for name in self.model.refuses:
            if name in body or (name == "json_schema" and body.get("response_format", {}).get("type") == name):
                said = f"Unsupported parameter: '{name}' is not supported with this model ({self.named(body, name)})."
                return self.send(400, {"error": {"message": said, "type": "invalid_request_error", "param": name}})
        self.model.next()(self, body)

    def named(self, body: dict[str, Any], name: str) -> str:
        return "response_format" if name == "json_schema" else name

    def send(self, status: int, data: Any, headers: dict[str, str] | None = None) -> None:
        raw = data if isinstance(data, bytes) else json.dumps(data).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(raw)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(raw)

    def log_message(self, *_: Any) -> None:
        pass


def completion(content: Any, *, finish: str = "stop", tokens: int | None = 120, **message: Any) -> dict[str, Any]:
    usage = {"prompt_tokens": 100, "completion_tokens": (tokens or 0) - 100, "total_tokens": tokens}
    return {
        "id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "small-1",
        "choices": [
            {"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": content} | message}
        ],
    } | ({"usage": usage} if tokens is not None else {})  # fmt: skip


def answers(content: Any, *, finish: str = "stop", tokens: int | None = 120) -> Reply:
    """A completion: a text as it is, anything else as JSON."""
    words = content if isinstance(content, str) else json.dumps(content)
    return lambda handler, body: handler.send(200, completion(words, finish=finish, tokens=tokens))


def streams(*pieces: str, pause: float = 0, whole: bool = True) -> Reply:
    """Server-sent events, a piece each; closed without an end where it is not `whole`."""

    def event(delta: dict[str, str], finish: str | None = None) -> bytes:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        chunk = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "small-1", "choices": [choice]}
        return f"data: {json.dumps(chunk)}\n\n".encode()

    def reply(handler: Handler, body: dict[str, Any]) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "text/event-stream")
        handler.send_header("Connection", "close")
        handler.end_headers()
        with suppress(BrokenPipeError, ConnectionResetError):  # who asked may have gone
            for piece in pieces:
                handler.wfile.write(event({"content": piece}))
                handler.wfile.flush()
                time.sleep(pause)
            if whole:
                handler.wfile.write(event({}, "stop") + b"data: [DONE]\n\n")
        handler.close_connection = True

    return reply


def fails(status: int, message: str = "later", **headers: str) -> Reply:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda handler, body: handler.send(status, {"error": {"message": message}}, named)


def slow(seconds: float, then: Reply) -> Reply:
    def reply(handler: Handler, body: dict[str, Any]) -> None:
        time.sleep(seconds)
        then(handler, body)

    return reply


def drips(handler: Handler, body: dict[str, Any]) -> None:
    """A byte now and then, for ever: no single read takes long."""
    handler.send_response(200)
    handler.send_header("Content-Length", "100000")
    handler.end_headers()
    for _ in range(100):
        handler.wfile.write(b" ")
        handler.wfile.flush()
        time.sleep(0.1)


def resets(handler: Handler, body: dict[str, Any]) -> None:
    """The head, the beginning of the body, and a reset."""
    handler.send_response(200)
    handler.send_header("Content-Length", "100000")
    handler.end_headers()
    handler.wfile.write(b'{"choices": [{"mess')
    handler.wfile.flush()
    handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    handler.connection.close()


def ends_early(handler: Handler, body: dict[str, Any]) -> None:
    """A body that is cut, with a length that says so to nobody."""
    handler.send_response(200)
    handler.send_header("Connection", "close")
    handler.end_headers()
    handler.wfile.write(json.dumps(completion("x")).encode()[:40])
    handler.close_connection = True


def raw(status: int, content: bytes, **headers: str) -> Reply:
    return lambda handler, body: handler.send(status, content, headers)


@contextmanager
def serving() -> Iterator[Model]:
    model = Model()
    handler = type("Bound", (Handler,), {"model": model})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    model.address = f"http://127.0.0.1:{server.server_port}/v1"
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield model
    finally:
        server.shutdown()
        server.server_close()
