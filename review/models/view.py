"""Views of the queue that people keep: a name for an address."""

from django.conf import settings
from django.db import models
from django.db.models import Q


class SavedView(models.Model):
    """The filters of the queue under a name. Of one person; shared, everybody who may read in `scope` finds it too. At most one
    of a person's own is what the queue opens with."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    name = models.CharField(max_length=80)
    # As in the address, without the question mark.
    query = models.CharField(max_length=2000, blank=True)
    scope = models.ForeignKey("ledger.Scope", models.CASCADE, null=True, blank=True, related_name="+")
    shared = models.BooleanField(default=False)
    opens = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(fields=["user", "name"], name="view_once_per_name"),
            models.UniqueConstraint(fields=["user"], condition=Q(opens=True), name="view_opens_once"),
            models.CheckConstraint(condition=Q(shared=False) | Q(scope__isnull=False), name="view_shared_in_a_scope"),
        ]

    def __str__(self) -> str:
        return self.name
