"""What has lain on a desk: working state, which a policy asks about before it promotes what nobody has looked at (P8)."""

from django.db import models
from django.db.models.functions import Now


class Seen(models.Model):
    """A candidate that lay open on somebody's desk, or next to come, since `first_at`. A trigger on the reservations writes
    it, so that no way of opening a card can forget to."""

    claim = models.OneToOneField("ledger.Claim", models.CASCADE, primary_key=True, related_name="+")
    first_at = models.DateTimeField(db_default=Now())

    class Meta:
        verbose_name_plural = "seen"

    def __str__(self) -> str:
        return f"{self.claim_id} seen since {self.first_at:%Y-%m-%d %H:%M}"
