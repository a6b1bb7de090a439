"""What two claims contradict by their words is found by what they speak of."""

from collections.abc import Iterator
from typing import Any

import django.contrib.postgres.fields
import django.contrib.postgres.indexes
from django.db import migrations, models

from ledger.language.contradiction import subject_keys

BATCH = 2000

# A purge blanks what a claim says; hashes of its words go with them.
FORGETS = """
ALTER TABLE ledger_claim ALTER COLUMN subjects SET DEFAULT '{}';
CREATE OR REPLACE FUNCTION ledger_claim_forgets() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.near := '{}';
    NEW.subjects := '{}';
    RETURN NEW;
END $$;
"""
FORGOT = """
CREATE OR REPLACE FUNCTION ledger_claim_forgets() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.near := '{}';
    RETURN NEW;
END $$;
"""


def fill(apps: Any, schema_editor: Any) -> None:
    """The claims there are, some thousand at a time. Conflicts follow with the next verb on a claim: a migration decides nothing."""
    with schema_editor.connection.cursor() as cursor:
        for batch in claims(schema_editor.connection):
            cursor.executemany("UPDATE ledger_claim SET subjects = %s::bigint[] WHERE id = %s", batch)


def claims(connection: Any) -> Iterator[list[tuple[list[int], int]]]:
    last = 0
    while True:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT c.id, c.scope_id, c.statement FROM ledger_claim c JOIN ledger_kind k ON k.name = c.kind"
                " WHERE c.id > %s AND NOT k.many AND c.dedup NOT LIKE 'redacted-%%' ORDER BY c.id LIMIT %s",
                [last, BATCH],
            )
            rows = cursor.fetchall()
        if not rows:
            return
        last = rows[-1][0]
        yield [(subject_keys(scope, statement), pk) for pk, scope, statement in rows]


class Migration(migrations.Migration):
    dependencies = [("ledger", "0012_queue_by_confidence")]

    operations = [
        migrations.AddField(
            model_name="claim",
            name="subjects",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.BigIntegerField(), blank=True, default=list, editable=False, size=None
            ),
        ),
        migrations.RunSQL(FORGETS, FORGOT),
        migrations.RunPython(fill, migrations.RunPython.noop),
        migrations.AddIndex(
            model_name="claim",
            index=django.contrib.postgres.indexes.GinIndex(
                condition=models.Q(status="active"), fastupdate=False, fields=["subjects"], name="claim_live_by_subject"
            ),
        ),
    ]
