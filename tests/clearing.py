"""Empties the test database after a test that really committed.

The ledger's triggers refuse that rows go. The tests own the tables, so they may switch those triggers off for the length
of one transaction; no serving role can. What migrations seeded stays.
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
def tables() -> list[str]:
    """The tables of the schema."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname FROM pg_class"
            " WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = 'public'::regnamespace"
        )
        return sorted(name for (name,) in cursor.fetchall())


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
    """Empty every table but what migrations seeded. Only what holds rows is touched, and by DELETE: most tests leave a
    handful, and a TRUNCATE makes new files for a table, its indexes and those of all that refer to it."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("RESET ROLE")
        filled = (f"SELECT '{name}' WHERE EXISTS (SELECT {rows(name)})" for name in tables() if name not in KEPT)
        cursor.execute(" UNION ALL ".join(filled))
        full = [name for (name,) in cursor.fetchall()]
        for name in full:
            cursor.execute(f'ALTER TABLE "{name}" DISABLE TRIGGER USER')
        for name in full:
            cursor.execute(f"DELETE {rows(name)}")
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        for name in full:
            cursor.execute(f'ALTER TABLE "{name}" ENABLE TRIGGER USER')


def rows(table: str) -> str:
    """All that a test has put there."""
    return f'FROM "{table}" WHERE NOT ({KEPT_ROWS.get(table, "false")})'
