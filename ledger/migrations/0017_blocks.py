"""Knowledge blocks: lines that point at what holds, and a revision for every event that changed one.

A line says nothing itself, so a purge no longer has words to blank in a block: its function loses that statement and keeps all
others, whichever migration gave it them.
"""

import django.db.models.deletion
from django.db import migrations, models

LAWS = r"""
-- A block shows what holds, and nothing else: asked at commit, of a line that was written and of a claim that ceased to hold.
CREATE FUNCTION ledger_block_shows_what_holds() RETURNS trigger LANGUAGE plpgsql
    SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    which bigint := CASE WHEN TG_TABLE_NAME = 'ledger_claim' THEN (to_jsonb(NEW) ->> 'id')::bigint
                         ELSE (to_jsonb(NEW) ->> 'claim_id')::bigint END;
BEGIN
    IF EXISTS (SELECT FROM ledger_blockline l JOIN ledger_block b ON b.id = l.block_id JOIN ledger_claim c ON c.id = l.claim_id
               WHERE l.claim_id = which AND (c.status <> 'active' OR c.scope_id <> b.scope_id)) THEN
        RAISE EXCEPTION 'claim % does not hold where a block shows it', which USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER line_shows_what_holds AFTER INSERT OR UPDATE ON ledger_blockline
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ledger_block_shows_what_holds();
CREATE CONSTRAINT TRIGGER claim_leaves_its_block AFTER UPDATE OF status ON ledger_claim
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (OLD.status = 'active' AND NEW.status <> 'active')
    EXECUTE FUNCTION ledger_block_shows_what_holds();

CREATE FUNCTION ledger_revision_rises() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    RAISE EXCEPTION 'the revision of a block only rises' USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER revision_rises BEFORE UPDATE ON ledger_block
    FOR EACH ROW WHEN (NEW.revision <= OLD.revision) EXECUTE FUNCTION ledger_revision_rises();

DO $$
DECLARE
    migrating text := current_user;
    body text := pg_get_functiondef('ledger_purge_source(bigint, bigint)'::regprocedure);
    without text := regexp_replace(body,
        '[^\n]*What is derived is dropped and rebuilt:.*?SELECT id FROM down\);\n', '');
BEGIN
    IF without = body OR without !~ 'ledger_priceobservation SET supplier' OR without !~ 'django_admin_log' THEN
        RAISE EXCEPTION 'the purge is not the one that was expected';
    END IF;
    GRANT CREATE ON SCHEMA public TO countersign_purger;
    SET LOCAL ROLE countersign_purger;
    EXECUTE without;
    EXECUTE format('SET LOCAL ROLE %I', migrating);
    REVOKE CREATE ON SCHEMA public FROM countersign_purger;
END $$;
"""


class Migration(migrations.Migration):
    dependencies = [("ledger", "0016_postings")]

    operations = [
        migrations.RemoveField("block", "content"),
        migrations.CreateModel(
            name="BlockLine",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "answer",
                    models.ForeignKey(
                        db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+",
                        to="ledger.claim",
                    ),
                ),
                (
                    "block",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="lines", to="ledger.block"
                    ),
                ),
                (
                    "claim",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, related_name="block_line", to="ledger.claim"
                    ),
                ),
            ],
            options={"ordering": ["block_id", "claim_id"]},
        ),
        migrations.CreateModel(
            name="BlockRevision",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
                ("author", models.CharField(max_length=200)),
                ("changes", models.JSONField()),
                ("at", models.DateTimeField(auto_now_add=True)),
                (
                    "block",
                    models.ForeignKey(
                        db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name="revisions",
                        to="ledger.block",
                    ),
                ),
                (
                    "event",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.PROTECT, related_name="block_revisions",
                        to="ledger.journalevent",
                    ),
                ),
            ],
            options={
                "ordering": ["block_id", "number"],
                "constraints": [models.UniqueConstraint(fields=("block", "number"), name="block_revision_once")],
            },
        ),
        migrations.RunSQL(
            LAWS,
            """
            DROP TRIGGER revision_rises ON ledger_block;
            DROP FUNCTION ledger_revision_rises();
            DROP TRIGGER claim_leaves_its_block ON ledger_claim;
            DROP TRIGGER line_shows_what_holds ON ledger_blockline;
            DROP FUNCTION ledger_block_shows_what_holds();
            """,
        ),
    ]  # fmt: skip
