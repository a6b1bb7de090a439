"""Which database and which broker: the addresses given by the environment, else the data folder's own servers."""

import re
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psycopg
from django.core.exceptions import ImproperlyConfigured
from psycopg.conninfo import conninfo_to_dict

from config import env
from config.embedded import folder, postgres

ENGINE = "config.embedded.backend"
# Django's name of each part of an address, and PostgreSQL's.
COLUMNS = {"NAME": "dbname", "USER": "user", "PASSWORD": "password", "HOST": "host", "PORT": "port"}
# A server whose machine falls off the net says nothing: without these, whoever waits for its answer waits for hours.
LOST_AFTER = {
    "connect_timeout": 5, "keepalives_idle": 5, "keepalives_interval": 2, "keepalives_count": 3, "tcp_user_timeout": 10_000,
}  # fmt: skip
ROLES = {"web": "countersign_web", "worker": "countersign_worker"}


def settings(data_dir: Path) -> dict[str, dict[str, Any]]:
    """Django's `DATABASES`. The environment may name DATABASE_URL, DATABASE_REPLICA_URL (a standby for reads), COUNTERSIGN_ROLE
    (web, worker; unset is the owner) and COUNTERSIGN_POOL (connections kept per process). Raises ImproperlyConfigured by
    variable name."""
    url, replica = env.text("DATABASE_URL"), env.text("DATABASE_REPLICA_URL")
    databases = {"default": shared(parse(url) if url else embedded(data_dir))}
    return databases | ({"replica": shared(parse(replica, "DATABASE_REPLICA_URL"))} if replica else {})


def shared(database: dict[str, Any]) -> dict[str, Any]:
    """With what holds for every connection; the address may say otherwise."""
    options = database["OPTIONS"] = LOST_AFTER | database["OPTIONS"]
    if role := env.text("COUNTERSIGN_ROLE"):
        if role not in ROLES:
            raise ImproperlyConfigured(f"COUNTERSIGN_ROLE must be one of {', '.join(ROLES)}, not {role!r}")
        options["assume_role"] = ROLES[role]
    if pool := env.number("COUNTERSIGN_POOL", 0):
        options["pool"] = {"min_size": 1, "max_size": pool, "timeout": 10, "max_idle": 300}
    return database | {"CONN_HEALTH_CHECKS": True}


def embedded(data_dir: Path) -> dict[str, Any]:
    """The data folder's own server."""
    host, port = postgres.PostgresServer(data_dir).address()
    return {
        "ENGINE": ENGINE,
        "NAME": postgres.DATABASE,
        "USER": postgres.OWNER,
        "PASSWORD": "",
        "HOST": host,
        "PORT": str(port),
        "EMBEDDED": str(data_dir),
        "OPTIONS": {},
    }


def parse(url: str, name: str = "DATABASE_URL") -> dict[str, Any]:
    """A PostgreSQL address as Django wants it; what it says beside name, user, password, host and port becomes connection
    options. Never tells the password."""
    if not url.startswith(("postgresql://", "postgres://")):
        raise ImproperlyConfigured(f"{name} must start with postgresql://")
    try:
        given = conninfo_to_dict(url)
    except psycopg.Error:
        raise ImproperlyConfigured(f"{name} cannot be read as the address of a PostgreSQL database") from None
    parts = {column: str(given.pop(word, "")) for column, word in COLUMNS.items()}
    if not parts["NAME"]:
        raise ImproperlyConfigured(f"{name} must name a database: postgresql://user@host/name")
    # Of several servers (host=a,b) each has its port, or all have one.
    if not re.fullmatch(r"(\d*,)*\d*", parts["PORT"]):
        raise ImproperlyConfigured(f"{name} cannot be read: its port is no number")
    return {"ENGINE": ENGINE, **parts, "OPTIONS": given}


def embedded_redis_url(data_dir: Path) -> str:
    """The broker's address as Celery takes it: the data folder's own Valkey behind its Unix socket."""
    return f"redis+socket://{quote(str(folder.sockets(data_dir) / 'valkey.sock'), safe='/')}?virtual_host=0"
