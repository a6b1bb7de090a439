"""Django's PostgreSQL backend with two things added: it finds or starts the data folder's own server, for as long as a
command lasts, and it takes on a role inside a connection pool too."""

import atexit
import os
from pathlib import Path
from typing import Any

import psycopg
from django.db import connections
from django.db.backends.postgresql import base, features
from django.db.utils import OperationalError
from psycopg import sql

from config.embedded import folder, postgres
from config.embedded.binaries import OLDEST_POSTGRES, Unavailable

SUPERVISED = "COUNTERSIGN_SUPERVISED"


class DatabaseFeatures(features.DatabaseFeatures):
    minimum_database_version = (OLDEST_POSTGRES,)


class DatabaseWrapper(base.DatabaseWrapper):
    features_class = DatabaseFeatures

    def get_connection_params(self) -> dict[str, Any]:
        # Asked on every connection, since a server that was started anew may listen in another folder.
        if "EMBEDDED" in self.settings_dict:
            running = serving(Path(self.settings_dict["EMBEDDED"]))
            self.settings_dict["HOST"], self.settings_dict["PORT"] = running.host, str(running.port)
        return super().get_connection_params()

    def _configure_role(self, connection: psycopg.Connection) -> bool:
        # Django quotes the role's name with the help of a second connection, which it asks of the pool that is waiting
        # for this one.
        role = self.settings_dict["OPTIONS"].get("assume_role")
        if role:
            connection.execute(sql.SQL("SET ROLE {}").format(sql.Identifier(role)))
        return bool(role)


def serving(data_dir: Path) -> postgres.Running:
    """The folder's live server; started first where `up` does not already look after it."""
    server = postgres.PostgresServer(data_dir)
    # A server that is shutting down counts as gone: whoever waited for its end and started another one would leave that
    # one behind where `up` was killed.
    if not server.is_ready():
        if SUPERVISED in os.environ:
            raise OperationalError("PostgreSQL is being restarted")
        start(server)
    running = server.running()
    if running is None:
        raise OperationalError(f"PostgreSQL stopped again; see {server.log}")
    if data_dir not in using and passing(data_dir).exists():
        using.add(data_dir)
        atexit.register(leave, server)
    return running


def start(server: postgres.PostgresServer) -> None:
    """Not bound to this process: another command, or `up`, may have come to rely on it before this one ends."""
    try:
        if server.start(bound=False):
            passing(server.data_dir).touch()
    except Unavailable as error:
        raise OperationalError(str(error)) from error


def passing(data_dir: Path) -> Path:
    """The mark of a server that was started for a command; the last command to use it stops it."""
    return data_dir / "postgres.passing"


using: set[Path] = set()


def leave(server: postgres.PostgresServer) -> None:
    """Stop the server that runs for commands alone, unless `up` or another command uses it by now."""
    for connection in connections.all(initialized_only=True):
        connection.close()
        if isinstance(connection, base.DatabaseWrapper):
            connection.close_pool()
    with folder.locked(server.data_dir / "postgres.lock"):
        if folder.is_locked(server.data_dir / "up.lock") or not server.running() or server.other_sessions():
            return
        server.stop()
        passing(server.data_dir).unlink(missing_ok=True)
