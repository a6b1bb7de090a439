"""When people who are not looking are told that something has waited too long."""

from django.db import models
from django.db.models import Q


class Digest(models.Model):
    """One scope's: by mail to those who may decide there, by webhook to one address. `key` makes the webhook's secret together
    with the server's own key, so that the database alone signs nothing. The rest is what became of the last try."""

    scope = models.OneToOneField("ledger.Scope", models.CASCADE, primary_key=True, related_name="+")
    after_hours = models.PositiveIntegerField(default=48)
    mail = models.BooleanField(default=True)
    webhook = models.CharField(max_length=500, blank=True)
    # Whether it quotes what waits, or only counts it.
    words = models.BooleanField(default=False)
    key = models.CharField(max_length=64)
    mailed_at = models.DateTimeField(null=True, blank=True)
    posted_at = models.DateTimeField(null=True, blank=True)
    tries = models.PositiveIntegerField(default=0)
    retry_at = models.DateTimeField(null=True, blank=True)
    error = models.CharField(max_length=300, blank=True)

    class Meta:
        ordering = ["scope_id"]
        constraints = [
            models.CheckConstraint(condition=Q(after_hours__gte=1, after_hours__lte=8760), name="digest_within_a_year"),
        ]

    def __str__(self) -> str:
        return f"digest of scope {self.scope_id} after {self.after_hours} h"
