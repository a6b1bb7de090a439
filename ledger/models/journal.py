"""Every decision is one event; every event tells which rows it changed, and from what to what."""

from django.conf import settings
from django.db import models
from django.db.models import Func
from django.db.models.functions import Now


class ClockTimestamp(Func):
    """`clock_timestamp()`: the time of the event itself, not of the transaction's start."""

    function = "clock_timestamp"
    output_field = models.DateTimeField()


class ActorKind(models.TextChoices):
    HUMAN = "human"
    AGENT = "agent"
    POLICY = "policy"
    SYSTEM = "system"


class JournalEvent(models.Model):
    """Who did what, through which door, why. The actor's name is frozen, so that the record outlives its author.

    A column `xid` (the writing transaction, filled by the database) is not mapped: the laws and the sealer read it.
    """

    at = models.DateTimeField(db_default=ClockTimestamp())
    verb = models.CharField(max_length=40)
    actor_kind = models.CharField(max_length=10, choices=ActorKind)
    actor_name = models.CharField(max_length=200)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.DO_NOTHING, null=True, blank=True, related_name="+", db_constraint=False
    )
    token_id = models.BigIntegerField(null=True, blank=True)
    door = models.CharField(max_length=20)
    scope = models.ForeignKey("ledger.Scope", models.PROTECT, related_name="+", db_index=False)
    ref = models.CharField(max_length=40, blank=True)
    reason = models.TextField(blank=True)
    request_id = models.CharField(max_length=64, blank=True)
    batch = models.UUIDField(null=True, blank=True)
    undoes = models.OneToOneField("self", models.PROTECT, null=True, blank=True, related_name="undone_by")
    salt = models.BinaryField(max_length=16, null=True)
    redacted = models.BooleanField(default=False)

    class Meta:
        ordering = ["id"]
        indexes = [
            models.Index(fields=["scope", "id"], name="journal_by_scope"),
            models.Index(fields=["ref", "id"], name="journal_by_ref", condition=~models.Q(ref="")),
            models.Index(fields=["batch", "id"], name="journal_by_batch", condition=models.Q(batch__isnull=False)),
            # What was decided in a period: read without the events of everything else.
            models.Index(
                fields=["scope", "at"],
                name="journal_of_decisions",
                condition=models.Q(verb__in=["promote", "reject", "merge", "defer"]),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.verb} {self.ref} by {self.actor_name}"


class JournalChange(models.Model):
    """One row before and after: only the columns the verb owns. `before` is null for a row it made."""

    event = models.ForeignKey(JournalEvent, models.PROTECT, related_name="changes")
    noun = models.CharField(max_length=20)
    row = models.BigIntegerField()
    before = models.JSONField(null=True)
    after = models.JSONField(null=True)
    implicit = models.BooleanField(default=False)
    redacted = models.BooleanField(default=False)

    class Meta:
        ordering = ["id"]
        indexes = [models.Index(fields=["noun", "row", "id"], name="journal_of_row")]

    def __str__(self) -> str:
        return f"{self.noun} {self.row} in event {self.event_id}"


class Seal(models.Model):
    """The sealer's chain: numbers the events in the order they became visible, each digest resting on the one before."""

    number = models.BigAutoField(primary_key=True)
    event = models.OneToOneField(JournalEvent, models.PROTECT, related_name="seal")
    payload_digest = models.BinaryField(max_length=32)
    digest = models.BinaryField(max_length=32)
    sealed_at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ["number"]

    def __str__(self) -> str:
        return f"seal {self.number}"
