"""What people say of candidates without deciding about them: whose turn it is, and which two are not the same."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from ledger.models.catalogue import Standing


class Handover(models.Model):
    """A candidate that somebody has passed on to one colleague. It still waits, and whoever may decide there may decide; `to` and
    `by` are the names as they were then."""

    claim = models.ForeignKey("ledger.Claim", models.PROTECT, related_name="handovers")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.DO_NOTHING, related_name="+", db_constraint=False, db_index=False
    )
    to = models.CharField(max_length=200)
    by = models.CharField(max_length=200)
    status = models.CharField(max_length=10, choices=Standing, default=Standing.CURRENT)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(condition=Q(status__in=Standing.values), name="handover_status_known"),
            models.UniqueConstraint(
                fields=["claim"], condition=Q(status=Standing.CURRENT), name="candidate_with_one_person"
            ),
        ]
        indexes = [
            models.Index(fields=["user", "claim"], name="handed_to", condition=Q(status=Standing.CURRENT)),
        ]

    def __str__(self) -> str:
        return f"claim {self.claim_id} with {self.to}"


class KeptApart(models.Model):
    """Two claims of one scope that look alike and are not the same, as a person said: no merge of them is suggested. `first` is the
    older one."""

    scope = models.ForeignKey("ledger.Scope", models.PROTECT, related_name="+")
    first = models.ForeignKey("ledger.Claim", models.PROTECT, related_name="+", db_index=False)
    second = models.ForeignKey("ledger.Claim", models.PROTECT, related_name="+", db_index=False)
    by = models.CharField(max_length=200)
    status = models.CharField(max_length=10, choices=Standing, default=Standing.CURRENT)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(condition=Q(status__in=Standing.values), name="kept_apart_status_known"),
            models.CheckConstraint(condition=Q(first__lt=F("second")), name="kept_apart_older_first"),
            models.UniqueConstraint(
                fields=["first", "second"], condition=Q(status=Standing.CURRENT), name="kept_apart_once"
            ),
        ]

    def __str__(self) -> str:
        return f"claims {self.first_id} and {self.second_id} are two"
