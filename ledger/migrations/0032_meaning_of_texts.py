"""Beside the vectors of a source's tokens one for what it means as a whole. All are made anew, in the background."""

from django.db import migrations

MEANING = """
TRUNCATE ledger_tokenvectors;
ALTER TABLE ledger_tokenvectors ADD COLUMN meaning bytea STORAGE PLAIN NOT NULL;
"""


class Migration(migrations.Migration):
    dependencies = [("ledger", "0031_chat_accounts")]

    operations = [migrations.RunSQL(MEANING, "ALTER TABLE ledger_tokenvectors DROP COLUMN meaning")]
