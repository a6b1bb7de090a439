"""Approvals for four eyes, and how a policy is on."""

from pathlib import Path

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("ledger", "0008_evaluations"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]
    operations = [
        migrations.CreateModel(
            name="Approval",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("by", models.CharField(max_length=200)),
                ("content", models.CharField(max_length=64)),
                (
                    "status",
                    models.CharField(
                        choices=[("standing", "Standing"), ("void", "Void")], default="standing", max_length=10
                    ),
                ),
                ("at", models.DateTimeField(auto_now_add=True)),
                (
                    "claim",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="approvals", to="ledger.claim"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={"ordering": ["-id"]},
        ),
        migrations.AddConstraint(
            model_name="approval",
            constraint=models.CheckConstraint(
                condition=models.Q(("status__in", ["standing", "void"])), name="approval_status_known"
            ),
        ),
        migrations.RunSQL(Path(__file__).with_suffix(".sql").read_text(), migrations.RunSQL.noop),
    ]
