"""Addresses at which a scope's calendar can be read by a calendar program."""

from django.db import models
from django.db.models import Q


class FeedStatus(models.TextChoices):
    ON = "on"
    ENDED = "ended"


class CalendarFeed(models.Model):
    """Whoever has the address reads the calendar of `scope`, and nothing else. Its token is shown once, when the feed is made;
    kept are its SHA-256 and its first letters, to tell it from others."""

    scope = models.ForeignKey("ledger.Scope", models.PROTECT, related_name="feeds")
    name = models.CharField(max_length=100)
    sha256 = models.CharField(max_length=64, unique=True)
    prefix = models.CharField(max_length=12)
    status = models.CharField(max_length=10, choices=FeedStatus, default=FeedStatus.ON)
    made_by = models.CharField(max_length=200)
    created_at = models.DateTimeField(auto_now_add=True)
    last_read_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(condition=Q(status__in=FeedStatus.values), name="feed_status_known"),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"
