"""L3: few values, typed by hand."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q


class TrustedStatus(models.TextChoices):
    CURRENT = "current"
    REPLACED = "replaced"
    RETRACTED = "retracted"


class TrustedState(models.Model):
    """A value a person typed or confirmed, which cites claims and is never derived from one (law 4)."""

    ref = models.CharField(max_length=40, unique=True)
    scope = models.ForeignKey("ledger.Scope", models.PROTECT, related_name="trusted")
    key = models.CharField(max_length=200)
    value = models.JSONField(null=True, blank=True)
    statement = models.TextField()
    cites = ArrayField(models.CharField(max_length=40), default=list)
    status = models.CharField(max_length=10, choices=TrustedStatus, default=TrustedStatus.CURRENT)
    replaces = models.ForeignKey("self", models.PROTECT, null=True, blank=True, related_name="replaced_by")
    by = models.CharField(max_length=200)
    at = models.DateTimeField(auto_now_add=True)
    version = models.PositiveIntegerField(default=1)

    class Meta:
        verbose_name_plural = "trusted state"
        ordering = ["key"]
        constraints = [
            models.UniqueConstraint(
                fields=["scope", "key"], condition=Q(status="current"), name="trusted_once_per_key"
            ),
            models.CheckConstraint(condition=Q(status__in=TrustedStatus.values), name="trusted_status_known"),
        ]
        indexes = [models.Index(fields=["scope", "key", "-id"], name="trusted_history")]

    def __str__(self) -> str:
        return f"{self.key}: {self.statement[:80]}"

    @property
    def told(self) -> str:
        """As a claim's: a value typed by hand stands below nothing."""
        return self.statement
