"""One row for life: what is claimed, from first proposal to last state, and its two faces."""

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex, OpClass
from django.contrib.postgres.search import SearchVector, SearchVectorField
from django.db import models
from django.db.models import Case, F, Func, Q, Value, When
from django.db.models.lookups import Regex

from ledger.language.scripts import INSIDE
from ledger.language.subjects import with_subject
from ledger.rules.ranking import STRONG, TURN_CROWDED, TURN_WEAK, WEAK
from ledger.rules.states import IN_QUEUE, Status

# What is said of a claim in words. Where they are in scripts that a blank does not cut, they are indexed by what is inside.
CLAIM_WORDS = "key || ' ' || topic || ' ' || statement"
_WORDS = Func(
    F("key"),
    F("topic"),
    F("statement"),
    template="%(expressions)s",
    arg_joiner=" || ' ' || ",
    output_field=models.TextField(),
)


class Layer(models.TextChoices):
    MEMORY = "memory"
    ENTITY = "entity"


class ConfidenceWord(models.TextChoices):
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


class Claim(models.Model):
    """Origin (run, rule, extractor, hand_authored) and `proposed` are frozen by a trigger; the rest changes by verbs."""

    ref = models.CharField(max_length=40, unique=True)
    scope = models.ForeignKey("ledger.Scope", models.PROTECT, related_name="claims")
    layer = models.CharField(max_length=10, choices=Layer)
    kind = models.ForeignKey("ledger.Kind", models.PROTECT, db_column="kind", related_name="+", db_index=False)
    key = models.CharField(max_length=200, blank=True)
    topic = models.CharField(max_length=200, blank=True)
    # What it is about where its words do not say so: the heading above them, or who speaks of itself. As it was found: frozen.
    subject = models.CharField(max_length=200, blank=True, default="", db_default="")
    tags = ArrayField(models.CharField(max_length=60), default=list, blank=True)
    value_type = models.CharField(max_length=20, blank=True)
    value = models.JSONField(null=True, blank=True)
    statement = models.TextField()
    assignee = models.CharField(max_length=200, blank=True)
    downstream = ArrayField(models.CharField(max_length=200), default=list, blank=True)
    confidence_word = models.CharField(max_length=6, choices=ConfidenceWord, blank=True)
    valid_from = models.DateTimeField(null=True, blank=True)
    valid_to = models.DateTimeField(null=True, blank=True)

    # Life
    status = models.CharField(max_length=10, choices=Status, default=Status.PENDING)
    successor = models.ForeignKey("self", models.PROTECT, null=True, blank=True, related_name="predecessors")
    graduates = models.ForeignKey("self", models.PROTECT, null=True, blank=True, related_name="graduations")
    # What the text itself says it replaces, by ref; promotion asks the reviewer to confirm it.
    names_replaced = ArrayField(models.CharField(max_length=200), default=list, blank=True)
    deferred_until = models.DateTimeField(null=True, blank=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    promoted_at = models.DateTimeField(null=True, blank=True)
    disputed = models.BooleanField(default=False)
    needs_recheck = models.BooleanField(default=False)
    needs_review = models.BooleanField(default=False)
    high_risk = models.BooleanField(default=False)
    anchors_to_choose = models.JSONField(default=list, blank=True)
    version = models.PositiveIntegerField(default=1)

    # Derived from the columns above by ledger.rules.slots, written by the same verb
    slot = models.CharField(max_length=500, blank=True)
    dedup = models.CharField(max_length=64)
    # Hashes by which its like is found (ledger.language.nearness); made anew with what they are made of, never journalled.
    near = ArrayField(models.BigIntegerField(), default=list, blank=True, editable=False)

    # Hashes of what it speaks of, by which what contradicts it is found (ledger.language.contradiction); made anew as `near` is.
    # Empty for a kind marked many: any number of its claims hold at once.
    subjects = ArrayField(models.BigIntegerField(), default=list, blank=True, editable=False)

    # Origin, frozen
    run = models.ForeignKey("ledger.Run", models.PROTECT, null=True, blank=True, related_name="claims")
    rule = models.CharField(max_length=60, blank=True)
    extractor = models.CharField(max_length=60, blank=True)
    extractor_version = models.CharField(max_length=90, blank=True)
    hand_authored = models.BooleanField(default=False)
    proposed = models.JSONField()
    summary = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    # Counters and ranks: outside undo and replay
    confidence = models.FloatField(default=0)
    rank = models.FloatField(default=0)
    seen_count = models.PositiveIntegerField(default=1)
    last_seen_at = models.DateTimeField(auto_now_add=True)

    # When its turn comes in the queue. The first source it was found in keeps neighbours together; `contested` (something
    # else holds on its slot) is written by `ledger.actions.ordering`, `crowded` (it stands behind better ones of its rule and
    # source) when it is proposed.
    first_source = models.BigIntegerField(default=0, db_default=0, editable=False)
    contested = models.BooleanField(default=False, db_default=False, editable=False)
    crowded = models.BooleanField(default=False, db_default=False, editable=False)
    turn = models.GeneratedField(
        expression=Case(
            When(contested=True, high_risk=True, then=Value(0)),
            When(contested=True, rank__gte=WEAK, then=Value(1)),
            When(high_risk=True, then=Value(2)),
            When(contested=True, then=Value(3)),
            When(crowded=True, then=Value(TURN_CROWDED)),
            When(rank__gte=STRONG, then=Value(4)),
            When(rank__gte=WEAK, then=Value(5)),
            default=Value(TURN_WEAK),
        ),
        output_field=models.SmallIntegerField(),
        db_persist=True,
    )

    search = models.GeneratedField(
        expression=SearchVector("key", "topic", "subject", "statement", config="english"),
        output_field=SearchVectorField(),
        db_persist=True,
    )

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(status__in=Status.values), name="claim_status_known"),
            models.CheckConstraint(condition=Q(layer__in=Layer.values), name="claim_layer_known"),
            models.CheckConstraint(
                condition=Q(confidence__gte=0, confidence__lte=1), name="claim_confidence_between_0_and_1"
            ),
            models.CheckConstraint(
                # A claim superseded by a trusted value has no claim for a successor; its conflict tells.
                condition=~Q(status__in=["merged", "graduated"]) | Q(successor__isnull=False),
                name="claim_that_gave_way_names_its_successor",
            ),
            models.UniqueConstraint(
                fields=["scope", "dedup"],
                condition=Q(status__in=[str(s) for s in IN_QUEUE]),
                name="claim_waits_once",
            ),
            models.UniqueConstraint(fields=["scope", "dedup"], condition=Q(status="active"), name="claim_holds_once"),
        ]
        indexes = [
            # One partial index per order of the queue: a page is k probes, whatever the size of the table.
            models.Index(
                F("scope"), F("rank").desc(), F("id").desc(), name="queue_by_rank", condition=Q(status="pending")
            ),
            models.Index(
                F("scope"),
                F("kind"),
                F("rank").desc(),
                F("id").desc(),
                name="queue_by_kind",
                condition=Q(status="pending"),
            ),
            models.Index(F("scope"), F("id").asc(), name="queue_by_age", condition=Q(status="pending")),
            models.Index(
                F("scope"),
                F("high_risk").desc(),
                F("rank").desc(),
                F("id").desc(),
                name="queue_by_risk",
                condition=Q(status="pending"),
            ),
            models.Index(
                fields=["scope", "turn", "first_source", "id"], name="queue_best", condition=Q(status="pending")
            ),
            models.Index(
                fields=["scope", "kind", "turn", "first_source", "id"],
                name="queue_best_by_kind",
                condition=Q(status="pending"),
            ),
            models.Index(
                fields=["scope", "rule", "turn", "first_source", "id"],
                name="queue_best_by_rule",
                condition=Q(status="pending"),
            ),
            models.Index(
                fields=["scope", "turn", "first_source", "id"],
                name="queue_best_to_check",
                condition=Q(status="pending", needs_review=True),
            ),
            models.Index(
                fields=["scope", "slot"],
                name="claim_waits_on_slot",
                condition=Q(status__in=["pending", "deferred"]) & ~Q(slot=""),
            ),
            models.Index(fields=["scope", "confidence"], name="queue_by_confidence", condition=Q(status="pending")),
            models.Index(fields=["created_at"], name="claim_waits_since", condition=Q(status="pending")),
            models.Index(
                fields=["scope", "deferred_until", "id"], name="claim_snoozed", condition=Q(status="deferred")
            ),
            models.Index(F("scope"), F("status"), F("id").desc(), name="claim_by_status"),
            models.Index(
                fields=["scope", "slot"], name="claim_live_on_slot", condition=Q(status="active") & ~Q(slot="")
            ),
            models.Index(fields=["scope", "key"], name="claim_live_on_key", condition=Q(status="active") & ~Q(key="")),
            models.Index(fields=["scope", "kind", "id"], name="claim_live_by_kind", condition=Q(status="active")),
            models.Index(fields=["scope", "dedup"], name="claim_by_dedup"),
            models.Index(fields=["id"], name="claim_disputed", condition=Q(disputed=True)),
            models.Index(fields=["id"], name="claim_to_recheck", condition=Q(needs_recheck=True)),
            models.Index(fields=["deferred_until"], name="claim_to_wake", condition=Q(status="deferred")),
            models.Index(
                fields=["expires_at"], name="claim_to_expire", condition=Q(status="pending", expires_at__isnull=False)
            ),
            # Looked up by hash, many times a pass: what waits in a pending list would be read through each time.
            GinIndex(fields=["near"], name="claim_near", fastupdate=False),
            # Only what holds can be contradicted: what waits costs nothing here.
            GinIndex(fields=["subjects"], name="claim_live_by_subject", fastupdate=False, condition=Q(status="active")),
            # One GIN index answers full text and trigrams within a scope.
            GinIndex(
                F("scope"),
                F("search"),
                OpClass(F("statement"), name="gin_trgm_ops"),
                name="claim_search",
            ),
            GinIndex(
                F("scope"),
                Func(_WORDS, function="ledger_words_inside"),
                name="claim_search_inside",
                condition=Q(Regex(_WORDS, INSIDE)),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.ref} {self.statement[:80]}"

    @property
    def told(self) -> str:
        """The statement below what it is about, as it is read where nothing else says so."""
        return with_subject(self.statement, self.subject)


class CandidateManager(models.Manager["Candidate"]):
    def get_queryset(self) -> models.QuerySet["Candidate"]:
        return super().get_queryset().filter(promoted_at=None)


class Candidate(Claim):
    """The face of a claim nobody has countersigned yet."""

    objects: ClassVar[CandidateManager] = CandidateManager()

    class Meta:
        proxy = True


class EntityManager(models.Manager["Entity"]):
    def get_queryset(self) -> models.QuerySet["Entity"]:
        return super().get_queryset().filter(promoted_at__isnull=False)


class Entity(Claim):
    """The face of a claim that a person has countersigned."""

    objects: ClassVar[EntityManager] = EntityManager()

    class Meta:
        proxy = True
        verbose_name_plural = "entities"
