"""What makes a repeated write harmless."""

from django.db import models


class IdempotencyRecord(models.Model):
    """One successful write of one caller under one key, kept for a day as row ids, never as content."""

    caller = models.CharField(max_length=80)
    route = models.CharField(max_length=200)
    key = models.CharField(max_length=200)
    body_sha256 = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(default=0)
    outcome = models.JSONField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["caller", "route", "key"], name="idempotency_once")]
        indexes = [models.Index(fields=["created_at"], name="idempotency_by_age")]

    def __str__(self) -> str:
        return f"{self.route} {self.key}"
