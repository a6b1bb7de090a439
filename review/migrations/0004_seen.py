"""What has lain on a desk, noted by the database."""

import django.db.models.deletion
from django.db import migrations, models
from django.db.models.functions import Now

NOTE = """
CREATE FUNCTION review_note_seen() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    INSERT INTO review_seen (claim_id) VALUES (NEW.claim_id) ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;
CREATE TRIGGER reservation_is_seen AFTER INSERT ON review_reservation
    FOR EACH ROW EXECUTE FUNCTION review_note_seen();
INSERT INTO review_seen (claim_id) SELECT claim_id FROM review_reservation;
"""


class Migration(migrations.Migration):
    dependencies = [
        ("ledger", "0009_approvals_and_policies"),
        ("review", "0003_decision_times"),
    ]
    operations = [
        migrations.CreateModel(
            name="Seen",
            fields=[
                (
                    "claim",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="ledger.claim",
                    ),
                ),
                ("first_at", models.DateTimeField(db_default=Now())),
            ],
            options={"verbose_name_plural": "seen"},
        ),
        migrations.RunSQL(
            NOTE, "DROP TRIGGER reservation_is_seen ON review_reservation; DROP FUNCTION review_note_seen;"
        ),
    ]
