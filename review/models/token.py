"""Bearer tokens of agents and of users."""

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q


class TokenKind(models.TextChoices):
    AGENT = "agent"
    USER = "user"


class AgentToken(models.Model):
    """A token is shown once, when it is made; kept are its SHA-256 and its first letters, to tell it from others.

    `scopes` are paths and cover what lies below them. A user's token may do what its grants and the user's roles both
    allow; an agent's token what its grants allow, in the words of `speakers` only (law 8).
    """

    kind = models.CharField(max_length=5, choices=TokenKind)
    name = models.CharField(max_length=100)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, null=True, blank=True, related_name="tokens")
    sha256 = models.CharField(max_length=64, unique=True)
    prefix = models.CharField(max_length=12)
    scopes = ArrayField(models.CharField(max_length=400))
    grants = ArrayField(models.CharField(max_length=20))
    speakers = ArrayField(models.CharField(max_length=10), default=list, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    created_by = models.CharField(max_length=200)
    last_used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(condition=Q(kind__in=TokenKind.values), name="token_kind_known"),
            models.CheckConstraint(
                condition=Q(kind="agent", user=None) | Q(kind="user", user__isnull=False),
                name="token_of_a_user_names_one",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"
