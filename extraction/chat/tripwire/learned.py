"""What was learnt from labelled chats: what a message says by itself, as six log-odds, and what they mean in its thread.

A file `NAME.json` beside this module, named by a pack's `[tripwire] learned`. `words` holds for each feature of a message
(`features_of`) one weight a head, in hundredths; `trees` are regression trees over the numbers of `numbers.py`, whose leaves
add up to the log-odds that the message coordinates. Fitted by `tests/extraction/chat/tripwire/fit.py`.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import log
from pathlib import Path
from typing import Any

# It coordinates; by itself; in its thread only; the next one does; somebody takes it on; it takes something on.
HEADS = ("coordinates", "alone", "in_thread", "next", "asked", "takes")
NUMBER, BEGIN, END = "0", "<", ">"
# Longer words count by their beginning too: German and Spanish bend the rest.
STEM = 4
# The score at which the trees' zero is put, with the thread's boosts as the shipped pack has them.
PASSES, BOOST, SHORT_BOOST = 0.7, 0.15, 0.20

# A leaf, or: the place of a number, a bound, what holds up to it, what holds above.
Tree = float | tuple[int, float, "Tree", "Tree"]


@dataclass(frozen=True, eq=False)
class Learned:
    """`groups` are those of the pack that the trees look at."""

    groups: tuple[str, ...]
    bias: tuple[float, ...]
    words: Mapping[str, tuple[int, ...]]
    trees: tuple[Tree, ...]

    def heads(self, features: Iterable[str]) -> tuple[float, ...]:
        """The six log-odds of a message by itself, in the order of `HEADS`."""
        sums = [0] * len(HEADS)
        for feature in features:
            weights = self.words.get(feature)
            if weights is not None:
                for at, weight in enumerate(weights):
                    sums[at] += weight
        return tuple(bias + total / 100 for bias, total in zip(self.bias, sums, strict=True))

    def odds(self, numbers: Sequence[float]) -> float:
        """The log-odds that a message with these numbers coordinates."""
        total = 0.0
        for node in self.trees:
            while node.__class__ is tuple:
                node = node[2] if numbers[node[0]] <= node[1] else node[3]
            total += node  # type: ignore[operator]
        return total


def features_of(met: Iterable[str], words: Sequence[str]) -> set[str]:
    """The features of a message: `g:` groups that it meets, `w:` words and signs, `b:` two that stand together, `s:` the
    beginnings of long words. `words` is folded, in their order, a name as {who}, a number as 0."""
    found = {"g:" + name for name in met}
    last = BEGIN
    for word in words:
        found.add("w:" + word)
        found.add(f"b:{last} {word}")
        if len(word) > STEM:
            found.add("s:" + word[:STEM])
        last = word
    found.add(f"b:{last} {END}")
    return found


def zero_at(thread: bool, short: bool) -> float:
    """Log-odds at which a message passes by its score alone, before the boosts of a thread are added."""
    bar = PASSES - (BOOST if thread else 0) - (SHORT_BOOST if thread and short else 0)
    return log(bar / (1 - bar))


@cache
def learned(name: str) -> Learned:
    """Raises LookupError where nothing of that name is shipped."""
    path = Path(__file__).with_name(f"{name}.json")
    if not name.isidentifier() or not path.is_file():
        raise LookupError(f"nothing learned is called {name!r}")
    return loaded(json.loads(path.read_text(encoding="utf-8")))


def loaded(data: Mapping[str, Any]) -> Learned:
    return Learned(
        tuple(data["groups"]),
        tuple(data["bias"]),
        {feature: tuple(weights) for feature, weights in data["words"].items()},
        tuple(_tree(node) for node in data["trees"]),
    )


def _tree(node: Any) -> Tree:
    if not isinstance(node, list):
        return float(node)
    at, bound, below, above = node
    return int(at), float(bound), _tree(below), _tree(above)
