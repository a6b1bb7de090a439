"""A signed-in person's requests over one kept connection, without a browser."""

import http.client
import http.cookies
import time
from urllib.parse import urlencode, urlsplit

from tests import whole


class Visitor:
    """Signs in as the user of `up`; `get` and `post` tell the milliseconds, the status and the body."""

    def __init__(self, instance: whole.Instance) -> None:
        parts = urlsplit(instance.url)
        self.connection = http.client.HTTPConnection(parts.hostname or "", parts.port or 80)
        self.cookies: dict[str, str] = {}
        self.origin = instance.url
        self.get("/login/")
        _, status, _ = self.post(
            "/login/", {"username": instance.said["user"], "password": instance.said["password"], "next": "/"}
        )
        if status != 302:
            raise RuntimeError(f"signing in answered {status}")

    def get(self, path: str, **headers: str) -> tuple[float, int, str]:
        return self._ask("GET", path, None, headers)

    def post(self, path: str, fields: dict[str, str], **headers: str) -> tuple[float, int, str]:
        body = urlencode({**fields, "csrfmiddlewaretoken": self.cookies.get("csrftoken", "")})
        return self._ask("POST", path, body, {"Content-Type": "application/x-www-form-urlencoded", **headers})

    def _ask(self, method: str, path: str, body: str | None, headers: dict[str, str]) -> tuple[float, int, str]:
        sent = {
            "Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items()),
            "Referer": self.origin + "/",
            "Origin": self.origin,
            **headers,
        }
        began = time.perf_counter()
        try:
            self.connection.request(method, path, body, sent)
            answer = self.connection.getresponse()
        except (http.client.RemoteDisconnected, BrokenPipeError, ConnectionResetError):
            # The server ends idle connections; a request on such a one was not read.
            self.connection.close()
            self.connection.request(method, path, body, sent)
            answer = self.connection.getresponse()
        text = answer.read().decode()
        took = (time.perf_counter() - began) * 1000
        for line in answer.headers.get_all("Set-Cookie") or ():
            for name, morsel in http.cookies.SimpleCookie(line).items():
                self.cookies[name] = morsel.value
        self.tag = answer.headers.get("ETag", "")
        return took, answer.status, text
