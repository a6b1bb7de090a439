"""What was learnt from strangers' texts that people marked: how much each thing that a sentence shows speaks for a decision, an
action or a constraint.

`weights.json.gz` holds the words that count by themselves, for each kind a bias and the chances from which on it is proposed, in
texts that label nothing and in those that do (2 where nothing is), and for each feature (`features_of`) its weights in hundredths,
in the order of the kinds. Fitted by `extraction/training/unlabelled.py`.
"""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache, cached_property
from math import exp
from operator import mul
from pathlib import Path
from typing import Any, Final

from extraction.extractors.unlabelled.features import FULL, KINDS, Feature, Sentence, features_of, shown_by
from ledger.rules.trees import read_learnt

WEIGHTS: Final = Path(__file__).with_name("weights.json.gz")
UNLABELLED_VERSION: Final = "2.1.0"
MAX_REASONS: Final = 8
# Sums of weights stay below half of this, on either side of nothing.
_STEP: Final = 1 << 24
_STEPS: Final = tuple(_STEP**at for at in range(len(KINDS)))
_MIDDLE: Final = sum(step * _STEP // 2 for step in _STEPS)


@dataclass(frozen=True, slots=True)
class Judgement:
    """`kind` is the most likely, `chance` how likely, `reasons` the features that spoke most for it, strongest first."""

    kind: str
    chance: float
    reasons: tuple[Feature, ...] = ()


@dataclass(frozen=True, eq=False)
class SentenceModel:
    """`bars` are the chances from which on each kind is proposed: of a text that labels nothing, and of one that does."""

    words: Set[str]
    bias: Sequence[float]
    bars: Sequence[Sequence[float]]
    weights: Mapping[Feature, Sequence[int]]

    def chances(self, sentence: Sentence) -> list[float]:
        """How likely each kind is, in the order of KINDS."""
        total, sums = _MIDDLE, self._sums
        for slot, shown in shown_by(sentence, self.words):
            total += sum(filter(None, map(sums[slot].get, shown)))
        odds = (total // step % _STEP - _STEP // 2 for step in _STEPS)
        return [1 / (1 + exp(-bias - one / 100)) for bias, one in zip(self.bias, odds, strict=True)]

    @cached_property
    def _sums(self) -> Mapping[str, Mapping[str | Feature, int]]:
        """As in `shown_by` the weights of each feature in one number, so that those of all kinds are added up at once."""
        found: dict[str, dict[str | Feature, int]] = {slot: {} for slot in ("", *FULL)}
        for name, row in self.weights.items():
            slot = name[0] if name[0] in FULL else ""
            shown = name if not slot else name[1] if len(name) == 2 else name[1:]
            found[slot][shown] = sum(map(mul, row, _STEPS))
        return found

    def judge(self, sentence: Sentence, *, labels: bool = False) -> Judgement | None:
        """What a sentence is, of a text that labels what it settles or of another; None where no kind passes its bar."""
        chances = self.chances(sentence)
        passing = [at for at, bar in enumerate(self.bars[labels]) if chances[at] >= bar]
        if not passing:
            return None
        at = max(passing, key=chances.__getitem__)
        weights = self.weights
        shown = (one for one in features_of(sentence, self.words) if one in weights and weights[one][at] > 0)
        reasons = sorted(shown, key=lambda one: (-weights[one][at], one))
        return Judgement(KINDS[at], chances[at], tuple(reasons[:MAX_REASONS]))


def unpacked(content: Mapping[str, Any]) -> SentenceModel:
    weights = {tuple(name.split(" ")): row for name, row in content["weights"].items()}
    return SentenceModel(frozenset(content["words"]), content["bias"], content["bars"], weights)


def packed(model: SentenceModel) -> dict[str, Any]:
    weights = {" ".join(one): row for one, row in sorted(model.weights.items())}
    return {"words": sorted(model.words), "bias": model.bias, "bars": model.bars, "weights": weights}


@cache
def shipped_model() -> SentenceModel:
    return unpacked(read_learnt(WEIGHTS))
