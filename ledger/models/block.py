"""Derived pages of a scope: knowledge blocks, and what the system wants to say to people."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q


class Block(models.Model):
    """One knowledge block of a scope (T8): the head of its lines, which say nothing themselves but which claims it shows. It can
    be dropped and rebuilt from the claims."""

    scope = models.ForeignKey("ledger.Scope", models.PROTECT, related_name="blocks")
    key = models.CharField(max_length=60)
    revision = models.PositiveIntegerField(default=1)
    author = models.CharField(max_length=200)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["scope_id", "key"]
        constraints = [models.UniqueConstraint(fields=["scope", "key"], name="block_once_per_scope")]

    def __str__(self) -> str:
        return self.key


class BlockLine(models.Model):
    """A claim that holds stands in one block, once; `answer` is the claim that answers it, where it is a question."""

    block = models.ForeignKey(Block, models.PROTECT, related_name="lines")
    claim = models.OneToOneField("ledger.Claim", models.PROTECT, related_name="block_line")
    answer = models.ForeignKey("ledger.Claim", models.PROTECT, null=True, related_name="+", db_index=False)

    class Meta:
        ordering = ["block_id", "claim_id"]

    def __str__(self) -> str:
        return f"claim {self.claim_id} in block {self.block_id}"


class BlockRevision(models.Model):
    """What one event changed in a block: `changes` are `{op, ref, by?}`, where op is add, remove, close or reopen, and `by` the
    ref of what answers a question. No words: they stand in the claims and their journal."""

    block = models.ForeignKey(Block, models.PROTECT, related_name="revisions", db_index=False)
    number = models.PositiveIntegerField()
    # None where the block was made anew.
    event = models.ForeignKey("ledger.JournalEvent", models.PROTECT, null=True, related_name="block_revisions")
    author = models.CharField(max_length=200)
    changes = models.JSONField()
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["block_id", "number"]
        constraints = [models.UniqueConstraint(fields=["block", "number"], name="block_revision_once")]

    def __str__(self) -> str:
        return f"revision {self.number} of block {self.block_id}"


class Notice(models.Model):
    """One short message to people, with the rule that asked for it and the claims that it compared (O8, O9).

    `matter` tells what it is about: a thread hears of it once. `after` is the message that it stands behind, `sources` the
    messages that it rests on: with the words of one of these purged, its text goes as well (a trigger)."""

    scope = models.ForeignKey("ledger.Scope", models.PROTECT, related_name="notices")
    conversation = models.ForeignKey(
        "ledger.Conversation", models.PROTECT, null=True, blank=True, related_name="notices"
    )
    after = models.ForeignKey("ledger.Source", models.PROTECT, null=True, blank=True, related_name="+")
    rule = models.CharField(max_length=60)
    text = models.CharField(max_length=280)
    matter = models.CharField(max_length=400, blank=True)
    refs = ArrayField(models.CharField(max_length=40), default=list, blank=True)
    sources = ArrayField(models.BigIntegerField(), default=list, blank=True)
    claim = models.ForeignKey("ledger.Claim", models.PROTECT, null=True, blank=True, related_name="notices")
    # From when on it could be said; `created_at` is when it was.
    due_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["conversation", "matter"],
                condition=Q(conversation__isnull=False),
                name="notice_once_per_matter",
            )
        ]
        indexes = [models.Index(fields=["scope", "id"], name="notice_by_scope")]

    def __str__(self) -> str:
        return self.text
