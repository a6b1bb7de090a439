"""A run may have to wait for what comes before it in its thread (D9); a yes to what stands is no part of what it says."""

import django.contrib.postgres.fields
from django.db import migrations, models
from django.db.models import Q

# As before, but for words that came after what they are context of: a `yes` to a decision can be purged without it.
REACH = """
CREATE OR REPLACE FUNCTION ledger_purge_reach(which bigint) RETURNS SETOF bigint LANGUAGE sql STABLE
    SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT c.id FROM ledger_claim c
     WHERE c.id IN (SELECT e.claim_id FROM ledger_evidence e WHERE e.source_id = which)
       AND (NOT EXISTS (SELECT FROM ledger_evidence e WHERE e.claim_id = c.id AND e.source_id <> which
                          AND NOT e.redacted AND e.stance = 'supports')
            OR (EXISTS (SELECT FROM ledger_evidence e WHERE e.claim_id = c.id AND e.source_id = which
                          AND e.stance = 'context')
                AND NOT EXISTS (SELECT FROM ledger_evidence e WHERE e.claim_id = c.id AND e.source_id <> which
                          AND NOT e.redacted AND e.stance = 'context')
                AND NOT EXISTS (SELECT FROM ledger_evidence e WHERE e.claim_id = c.id AND e.source_id < which
                          AND NOT e.redacted AND e.stance = 'supports')))
       -- Who only objects does not speak for the claim.
       AND EXISTS (SELECT FROM ledger_evidence e WHERE e.claim_id = c.id AND e.source_id = which AND e.stance <> 'opposes')
    UNION
    SELECT c.id FROM ledger_claim c JOIN ledger_kind k ON k.name = c.kind
     WHERE c.anchors_to_choose <> '[]'
       AND c.anchors_to_choose @> jsonb_build_array(jsonb_build_object('source', which))
       AND NOT EXISTS (SELECT FROM ledger_evidence e WHERE e.claim_id = c.id AND e.source_id <> which
                         AND NOT e.redacted AND e.stance = 'supports'
                         AND (cardinality(k.anchors) = 0 OR e.speaker = ANY (k.anchors)))
    ORDER BY 1
$$;
"""


class Migration(migrations.Migration):
    dependencies = [("ledger", "0006_nearness")]

    operations = [
        migrations.RunSQL(REACH, migrations.RunSQL.noop),
        migrations.AddField("run", "thread", models.BigIntegerField(null=True, blank=True)),
        migrations.AddField("run", "place", models.PositiveIntegerField(default=0)),
        migrations.AddField(
            "run",
            "waits_for",
            django.contrib.postgres.fields.ArrayField(models.CharField(max_length=60), default=list, blank=True),
        ),
        migrations.AddIndex(
            "run",
            models.Index(
                fields=["thread", "extractor", "place"],
                name="run_in_thread",
                condition=Q(status__in=["queued", "running"], thread__isnull=False),
            ),
        ),
    ]
