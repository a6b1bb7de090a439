"""Make a backup: one snapshot of the database by PostgreSQL's own `pg_dump`, while everything goes on running."""

import datetime as dt
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, BinaryIO

from django.conf import settings
from django.db import connection, transaction
from django.db.migrations.recorder import MigrationRecorder

from config import env
from config.backup import archive
from config.backup.sealed import BadBackup
from config.embedded import binaries, secrets

# What psycopg calls them, and the programs of PostgreSQL.
VARIABLES = {
    "host": "PGHOST", "port": "PGPORT", "user": "PGUSER", "password": "PGPASSWORD", "dbname": "PGDATABASE",
    "sslmode": "PGSSLMODE", "sslrootcert": "PGSSLROOTCERT", "sslcert": "PGSSLCERT", "sslkey": "PGSSLKEY",
}  # fmt: skip
PURGER = "countersign_purger"


def program(name: str) -> str:
    """The program of the newest PostgreSQL that is installed here. Raises `BadBackup`."""
    for place in binaries.postgres_folders():
        if (place / name).exists() and binaries.runs([str(place / name), "--version"]):
            return str(place / name)
    raise BadBackup(f"{name} is not installed here: run `uv sync`, or install PostgreSQL's client programs")


def environment() -> dict[str, str]:
    """How PostgreSQL's programs reach the database of these settings; no password stands on a command line."""
    params = connection.get_connection_params()
    told = {name: str(params[word]) for word, name in VARIABLES.items() if params.get(word)}
    return {**os.environ, **told, "PGOPTIONS": "", "PGAPPNAME": "countersign"}


def write_backup(out: BinaryIO, *, key: bytes | None, with_secrets: bool) -> dict[str, Any]:
    """Into a stream; what the backup says about itself. Raises `BadBackup` with the program's last words."""
    writer = archive.Writer(out, key)
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            cursor.execute("SELECT pg_export_snapshot()")
            [snapshot] = cursor.fetchone()
            about = _about(cursor)
        writer.add_json(archive.ABOUT, about)
        if with_secrets and not env.text("DATABASE_URL"):
            writer.add_json(archive.SECRETS, secrets.load(Path(settings.DATA_DIR)))
        command = [program("pg_dump"), "--format=custom", "--compress=1", "--no-comments", "--no-tablespaces"]
        command += ["--no-password", f"--snapshot={snapshot}"]
        with tempfile.TemporaryFile() as said:
            with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=said, env=environment()) as dump:  # noqa: S603
                writer.add_stream(dump.stdout)  # type: ignore[arg-type]
            if dump.returncode:
                said.seek(0)
                raise BadBackup(f"pg_dump failed: {said.read().decode(errors='replace').strip()}")
    writer.close()
    return about


def _about(cursor: Any) -> dict[str, Any]:
    cursor.execute("SELECT current_user, current_setting('server_version')")
    owner, server = cursor.fetchone()
    cursor.execute(
        "SELECT oid::regprocedure::text FROM pg_proc WHERE proowner = (SELECT oid FROM pg_roles WHERE rolname = %s)",
        [PURGER],
    )
    purgers = sorted(name for (name,) in cursor.fetchall())
    cursor.execute("SELECT count(*) FROM ledger_journalevent")
    [events] = cursor.fetchone()
    cursor.execute("SELECT number, encode(digest, 'hex') FROM ledger_seal ORDER BY number DESC LIMIT 1")
    sealed, root = cursor.fetchone() or (0, "")
    return {
        "format": archive.FORMAT,
        "made_at": dt.datetime.now(dt.UTC).isoformat(timespec="seconds"),
        "postgresql": server,
        "python": sys.version.split()[0],
        "migrations": sorted(f"{app}.{name}" for app, name in MigrationRecorder(connection).applied_migrations()),
        "owner": owner,
        "purgers_functions": purgers,
        "journal": {"events": events, "sealed": sealed, "root": root},
    }
