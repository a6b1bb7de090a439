"""What is found by its like (C6), the claim that a hit joined (C7), and what a wave takes along (P12)."""

import json
from collections.abc import Iterator
from typing import Any

import django.contrib.postgres.fields
import django.contrib.postgres.indexes
import django.db.models.deletion
from django.db import migrations, models

from ledger.language.nearness import near_keys
from ledger.rules.slots import dedup_of, resolved_times

BATCH = 2000

# A purge blanks what a claim says; hashes of its words go with them.
BLANK = """
-- Whoever writes without the verbs (a restore, a measurement) leaves a claim that no like finds, not a fault.
ALTER TABLE ledger_claim ALTER COLUMN near SET DEFAULT '{}';

CREATE FUNCTION ledger_claim_forgets() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.near := '{}';
    RETURN NEW;
END $$;
CREATE TRIGGER claim_forgets BEFORE UPDATE OF dedup ON ledger_claim FOR EACH ROW
    WHEN (NEW.dedup LIKE 'redacted-%') EXECUTE FUNCTION ledger_claim_forgets();

-- A hit of a message may rest on words of another message of its thread. It goes with either.
CREATE FUNCTION ledger_source_is_forgotten() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE ledger_runhit h SET hit = NULL, why = 'redacted'
      FROM ledger_run r JOIN ledger_source s ON s.id = r.source_id
     WHERE h.run_id = r.id AND s.conversation_id = NEW.conversation_id
       AND (h.hit -> 'spans' @> jsonb_build_array(jsonb_build_object('source', NEW.id))
            OR h.hit -> 'places' @> jsonb_build_array(jsonb_build_object('source', NEW.id)));
    RETURN NULL;
END $$;
CREATE TRIGGER source_is_forgotten AFTER UPDATE OF purged_at ON ledger_source FOR EACH ROW
    WHEN (OLD.purged_at IS NULL AND NEW.purged_at IS NOT NULL AND NEW.conversation_id IS NOT NULL)
    EXECUTE FUNCTION ledger_source_is_forgotten();
"""
UNBLANK = """
-- Whoever writes without the verbs (a restore, a measurement) leaves a claim that no like finds, not a fault.
ALTER TABLE ledger_claim ALTER COLUMN near SET DEFAULT '{}';

DROP TRIGGER source_is_forgotten ON ledger_source;
DROP FUNCTION ledger_source_is_forgotten();
DROP TRIGGER claim_forgets ON ledger_claim;
DROP FUNCTION ledger_claim_forgets();
"""


def fill(apps: Any, schema_editor: Any) -> None:
    """The claims there are, some thousand at a time."""
    with schema_editor.connection.cursor() as cursor:
        for batch in claims(schema_editor.connection):
            cursor.executemany("UPDATE ledger_claim SET near = %s::bigint[], dedup = %s WHERE id = %s", batch)


def claims(connection: Any) -> Iterator[list[tuple[list[int], str, int]]]:
    last = 0
    while True:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT id, scope_id, layer, kind, slot, key, value::text, statement, assignee, valid_from, valid_to, dedup"
                " FROM ledger_claim WHERE id > %s AND dedup NOT LIKE 'redacted-%%' ORDER BY id LIMIT %s",
                [last, BATCH],
            )
            rows = cursor.fetchall()
        if not rows:
            return
        last = rows[-1][0]
        yield [_filled(*row) for row in rows]


def _filled(
    pk: int, scope: int, layer: str, kind: str, slot: str, key: str, value: str | None, statement: str, assignee: str,
    begins: Any, ends: Any, dedup: str,
) -> tuple[list[int], str, int]:  # fmt: skip
    said = json.loads(value) if value is not None else None
    if (resolved_times(said) or assignee) and not (slot or key):
        dedup = dedup_of(
            layer=layer, kind=kind, slot=slot, key=key, value=said, statement=statement, assignee=assignee
        )  # fmt: skip
    near = near_keys(
        scope_id=scope, layer=layer, kind=kind, slot=slot, key=key, value=said, statement=statement, assignee=assignee,
        valid_from=begins, valid_to=ends,
    )  # fmt: skip
    return near, dedup, pk


class Migration(migrations.Migration):
    dependencies = [("ledger", "0005_threads_and_edits")]

    operations = [
        migrations.AddField(
            model_name="claim",
            name="near",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.BigIntegerField(), blank=True, default=list, editable=False, size=None
            ),
        ),
        migrations.AddField(
            model_name="runhit",
            name="claim",
            field=models.ForeignKey(
                blank=True,
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="ledger.claim",
            ),
        ),
        migrations.AlterField(
            model_name="runhit",
            name="fate",
            field=models.CharField(
                choices=[(fate, fate) for fate in ("held_back", "dropped", "note", "duplicate", "merged")],
                max_length=12,
            ),
        ),
        migrations.AddField(
            model_name="wave",
            name="taken_along",
            field=models.ManyToManyField(blank=True, related_name="taken_along_by", to="ledger.source"),
        ),
        migrations.AddIndex(
            model_name="wave",
            index=models.Index(models.F("scope"), models.OrderBy(models.F("id"), descending=True), name="wave_by_scope"),
        ),
        migrations.RunSQL(BLANK, UNBLANK),
        migrations.RunPython(fill, migrations.RunPython.noop),
        migrations.AddIndex(
            model_name="claim",
            index=django.contrib.postgres.indexes.GinIndex(fastupdate=False, fields=["near"], name="claim_near"),
        ),
    ]
