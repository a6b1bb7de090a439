"""Which model server there is, and for which scopes it may be used."""

import ipaddress
from dataclasses import dataclass
from typing import Final
from urllib.parse import SplitResult, urlsplit

from django.conf import settings

from ledger.models import GLOBAL, Scope
from ledger.packs import PackSet
from ledger.reads.scopes import ancestor_paths

OPENAI = "https://api.openai.com/v1"


@dataclass(frozen=True, slots=True)
class Server:
    """Where to ask, and whom. `timeout_s` bounds one call from its start to the last byte of its answer."""

    base_url: str
    key: str
    model: str
    timeout_s: int

    @property
    def host(self) -> str:
        return urlsplit(self.base_url).netloc.rpartition("@")[2]


def configured() -> Server | None:
    """The server that the environment names; None where it names none. Costs nothing."""
    base_url = settings.OPENAI_BASE_URL or (OPENAI if settings.OPENAI_API_KEY else "")
    if not base_url or urlsplit(base_url).scheme not in ("http", "https") or not urlsplit(base_url).hostname:
        return None
    # Servers on loopback want no key, but the client insists on some.
    key = settings.OPENAI_API_KEY or "none"
    return Server(base_url.rstrip("/"), key, settings.COUNTERSIGN_MODEL, settings.COUNTERSIGN_MODEL_TIMEOUT_S)


def refusal(scope: Scope, packs: PackSet) -> str:
    """Why no model may be asked about a text of `scope`; empty where one may. One query where a server is configured."""
    server = configured()
    if server is None:
        return "no model server is configured (OPENAI_BASE_URL or OPENAI_API_KEY)"
    return why_not_sent(server.base_url, scope, packs)


def why_not_sent(base_url: str, scope: Scope, packs: PackSet) -> str:
    """Why nothing of `scope` may be sent to an address; empty where it may. One query.

    Every list of endpoints on the way from `global` down must allow the server. Without one a pack's word counts: a pack
    that says `loopback` keeps its scopes' texts on this machine, unless a list at or below the scope that chose the pack
    allows more.
    """
    host = urlsplit(base_url).netloc.rpartition("@")[2]
    local = {c["pack"]["name"] for c in packs.contents if c.get("model", {}).get("endpoints") == "loopback"}
    scopes = Scope.objects.filter(path__in=ancestor_paths(scope.path))
    rows = list(scopes.values_list("path", "packs", "allowed_endpoints"))
    lists = {_depth(path): endpoints for path, _, endpoints in rows if endpoints}
    if not all(any(covers(one, base_url) for one in endpoints) for endpoints in lists.values()):
        return f"the allowed endpoints of {scope.path} or of a scope above do not name {host}"
    kept_in = [_depth(path) for path, names, _ in rows if local.intersection(names)]
    if kept_in and max(lists, default=-1) < min(kept_in) and not on_loopback(base_url):
        return f"texts of {scope.path} stay on this machine, and {host} is another"
    return ""


def _depth(path: str) -> int:
    return 0 if path == GLOBAL else path.count("/") + 1


def covers(endpoint: str, base_url: str) -> bool:
    """Whether an entry of `allowed_endpoints` means this server: `any`, `loopback`, a host, `host:port`, or an address."""
    word = endpoint.strip()
    if word.casefold() in ("any", "loopback"):
        return word.casefold() == "any" or on_loopback(base_url)
    asked = urlsplit(base_url)
    try:
        given = urlsplit(word if "://" in word else f"//{word}")
        if not _same_host(given, asked):
            return False
    except ValueError:
        return False
    return f"{asked.path.rstrip('/')}/".startswith(f"{given.path.rstrip('/')}/")


_PORTS: Final = {"http": 80, "https": 443}


def _same_host(given: SplitResult, asked: SplitResult) -> bool:
    """An entry without a scheme or port means each."""
    if (given.hostname or "") != asked.hostname or given.scheme not in ("", asked.scheme):
        return False
    if given.port is None and not given.scheme:
        return True
    return (given.port or _PORTS.get(given.scheme)) == (asked.port or _PORTS.get(asked.scheme))


def on_loopback(base_url: str) -> bool:
    """Whether the address is this machine's own. A name other than `localhost` is not looked up: it could change."""
    host = urlsplit(base_url).hostname or ""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
