"""The queue's order as columns: conflict, risk, rank, then one source after the other; and what came and went, by hour."""

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import Case, Q, Value, When

WAITS = ["scope", "turn", "first_source", "id"]

# What waits already, and what can come back.
FILL = """
UPDATE ledger_claim c SET first_source = f.source_id
  FROM (SELECT DISTINCT ON (claim_id) claim_id, source_id FROM ledger_evidence ORDER BY claim_id, id) f
 WHERE f.claim_id = c.id AND c.status IN ('pending', 'deferred', 'rejected', 'expired');

UPDATE ledger_claim c SET contested = true
 WHERE c.status IN ('pending', 'deferred') AND c.slot <> ''
   AND (EXISTS (SELECT 1 FROM ledger_claim a WHERE a.scope_id = c.scope_id AND a.slot = c.slot AND a.status = 'active'
                AND a.slot <> '' AND a.dedup <> c.dedup AND a.id IS DISTINCT FROM c.graduates_id)
        OR EXISTS (SELECT 1 FROM ledger_trustedstate t WHERE c.key <> '' AND t.scope_id = c.scope_id AND t.key = c.key
                   AND t.status = 'current'
                   AND (t.value IS DISTINCT FROM c.value
                        OR (t.value IS NULL AND lower(t.statement) <> lower(c.statement)))));

UPDATE ledger_claim c SET crowded = true
  FROM (SELECT id, row_number() OVER w AS place, count(*) OVER (PARTITION BY scope_id, first_source, rule) AS many
          FROM ledger_claim
         WHERE status = 'pending' AND rank < 0.4 AND NOT high_risk AND NOT contested AND rule <> '' AND first_source > 0
        WINDOW w AS (PARTITION BY scope_id, first_source, rule ORDER BY rank DESC, id)) g
 WHERE g.id = c.id AND g.many > 6 AND g.place > 3;

-- What waits for the end of the transaction is checked now: no table with such work ahead of it can be altered.
SET CONSTRAINTS ALL IMMEDIATE;
"""

# A crowd always has somebody in front. When one of those is decided the next steps forward, at the end of the transaction:
# by then the verb waits for nothing any more, and a row that somebody else holds is passed over.
LEAD = """
CREATE FUNCTION ledger_next_of_crowd() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE ledger_claim SET crowded = false WHERE id = (
        SELECT c.id FROM ledger_claim c
         WHERE c.scope_id = OLD.scope_id AND c.turn = 7 AND c.first_source = OLD.first_source AND c.rule = OLD.rule
           AND c.status = 'pending'
         ORDER BY c.id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED);
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER claim_led_a_crowd AFTER UPDATE OF status ON ledger_claim DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN (OLD.status = 'pending' AND NEW.status <> 'pending' AND OLD.turn = 6 AND OLD.first_source > 0
                       AND OLD.rule <> '')
    EXECUTE FUNCTION ledger_next_of_crowd();

-- What comes back was in somebody's hands: it stands on its own.
CREATE FUNCTION ledger_claim_comes_back() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.crowded := false;
    RETURN NEW;
END $$;
CREATE TRIGGER claim_comes_back BEFORE UPDATE OF status ON ledger_claim FOR EACH ROW
    WHEN (NEW.crowded AND NEW.status = 'pending' AND OLD.status <> 'pending') EXECUTE FUNCTION ledger_claim_comes_back();
"""
UNLEAD = """
DROP TRIGGER claim_comes_back ON ledger_claim;
DROP FUNCTION ledger_claim_comes_back();
DROP TRIGGER claim_led_a_crowd ON ledger_claim;
DROP FUNCTION ledger_next_of_crowd();
"""

TURN = Case(
    When(contested=True, high_risk=True, then=Value(0)),
    When(contested=True, rank__gte=0.4, then=Value(1)),
    When(high_risk=True, then=Value(2)),
    When(contested=True, then=Value(3)),
    When(crowded=True, then=Value(7)),
    When(rank__gte=0.55, then=Value(4)),
    When(rank__gte=0.4, then=Value(5)),
    default=Value(6),
)


def index(name: str, fields: list[str], condition: Q) -> migrations.AddIndex:
    return migrations.AddIndex("claim", models.Index(fields=fields, name=name, condition=condition))


class Migration(migrations.Migration):
    dependencies = [("ledger", "0009_approvals_and_policies")]

    operations = [
        migrations.AddField("claim", "first_source", models.BigIntegerField(db_default=0, default=0, editable=False)),
        migrations.AddField("claim", "contested", models.BooleanField(db_default=False, default=False, editable=False)),
        migrations.AddField("claim", "crowded", models.BooleanField(db_default=False, default=False, editable=False)),
        migrations.RunSQL(FILL, migrations.RunSQL.noop),
        migrations.AddField(
            "claim",
            "turn",
            models.GeneratedField(db_persist=True, expression=TURN, output_field=models.SmallIntegerField()),
        ),
        index("queue_best", WAITS, Q(status="pending")),
        index("queue_best_by_kind", ["scope", "kind", "turn", "first_source", "id"], Q(status="pending")),
        index("queue_best_by_rule", ["scope", "rule", "turn", "first_source", "id"], Q(status="pending")),
        index("queue_best_to_check", WAITS, Q(status="pending", needs_review=True)),
        index("claim_waits_on_slot", ["scope", "slot"], Q(status__in=["pending", "deferred"]) & ~Q(slot="")),
        index("claim_waits_since", ["created_at"], Q(status="pending")),
        index("claim_snoozed", ["scope", "deferred_until", "id"], Q(status="deferred")),
        migrations.RunSQL(LEAD, UNLEAD),
        migrations.CreateModel(
            name="Tally",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("hour", models.DateTimeField()),
                ("came", models.PositiveIntegerField(default=0)),
                ("went", models.PositiveIntegerField(default=0)),
                (
                    "scope",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="ledger.scope",
                    ),
                ),
            ],
            options={"verbose_name_plural": "tallies", "ordering": ["hour"]},
        ),
        migrations.CreateModel(
            name="TallyMark",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.BigIntegerField()),
            ],
        ),
        migrations.AddConstraint(
            model_name="tally",
            constraint=models.UniqueConstraint(fields=("hour", "scope"), name="tally_once_an_hour"),
        ),
    ]
