"""Working state of people and agents: tokens, the desk, views and digests; what is true lives in the ledger."""

from base64 import b32encode
from typing import TYPE_CHECKING

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.crypto import salted_hmac
from django_otp.plugins.otp_totp.models import TOTPDevice

if TYPE_CHECKING:
    from review.sessions import SessionStore


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


class Reservation(models.Model):
    """A candidate on somebody's desk. It is offered to nobody else until `until`; whoever opens it by hand may still decide,
    and the version that was read settles who came first."""

    claim = models.OneToOneField("ledger.Claim", models.CASCADE, primary_key=True, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    until = models.DateTimeField()
    # Since when it lies on this desk without a break.
    shown_at = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return f"{self.claim.ref}, read by {self.user.get_username()} until {self.until:%H:%M:%S}"


class Presence(models.Model):
    """Who has which card open before them until a few seconds from now. Of one person only the latest: a page that stays open says
    so again and again, and one that is closed is soon forgotten."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="+")
    claim = models.ForeignKey("ledger.Claim", models.CASCADE, related_name="+")
    since = models.DateTimeField(db_default=Now())
    until = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.user_id} has {self.claim_id} open until {self.until:%H:%M:%S}"


class Seen(models.Model):
    """A candidate that lay open on somebody's desk, or next to come, since `first_at`. A trigger on the reservations writes
    it, so that no way of opening a card can forget to."""

    claim = models.OneToOneField("ledger.Claim", models.CASCADE, primary_key=True, related_name="+")
    first_at = models.DateTimeField(db_default=Now())

    class Meta:
        verbose_name_plural = "seen"

    def __str__(self) -> str:
        return f"{self.claim_id} seen since {self.first_at:%Y-%m-%d %H:%M}"


class DecisionTime(models.Model):
    """One decision at a desk, with the milliseconds since its card could be read: since it lay on the desk, or since the
    same person's decision before it, whichever came later, for the cards after the open one are there in advance."""

    event = models.OneToOneField("ledger.JournalEvent", models.CASCADE, primary_key=True, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", db_index=False)
    scope = models.ForeignKey("ledger.Scope", models.CASCADE, related_name="+", db_index=False)
    at = models.DateTimeField()
    ms = models.PositiveIntegerField()

    class Meta:
        indexes = [
            models.Index(fields=["user", "-at"], name="decision_time_of_user"),
            models.Index(fields=["scope", "-at"], name="decision_time_in_scope"),
        ]

    def __str__(self) -> str:
        return f"event {self.event_id} after {self.ms} ms"


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


class BrowserSession(AbstractBaseSession):
    """A session, with the user it belongs to. What it holds stays signed and encoded as Django keeps it."""

    user_id = models.IntegerField(null=True, db_index=True)

    @classmethod
    def get_session_store_class(cls) -> "type[SessionStore]":
        from review.sessions import SessionStore

        return SessionStore


class Mention(models.Model):
    """Somebody is named in what another person wrote at a decision, or was handed a candidate. They are told once by mail, where
    they have an address; `read_at` is when they opened the list."""

    event = models.ForeignKey("ledger.JournalEvent", models.CASCADE, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", db_index=False)
    read_at = models.DateTimeField(null=True, blank=True)
    mailed_at = models.DateTimeField(null=True, blank=True)
    tries = models.PositiveSmallIntegerField(default=0)
    retry_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-id"]
        constraints = [models.UniqueConstraint(fields=["user", "event"], name="mentioned_once_in_an_event")]
        indexes = [
            models.Index(fields=["user"], name="mention_unread", condition=Q(read_at=None)),
            models.Index(fields=["id"], name="mention_to_mail", condition=Q(mailed_at=None)),
        ]

    def __str__(self) -> str:
        return f"user {self.user_id} in event {self.event_id}"


class MentionMark(models.Model):
    """Up to which number of the sealer's the journal was looked through for mentions."""

    seal = models.BigIntegerField(default=0)

    def __str__(self) -> str:
        return f"mentions up to seal {self.seal}"


class BlindVerdict(models.TextChoices):
    """What a reader would do with a candidate, without doing it."""

    PROMOTE = "promote", "promote as it stands"
    EDIT = "edit", "promote after an edit"
    REJECT = "reject", "reject"


class AgreementSample(models.Model):
    """Candidates, by id and in the order in which they are read, that two reviewers judge without seeing each other's answers. It
    decides nothing; what came of it is shown once both are through, or the owner of the scope has ended it."""

    scope = models.ForeignKey("ledger.Scope", models.CASCADE, related_name="+")
    first = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    second = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    claims = ArrayField(models.BigIntegerField())
    made_by = models.CharField(max_length=200)
    made_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(condition=~Q(first=models.F("second")), name="sample_read_by_two"),
        ]

    def __str__(self) -> str:
        return f"sample {self.pk} of scope {self.scope_id}"


class BlindAnswer(models.Model):
    sample = models.ForeignKey(AgreementSample, models.CASCADE, related_name="answers")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    claim = models.BigIntegerField()
    verdict = models.CharField(max_length=10, choices=BlindVerdict)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["sample", "user", "claim"], name="judged_once_by_each"),
            models.CheckConstraint(condition=Q(verdict__in=BlindVerdict.values), name="verdict_known"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} would {self.verdict} claim {self.claim}"


class AppCode(TOTPDevice):  # type: ignore[misc]
    """The app that makes somebody's codes. The row's key makes them together with the server's own, so that the database alone
    signs nobody in."""

    class Meta:
        proxy = True

    @property
    def bin_key(self) -> bytes:
        return salted_hmac("review.app_code", self.key, algorithm="sha256").digest()[:20]

    @property
    def readable_key(self) -> str:
        """For whoever types it into the app."""
        return b32encode(self.bin_key).decode()


class Passkey(models.Model):
    """The public half of a key that somebody's phone, computer or stick keeps to itself, for one host of ours. `credential` is its
    id and key as WebAuthn packs them."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    name = models.CharField(max_length=60)
    host = models.CharField(max_length=255)
    credential = models.BinaryField()
    sign_count = models.BigIntegerField()
    created_at = models.DateTimeField(auto_now_add=True)
    last_used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["user", "host", "credential"], name="passkey_added_once")]

    def __str__(self) -> str:
        return f"{self.name} of user {self.user_id} at {self.host}"


class Digest(models.Model):
    """One scope's: by mail to those who may decide there, by webhook to one address. `key` makes the webhook's secret together
    with the server's own key, so that the database alone signs nothing. The rest is what became of the last try."""

    scope = models.OneToOneField("ledger.Scope", models.CASCADE, primary_key=True, related_name="+")
    after_hours = models.PositiveIntegerField(default=48)
    mail = models.BooleanField(default=True)
    webhook = models.CharField(max_length=500, blank=True)
    # Whether it quotes what waits, or only counts it.
    words = models.BooleanField(default=False)
    key = models.CharField(max_length=64)
    mailed_at = models.DateTimeField(null=True, blank=True)
    posted_at = models.DateTimeField(null=True, blank=True)
    tries = models.PositiveIntegerField(default=0)
    retry_at = models.DateTimeField(null=True, blank=True)
    error = models.CharField(max_length=300, blank=True)

    class Meta:
        ordering = ["scope_id"]
        constraints = [
            models.CheckConstraint(condition=Q(after_hours__gte=1, after_hours__lte=8760), name="digest_within_a_year"),
        ]

    def __str__(self) -> str:
        return f"digest of scope {self.scope_id} after {self.after_hours} h"
