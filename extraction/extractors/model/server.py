"""Which model server there is, and for which scopes it may be used."""

import ipaddress
from dataclasses import dataclass
from urllib.parse import urlsplit

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
    """Why no model may be asked about a text of `scope`; empty where one may. One query where a server is configured.

    Every list of endpoints on the way from `global` down must allow the server. Without one a pack's word counts: a pack
    that says `loopback` keeps its scopes' texts on this machine, unless a list at or below the scope that chose the pack
    allows more.
    """
    server = configured()
    if server is None:
        return "no model server is configured (OPENAI_BASE_URL or OPENAI_API_KEY)"
    rows = Scope.objects.filter(path__in=ancestor_paths(scope.path))
    lists: list[tuple[int, list[str]]] = []
    kept_in: list[int] = []
    local = {c["pack"]["name"] for c in packs.contents if c.get("model", {}).get("endpoints") == "loopback"}
    for path, names, endpoints in rows.values_list("path", "packs", "allowed_endpoints"):
        depth = 0 if path == GLOBAL else path.count("/") + 1
        if endpoints:
            lists.append((depth, endpoints))
        if local & set(names):
            kept_in.append(depth)
    if any(not any(covers(one, server.base_url) for one in endpoints) for _, endpoints in lists):
        return f"the allowed endpoints of {scope.path} or of a scope above do not name {server.host}"
    widened = kept_in and any(depth >= min(kept_in) for depth, _ in lists)
    if kept_in and not widened and not on_loopback(server.base_url):
        return f"texts of {scope.path} stay on this machine, and {server.host} is another"
    return ""


def covers(endpoint: str, base_url: str) -> bool:
    """Whether an entry of `allowed_endpoints` means this server: `any`, `loopback`, a host, `host:port`, or an address."""
    word, asked = endpoint.strip(), urlsplit(base_url)
    if word.casefold() == "any":
        return True
    if word.casefold() == "loopback":
        return on_loopback(base_url)
    try:
        given = urlsplit(word if "://" in word else f"//{word}")
        if (given.hostname or "") != asked.hostname or (given.scheme and given.scheme != asked.scheme):
            return False
        if given.port is not None or given.scheme:
            ports = {"http": 80, "https": 443}
            if (given.port or ports.get(given.scheme)) != (asked.port or ports.get(asked.scheme)):
                return False
    except ValueError:
        return False
    path = given.path.rstrip("/")
    return not path or asked.path.rstrip("/") == path or asked.path.startswith(path + "/")


def on_loopback(base_url: str) -> bool:
    """Whether the address is this machine's own. A name other than `localhost` is not looked up: it could change."""
    host = urlsplit(base_url).hostname or ""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
