"""What asking a model costs: every call, and each day's sum, reserved before the call and settled after it."""

from django.db import models


class ModelDay(models.Model):
    """The sum of one UTC day, for everything (`owner` empty) or for the scopes of one pack (`pack:NAME`)."""

    day = models.DateField()
    owner = models.CharField(max_length=80, blank=True)
    calls = models.PositiveIntegerField(default=0)
    # Those in flight count with what was reserved for them.
    tokens = models.PositiveBigIntegerField(default=0)

    class Meta:
        ordering = ["-day", "owner"]
        constraints = [models.UniqueConstraint(fields=["day", "owner"], name="model_day_once")]

    def __str__(self) -> str:
        return f"{self.day} {self.owner or 'everything'}: {self.calls} calls, {self.tokens} tokens"


class ModelCall(models.Model):
    """One request to a model server. It stays unsettled where its worker died, and then counts as reserved."""

    source = models.ForeignKey("ledger.Source", models.PROTECT, related_name="+", db_index=False)
    day = models.DateField()
    host = models.CharField(max_length=200)
    model = models.CharField(max_length=100)
    # The packs whose own day it counts for.
    packs = models.JSONField(default=list, blank=True)
    reserved = models.PositiveIntegerField()
    tokens = models.PositiveIntegerField(null=True, blank=True)
    outcome = models.CharField(max_length=20, blank=True)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]
        indexes = [models.Index(fields=["source", "day"], name="model_call_of_source")]

    def __str__(self) -> str:
        return f"call {self.pk} to {self.host}: {self.tokens if self.tokens is not None else 'not settled'}"
