"""The catalogue is written to: what can be taken back has a status, prices belong to names, and a link is of a name or of a claim.

Nothing wrote into these tables before, so two of them are made anew.
"""

import django.db.models.deletion
from django.db import migrations, models

STANDING = [("current", "Current"), ("withdrawn", "Withdrawn")]
LINKS = [("suggested", "Suggested"), ("confirmed", "Confirmed"), ("rejected", "Rejected"), ("withdrawn", "Withdrawn")]
ID = ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"))
PROTECT = django.db.models.deletion.PROTECT


class Migration(migrations.Migration):
    dependencies = [("ledger", "0017_blocks")]
    operations = [
        migrations.DeleteModel("CatalogLink"),
        migrations.DeleteModel("PriceObservation"),
        migrations.AddField("catalogitem", "status", models.CharField(choices=STANDING, default="current", max_length=10)),
        migrations.AddField("catalogitem", "version", models.PositiveIntegerField(default=1)),
        migrations.AddField("synonym", "status", models.CharField(choices=STANDING, default="current", max_length=10)),
        migrations.RemoveConstraint("catalogitem", "catalog_item_once_per_scope"),
        migrations.RemoveConstraint("synonym", "synonym_once_per_item"),
        migrations.AddConstraint(
            "catalogitem",
            models.UniqueConstraint(
                condition=models.Q(("status", "current")), fields=("scope", "name"), name="catalog_item_once_per_scope"
            ),
        ),
        migrations.AddConstraint(
            "catalogitem",
            models.CheckConstraint(
                condition=models.Q(("status__in", ["current", "withdrawn"])), name="catalog_item_status_known"
            ),
        ),
        migrations.AddIndex("catalogitem", models.Index(fields=["name", "id"], name="catalog_item_by_name")),
        migrations.AddConstraint(
            "synonym",
            models.UniqueConstraint(
                condition=models.Q(("status", "current")), fields=("item", "name"), name="synonym_once_per_item"
            ),
        ),
        migrations.AddConstraint(
            "synonym",
            models.CheckConstraint(
                condition=models.Q(("status__in", ["current", "withdrawn"])), name="synonym_status_known"
            ),
        ),
        migrations.CreateModel(
            "PriceObservation",
            [
                ID,
                ("name", models.CharField(max_length=200)),
                ("form", models.CharField(max_length=250)),
                ("supplier", models.CharField(max_length=200)),
                ("amount", models.DecimalField(decimal_places=4, max_digits=14)),
                ("unit", models.CharField(blank=True, max_length=30)),
                ("currency", models.CharField(max_length=3)),
                ("line", models.PositiveIntegerField(blank=True, null=True)),
                ("observed_at", models.DateTimeField()),
                ("status", models.CharField(choices=STANDING, default="current", max_length=10)),
                ("scope", models.ForeignKey(on_delete=PROTECT, related_name="prices", to="ledger.scope")),
                (
                    "source",
                    models.ForeignKey(blank=True, null=True, on_delete=PROTECT, related_name="+", to="ledger.source"),
                ),
            ],
            {
                "ordering": ["-observed_at"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("status__in", ["current", "withdrawn"])), name="price_status_known"
                    ),
                    models.CheckConstraint(condition=models.Q(("amount__gt", 0)), name="price_is_positive"),
                    models.UniqueConstraint(
                        condition=models.Q(("status", "current")),
                        fields=("scope", "form", "supplier", "unit", "currency", "observed_at", "amount"),
                        name="price_observed_once",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            "CatalogLink",
            [
                ID,
                ("name", models.CharField(blank=True, max_length=200)),
                ("form", models.CharField(blank=True, max_length=250)),
                ("confidence", models.FloatField(default=0)),
                ("status", models.CharField(choices=LINKS, default="suggested", max_length=10)),
                ("confirmed_by", models.CharField(blank=True, max_length=200)),
                ("version", models.PositiveIntegerField(default=1)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "claim",
                    models.ForeignKey(
                        blank=True, null=True, on_delete=PROTECT, related_name="catalogue_links", to="ledger.claim"
                    ),
                ),
                ("item", models.ForeignKey(on_delete=PROTECT, related_name="links", to="ledger.catalogitem")),
                ("scope", models.ForeignKey(on_delete=PROTECT, related_name="catalogue_links", to="ledger.scope")),
            ],
            {
                "indexes": [models.Index(fields=["scope", "status", "-id"], name="catalog_link_by_status")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("status__in", ["suggested", "confirmed", "rejected", "withdrawn"])),
                        name="catalog_link_status_known",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("claim", None)),
                        fields=("scope", "form", "item"),
                        name="catalog_link_of_name_once",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("claim__isnull", False)),
                        fields=("claim", "item"),
                        name="catalog_link_of_claim_once",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("claim", None), ("status", "confirmed")),
                        fields=("scope", "form"),
                        name="catalog_link_of_name_confirmed_once",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("status", "confirmed")),
                        fields=("claim",),
                        name="catalog_link_of_claim_confirmed_once",
                    ),
                ],
            },
        ),
        migrations.RunSQL("GRANT UPDATE ON ledger_priceobservation TO countersign_purger", migrations.RunSQL.noop),
    ]
