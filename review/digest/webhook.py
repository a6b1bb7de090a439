"""Send a signed JSON message to an address that a person typed, and to no other place than that person could mean.

The address may name a host inside: every address that its name leads to must be a public one, and the connection goes to the
very address that was looked at, so that a name which changes its mind in between leads nowhere else. Redirects are not
followed, nothing of the answer is kept but its status, and all of it is over within a fixed time.
"""

import hashlib
import hmac
import ipaddress
import json
import re
import socket
import ssl
import time
import uuid
from contextlib import suppress
from typing import Any, Final
from urllib.parse import SplitResult, urlsplit

from django.conf import settings

from ledger.errors import Invalid

TIMEOUT_S: Final = 10.0
MAX_ADDRESS: Final = 500
# IPv6 ranges that carry an IPv4 address inside: what is in them may be private.
CARRIERS: Final = tuple(
    ipaddress.ip_network(net) for net in ("64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32")
)
PORTS: Final = {"https": 443, "http": 80}
# Of a name's addresses so many are tried.
MAX_TRIED: Final = 4
MAX_LINE: Final = 4096
_PLAIN: Final = re.compile(rf"[!-~]{{0,{MAX_ADDRESS}}}")
_STATUS: Final = re.compile(rb"\s*HTTP/1\.\S*\s+(\d{3})(?=\s|$)")
type Address = ipaddress.IPv4Address | ipaddress.IPv6Address


class NotDelivered(Exception):
    """It did not arrive; the message says why, and nothing of what the other side said."""


def checked_address(url: str) -> SplitResult:
    """Raises `Invalid` (field `webhook`) for an address that is none, or that no message may go to by its own words."""
    if not _PLAIN.fullmatch(url):
        raise Invalid(f"an address has at most {MAX_ADDRESS} plain characters", field="webhook")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise Invalid("this is no address", field="webhook") from None
    schemes = ("https", "http") if settings.COUNTERSIGN_WEBHOOK_HTTP else ("https",)
    if parts.scheme not in schemes or not parts.hostname or port == 0:
        raise Invalid(f"the address begins with {' or '.join(s + '://' for s in schemes)} and a host", field="webhook")
    if parts.username is not None or parts.password is not None:
        raise Invalid("the address holds no user and no password: the signature tells who sends", field="webhook")
    with suppress(ValueError):
        _check_literal(ipaddress.ip_address(parts.hostname))
    return parts


def _check_literal(address: Address) -> None:
    if not may_go_to(address):
        raise Invalid(f"{address} is no public address", field="webhook")


def may_go_to(address: Address) -> bool:
    """A public address, or any but multicast where private ones are allowed (`COUNTERSIGN_WEBHOOK_PRIVATE`)."""
    address = getattr(address, "ipv4_mapped", None) or address
    if address.is_multicast or address.is_unspecified:
        return False
    if settings.COUNTERSIGN_WEBHOOK_PRIVATE:
        return True
    return address.is_global and not address.is_reserved and not any(address in net for net in CARRIERS)


def secret_of(scope_id: int, key: str) -> str:
    """The secret that signs a scope's messages: made of the server's own key, so that it stands in no row."""
    words = f"countersign webhook {scope_id} {key}".encode()
    return "whsec_" + hmac.new(settings.SECRET_KEY.encode(), words, hashlib.sha256).hexdigest()


def signature(secret: str, body: bytes, *, at: int) -> str:
    """`t=TIME,v1=HEX`: HMAC-SHA256 over the time in seconds, a full stop and the body as it was sent."""
    return f"t={at},v1=" + hmac.new(secret.encode(), str(at).encode() + b"." + body, hashlib.sha256).hexdigest()


def post(url: str, message: dict[str, Any], *, secret: str) -> None:
    """Delivers once. Raises `NotDelivered` or `Invalid`; a 2xx status within ten seconds is all that counts."""
    parts = checked_address(url)
    host = parts.hostname or ""
    until = time.monotonic() + TIMEOUT_S
    try:
        with _connected(host, _port(parts), until) as plain, _secured(parts, plain) as connection:
            connection.sendall(_request(parts, json.dumps(message, separators=(",", ":")).encode(), secret))
            status = _status(connection, until)
    except (OSError, UnicodeError) as error:
        raise NotDelivered(f"{host} did not answer ({type(error).__name__})") from None
    if not 200 <= status < 300:
        raise NotDelivered(f"{host} answered with status {status}")


def _request(parts: SplitResult, body: bytes, secret: str) -> bytes:
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
    port = f":{parts.port}" if parts.port else ""
    head = (
        f"POST {target} HTTP/1.1\r\nHost: {host}{port}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\nConnection: close\r\n"
        f"User-Agent: Countersign\r\nX-Countersign-Delivery: {uuid.uuid4()}\r\n"
        f"X-Countersign-Signature: {signature(secret, body, at=int(time.time()))}\r\n\r\n"
    )
    return head.encode("ascii") + body


def _port(parts: SplitResult) -> int:
    return parts.port or PORTS[parts.scheme]


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
