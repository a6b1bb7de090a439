"""Which database and which broker: the addresses given by the environment, else the data folder's own servers."""

from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, quote, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

from config import env
from config.embedded import folder, postgres

ENGINE = "config.embedded.backend"
ROLES = {"web": "countersign_web", "worker": "countersign_worker"}


def settings(data_dir: Path) -> dict[str, Any]:
    """Django's `DATABASES["default"]`. The environment may name DATABASE_URL, COUNTERSIGN_ROLE (web, worker; unset is
    the owner) and COUNTERSIGN_POOL (connections kept per process). Raises ImproperlyConfigured by variable name."""
    url = env.text("DATABASE_URL")
    options: dict[str, Any] = {}
    if url:
        database = parse(url)
        options |= database.pop("OPTIONS")
    else:
        running = postgres.Server(data_dir).running()
        database = {
            "ENGINE": ENGINE,
            "NAME": postgres.DATABASE,
            "USER": postgres.OWNER,
            "PASSWORD": "",
            "HOST": running.host if running else str(folder.sockets(data_dir)),
            "PORT": str(running.port if running else postgres.PORT),
            "EMBEDDED": str(data_dir),
        }
    role = env.text("COUNTERSIGN_ROLE")
    if role:
        if role not in ROLES:
            raise ImproperlyConfigured(f"COUNTERSIGN_ROLE must be one of {', '.join(ROLES)}, not {role!r}")
        options["assume_role"] = ROLES[role]
    pool = env.number("COUNTERSIGN_POOL", 0)
    if pool:
        options["pool"] = {"min_size": 1, "max_size": pool, "timeout": 10, "max_idle": 300}
    return database | {"OPTIONS": options, "CONN_HEALTH_CHECKS": True}


def parse(url: str) -> dict[str, Any]:
    """A PostgreSQL address as Django wants it; what its query adds beside host and port becomes connection options."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise ImproperlyConfigured(f"DATABASE_URL cannot be read: {error}") from None
    if parts.scheme not in {"postgres", "postgresql"}:
        raise ImproperlyConfigured("DATABASE_URL must start with postgresql://")
    query = dict(parse_qsl(parts.query, keep_blank_values=True))
    name = unquote(parts.path.removeprefix("/")) or query.pop("dbname", "")
    if not name:
        raise ImproperlyConfigured("DATABASE_URL must name a database: postgresql://user@host/name")
    host, query_port = query.pop("host", ""), query.pop("port", "")
    return {
        "ENGINE": ENGINE,
        "NAME": name,
        "USER": unquote(parts.username or "") or query.pop("user", ""),
        "PASSWORD": unquote(parts.password or "") or query.pop("password", ""),
        "HOST": host or unquote(parts.hostname or ""),
        "PORT": query_port or str(port or ""),
        "OPTIONS": query,
    }


def embedded_redis_url(data_dir: Path) -> str:
    """The broker's address as Celery takes it: the data folder's own Valkey behind its Unix socket."""
    return f"redis+socket://{quote(str(folder.sockets(data_dir) / 'valkey.sock'), safe='/')}?virtual_host=0"
