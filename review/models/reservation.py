"""Who reads which candidate just now: working state of the desk, no part of the truth."""

from django.conf import settings
from django.db import models
from django.db.models.functions import Now


class Reservation(models.Model):
    """A candidate on somebody's desk. It is offered to nobody else until `until`; whoever opens it by hand may still decide,
    and the version that was read settles who came first."""

    claim = models.OneToOneField("ledger.Claim", models.CASCADE, primary_key=True, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    until = models.DateTimeField()
    # Since when it lies on this desk without a break.
    shown_at = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return f"{self.claim_id} read by {self.user_id} until {self.until:%H:%M:%S}"
