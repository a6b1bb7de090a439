"""Rewrite what held erased words, so that no byte of them is left in the data folder outside the write-ahead log.

PostgreSQL leaves what was overwritten in its pages until it needs the room; statistics keep the commonest values, and our logs
lines of the past.
"""

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
from django.conf import settings
from django.db import connection
from psycopg import sql

from config import env
from config.embedded.postgres import PostgresServer

WAIT_S = 60
# Where samples of columns' values are kept.
STATISTICS = ("pg_catalog.pg_statistic", "pg_catalog.pg_statistic_ext_data")


def compact(say: Callable[[str], None]) -> None:
    """While everything runs; each table is locked for as long as it is rewritten. Needs as much room as the largest table."""
    if not settled():
        say("A transaction older than the erasure is still open: what it may read is kept. Run this again later.")
    tables = [*text_tables(), *STATISTICS]
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
        for table in tables:
            cursor.execute(sql.SQL("VACUUM (FULL) {}").format(sql.Identifier(*table.split("."))))
    say(f"{len(tables)} tables and their indexes were rewritten")
    checkpoint(say)
    emptied = list(empty_logs(Path(settings.DATA_DIR) / "log"))
    say(f"{len(emptied)} log files were emptied")


def settled() -> bool:
    """Wait until no transaction is left that began before now: rows that it may see would be carried along."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_current_xact_id()")
        [now] = cursor.fetchone()
        until = time.monotonic() + WAIT_S
        while time.monotonic() < until:
            cursor.execute("SELECT pg_snapshot_xmin(pg_current_snapshot()) > %s::xid8", [now])
            if cursor.fetchone()[0]:
                return True
            time.sleep(0.2)
    return False


def text_tables() -> list[str]:
    """The tables with a column that can hold words. Indexes are rewritten with their tables."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT DISTINCT 'public.' || c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid"
            " WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped"
            " AND pg_has_role(current_user, c.relowner, 'USAGE')"
            " AND a.atttypid = ANY ('{text,varchar,json,jsonb,tsvector,bytea,text[],varchar[]}'::regtype[]) ORDER BY 1"
        )
        return [name for (name,) in cursor.fetchall()]


def checkpoint(say: Callable[[str], None]) -> None:
    """Write it all out, and let files that are no longer used go."""
    try:
        if env.text("DATABASE_URL"):
            with connection.cursor() as cursor:
                cursor.execute("CHECKPOINT")
            return
        with PostgresServer(Path(settings.DATA_DIR)).superuser("postgres") as admin:
            admin.execute("CHECKPOINT")
    except (psycopg.Error, Exception) as error:  # noqa: BLE001 - Django wraps what psycopg raises
        say(f"No checkpoint could be made ({error}): the old files go with the server's next one.")


def empty_logs(place: Path) -> Iterator[Path]:
    """Our own logs; those who write them append, and go on at the start."""
    for log in sorted(place.glob("*.log*")) if place.is_dir() else ():
        with log.open("r+b") as file:
            file.truncate(0)
        yield log
