"""Derived pages of a scope: knowledge blocks, and what the system wants to say to people."""

from django.db import models


class Block(models.Model):
    """One knowledge block as JSON (T8); it can be dropped and rebuilt from the claims."""

    scope = models.ForeignKey("ledger.Scope", models.PROTECT, related_name="blocks")
    key = models.CharField(max_length=60)
    content = models.JSONField(default=dict)
    revision = models.PositiveIntegerField(default=1)
    author = models.CharField(max_length=200)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["scope_id", "key"]
        constraints = [models.UniqueConstraint(fields=["scope", "key"], name="block_once_per_scope")]

    def __str__(self) -> str:
        return self.key


class Notice(models.Model):
    """One short message to people, with the rule that asked for it (O9)."""

    scope = models.ForeignKey("ledger.Scope", models.PROTECT, related_name="notices")
    rule = models.CharField(max_length=60)
    text = models.CharField(max_length=280)
    claim = models.ForeignKey("ledger.Claim", models.PROTECT, null=True, blank=True, related_name="notices")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return self.text
