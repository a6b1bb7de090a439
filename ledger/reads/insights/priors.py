"""Priors as decisions suggest them, beside those in force. Nothing here changes one: an owner does (`set_prior`)."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ledger.packs import PackSet
from ledger.reads.insights.precision import RuleFigures
from ledger.rules.calibration import suggested_prior, wilson

# The classes of `[rules.priors]` by a rule's name or how it begins; names that packs give to their sentences begin as they like.
_CLASSES: Final = {
    "heading": "heading", "list": "list", "line": "label", "line.voted": "sentence", "value": "value", "episode": "value",
    "commitment": "commitment",
}  # fmt: skip
SENTENCE: Final = "sentence"
# Extractors whose score is a prior, times what the place in the text is worth; and those that give a rule's hits one score.
BY_CLASS: Final = frozenset({"rules", "episodes"})
FIXED: Final = frozenset({"discussion"})
# Rules of theirs whose hits are scored one by one.
SCORED: Final = "unlabelled."
DEFAULT: Final = 0.5
GATE: Final = 0.4


@dataclass(frozen=True, slots=True)
class PriorProposal:
    """One rule: the prior in force and where it is set (`scope`, `packs`, or `own`: the extractor's), what was decided of its
    proposals, the range of its precision (Wilson, 95 %), and what they suggest; None where too few were decided. `closes`:
    with it, none of this rule's hits would pass the extraction gate."""

    extractor: str
    rule: str
    current: float
    set_by: str
    promoted: int
    decided: int
    low: float
    high: float
    suggested: float | None
    closes: bool

    @property
    def differs(self) -> bool:
        """Whether there is anything to apply."""
        return self.suggested is not None and abs(self.suggested - self.current) >= 0.005


def class_of(rule: str) -> str:
    """The class whose prior a rule has: `line.label` → label."""
    return _CLASSES.get(rule, _CLASSES.get(rule.partition(".")[0], SENTENCE))


def proposed_priors(rules: Sequence[RuleFigures], packs: PackSet, *, own: dict[str, float]) -> list[PriorProposal]:
    """By extractor and rule over all versions, most decided first, for extractors that have priors at all. `packs` are those
    in force at a scope, `own` what the scope itself sets."""
    sums: dict[tuple[str, str], list[RuleFigures]] = defaultdict(list)
    for one in rules:
        if one.extractor in BY_CLASS | FIXED and not one.rule.startswith(SCORED):
            sums[one.extractor, one.rule].append(one)
    found = [_proposal(extractor, rule, group, packs, own) for (extractor, rule), group in sums.items()]
    return sorted(found, key=lambda one: (-one.decided, one.extractor, one.rule))


def _proposal(
    extractor: str, rule: str, group: Sequence[RuleFigures], packs: PackSet, own: dict[str, float]
) -> PriorProposal:
    promoted, decided = sum(one.promoted for one in group), sum(one.decided for one in group)
    if rule in packs.priors:
        current, set_by = packs.priors[rule], "scope" if rule in own else "a scope above"
    elif extractor in BY_CLASS:
        current, set_by = float(packs.setting("rules.priors", class_of(rule), DEFAULT)), "packs"
    else:
        current, set_by = sum(one.mean_confidence * one.decided for one in group) / decided, "extractor"
    suggested = suggested_prior(current, promoted, decided)
    gate = float(packs.setting("gates", "rules" if extractor in BY_CLASS else extractor, GATE))
    closes = suggested is not None and suggested < gate
    return PriorProposal(
        extractor, rule, round(current, 3), set_by, promoted, decided, *wilson(promoted, decided), suggested, closes
    )
