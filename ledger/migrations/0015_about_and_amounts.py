"""What a claim is about is a column of its own; equal amounts in other units share a duplicate key."""

import json
import os
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

import django.contrib.postgres.indexes
import django.contrib.postgres.search
from django.db import migrations, models

from ledger.language.nearness import near_keys
from ledger.rules.slots import dedup_of

BATCH = 2000
IN_QUEUE = ("pending", "deferred")
REASON = "Equal amounts in other units share a duplicate key"

FROZEN = """
-- A purge blanks what a claim is about with what it says.
CREATE OR REPLACE FUNCTION ledger_claim_forgets() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.near := '{}';
    NEW.subjects := '{}';
    NEW.subject := '';
    RETURN NEW;
END $$;

CREATE FUNCTION ledger_subject_is_frozen() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'what claim % is about is frozen', OLD.ref USING ERRCODE = 'restrict_violation';
END $$;
-- Fires where a statement names the column: a purge's own trigger, above, does not.
CREATE TRIGGER claim_about_never_changes BEFORE UPDATE OF subject ON ledger_claim FOR EACH ROW
    WHEN (NEW.subject IS DISTINCT FROM OLD.subject) EXECUTE FUNCTION ledger_subject_is_frozen();
"""
THAWED = """
DROP TRIGGER claim_about_never_changes ON ledger_claim;
DROP FUNCTION ledger_subject_is_frozen();
CREATE OR REPLACE FUNCTION ledger_claim_forgets() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.near := '{}';
    NEW.subjects := '{}';
    RETURN NEW;
END $$;
"""


def fill(apps: Any, schema_editor: Any) -> None:
    """Near keys of the claims there are, and duplicate keys of those that tell an amount, journalled as one event a scope.

    No claim gets a subject: what was one stays one, and is known again by the place where it was found. Of two live claims that
    come to say the same the later keeps the key it had: a person merges them, or their conflict is dismissed.
    """
    moved: dict[int, list[tuple[int, str, str]]] = defaultdict(list)
    with schema_editor.connection.cursor() as cursor:
        for rows in _claims(schema_editor.connection):
            cursor.executemany("UPDATE ledger_claim SET near = %s::bigint[] WHERE id = %s", list(map(_near, rows)))
            for scope, pk, before, after in _new_keys(rows):
                if not _would_be_twin(cursor, scope, pk, after):
                    cursor.execute("UPDATE ledger_claim SET dedup = %s WHERE id = %s", [after, pk])
                    moved[scope].append((pk, before, after))
        for scope, changes in sorted(moved.items()):
            _tell(cursor, scope, changes)


def _claims(connection: Any) -> Iterator[list[dict[str, Any]]]:
    last = 0
    names = "id scope_id layer kind slot key value statement assignee valid_from valid_to dedup status".split()
    while True:
        with connection.cursor() as cursor:
            cursor.execute(
                f"SELECT {', '.join(names).replace('value,', 'value::text,')} FROM ledger_claim"  # noqa: S608 - our own names
                " WHERE id > %s AND dedup NOT LIKE 'redacted-%%' ORDER BY id LIMIT %s",
                [last, BATCH],
            )
            rows = [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
        if not rows:
            return
        last = rows[-1]["id"]
        for row in rows:
            row["value"] = json.loads(row["value"]) if row["value"] is not None else None
        yield rows


def _near(row: dict[str, Any]) -> tuple[list[int], int]:
    near = near_keys(
        scope_id=row["scope_id"], layer=row["layer"], kind=row["kind"], slot=row["slot"], key=row["key"], value=row["value"],
        statement=row["statement"], assignee=row["assignee"], valid_from=row["valid_from"], valid_to=row["valid_to"],
    )  # fmt: skip
    return near, row["id"]


def _new_keys(rows: Iterable[dict[str, Any]]) -> Iterator[tuple[int, int, str, str]]:
    for row in rows:
        value = row["value"]
        if not (isinstance(value, dict) and value.keys() == {"number", "unit"} and (row["slot"] or row["key"])):
            continue
        dedup = dedup_of(
            layer=row["layer"], kind=row["kind"], slot=row["slot"], key=row["key"], value=value,
            statement=row["statement"], assignee=row["assignee"],
        )  # fmt: skip
        if dedup != row["dedup"]:
            yield row["scope_id"], row["id"], row["dedup"], dedup


def _would_be_twin(cursor: Any, scope: int, pk: int, dedup: str) -> bool:
    """Whether another claim that waits or holds beside this one has the key already."""
    cursor.execute(
        "SELECT 1 FROM ledger_claim c JOIN ledger_claim o ON o.scope_id = c.scope_id AND o.id <> c.id AND o.dedup = %s"
        " AND ((o.status = 'active' AND c.status = 'active') OR (o.status = ANY (%s) AND c.status = ANY (%s)))"
        " WHERE c.id = %s AND c.scope_id = %s LIMIT 1",
        [dedup, list(IN_QUEUE), list(IN_QUEUE), pk, scope],
    )
    return cursor.fetchone() is not None


def _tell(cursor: Any, scope: int, changes: list[tuple[int, str, str]]) -> None:
    cursor.execute(
        "INSERT INTO ledger_journalevent (verb, actor_kind, actor_name, door, scope_id, ref, reason, request_id, salt, redacted)"
        " VALUES ('rekey', 'system', 'system', 'command', %s, '', %s, '', %s, false) RETURNING id",
        [scope, REASON, os.urandom(16)],
    )
    [event] = cursor.fetchone()
    cursor.executemany(
        'INSERT INTO ledger_journalchange (event_id, noun, "row", before, after, implicit, redacted)'
        " VALUES (%s, 'claim', %s, %s::jsonb, %s::jsonb, true, false)",
        [
            (event, pk, json.dumps({"dedup": before}), json.dumps({"dedup": after}))
            for pk, before, after in changes
        ],
    )


class Migration(migrations.Migration):
    dependencies = [("ledger", "0014_words_inside")]

    operations = [
        migrations.AddField(
            model_name="claim",
            name="subject",
            field=models.CharField(blank=True, db_default="", default="", max_length=200),
        ),
        # Found by what it is about as well: a generated column is made anew, and the index on it.
        migrations.RemoveIndex(model_name="claim", name="claim_search"),
        migrations.RemoveField(model_name="claim", name="search"),
        migrations.AddField(
            model_name="claim",
            name="search",
            field=models.GeneratedField(
                db_persist=True,
                expression=django.contrib.postgres.search.SearchVector(
                    "key", "topic", "subject", "statement", config="english"
                ),
                output_field=django.contrib.postgres.search.SearchVectorField(),
            ),
        ),
        migrations.AddIndex(
            model_name="claim",
            index=django.contrib.postgres.indexes.GinIndex(
                models.F("scope"),
                models.F("search"),
                django.contrib.postgres.indexes.OpClass(models.F("statement"), name="gin_trgm_ops"),
                name="claim_search",
            ),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
        migrations.RunSQL(FROZEN, THAWED),
    ]
