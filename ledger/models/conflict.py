"""Live claims that cannot all be true, and weighted objections to one."""

from django.db import models
from django.db.models import Q


class ConflictStatus(models.TextChoices):
    OPEN = "open"
    RESOLVED = "resolved"
    DISMISSED = "dismissed"
    CLOSED = "closed"


class Conflict(models.Model):
    """One slot with differing live values; at most one open conflict a slot."""

    scope = models.ForeignKey("ledger.Scope", models.PROTECT, related_name="conflicts")
    slot = models.CharField(max_length=500)
    status = models.CharField(max_length=10, choices=ConflictStatus, default=ConflictStatus.OPEN)
    opened_at = models.DateTimeField(auto_now_add=True)
    version = models.PositiveIntegerField(default=1)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["scope", "slot"], condition=Q(status="open"), name="conflict_open_once_per_slot"
            ),
            models.CheckConstraint(condition=Q(status__in=ConflictStatus.values), name="conflict_status_known"),
        ]
        indexes = [
            models.Index(fields=["scope", "status", "-id"], name="conflict_by_status"),
            models.Index(fields=["scope", "slot", "-id"], name="conflict_of_slot"),
        ]

    def __str__(self) -> str:
        return f"conflict {self.pk} on {self.slot}"


class ConflictMember(models.Model):
    """A claim or a trusted value that takes part."""

    conflict = models.ForeignKey(Conflict, models.PROTECT, related_name="members")
    claim = models.ForeignKey("ledger.Claim", models.PROTECT, null=True, blank=True, related_name="conflict_places")
    trusted = models.ForeignKey(
        "ledger.TrustedState", models.PROTECT, null=True, blank=True, related_name="conflict_places"
    )

    class Meta:
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(claim__isnull=False, trusted=None) | Q(claim=None, trusted__isnull=False),
                name="conflict_member_is_one_thing",
            ),
            models.UniqueConstraint(fields=["conflict", "claim"], name="conflict_member_claim_once"),
            models.UniqueConstraint(fields=["conflict", "trusted"], name="conflict_member_trusted_once"),
        ]

    def __str__(self) -> str:
        return f"member {self.claim_id or self.trusted_id} of conflict {self.conflict_id}"


class DisputeStatus(models.TextChoices):
    OPEN = "open"
    VOID = "void"


class Dispute(models.Model):
    """A weighted objection with evidence: tool output weighs more than a document, a document more than a user (C9)."""

    claim = models.ForeignKey("ledger.Claim", models.PROTECT, related_name="disputes")
    evidence = models.ForeignKey("ledger.Evidence", models.PROTECT, related_name="+")
    weight = models.FloatField()
    status = models.CharField(max_length=10, choices=DisputeStatus, default=DisputeStatus.OPEN)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(condition=Q(status__in=DisputeStatus.values), name="dispute_status_known"),
        ]

    def __str__(self) -> str:
        return f"dispute {self.pk} of claim {self.claim_id}"
