"""Where a scope asks for four eyes: one person's word for a high-risk candidate, which another person's completes."""

from django.conf import settings
from django.db import models
from django.db.models import Q


class ApprovalStatus(models.TextChoices):
    STANDING = "standing"
    VOID = "void"


class Approval(models.Model):
    """Somebody would promote this candidate as it read. `content` is the hash of what was read, which the database makes
    itself (`ledger_claim_content`): an approval of other words counts for nothing, whatever its status says."""

    claim = models.ForeignKey("ledger.Claim", models.PROTECT, related_name="approvals")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.DO_NOTHING, related_name="+", db_constraint=False, db_index=False
    )
    by = models.CharField(max_length=200)
    content = models.CharField(max_length=64)
    status = models.CharField(max_length=10, choices=ApprovalStatus, default=ApprovalStatus.STANDING)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(condition=Q(status__in=ApprovalStatus.values), name="approval_status_known"),
        ]

    def __str__(self) -> str:
        return f"approval of claim {self.claim_id} by {self.by}"
