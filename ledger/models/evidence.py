"""The exact words a claim rests on."""

from django.db import models
from django.db.models import F, Q

from ledger.models.secrets import HoldsSecrets


class Stance(models.TextChoices):
    SUPPORTS = "supports"
    CONTEXT = "context"
    OPPOSES = "opposes"


class Anchor(models.TextChoices):
    """How the program found the quote in its source (design §6.3)."""

    EXACT = "exact"
    RELOCATED = "relocated"
    NORMALISED = "normalised"
    CHOSEN = "chosen"


class Evidence(HoldsSecrets):
    """Insert-only (law 2): a trigger refuses a quote that is not `source.text[start:end]`, in code points, half-open."""

    WORDS = "quote"

    claim = models.ForeignKey("ledger.Claim", models.PROTECT, related_name="evidence", db_index=False)
    source = models.ForeignKey("ledger.Source", models.PROTECT, related_name="evidence", db_index=False)
    section = models.ForeignKey("ledger.Section", models.PROTECT, related_name="+", db_index=False)
    speaker = models.CharField(max_length=10)
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    quote = models.TextField(blank=True)
    quote_sha256 = models.CharField(max_length=64)
    stance = models.CharField(max_length=10, choices=Stance, default=Stance.SUPPORTS)
    anchor = models.CharField(max_length=10, choices=Anchor, default=Anchor.EXACT)
    redacted = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name_plural = "evidence"
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["claim", "source", "start", "end", "stance"], name="evidence_once"),
            models.CheckConstraint(condition=Q(end__gt=F("start")), name="evidence_range"),
            models.CheckConstraint(condition=Q(stance__in=Stance.values), name="evidence_stance_known"),
            models.CheckConstraint(condition=Q(anchor__in=Anchor.values), name="evidence_anchor_known"),
        ]
        indexes = [models.Index(fields=["source", "start"], name="evidence_in_source")]

    @property
    def words_begin(self) -> int:
        return self.start

    def __str__(self) -> str:
        return self.quote[:80] or "(redacted)"
