"""Chats elsewhere that are conversations of a scope, and what is posted there (O13). Only the links are journalled: the rest is
bookkeeping of deliveries, and holds nobody's words."""

from django.db import models
from django.db.models import Q


class ChatLinkStatus(models.TextChoices):
    ON = "on"
    ENDED = "ended"


class ChatLink(models.Model):
    """A group chat whose messages are a conversation of `scope`. `door` is the service, `bot` the bot's own public id there and
    `chat` the chat's: what another bot hears of the same chat is none of its business (O15)."""

    scope = models.ForeignKey("ledger.Scope", models.PROTECT, related_name="chat_links")
    conversation = models.ForeignKey("ledger.Conversation", models.PROTECT, related_name="chat_links")
    door = models.CharField(max_length=20)
    bot = models.CharField(max_length=60)
    chat = models.CharField(max_length=100)
    status = models.CharField(max_length=10, choices=ChatLinkStatus, default=ChatLinkStatus.ON)
    made_by = models.CharField(max_length=200)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["door", "bot", "chat"], condition=Q(status="on"), name="chat_link_once"
            ),
            models.UniqueConstraint(fields=["conversation"], condition=Q(status="on"), name="chat_link_of_conversation"),
            models.CheckConstraint(condition=Q(status__in=ChatLinkStatus.values), name="chat_link_status_known"),
        ]  # fmt: skip

    def __str__(self) -> str:
        return f"{self.door} {self.chat}"


class ChatPostKind(models.TextChoices):
    NOTICE = "notice"
    PENDING = "pending"
    CHAIN = "chain"
    DECIDED = "decided"


class ChatPostStatus(models.TextChoices):
    WAITING = "waiting"
    SENDING = "sending"
    SENT = "sent"
    # It may have arrived: nobody knows, and it is not sent again.
    UNCLEAR = "unclear"
    REFUSED = "refused"


class ChatPost(models.Model):
    """One message to a chat. Its words are made when it is sent, of the `notice` or the `claim` that it is about. `answers` is
    the id of the message below which it stands, `edits` of the post that it is written over, `by` who decided. `message` is the
    id that the service gave it."""

    link = models.ForeignKey(ChatLink, models.PROTECT, related_name="posts", db_index=False)
    kind = models.CharField(max_length=10, choices=ChatPostKind)
    notice = models.ForeignKey("ledger.Notice", models.PROTECT, null=True, related_name="posts")
    claim = models.ForeignKey("ledger.Claim", models.PROTECT, null=True, related_name="+")
    answers = models.CharField(max_length=100, blank=True)
    edits = models.CharField(max_length=100, blank=True)
    by = models.CharField(max_length=200, blank=True)
    status = models.CharField(max_length=10, choices=ChatPostStatus, default=ChatPostStatus.WAITING)
    tries = models.PositiveIntegerField(default=0)
    retry_at = models.DateTimeField(null=True)
    message = models.CharField(max_length=100, blank=True)
    error = models.CharField(max_length=300, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    tried_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["notice"], condition=Q(kind="notice"), name="chat_post_once_per_notice"),
            models.CheckConstraint(condition=Q(kind__in=ChatPostKind.values), name="chat_post_kind_known"),
            models.CheckConstraint(condition=Q(status__in=ChatPostStatus.values), name="chat_post_status_known"),
            models.CheckConstraint(
                condition=Q(kind__in=["notice", "chain"], notice__isnull=False) | Q(claim__isnull=False),
                name="chat_post_about_something",
            ),
        ]
        indexes = [
            models.Index(fields=["link", "message"], name="chat_post_by_message"),
            models.Index(fields=["link", "-tried_at"], name="chat_post_by_time"),
            models.Index(fields=["id"], name="chat_post_waiting", condition=Q(status__in=["waiting", "sending"])),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk} to {self.link_id}"


class ChatCode(models.Model):
    """What shows that whoever is signed in has an account at a chat service: told there, typed here. Kept is its SHA-256."""

    door = models.CharField(max_length=20)
    account = models.CharField(max_length=100)
    sha256 = models.CharField(max_length=64, unique=True)
    at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["door", "account"], name="chat_code_once")]

    def __str__(self) -> str:
        return f"{self.door} {self.account}"


class ChatUpdate(models.Model):
    """What a service sent us is taken once, however often it comes: its number, and nothing of what it says."""

    door = models.CharField(max_length=20)
    bot = models.CharField(max_length=60)
    number = models.CharField(max_length=60)
    at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["door", "bot", "number"], name="chat_update_once")]

    def __str__(self) -> str:
        return f"{self.door} {self.number}"
