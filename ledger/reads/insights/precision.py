"""How good the extractors are: against labelled texts over time, and by what reviewers decide of their proposals."""

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from ledger.models import Evaluation
from ledger.reads.insights.sampling import rows_in_sight
from ledger.rules.calibration import BINS, Bin, binned, wilson
from ledger.rules.permissions import Access

# Where a proposal stands that somebody promoted; merged ones joined another and say nothing of their rule.
PROMOTED: Final = ("active", "superseded", "archived", "graduated")
MAX_DECISIONS: Final = 10_000
MAX_ROWS: Final = 5_000
MAX_KEPT: Final = 2000
MAX_SHOWN: Final = 30
ALWAYS: Final = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)

# The decided claims of the newest decisions in the period, each once, as they stand now: what was undone or taken back says
# nothing. Confidence falls into classes as `ledger.rules.calibration` cuts them.
_DECIDED = """
    WITH v AS MATERIALIZED ({scopes}), done AS MATERIALIZED (
        SELECT e.ref FROM v CROSS JOIN LATERAL (
            SELECT ref, at FROM ledger_journalevent
            WHERE scope_id = v.id AND verb IN ('promote', 'reject') AND at >= %(since)s AND actor_kind = 'human'
            ORDER BY at DESC LIMIT %(most)s) e
        ORDER BY e.at DESC LIMIT %(most)s)
    SELECT c.extractor, c.extractor_version, c.rule, least(width_bucket(c.confidence, 0, 1, %(bins)s), %(bins)s) AS bin,
           count(*) FILTER (WHERE c.status = ANY (%(promoted)s)), count(*) FILTER (WHERE c.status = 'rejected'),
           sum(c.confidence), (SELECT count(*) FROM done)
    FROM (SELECT DISTINCT ref FROM done) d JOIN ledger_claim c ON c.ref = d.ref
    WHERE (c.status = ANY (%(promoted)s) OR c.status = 'rejected') AND NOT c.hand_authored AND c.rule <> ''
      AND c.scope_id IN (SELECT id FROM v)
    GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4 LIMIT %(rows)s
"""


@dataclass(frozen=True, slots=True)
class RuleFigures:
    """What reviewers made of one rule's proposals under one version. `low` and `high` bound its precision (Wilson, 95 %);
    `mean_confidence` is the mean of what the extractor gave them."""

    rule: str
    extractor: str
    version: str
    promoted: int
    rejected: int
    low: float
    high: float
    mean_confidence: float = 0

    @property
    def decided(self) -> int:
        """How many were promoted or rejected."""
        return self.promoted + self.rejected

    @property
    def precision(self) -> float:
        """Promoted of decided."""
        return self.promoted / self.decided


@dataclass(frozen=True, slots=True)
class Calibration:
    """One extractor's confidences against decisions. They are its own: another's are never mixed in (law 6)."""

    extractor: str
    bins: tuple[Bin, ...]
    error: float

    @property
    def decided(self) -> int:
        """How many decisions it rests on."""
        return sum(one.count for one in self.bins)


@dataclass(frozen=True, slots=True)
class DecisionFigures:
    """The decisions of a period by rule, most decided first, and by extractor. `more` where only the newest were counted."""

    rules: list[RuleFigures]
    calibrations: list[Calibration]
    more: bool


def decision_figures(access: Access, *, root: str | None = None, since: dt.datetime = ALWAYS) -> DecisionFigures:
    """What was promoted and rejected since then in the scopes in sight (or those at and under `root`), and still stands. One
    query over the newest `MAX_DECISIONS` decisions."""
    rows = rows_in_sight(
        _DECIDED, access, root, since=since, most=MAX_DECISIONS, promoted=list(PROMOTED), rows=MAX_ROWS, bins=BINS
    )
    read = rows[0][-1] if rows else 0
    return DecisionFigures(_by_rule(rows), _by_extractor(rows), read >= MAX_DECISIONS)


def _by_rule(rows: Iterable[tuple[Any, ...]]) -> list[RuleFigures]:
    sums: dict[tuple[str, str, str], list[float]] = defaultdict(lambda: [0, 0, 0.0])
    for extractor, version, rule, _, promoted, rejected, confidence, _ in rows:
        kept = sums[rule, extractor, version]
        kept[0] += promoted
        kept[1] += rejected
        kept[2] += confidence
    found = [
        RuleFigures(*name, int(yes), int(no), *wilson(int(yes), int(yes + no)), total / (yes + no))
        for name, (yes, no, total) in sums.items()
    ]
    return sorted(found, key=lambda one: (-one.decided, one.rule, one.version))


def _by_extractor(rows: Iterable[tuple[Any, ...]]) -> list[Calibration]:
    sums: dict[str, dict[int, tuple[int, int, float]]] = defaultdict(dict)
    for extractor, _, _, place, promoted, rejected, confidence, _ in rows:
        count, right, total = sums[extractor].get(place - 1, (0, 0, 0.0))
        sums[extractor][place - 1] = (count + promoted + rejected, right + promoted, total + confidence)
    found = [Calibration(name, *binned(places)) for name, places in sums.items()]
    return sorted(found, key=lambda one: (-one.decided, one.extractor))


@dataclass(frozen=True, slots=True)
class EvaluationSeries:
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


def evaluations_over_time() -> list[EvaluationSeries]:
    """Every measure that was kept, by file and name, each with its last runs. They belong to no scope: whoever is signed in may
    see them. One query."""
    series: dict[tuple[str, str], list[Evaluation]] = defaultdict(list)
    for one in Evaluation.objects.order_by("-pk")[:MAX_KEPT]:
        series[one.gold, one.measure].append(one)
    return [
        EvaluationSeries(gold, measure, tuple(reversed(kept[:MAX_SHOWN])))
        for (gold, measure), kept in sorted(series.items())
    ]
