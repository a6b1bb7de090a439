"""Empties the test database after a test that really committed.

Django's flush is a TRUNCATE, which the ledger's triggers refuse. The tests own the tables, so they may switch those
triggers off for the length of one transaction; no serving role can. What migrations seeded stays.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from django.db import connection, transaction

KEPT = {
    "django_migrations",
    "django_content_type",
    "auth_permission",
    "ledger_pack",
    "ledger_kind",
    "ledger_sealhorizon",
}
KEPT_ROWS = {"ledger_scope": "path = 'global'"}
keeping = False


@cache
def references() -> dict[str, set[str]]:
    """For each table of the schema, the tables that refer to it."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT c.relname, r.relname FROM pg_class c"
            " LEFT JOIN pg_constraint k ON k.confrelid = c.oid AND k.contype = 'f'"
            " LEFT JOIN pg_class r ON r.oid = k.conrelid"
            " WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = 'public'::regnamespace"
        )
        found: dict[str, set[str]] = {}
        for table, referrer in cursor.fetchall():
            found.setdefault(table, set()).update({referrer} - {None, table})
    return found


@contextmanager
def kept() -> Iterator[None]:
    """Several tests stand on the same rows: they are cleared once, at the end."""
    global keeping
    clear()
    keeping = True
    try:
        yield
    finally:
        keeping = False
        clear()


def clear_after_test() -> None:
    if not keeping:
        clear()


def clear() -> None:
    """Empty every table but what migrations seeded. Costs nothing for tables that are empty already."""
    graph = references()
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("RESET ROLE")
        # A kept table may refer to an emptied one, which TRUNCATE would refuse: such a table is emptied by DELETE.
        deleted = {table for table in graph if graph[table] & (KEPT | KEPT_ROWS.keys())} | KEPT_ROWS.keys()
        deleted = (deleted - KEPT) & graph.keys()
        full = [table for table in graph if table not in KEPT and has_rows(cursor, table)]
        truncated = closure(full, graph) - deleted - KEPT
        affected = sorted(truncated | deleted)
        for table in affected:
            cursor.execute(f'ALTER TABLE "{table}" DISABLE TRIGGER USER')
        if truncated:
            cursor.execute("TRUNCATE " + ", ".join(f'"{table}"' for table in sorted(truncated)))
        for table in sorted(deleted & set(full), key=lambda name: name == "ledger_scope", reverse=True):
            cursor.execute(f'DELETE FROM "{table}" WHERE NOT ({KEPT_ROWS.get(table, "false")})')
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        for table in affected:
            cursor.execute(f'ALTER TABLE "{table}" ENABLE TRIGGER USER')


def has_rows(cursor, table: str) -> bool:
    cursor.execute(f'SELECT EXISTS (SELECT 1 FROM "{table}" WHERE NOT ({KEPT_ROWS.get(table, "false")}))')
    return bool(cursor.fetchone()[0])


def closure(tables: list[str], graph: dict[str, set[str]]) -> set[str]:
    """The tables and all that refer to them, directly or not: what one TRUNCATE must name."""
    found: set[str] = set()
    waiting = list(tables)
    while waiting:
        table = waiting.pop()
        if table not in found:
            found.add(table)
            waiting += graph[table]
    return found
