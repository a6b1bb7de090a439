"""What was shown to whom, and what came of it (C4, C10); logs of their own."""

from django.contrib.postgres.indexes import GinIndex
from django.db import models


class Channel(models.TextChoices):
    AUTO_PACK = "auto_pack"
    SEARCH = "search"
    EXPLICIT_READ = "explicit_read"
    CHECK = "check"


class Exposure(models.Model):
    """One answer that showed claims or trusted values to an agent or a person."""

    scope = models.ForeignKey("ledger.Scope", models.PROTECT, related_name="exposures")
    conversation = models.CharField(max_length=300, blank=True)
    channel = models.CharField(max_length=15, choices=Channel)
    refs = models.JSONField(default=list)
    shown_to = models.CharField(max_length=200)
    shown_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["scope", "conversation", "id"], name="exposure_in_conversation"),
            GinIndex(fields=["refs"], opclasses=["jsonb_path_ops"], name="exposure_of_ref"),
        ]

    def __str__(self) -> str:
        return f"{self.channel} of {len(self.refs)} to {self.shown_to}"


class OutcomeType(models.TextChoices):
    TOOL_SUCCESS = "tool_success"
    TOOL_FAILURE = "tool_failure"
    USER_CONFIRMED_HELPFUL = "user_confirmed_helpful"
    USER_CORRECTED = "user_corrected"


class Outcome(models.Model):
    """What happened in a conversation after something was shown."""

    scope = models.ForeignKey("ledger.Scope", models.PROTECT, related_name="outcomes")
    conversation = models.CharField(max_length=300)
    type = models.CharField(max_length=25, choices=OutcomeType)
    source = models.ForeignKey("ledger.Source", models.PROTECT, null=True, blank=True, related_name="+")
    start = models.PositiveIntegerField(null=True, blank=True)
    end = models.PositiveIntegerField(null=True, blank=True)
    reported_by = models.CharField(max_length=200)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]
        indexes = [models.Index(fields=["scope", "conversation", "id"], name="outcome_in_conversation")]

    def __str__(self) -> str:
        return f"{self.type} in {self.conversation}"


class Utility(models.Model):
    """Conversations that a tactic is credited with: `wins` went well, `losses` badly, some both. Derived from the two logs."""

    claim = models.OneToOneField("ledger.Claim", models.PROTECT, primary_key=True, related_name="+")
    wins = models.PositiveIntegerField(default=0)
    losses = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name_plural = "utilities"

    def __str__(self) -> str:
        return f"claim {self.claim_id}: {self.wins} won, {self.losses} lost"
