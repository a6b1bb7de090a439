"""Send a JSON message to an address that a person typed, and to no other place than that person could mean.

The address may name a host inside: every address that its name leads to must be a public one, and the connection goes to the
very address that was looked at, so that a name which changes its mind in between leads nowhere else. Redirects are not
followed, nothing of the answer is kept but its status, and all of it is over within a fixed time.
"""

import ipaddress
import re
import socket
import ssl
import time
from collections.abc import Mapping
from typing import Final
from urllib.parse import SplitResult

from ledger.rules.outward import checked_address, may_go_to, port_of

TIMEOUT_S: Final = 10.0
# Of a name's addresses so many are tried.
MAX_TRIED: Final = 4
MAX_LINE: Final = 4096
_STATUS: Final = re.compile(rb"\s*HTTP/1\.\S*\s+(\d{3})(?=\s|$)")


class NotDelivered(Exception):
    """It did not arrive; the message says why, and nothing of what the other side said. `answered` is its status, if one came."""

    def __init__(self, message: str, *, answered: int | None = None) -> None:
        super().__init__(message)
        self.answered = answered


def post(url: str, body: bytes, headers: Mapping[str, str]) -> int:
    """Delivers once, and answers the status. Raises `NotDelivered` or `Invalid`; a 2xx within ten seconds is all that counts."""
    parts = checked_address(url)
    host = parts.hostname or ""
    until = time.monotonic() + TIMEOUT_S
    try:
        with _connected(host, port_of(parts), until) as plain, _secured(parts, plain) as connection:
            connection.sendall(_request(parts, body, headers))
            status = _status(connection, until)
    except (OSError, UnicodeError) as error:
        raise NotDelivered(f"{host} did not answer ({type(error).__name__})") from None
    if not 200 <= status < 300:
        raise NotDelivered(f"{host} answered with status {status}", answered=status)
    return status


def _request(parts: SplitResult, body: bytes, headers: Mapping[str, str]) -> bytes:
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
    port = f":{parts.port}" if parts.port else ""
    all_headers = {
        "Host": f"{host}{port}",
        "Content-Type": "application/json",
        "Content-Length": str(len(body)),
        "Connection": "close",
        "User-Agent": "Countersign",
        **headers,
    }
    lines = [f"POST {target} HTTP/1.1", *(f"{name}: {value}" for name, value in all_headers.items()), "", ""]
    return "\r\n".join(lines).encode("ascii") + body


def _secured(parts: SplitResult, plain: socket.socket) -> socket.socket:
    if parts.scheme != "https":
        return plain
    return ssl.create_default_context().wrap_socket(plain, server_hostname=parts.hostname)


def _connected(host: str, port: int, until: float) -> socket.socket:
    """A connection to one of the name's addresses, all of which may be gone to."""
    places = [(family, place) for family, _, _, _, place in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    if not all(may_go_to(ipaddress.ip_address(str(place[0]).partition("%")[0])) for _, place in places):
        raise NotDelivered(f"{host} leads to an address that is not public")
    last: OSError = OSError("no address")
    for family, place in places[:MAX_TRIED]:
        one = socket.socket(family, socket.SOCK_STREAM)
        try:
            one.settimeout(_left(until))
            one.connect(place)
            return one
        except OSError as error:
            one.close()
            last = error
    raise last


def _status(connection: socket.socket, until: float) -> int:
    """The status line's number. What comes after it is not read."""
    line = b""
    while b"\n" not in line and len(line) <= MAX_LINE:
        connection.settimeout(_left(until))
        piece = connection.recv(512)
        if not piece:
            break
        line += piece
    answer = _STATUS.match(line.partition(b"\n")[0])
    if answer is None:
        raise NotDelivered("the answer is no HTTP")
    return int(answer[1])


def _left(until: float) -> float:
    left = until - time.monotonic()
    if left <= 0:
        raise TimeoutError("too slow")
    return left
