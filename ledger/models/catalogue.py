"""Canonical items, what they are also called, and what they cost (T12)."""

from django.db import models


class CatalogItem(models.Model):
    scope = models.ForeignKey("ledger.Scope", models.PROTECT, related_name="catalogue")
    name = models.CharField(max_length=200)
    unit = models.CharField(max_length=30, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["scope", "name"], name="catalog_item_once_per_scope")]

    def __str__(self) -> str:
        return self.name


class Synonym(models.Model):
    item = models.ForeignKey(CatalogItem, models.PROTECT, related_name="synonyms")
    name = models.CharField(max_length=200)

    class Meta:
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["item", "name"], name="synonym_once_per_item")]

    def __str__(self) -> str:
        return self.name


class PriceObservation(models.Model):
    item = models.ForeignKey(CatalogItem, models.PROTECT, related_name="prices")
    supplier = models.CharField(max_length=200)
    amount = models.DecimalField(max_digits=14, decimal_places=4)
    currency = models.CharField(max_length=3)
    source = models.ForeignKey("ledger.Source", models.PROTECT, null=True, blank=True, related_name="+")
    observed_at = models.DateTimeField()

    class Meta:
        ordering = ["-observed_at"]

    def __str__(self) -> str:
        return f"{self.item} {self.amount} {self.currency}"


class CatalogLink(models.Model):
    """A person's mapping of a name in a claim to a canonical item: a decision, not a fact."""

    claim = models.ForeignKey("ledger.Claim", models.PROTECT, related_name="catalogue_links")
    item = models.ForeignKey(CatalogItem, models.PROTECT, related_name="links")
    confidence = models.FloatField(default=0)
    confirmed_by = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["claim", "item"], name="catalog_link_once")]

    def __str__(self) -> str:
        return f"claim {self.claim_id} is about {self.item}"
