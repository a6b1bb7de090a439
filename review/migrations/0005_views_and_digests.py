"""Views that people keep, and what they want to be told."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [
        ("ledger", "0010_queue_order"),
        ("review", "0004_seen"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="SavedView",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=80)),
                ("query", models.CharField(blank=True, max_length=2000)),
                ("shared", models.BooleanField(default=False)),
                ("opens", models.BooleanField(default=False)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "scope",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="ledger.scope",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={"ordering": ["name"]},
        ),
        migrations.CreateModel(
            name="Digest",
            fields=[
                (
                    "scope",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="ledger.scope",
                    ),
                ),
                ("after_hours", models.PositiveIntegerField(default=48)),
                ("mail", models.BooleanField(default=True)),
                ("webhook", models.CharField(blank=True, max_length=500)),
                ("words", models.BooleanField(default=False)),
                ("key", models.CharField(max_length=64)),
                ("mailed_at", models.DateTimeField(blank=True, null=True)),
                ("posted_at", models.DateTimeField(blank=True, null=True)),
                ("tries", models.PositiveIntegerField(default=0)),
                ("retry_at", models.DateTimeField(blank=True, null=True)),
                ("error", models.CharField(blank=True, max_length=300)),
            ],
            options={"ordering": ["scope_id"]},
        ),
        migrations.AddConstraint(
            model_name="savedview",
            constraint=models.UniqueConstraint(fields=("user", "name"), name="view_once_per_name"),
        ),
        migrations.AddConstraint(
            model_name="savedview",
            constraint=models.UniqueConstraint(condition=Q(("opens", True)), fields=("user",), name="view_opens_once"),
        ),
        migrations.AddConstraint(
            model_name="savedview",
            constraint=models.CheckConstraint(
                condition=Q(("shared", False), ("scope__isnull", False), _connector="OR"), name="view_shared_in_a_scope"
            ),
        ),
        migrations.AddConstraint(
            model_name="digest",
            constraint=models.CheckConstraint(
                condition=Q(("after_hours__gte", 1), ("after_hours__lte", 8760)), name="digest_within_a_year"
            ),
        ),
    ]
