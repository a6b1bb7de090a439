"""Accounts at chat services that people confirmed themselves; the codes for it. An account goes with the user who confirmed it,
whatever ends that: an owner, an erasure, the end of the user."""

from django.contrib.postgres.fields import ArrayField
from django.db import migrations, models

TRIGGER = """
CREATE FUNCTION ledger_accounts_of_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.user_id IS DISTINCT FROM OLD.user_id THEN
        NEW.accounts := '{}';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER person_accounts_of_user BEFORE UPDATE ON ledger_person
    FOR EACH ROW EXECUTE FUNCTION ledger_accounts_of_user();
"""
NO_TRIGGER = """
DROP TRIGGER person_accounts_of_user ON ledger_person;
DROP FUNCTION ledger_accounts_of_user();
"""


class Migration(migrations.Migration):
    dependencies = [("ledger", "0030_statement_vectors")]

    operations = [
        migrations.AddField(
            "person",
            "accounts",
            ArrayField(models.CharField(max_length=121), blank=True, db_default=[], default=list),
        ),
        migrations.CreateModel(
            "ChatCode",
            [
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("door", models.CharField(max_length=20)),
                ("account", models.CharField(max_length=100)),
                ("sha256", models.CharField(max_length=64, unique=True)),
                ("at", models.DateTimeField(auto_now=True)),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("door", "account"), name="chat_code_once")],
            },
        ),
        migrations.RunSQL(TRIGGER, NO_TRIGGER),
    ]
