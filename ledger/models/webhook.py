"""Addresses that are told what was decided, and what became of each message (a log of its own, not journalled)."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q


class WebhookStatus(models.TextChoices):
    ON = "on"
    OFF = "off"
    REMOVED = "removed"


class Webhook(models.Model):
    """One scope's, with all below it. The journal keeps the `host` of an address: its path may hold a secret of the receiver.
    `key` and `key_number` make the secret together with the server's own key. The next message is the first at or after
    `next_seal` (the sealer's number) and `next_part` (the place within that event); a failure is retried at `retry_at`."""

    scope = models.ForeignKey("ledger.Scope", models.PROTECT, related_name="webhooks")
    url = models.CharField(max_length=500)
    host = models.CharField(max_length=300)
    verbs = ArrayField(models.CharField(max_length=20))
    # Whether messages hold the words of what was decided, or only name it.
    words = models.BooleanField(default=False)
    status = models.CharField(max_length=10, choices=WebhookStatus, default=WebhookStatus.ON)
    key = models.CharField(max_length=64)
    key_number = models.PositiveIntegerField(default=1)
    version = models.PositiveIntegerField(default=1)
    made_by = models.CharField(max_length=200)
    created_at = models.DateTimeField(auto_now_add=True)
    next_seal = models.BigIntegerField()
    next_part = models.BigIntegerField(default=0)
    tries = models.PositiveIntegerField(default=0)
    retry_at = models.DateTimeField(null=True, blank=True)
    failing_since = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(condition=Q(status__in=WebhookStatus.values), name="webhook_status_known"),
        ]

    def __str__(self) -> str:
        return f"webhook {self.pk} to {self.host}"


class WebhookDelivery(models.Model):
    """One try to deliver one message. `status` is what the receiver answered, null where nothing came; `error` is our own words."""

    webhook = models.ForeignKey(Webhook, models.PROTECT, related_name="deliveries", db_index=False)
    event = models.ForeignKey("ledger.JournalEvent", models.PROTECT, related_name="+", db_index=False)
    message = models.CharField(max_length=60)
    type = models.CharField(max_length=20)
    ref = models.CharField(max_length=40)
    at = models.DateTimeField()
    attempt = models.PositiveIntegerField()
    ms = models.PositiveIntegerField()
    delivered = models.BooleanField()
    status = models.PositiveIntegerField(null=True)
    error = models.CharField(max_length=300, blank=True)

    class Meta:
        ordering = ["-id"]
        indexes = [models.Index(fields=["webhook", "-id"], name="delivery_by_webhook")]

    def __str__(self) -> str:
        return f"{self.message} to webhook {self.webhook_id}"
