"""How long a person looked before deciding: working figures of the desk, no part of the truth."""

from django.conf import settings
from django.db import models


class DecisionTime(models.Model):
    """One decision at a desk, with the milliseconds since its card could be read: since it lay on the desk, or since the
    same person's decision before it, whichever came later, for the cards after the open one are there in advance."""

    event = models.OneToOneField("ledger.JournalEvent", models.CASCADE, primary_key=True, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", db_index=False)
    scope = models.ForeignKey("ledger.Scope", models.CASCADE, related_name="+", db_index=False)
    at = models.DateTimeField()
    ms = models.PositiveIntegerField()

    class Meta:
        indexes = [
            models.Index(fields=["user", "-at"], name="decision_time_of_user"),
            models.Index(fields=["scope", "-at"], name="decision_time_in_scope"),
        ]

    def __str__(self) -> str:
        return f"event {self.event_id} after {self.ms} ms"
