"""A web server that stands at the other end of a webhook."""

import http.server
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class Hook(http.server.ThreadingHTTPServer):
    """A web server that keeps what it is sent, and answers as it is told."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), HookHandler)
        self.got: list[tuple[dict[str, str], bytes]] = []
        self.status = 204

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/hook?a=1"


class HookHandler(http.server.BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.got.append((dict(self.headers), body))  # type: ignore[attr-defined]
        self.send_response(self.server.status)  # type: ignore[attr-defined]
        self.send_header("Location", "http://127.0.0.1:1/elsewhere")
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        pass


@contextmanager
def serving[Server: socketserver.BaseServer](server: Server) -> Iterator[Server]:
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def allow_this_machine(settings: Any) -> None:
    settings.COUNTERSIGN_WEBHOOK_PRIVATE = settings.COUNTERSIGN_WEBHOOK_HTTP = True
    settings.COUNTERSIGN_WEBHOOK_PORTS = "1-65535"
