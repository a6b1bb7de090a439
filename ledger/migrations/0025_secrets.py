"""Where passwords, keys and card numbers stand in each source, and what a scope does with them. What is here already is looked
through once; its words stay as they are."""

import json

from django.db import migrations, models
from django.db.models import Value

from ledger.rules.secrets import find_secrets, secrets_within

ROWS = 500
NEXT = "SELECT id, text FROM ledger_source WHERE id > %s AND purged_at IS NULL ORDER BY id LIMIT %s"
CITED = 'SELECT id, start, "end" FROM ledger_evidence WHERE source_id = %s AND NOT redacted'
# What says where secrets stand takes nothing away from the law that no source and no evidence changes.
LIFTED = ("ledger_source", "ledger_evidence")


def look_through(apps, schema_editor):
    with schema_editor.connection.cursor() as cursor:
        found, last = {}, 0
        while True:
            cursor.execute(NEXT, [last, ROWS])
            rows = cursor.fetchall()
            if not rows:
                break
            found |= {pk: secrets for pk, text in rows if (secrets := find_secrets(text))}
            last = rows[-1][0]
        if not found:
            return
        for table in LIFTED:
            cursor.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
        for source, secrets in found.items():
            cursor.execute("UPDATE ledger_source SET secrets = %s WHERE id = %s", [json.dumps(secrets), source])
            cursor.execute(CITED, [source])
            for evidence, start, end in cursor.fetchall():
                if within := secrets_within(secrets, start, end):
                    cursor.execute(
                        "UPDATE ledger_evidence SET secrets = %s WHERE id = %s", [json.dumps(within), evidence]
                    )
        for table in LIFTED:
            cursor.execute(f"ALTER TABLE {table} ENABLE TRIGGER USER")


def spans():
    return models.JSONField(blank=True, db_default=Value([], models.JSONField()), default=list, editable=False)


class Migration(migrations.Migration):
    dependencies = [("ledger", "0024_calendar_feeds")]

    operations = [
        migrations.AddField("source", "secrets", spans()),
        migrations.AddField("evidence", "secrets", spans()),
        migrations.AddField(
            "scope",
            "secrets",
            models.CharField(
                blank=True,
                choices=[("keep", "Keep"), ("mask", "Mask"), ("refuse", "Refuse")],
                db_default="",
                default="",
                max_length=10,
            ),
        ),
        migrations.RunPython(look_through, migrations.RunPython.noop),
    ]
