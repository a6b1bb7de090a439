"""What was said, to the byte: conversations, sources and their sections."""

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVector
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Left

from ledger.models.secrets import HoldsSecrets

# A tsvector holds at most one megabyte; this many characters of the worst text stay below it.
SEARCHED_CHARACTERS = 100_000


class SourceKind(models.TextChoices):
    MESSAGE = "message"
    DOCUMENT = "document"
    INTERACTION = "interaction"
    TURN = "turn"
    EPISODE = "episode"
    NOTE = "note"


class Speaker(models.TextChoices):
    USER = "user"
    AGENT = "agent"
    TOOL = "tool"
    DOCUMENT = "document"
    SYSTEM = "system"


class Conversation(models.Model):
    """A thread of sources, named by its sender's own id."""

    scope = models.ForeignKey("ledger.Scope", models.PROTECT, related_name="conversations")
    external_id = models.CharField(max_length=300)
    title = models.CharField(max_length=500, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["scope", "external_id"], name="conversation_once_per_scope")]

    def __str__(self) -> str:
        return self.title or self.external_id


class Source(HoldsSecrets):
    """One immutable text (law 1). `dedup` is what makes two sends the same source (design §4)."""

    WORDS = "text"

    scope = models.ForeignKey("ledger.Scope", models.PROTECT, related_name="sources")
    conversation = models.ForeignKey(Conversation, models.PROTECT, null=True, blank=True, related_name="sources")
    kind = models.CharField(max_length=12, choices=SourceKind)
    sender = models.CharField(max_length=200, blank=True)
    sender_kind = models.CharField(max_length=10, choices=Speaker)
    sent_at = models.DateTimeField(null=True, blank=True)
    # When its sender last changed it, as the place says that it came from; what it said before is another source.
    edited_at = models.DateTimeField(null=True, blank=True)
    position = models.PositiveIntegerField(default=0)
    title = models.CharField(max_length=500, blank=True)
    text = models.TextField(blank=True)
    sha256 = models.CharField(max_length=64)
    external_id = models.CharField(max_length=500, blank=True)
    reply_to = models.CharField(max_length=500, blank=True)
    replaces = models.ForeignKey("self", models.PROTECT, null=True, blank=True, related_name="replaced_by")
    dedup = models.CharField(max_length=64)
    wave = models.ForeignKey("ledger.Wave", models.PROTECT, null=True, blank=True, related_name="sources")
    created_at = models.DateTimeField(auto_now_add=True)
    purged_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["scope", "dedup"], name="source_once_per_scope"),
            models.CheckConstraint(condition=Q(kind__in=SourceKind.values), name="source_kind_known"),
            models.CheckConstraint(condition=Q(sender_kind__in=Speaker.values), name="source_speaker_known"),
        ]
        indexes = [
            models.Index(F("scope"), F("id").desc(), name="source_by_scope"),
            models.Index(fields=["conversation", "position", "id"], name="source_in_thread"),
            models.Index(
                fields=["scope", "conversation", "external_id", "-id"],
                name="source_by_external_id",
                condition=~Q(external_id=""),
            ),
            GinIndex(
                SearchVector(Left("text", SEARCHED_CHARACTERS), config="english"),
                name="source_search",
            ),
        ]

    def __str__(self) -> str:
        return self.title or self.external_id or f"source {self.pk}"


class Section(models.Model):
    """A labelled range of a source, written once when the source is built, never parsed from text again."""

    source = models.ForeignKey(Source, models.PROTECT, related_name="sections")
    name = models.CharField(max_length=500, blank=True)
    speaker = models.CharField(max_length=10, choices=Speaker)
    heading_path = ArrayField(models.TextField(), default=list)
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()

    class Meta:
        ordering = ["start"]
        constraints = [
            models.UniqueConstraint(fields=["source", "start"], name="section_once_per_place"),
            models.CheckConstraint(condition=Q(end__gte=F("start")), name="section_range"),
            models.CheckConstraint(condition=Q(speaker__in=Speaker.values), name="section_speaker_known"),
        ]

    def __str__(self) -> str:
        return self.name or f"{self.speaker} {self.start}–{self.end}"
