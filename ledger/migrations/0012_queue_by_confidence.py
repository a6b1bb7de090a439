"""A queue filtered by confidence that finds few, or nothing, finds so at once."""

from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("ledger", "0011_priors")]

    operations = [
        migrations.AddIndex(
            model_name="claim",
            index=models.Index(
                condition=Q(status="pending"), fields=["scope", "confidence"], name="queue_by_confidence"
            ),
        ),
    ]
