"""How good the extractors are: against labelled texts over time, and by what reviewers decide of their proposals."""

from collections import defaultdict
from dataclasses import dataclass
from typing import Final

from django.db.models import Count, Q

from ledger.models import Claim, Evaluation
from ledger.reads.scopes import visible
from ledger.rules.permissions import Access
from ledger.rules.proportion import wilson

# Where a proposal stands that somebody promoted; merged ones joined another and say nothing of their rule.
PROMOTED: Final = ("active", "superseded", "archived", "graduated")
MOST_RULES: Final = 200
MOST_KEPT: Final = 2000
SHOWN_RUNS: Final = 30


@dataclass(frozen=True, slots=True)
class RuleFigures:
    """What reviewers made of one rule's proposals under one version. `low` and `high` bound its precision (Wilson, 95 %)."""

    rule: str
    extractor: str
    version: str
    promoted: int
    rejected: int
    low: float
    high: float

    @property
    def decided(self) -> int:
        """How many were promoted or rejected."""
        return self.promoted + self.rejected

    @property
    def precision(self) -> float:
        """Promoted of decided."""
        return self.promoted / self.decided


def precision_by_rule(access: Access, *, root: str | None = None) -> list[RuleFigures]:
    """By rule and extractor version, most decided first, of the scopes in sight (or those at and under `root`). One query."""
    decided = Claim.objects.filter(
        scope__in=visible(access, root=root), status__in=(*PROMOTED, "rejected"), hand_authored=False
    )
    rows = (
        decided.exclude(rule="")
        .order_by()
        .values("rule", "extractor", "extractor_version")
        .annotate(
            promoted=Count("pk", filter=Q(status__in=PROMOTED)), rejected=Count("pk", filter=Q(status="rejected"))
        )
        .order_by("-promoted", "rule", "extractor_version")[:MOST_RULES]
    )
    found = []
    for row in rows:
        low, high = wilson(row["promoted"], row["promoted"] + row["rejected"])
        version = row["extractor_version"]
        found.append(RuleFigures(row["rule"], row["extractor"], version, row["promoted"], row["rejected"], low, high))
    return sorted(found, key=lambda one: (-one.decided, one.rule, one.version))


@dataclass(frozen=True, slots=True)
class Series:
    """One measure of one file over time, oldest first."""

    gold: str
    measure: str
    kept: tuple[Evaluation, ...]

    @property
    def latest(self) -> Evaluation:
        """The newest."""
        return self.kept[-1]

    @property
    def change(self) -> float | None:
        """What F1 gained since the one before; None for the first."""
        if len(self.kept) < 2:
            return None
        return float(self.kept[-1].figures["f1"]) - float(self.kept[-2].figures["f1"])


def evaluations_over_time() -> list[Series]:
    """Every measure that was kept, by file and name, each with its last runs. They belong to no scope: whoever is signed in may
    see them. One query."""
    series: dict[tuple[str, str], list[Evaluation]] = defaultdict(list)
    for one in Evaluation.objects.order_by("-pk")[:MOST_KEPT]:
        series[one.gold, one.measure].append(one)
    return [
        Series(gold, measure, tuple(reversed(kept[:SHOWN_RUNS]))) for (gold, measure), kept in sorted(series.items())
    ]
