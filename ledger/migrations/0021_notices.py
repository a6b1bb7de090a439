"""Notices say behind which message they stand, what was compared and about which matter; with the words of a message that they
rest on their own go as well."""

import django.contrib.postgres.fields
import django.db.models.deletion
from django.db import migrations, models


# Purge runs as the purger, who may change notices; nobody else sets `purged_at` (law 1).
FOLLOW_PURGE = """
CREATE FUNCTION ledger_notices_follow_purge() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, public AS $$
BEGIN
    UPDATE ledger_notice SET text = '' WHERE scope_id = NEW.scope_id AND text <> '' AND NEW.id = ANY (sources);
    RETURN NULL;
END $$;
CREATE TRIGGER notices_follow_purge AFTER UPDATE OF purged_at ON ledger_source
    FOR EACH ROW WHEN (OLD.purged_at IS NULL AND NEW.purged_at IS NOT NULL) EXECUTE FUNCTION ledger_notices_follow_purge();
"""
STAY = "DROP TRIGGER notices_follow_purge ON ledger_source; DROP FUNCTION ledger_notices_follow_purge();"


class Migration(migrations.Migration):

    dependencies = [
        ('ledger', '0020_token_vectors'),
    ]

    operations = [
        migrations.AddField(
            model_name='notice',
            name='after',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='ledger.source'),
        ),
        migrations.AddField(
            model_name='notice',
            name='conversation',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='notices', to='ledger.conversation'),
        ),
        migrations.AddField(
            model_name='notice',
            name='due_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='notice',
            name='matter',
            field=models.CharField(blank=True, max_length=400),
        ),
        migrations.AddField(
            model_name='notice',
            name='refs',
            field=django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=40), blank=True, default=list),
        ),
        migrations.AddField(
            model_name='notice',
            name='sources',
            field=django.contrib.postgres.fields.ArrayField(base_field=models.BigIntegerField(), blank=True, default=list),
        ),
        migrations.AddIndex(
            model_name='notice',
            index=models.Index(fields=['scope', 'id'], name='notice_by_scope'),
        ),
        migrations.AddConstraint(
            model_name='notice',
            constraint=models.UniqueConstraint(condition=models.Q(('conversation__isnull', False)), fields=('conversation', 'matter'), name='notice_once_per_matter'),
        ),
        migrations.RunSQL(FOLLOW_PURGE, STAY),
    ]
