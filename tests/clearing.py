"""Empties the test database after a test that really committed.

The ledger's triggers refuse that rows go. The tests may switch those triggers off for the length of one transaction; no
serving role can. What migrations seeded stays.
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
        before, after = silencing(full)
        deletes = [f"DELETE {rows(name)}" for name in full]
        cursor.execute(";".join([*before, *deletes, *after]) or "SELECT")


def silencing(full: list[str]) -> tuple[list[str], list[str]]:
    """What is said before and after the rows go, so that no trigger speaks. On a server of the tests' own one word does; on
    another, whose owner may not say it, each table is told, which costs three times as much."""
    if may_silence():
        return ["SET LOCAL session_replication_role = replica"], []
    told = [[f'ALTER TABLE "{name}" {verb} TRIGGER USER' for name in full] for verb in ("DISABLE", "ENABLE")]
    return told[0], ["SET CONSTRAINTS ALL IMMEDIATE", *told[1]]


@cache
def may_silence() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT has_parameter_privilege('session_replication_role', 'SET')")
        return bool(cursor.fetchone()[0])


def rows(table: str) -> str:
    """All that a test has put there."""
    return f'FROM "{table}" WHERE NOT ({KEPT_ROWS.get(table, "false")})'
