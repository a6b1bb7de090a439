"""Canonical items, what they are also called, what names and claims are linked to them, and what things cost (T12)."""

from django.db import models
from django.db.models import Q


class Standing(models.TextChoices):
    CURRENT = "current"
    WITHDRAWN = "withdrawn"


class LinkStatus(models.TextChoices):
    SUGGESTED = "suggested"
    CONFIRMED = "confirmed"
    REJECTED = "rejected"
    WITHDRAWN = "withdrawn"


class CatalogItem(models.Model):
    """One thing that is bought, under one name; `unit` is what its prices are compared per."""

    scope = models.ForeignKey("ledger.Scope", models.PROTECT, related_name="catalogue")
    name = models.CharField(max_length=200)
    unit = models.CharField(max_length=30, blank=True)
    status = models.CharField(max_length=10, choices=Standing, default=Standing.CURRENT)
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(
                fields=["scope", "name"], condition=Q(status=Standing.CURRENT), name="catalog_item_once_per_scope"
            ),
            models.CheckConstraint(condition=Q(status__in=Standing.values), name="catalog_item_status_known"),
        ]
        indexes = [models.Index(fields=["name", "id"], name="catalog_item_by_name")]

    def __str__(self) -> str:
        return self.name


class Synonym(models.Model):
    item = models.ForeignKey(CatalogItem, models.PROTECT, related_name="synonyms")
    name = models.CharField(max_length=200)
    status = models.CharField(max_length=10, choices=Standing, default=Standing.CURRENT)

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(
                fields=["item", "name"], condition=Q(status=Standing.CURRENT), name="synonym_once_per_item"
            ),
            models.CheckConstraint(condition=Q(status__in=Standing.values), name="synonym_status_known"),
        ]

    def __str__(self) -> str:
        return self.name


class PriceObservation(models.Model):
    """What a supplier asked for something on a day, under the name that the supplier gives it. `form` is that name's normal
    form: by it the price belongs to an item, as long as a link says so. `line` is where it stood in its list."""

    scope = models.ForeignKey("ledger.Scope", models.PROTECT, related_name="prices")
    name = models.CharField(max_length=200)
    form = models.CharField(max_length=250)
    supplier = models.CharField(max_length=200)
    amount = models.DecimalField(max_digits=14, decimal_places=4)
    unit = models.CharField(max_length=30, blank=True)
    currency = models.CharField(max_length=3)
    source = models.ForeignKey("ledger.Source", models.PROTECT, null=True, blank=True, related_name="+")
    line = models.PositiveIntegerField(null=True, blank=True)
    observed_at = models.DateTimeField()
    status = models.CharField(max_length=10, choices=Standing, default=Standing.CURRENT)

    class Meta:
        ordering = ["-observed_at"]
        constraints = [
            models.CheckConstraint(condition=Q(status__in=Standing.values), name="price_status_known"),
            models.CheckConstraint(condition=Q(amount__gt=0), name="price_is_positive"),
            models.UniqueConstraint(
                fields=["scope", "form", "supplier", "unit", "currency", "observed_at", "amount"],
                condition=Q(status=Standing.CURRENT),
                name="price_observed_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} {self.amount} {self.currency}"


class CatalogLink(models.Model):
    """A mapping to a canonical item, proposed by rules and decided by a person: of a name, wherever it stands in the scope
    (`form` is its normal form), or of one claim that says what something costs. A decision, not a fact."""

    scope = models.ForeignKey("ledger.Scope", models.PROTECT, related_name="catalogue_links")
    name = models.CharField(max_length=200, blank=True)
    form = models.CharField(max_length=250, blank=True)
    claim = models.ForeignKey("ledger.Claim", models.PROTECT, related_name="catalogue_links", null=True, blank=True)
    item = models.ForeignKey(CatalogItem, models.PROTECT, related_name="links")
    confidence = models.FloatField(default=0)
    status = models.CharField(max_length=10, choices=LinkStatus, default=LinkStatus.SUGGESTED)
    confirmed_by = models.CharField(max_length=200, blank=True)
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(status__in=LinkStatus.values), name="catalog_link_status_known"),
            models.UniqueConstraint(
                fields=["scope", "form", "item"], condition=Q(claim=None), name="catalog_link_of_name_once"
            ),
            models.UniqueConstraint(
                fields=["claim", "item"], condition=Q(claim__isnull=False), name="catalog_link_of_claim_once"
            ),
            # One name, one item.
            models.UniqueConstraint(
                fields=["scope", "form"],
                condition=Q(claim=None, status=LinkStatus.CONFIRMED),
                name="catalog_link_of_name_confirmed_once",
            ),
            models.UniqueConstraint(
                fields=["claim"], condition=Q(status=LinkStatus.CONFIRMED), name="catalog_link_of_claim_confirmed_once"
            ),
        ]
        indexes = [models.Index(fields=["scope", "status", "-id"], name="catalog_link_by_status")]

    def __str__(self) -> str:
        return f"{self.called} is {self.item}"

    @property
    def called(self) -> str:
        """What is linked, in short: the name, or the claim's ref."""
        return self.claim.ref if self.claim else self.name

    @property
    def wording(self) -> str:
        """What is linked, in its own words."""
        return self.claim.statement if self.claim else self.name
