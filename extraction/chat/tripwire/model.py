"""What was learnt from labelled chats: what a message says by itself, as six log-odds, and what they mean in its thread.

A file `NAME.json.gz` beside this module, named by a pack's `[tripwire] learned`. `features` names what a message may show
(`features_of`), one a line; `weights` holds a column for each head, in hundredths; `trees` are regression trees over the
numbers of `thread_features.py`, which tell the log-odds that the message coordinates. Fitted by `extraction/training/tripwire.py`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from math import log
from pathlib import Path
from typing import Any

from ledger.rules.trees import Forest, read_learnt

# It coordinates; by itself; in its thread only; the next one does; somebody takes it on; it takes something on.
HEADS = ("coordinates", "alone", "in_thread", "next", "asked", "takes")
NUMBER, BEGIN, END = "0", "<", ">"
# Longer words count by their beginning too: German and Spanish bend the rest.
STEM = 4
# The score at which the trees' zero is put, with the thread's boosts as the shipped pack has them.
PASSES, BOOST, SHORT_BOOST = 0.7, 0.15, 0.20


@dataclass(frozen=True, eq=False)
class TripwireModel:
    """`groups` are those of the pack that the trees look at."""

    groups: tuple[str, ...]
    bias: tuple[float, ...]
    words: Mapping[str, tuple[int, ...]]
    forest: Forest

    def __bool__(self) -> bool:
        return bool(self.bias)

    def heads(self, features: Iterable[str]) -> tuple[float, ...]:
        """The six log-odds of a message by itself, in the order of `HEADS`; none where nothing was learnt."""
        known = [weights for feature in features if (weights := self.words.get(feature))]
        totals = map(sum, zip((0,) * len(self.bias), *known, strict=True))
        return tuple(bias + total / 100 for bias, total in zip(self.bias, totals, strict=True))

    def odds(self, numbers: Sequence[float]) -> float:
        """The log-odds that a message with these numbers coordinates."""
        return self.forest.odds(numbers)


NOTHING_LEARNT = TripwireModel((), (), {}, Forest())


def features_of(met: Iterable[str], words: Sequence[str]) -> set[str]:
    """The features of a message: `g:` groups that it meets, `w:` words and signs, `b:` two that stand together, `s:` the
    beginnings of long words. `words` is folded, in their order, a name as {who}, a number as 0."""
    return {
        *(f"g:{name}" for name in met),
        *(f"w:{word}" for word in words),
        *(f"b:{first} {second}" for first, second in pairwise([BEGIN, *words, END])),
        *(f"s:{word[:STEM]}" for word in words if len(word) > STEM),
    }


def zero_at(thread: bool, short: bool) -> float:
    """Log-odds at which a message passes by its score alone, before the boosts of a thread are added."""
    bar = PASSES - BOOST * thread - SHORT_BOOST * (thread and short)
    return log(bar / (1 - bar))


@cache
def shipped_model(name: str) -> TripwireModel:
    """Raises LookupError where nothing of that name is shipped."""
    path = Path(__file__).with_name(f"{name}.json.gz")
    if not name.isidentifier() or not path.is_file():
        raise LookupError(f"nothing learned is called {name!r}")
    return unpacked(read_learnt(path))


def unpacked(content: Mapping[str, Any]) -> TripwireModel:
    words = dict(zip(content["features"].split("\n"), zip(*content["weights"], strict=True), strict=True))
    return TripwireModel(tuple(content["groups"]), tuple(content["bias"]), words, Forest(content["trees"]))


def packed(model: TripwireModel) -> dict[str, Any]:
    """What `unpacked` reads."""
    names = sorted(model.words)
    return {
        "groups": model.groups,
        "bias": model.bias,
        "features": "\n".join(names),
        "weights": list(zip(*(model.words[name] for name in names), strict=True)),
        "trees": model.forest.trees,
    }
