"""Tactics are credited with what came of conversations that had them in their packs; what was shown is found by its ref.

What is known already is counted here, as `ledger.actions.credit` does it.
"""

import django.contrib.postgres.indexes
import django.db.models.deletion
from django.db import migrations, models

COUNT = """
    WITH ended AS (
        SELECT scope_id, conversation, min(at) AS at,
               bool_or(type IN ('tool_success', 'user_confirmed_helpful')) AS won,
               bool_or(type IN ('tool_failure', 'user_corrected')) AS lost
          FROM ledger_outcome WHERE source_id IS NOT NULL AND conversation <> 'erased' GROUP BY 1, 2
    ), packs AS (
        SELECT o.scope_id, o.conversation, o.won, o.lost, x.id AS pack, c.id AS claim,
               row_number() OVER (PARTITION BY x.id ORDER BY r.place) AS place
          FROM ended o
          JOIN ledger_exposure x ON x.scope_id = o.scope_id AND x.conversation = o.conversation
           AND x.channel = 'auto_pack' AND x.shown_at <= o.at
         CROSS JOIN LATERAL jsonb_array_elements_text(x.refs) WITH ORDINALITY AS r(ref, place)
          JOIN ledger_claim c ON c.ref = r.ref AND c.kind = 'tactic'
    ), first AS (
        SELECT claim, won, lost,
               row_number() OVER (PARTITION BY scope_id, conversation ORDER BY min(place), min(pack), claim) AS place
          FROM packs GROUP BY scope_id, conversation, won, lost, claim
    )
    INSERT INTO ledger_utility (claim_id, wins, losses)
    SELECT claim, count(*) FILTER (WHERE won), count(*) FILTER (WHERE lost) FROM first WHERE place <= 3 GROUP BY 1
"""


class Migration(migrations.Migration):
    dependencies = [("ledger", "0025_secrets")]

    operations = [
        migrations.CreateModel(
            "Utility",
            [
                (
                    "claim",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name="+", serialize=False,
                        to="ledger.claim",
                    ),
                ),
                ("wins", models.PositiveIntegerField(default=0)),
                ("losses", models.PositiveIntegerField(default=0)),
            ],
            options={"verbose_name_plural": "utilities"},
        ),
        migrations.AddIndex(
            "exposure", models.Index(fields=["scope", "conversation", "id"], name="exposure_in_conversation")
        ),
        migrations.AddIndex(
            "exposure",
            django.contrib.postgres.indexes.GinIndex(
                fields=["refs"], name="exposure_of_ref", opclasses=["jsonb_path_ops"]
            ),
        ),
        migrations.AddIndex(
            "outcome", models.Index(fields=["scope", "conversation", "id"], name="outcome_in_conversation")
        ),
        migrations.RunSQL(COUNT, migrations.RunSQL.noop),
    ]
