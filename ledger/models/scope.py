"""Where something holds, and who may do what there."""

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

GLOBAL = "global"


class Tier(models.TextChoices):
    GLOBAL = "global"
    DOMAIN = "domain"
    PROJECT = "project"
    ITEM = "item"


class Role(models.TextChoices):
    VIEWER = "viewer"
    REVIEWER = "reviewer"
    CURATOR = "curator"
    OWNER = "owner"


class SecretsSetting(models.TextChoices):
    KEEP = "keep"
    MASK = "mask"
    REFUSE = "refuse"


class Scope(models.Model):
    """A node of the tree `global > domain > project > item`, addressed by a path such as `studio/backdrop`.

    `global` is a row and the parent of every top-level scope; its name is no prefix of their paths.
    """

    path = models.CharField(max_length=400, unique=True, db_collation="C")
    name = models.CharField(max_length=200)
    tier = models.CharField(max_length=10, choices=Tier)
    parent = models.ForeignKey("self", models.PROTECT, null=True, blank=True, related_name="children")
    packs = ArrayField(models.CharField(max_length=60), default=list, blank=True)
    timezone = models.CharField(max_length=60, default="UTC")
    stage = models.CharField(max_length=60, blank=True)
    retention_days = models.PositiveIntegerField(null=True, blank=True)
    # What becomes of passwords, keys and card numbers in what comes in (docs/secrets.md); nothing: as the scope above says.
    secrets = models.CharField(max_length=10, choices=SecretsSetting, blank=True, default="", db_default="")
    # Whoever has a role here, above or below signs in with a second factor.
    second_factor = models.BooleanField(default=False, db_default=False)
    # Policies by name, each with its settings; a name that is absent is off (law 5).
    policies = models.JSONField(default=dict, blank=True)
    allowed_endpoints = ArrayField(models.CharField(max_length=200), default=list, blank=True)
    # Priors by rule, set by hand from what was decided; over those of the packs, here and below (insights).
    priors = models.JSONField(default=dict, blank=True)
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["path"]
        constraints = [
            models.CheckConstraint(condition=Q(tier__in=Tier.values), name="scope_tier_known"),
            models.CheckConstraint(
                condition=Q(path=GLOBAL, parent=None) | (~Q(path=GLOBAL) & Q(parent__isnull=False)),
                name="scope_only_global_has_no_parent",
            ),
        ]
        indexes = [models.Index(fields=["path"], condition=Q(second_factor=True), name="scope_second_factor")]

    def __str__(self) -> str:
        return self.path


class Member(models.Model):
    """A user's role in a scope and in all scopes below it."""

    scope = models.ForeignKey(Scope, models.PROTECT, related_name="members")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=10, choices=Role)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["scope_id", "user_id"]
        constraints = [
            models.UniqueConstraint(fields=["scope", "user"], name="member_once_per_scope"),
            models.CheckConstraint(condition=Q(role__in=Role.values), name="member_role_known"),
        ]

    def __str__(self) -> str:
        return f"{self.user} is {self.role} of {self.scope}"
