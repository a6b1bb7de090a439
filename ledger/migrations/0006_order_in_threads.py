"""A run may have to wait for what comes before it in its thread (D9)."""

import django.contrib.postgres.fields
from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    # Written beside 0007 and applied after it.
    dependencies = [("ledger", "0007_nearness")]

    operations = [
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
