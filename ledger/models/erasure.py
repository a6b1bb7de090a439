"""Where a scope asks for four eyes: one owner's wish to erase somebody, which another owner's completes."""

from django.conf import settings
from django.db import models
from django.db.models import Q


class ErasureStatus(models.TextChoices):
    WAITING = "waiting"
    DONE = "done"


class Erasure(models.Model):
    """`target` is `person:NAME` or `source:ID`; it goes with the words, once the erasure is done."""

    scope = models.ForeignKey("ledger.Scope", models.PROTECT, related_name="erasures")
    target = models.CharField(max_length=300)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.DO_NOTHING, related_name="+", db_constraint=False, db_index=False
    )
    by = models.CharField(max_length=200)
    status = models.CharField(max_length=10, choices=ErasureStatus, default=ErasureStatus.WAITING)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(condition=Q(status__in=ErasureStatus.values), name="erasure_status_known"),
            models.UniqueConstraint(
                fields=["scope", "target"], condition=Q(status="waiting"), name="erasure_asked_once"
            ),
        ]

    def __str__(self) -> str:
        return f"erasure {self.pk} in {self.scope_id}"
