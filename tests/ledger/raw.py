"""Raw SQL as somebody who does not want to use the verbs."""

import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest
from django.db import DatabaseError, connection, transaction

from ledger.models import Scope
from tests.ledger.conftest import role

OWNER, WEB, WORKER = "", "countersign_web", "countersign_worker"
ROLES = [pytest.param(OWNER, id="owner"), pytest.param(WEB, id="web"), pytest.param(WORKER, id="worker")]
SERVING = ROLES[1:]
# Not privileged; refused by a law; a broken check; a broken unique index; a row that is referred to.
REFUSALS = {"42501", "23001", "23514", "23505", "23503", "0A000", "55000"}


def execute(sql: str, params: Any = None) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(sql, params)
        return cursor.fetchall() if cursor.description else []


def sqlstate(error: DatabaseError) -> str:
    return str(getattr(error.__cause__, "sqlstate", ""))


@contextmanager
def refused(*, by: set[str] | None = None, saying: str = "") -> Iterator[None]:
    """What stands inside is one transaction, and it does not get through."""
    with pytest.raises(DatabaseError) as caught, transaction.atomic():
        yield
    assert sqlstate(caught.value) in (by or REFUSALS), caught.value
    assert saying in str(caught.value), caught.value


def refuse_each(statements: list[str], *, as_role: str = OWNER) -> None:
    """Every one of them is refused on its own."""
    passed = []
    for sql in statements:
        with role(as_role):
            try:
                with transaction.atomic():
                    execute(sql)
            except DatabaseError as error:
                assert sqlstate(error) in REFUSALS, f"{sql}: {error}"
            else:
                passed.append(sql)
    assert passed == []


def event(
    scope: Scope, *, verb: str = "promote", kind: str = "human", name: str = "mallory", door: str = "screen",
    user: int | None = 1, token: int | None = None, ref: str = "",
) -> int:  # fmt: skip
    return int(
        execute(
            "INSERT INTO ledger_journalevent (verb, actor_kind, actor_name, user_id, token_id, door, scope_id, ref, reason,"
            " request_id, salt, redacted) VALUES (%s, %s, %s, %s, %s, %s, %s, %s, '', '', %s, false) RETURNING id",
            [verb, kind, name, user, token, door, scope.pk, ref, os.urandom(16)],
        )[0][0]
    )


def change(event_id: int, noun: str, row: int, after: dict[str, Any]) -> None:
    execute(
        "INSERT INTO ledger_journalchange (event_id, noun, row, after, implicit, redacted)"
        " VALUES (%s, %s, %s, %s, false, false)",
        [event_id, noun, row, json.dumps(after)],
    )


def insert(table: str, columns: dict[str, Any]) -> int:
    names = ", ".join(f'"{name}"' for name in columns)
    places = ", ".join(["%s"] * len(columns))
    return int(execute(f"INSERT INTO {table} ({names}) VALUES ({places}) RETURNING id", list(columns.values()))[0][0])


def sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


@contextmanager
def login(member_of: str) -> Iterator[psycopg.Connection[Any]]:
    """A session of a real login that may only serve as `member_of`, as in production."""
    settings = connection.settings_dict
    name = f"login_{member_of}"
    if not execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [name]):
        execute(f"CREATE ROLE {name} LOGIN PASSWORD 'only-for-tests' IN ROLE {member_of}")
    options = {"host": settings["HOST"], "port": settings["PORT"], "dbname": settings["NAME"]}
    try:
        with psycopg.connect(
            user=name, password="only-for-tests", autocommit=True, **{k: v for k, v in options.items() if v}
        ) as session:
            session.execute(f"SET ROLE {member_of}")
            yield session
    finally:
        execute(f"DROP ROLE {name}")
