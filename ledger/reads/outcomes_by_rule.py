"""What became of what passes found (C7): proposed, admitted, merged, superseded, archived, held back and dropped, by rule.

Derived: what was written are the claims of the runs, all else are the runs' hits. So it also tells what became of them since.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ledger.reads.sql import fetch_rows

COLUMNS = ("proposed", "admitted", "merged", "superseded", "archived", "held_back", "dropped", "notes")
# `runs` is a query of run ids. Claims that were admitted from a report stand among the claims and no longer among the hits.
CLAIMS = """
    SELECT c.rule, c.kind, c.status, c.extractor, c.extractor_version, count(*),
           count(*) FILTER (WHERE c.status = 'archived'), coalesce(sum(gone.n), 0)
      FROM ledger_claim c
      LEFT JOIN LATERAL (SELECT count(*) AS n FROM ledger_claim o WHERE o.successor_id = c.id AND o.status = 'superseded') gone
        ON true
     WHERE c.run_id IN ({runs}) GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
"""
# Reasons differ in numbers and refs, and are one reason.
HITS = """
    SELECT coalesce(h.hit ->> 'rule', ''), h.fate,
           regexp_replace(h.why, '[A-Z]{{2,6}}-\\d{{8}}-\\d+|\\d+(\\.\\d+)?', '…', 'g') AS reason, count(*)
      FROM ledger_runhit h WHERE h.run_id IN ({runs}) AND h.admitted_id IS NULL GROUP BY 1, 2, 3 ORDER BY 4 DESC, 1, 2, 3
"""


# In which column a hit stands that became no claim of its own, where that is not named like what became of it.
COLUMN_OF = {"duplicate": "merged", "note": "notes"}


@dataclass(slots=True)
class RuleOutcomes:
    """Figures of some runs. `rules` has a row of COLUMNS for each rule, `kinds`, `statuses` and `versions` count what was
    written, `reasons` what was not: (fate, reason, count), most frequent first."""

    total: dict[str, int] = field(default_factory=lambda: dict.fromkeys(COLUMNS, 0))
    rules: dict[str, dict[str, int]] = field(default_factory=dict)
    kinds: Counter[str] = field(default_factory=Counter)
    statuses: Counter[str] = field(default_factory=Counter)
    versions: Counter[str] = field(default_factory=Counter)
    reasons: list[tuple[str, str, int]] = field(default_factory=list)

    def add(self, rule: str, **figures: int) -> None:
        row = self.rules.setdefault(rule, dict.fromkeys(COLUMNS, 0))
        for name, figure in figures.items():
            row[name] += figure
            self.total[name] += figure

    def as_json(self) -> dict[str, Any]:
        return {
            **self.total,
            "by_rule": dict(sorted(self.rules.items())),
            "reasons": [{"fate": fate, "why": why, "count": count} for fate, why, count in self.reasons],
        }


def outcomes_of(runs: str, parameters: Sequence[Any]) -> RuleOutcomes:
    """Of the runs that the SQL `runs` selects; two statements."""
    outcomes = RuleOutcomes()
    written = fetch_rows(CLAIMS.format(runs=runs), parameters)
    for rule, kind, status, extractor, version, count, archived, superseded in written:
        outcomes.add(rule, proposed=count, admitted=count, archived=archived, superseded=int(superseded))
        outcomes.kinds[kind] += count
        outcomes.statuses[status] += count
        outcomes.versions[f"{extractor} {version}".strip()] += count
    reasons: Counter[tuple[str, str]] = Counter()
    for rule, outcome, why, count in fetch_rows(HITS.format(runs=runs), parameters):
        outcomes.add(rule, proposed=count, **{COLUMN_OF.get(outcome, outcome): count})
        reasons[outcome, why] += count
    ordered = sorted(reasons.items(), key=lambda item: (-item[1], item[0]))
    outcomes.reasons = [(*reason, count) for reason, count in ordered]
    return outcomes


def outcomes_of_run(run_id: int) -> RuleOutcomes:
    return outcomes_of("SELECT %s::bigint", [run_id])


def outcomes_of_source(source_id: int) -> RuleOutcomes:
    """Of all passes over one source: the ledger of an episode."""
    return outcomes_of("SELECT id FROM ledger_run WHERE source_id = %s", [source_id])
