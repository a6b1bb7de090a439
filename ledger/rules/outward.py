"""Addresses that a person typed and this machine will post to: which of them may be meant."""

import ipaddress
import re
from contextlib import suppress
from functools import cache
from typing import Final
from urllib.parse import SplitResult, urlsplit

from django.conf import settings

from ledger.errors import Invalid

MAX_ADDRESS: Final = 500
# IPv6 ranges that carry an IPv4 address inside: what is in them may be private.
CARRIERS: Final = tuple(
    ipaddress.ip_network(net) for net in ("64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32")
)
PORTS: Final = {"https": 443, "http": 80}
_PLAIN: Final = re.compile(rf"[!-~]{{0,{MAX_ADDRESS}}}")
type Address = ipaddress.IPv4Address | ipaddress.IPv6Address


def checked_address(url: str, field: str = "webhook") -> SplitResult:
    """Raises `Invalid` naming the field for an address that is none, or that no message may go to by its own words."""
    if not _PLAIN.fullmatch(url):
        raise Invalid(f"an address has at most {MAX_ADDRESS} plain characters", field=field)
    try:
        parts = urlsplit(url)
        port = port_of(parts)
    except ValueError:
        raise Invalid("this is no address", field=field) from None
    schemes = ("https", "http") if settings.COUNTERSIGN_WEBHOOK_HTTP else ("https",)
    if parts.scheme not in schemes or not parts.hostname:
        raise Invalid(f"the address begins with {' or '.join(s + '://' for s in schemes)} and a host", field=field)
    if parts.username is not None or parts.password is not None:
        raise Invalid("the address holds no user and no password: the signature tells who sends", field=field)
    if not any(port in ports for ports in allowed_ports(settings.COUNTERSIGN_WEBHOOK_PORTS)):
        raise Invalid(f"port {port} is none of {settings.COUNTERSIGN_WEBHOOK_PORTS}", field=field)
    with suppress(ValueError):
        _check_literal(ipaddress.ip_address(parts.hostname), field)
    return parts


def port_of(parts: SplitResult) -> int:
    """Raises `ValueError` for a port that is none."""
    return PORTS.get(parts.scheme, 0) if parts.port is None else parts.port


@cache
def allowed_ports(words: str) -> list[range]:
    """`80,443,8000-9999` as ranges."""
    ends = [word.partition("-") for word in words.split(",")]
    return [range(int(low), int(high or low) + 1) for low, _, high in ends]


def _check_literal(address: Address, field: str) -> None:
    if not may_go_to(address):
        raise Invalid(f"{address} is no public address", field=field)


def may_go_to(address: Address) -> bool:
    """A public address, or any but multicast where private ones are allowed (`COUNTERSIGN_WEBHOOK_PRIVATE`)."""
    address = getattr(address, "ipv4_mapped", None) or address
    if address.is_multicast or address.is_unspecified:
        return False
    if settings.COUNTERSIGN_WEBHOOK_PRIVATE:
        return True
    return address.is_global and not address.is_reserved and not any(address in net for net in CARRIERS)
