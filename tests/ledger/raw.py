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

from ledger.models import Claim, Scope, Source
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
    scope: Scope, *, verb: str = "promote", kind: str = "", name: str = "mallory", door: str = "screen",
    user: int | None = 1, token: int | None = None, ref: str = "",
) -> int:  # fmt: skip
    """The strongest event that the role in force can write: a person's, but for the worker, which speaks for none."""
    kind = kind or ("system" if execute("SELECT current_user") == [(WORKER,)] else "human")
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


NEVER_CHANGE = {
    "ledger_source": "text = t.text || '!'",
    "ledger_section": "speaker = 'user'",
    "ledger_evidence": "quote = 'never said'",
    "ledger_journalevent": "actor_name = 'nobody'",
    "ledger_journalchange": "after = '{}'",
}
NEVER_GO = [*NEVER_CHANGE, "ledger_seal", "ledger_claim", "ledger_trustedstate", "ledger_conflict", "ledger_dispute"]


def evidence_columns(claim: Claim, source: Source, since: int, to: int, **changed: object) -> dict[str, object]:
    words = source.text[since:to]
    section = source.sections.first()
    assert section is not None
    return {
        "claim_id": claim.pk, "source_id": source.pk, "section_id": section.pk, "speaker": section.speaker,
        "start": since, "end": to, "quote": words, "quote_sha256": sha(words), "stance": "supports",
        "anchor": "exact", "redacted": False, "created_at": "2026-01-01T00:00Z",
    } | changed  # fmt: skip


def raw_claim(claim: Claim, **changed: str) -> int:
    """A copy of a claim without its evidence."""
    columns = [
        column
        for (column,) in execute(
            "SELECT column_name FROM information_schema.columns WHERE table_name = 'ledger_claim' AND is_generated = 'NEVER'"
        )
        if column != "id"
    ]
    changed = {"ref": "'DEC-1'", "dedup": "'x'"} | changed
    chosen = ", ".join(changed.get(column, f'"{column}"') for column in columns)
    return int(
        execute(
            f"INSERT INTO ledger_claim ({', '.join(columns)}) SELECT {chosen} FROM ledger_claim WHERE id = %s RETURNING id",
            [claim.pk],
        )[0][0]
    )
