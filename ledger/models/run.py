"""Extraction passes and what they log: runs, the hits that became no claim, gates, waves."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q


class RunStatus(models.TextChoices):
    QUEUED = "queued"
    RUNNING = "running"
    SUCCEEDED = "succeeded"
    FAILED = "failed"


class Run(models.Model):
    """One pass of one extractor version over one input (law 7: once, unless forced)."""

    scope = models.ForeignKey("ledger.Scope", models.PROTECT, related_name="runs")
    source = models.ForeignKey("ledger.Source", models.PROTECT, related_name="runs", db_index=False)
    input_hash = models.CharField(max_length=64)
    extractor = models.CharField(max_length=60)
    extractor_version = models.CharField(max_length=90)
    # The source's conversation and its place there, and the extractors whose unfinished runs of earlier places, or of the
    # same source, come first (D9).
    thread = models.BigIntegerField(null=True, blank=True)
    place = models.PositiveIntegerField(default=0)
    waits_for = ArrayField(models.CharField(max_length=60), default=list, blank=True)
    forced = models.BooleanField(default=False)
    dry = models.BooleanField(default=False)
    status = models.CharField(max_length=10, choices=RunStatus, default=RunStatus.QUEUED)
    stats = models.JSONField(default=dict, blank=True)
    error = models.TextField(blank=True)
    raw_answer = models.TextField(blank=True)
    model = models.CharField(max_length=100, blank=True)
    tokens = models.PositiveIntegerField(default=0)
    attempts = models.PositiveIntegerField(default=0)
    retry_at = models.DateTimeField(null=True, blank=True)
    requested_by = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["source", "input_hash", "extractor", "extractor_version"],
                condition=Q(forced=False, dry=False, status__in=["queued", "running", "succeeded"]),
                name="run_once",
            ),
            models.CheckConstraint(condition=Q(status__in=RunStatus.values), name="run_status_known"),
        ]
        indexes = [
            models.Index(fields=["id"], name="run_waiting", condition=Q(status="queued")),
            models.Index(fields=["id"], name="run_at_work", condition=Q(status="running")),
            models.Index(fields=["id"], name="run_failed", condition=Q(status="failed")),
            models.Index(F("scope"), F("id").desc(), name="run_by_scope"),
            models.Index(fields=["source", "-id"], name="run_of_source"),
            models.Index(
                fields=["thread", "extractor", "place"],
                name="run_in_thread",
                condition=Q(status__in=["queued", "running"], thread__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"run {self.pk} ({self.extractor} {self.status})"


HIT_FATES = ("held_back", "dropped", "note", "duplicate", "merged")


class RunHit(models.Model):
    """What became of a hit that is no claim of its own, with its reason (C7). `held_back`, `dropped` and `note` can be
    admitted from the run's report (P3); `duplicate` and `merged` joined `claim`, which waits or holds."""

    run = models.ForeignKey(Run, models.PROTECT, related_name="hits")
    number = models.PositiveIntegerField()
    fate = models.CharField(max_length=12, choices=[(v, v) for v in HIT_FATES])
    why = models.CharField(max_length=300)
    hit = models.JSONField(null=True)
    admitted = models.ForeignKey("ledger.Claim", models.PROTECT, null=True, blank=True, related_name="+")
    # The claim that says it already, or that was refused for saying it.
    claim = models.ForeignKey("ledger.Claim", models.PROTECT, null=True, blank=True, related_name="+", db_index=False)

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["run", "number"], name="run_hit_once")]

    def __str__(self) -> str:
        return f"hit {self.number} of run {self.run_id}: {self.why}"


class Gate(models.Model):
    """One confidence check, logged on its own and never blended with another (law 6, O2)."""

    source = models.ForeignKey("ledger.Source", models.PROTECT, related_name="gates")
    run = models.ForeignKey(Run, models.PROTECT, null=True, blank=True, related_name="gates")
    stage = models.CharField(max_length=20)
    type = models.CharField(max_length=60, blank=True)
    score = models.FloatField()
    threshold = models.FloatField()
    passed = models.BooleanField()
    decision = models.CharField(max_length=60, blank=True)
    patterns = ArrayField(models.CharField(max_length=80), default=list, blank=True)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.stage} {self.score:.2f} {'passed' if self.passed else 'stopped'}"


class Wave(models.Model):
    """A batch of sources that came together. A source belongs to the wave that it came with; others may take it along, as
    sources never change (law 1)."""

    scope = models.ForeignKey("ledger.Scope", models.PROTECT, related_name="waves")
    label = models.CharField(max_length=200)
    by = models.CharField(max_length=200, blank=True)
    taken_along = models.ManyToManyField("ledger.Source", related_name="taken_along_by", blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]
        indexes = [models.Index(F("scope"), F("id").desc(), name="wave_by_scope")]

    def __str__(self) -> str:
        return self.label


class Pattern(models.Model):
    """A correction, contradiction, repeated question or confirmation found in a thread (D2); append-only."""

    ref = models.CharField(max_length=40, unique=True)
    scope = models.ForeignKey("ledger.Scope", models.PROTECT, related_name="patterns")
    type = models.CharField(
        max_length=20,
        choices=[(v, v) for v in ("correction", "contradiction", "repeated_question", "confirmation")],
    )
    sources = models.ManyToManyField("ledger.Source", related_name="patterns")
    claim = models.ForeignKey("ledger.Claim", models.PROTECT, null=True, blank=True, related_name="patterns")
    description = models.TextField(blank=True)
    auto_detected = models.BooleanField(default=True)
    run = models.ForeignKey(Run, models.PROTECT, null=True, blank=True, related_name="patterns")
    dedup = models.CharField(max_length=64, blank=True)
    detected_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(fields=["scope", "dedup"], condition=~Q(dedup=""), name="pattern_once_per_scope")
        ]

    def __str__(self) -> str:
        return f"{self.ref} {self.type}"
