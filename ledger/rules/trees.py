"""Regression trees, and the packed files that what was learnt stands in: JSON under gzip, so small and quick to load."""

import gzip
import json
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from operator import and_
from pathlib import Path
from typing import Any

# A leaf, or: the place of a number, a bound, what holds up to it, what holds above.
type Tree = float | list[Any]
MAX_SMALL = 8


@dataclass(frozen=True, eq=False)
class Forest:
    """The leaves that a row of numbers comes to add up to log-odds."""

    trees: Sequence[Tree] = ()

    def odds(self, numbers: Sequence[float]) -> float:
        total = 0.0
        for node in self.trees:
            while isinstance(node, list):
                node = node[2] if numbers[node[0]] <= node[1] else node[3]
            total += node
        return total


class SmallForest:
    """The same of trees with at most eight leaves, quick over many rows (Lucchese et al. 2015, QuickScorer).

    A byte stands for each tree and a bit for each leaf, from the left. What a number is above of takes away the leaves below a
    bound; the lowest bit left in a byte is where its tree ends.
    """

    def __init__(self, trees: Sequence[Tree]) -> None:
        self._leaves = [_by_byte(tree) for tree in trees]
        full = (1 << 8 * len(trees)) - 1
        kept: defaultdict[int, list[tuple[float, int]]] = defaultdict(list)
        for at, tree in enumerate(trees):
            for place, bound, lost in _cuts(tree, 0):
                kept[place].append((bound, full ^ lost << 8 * at))
        self._bounds: list[tuple[int, list[float], list[int]]] = []
        for place, cuts in kept.items():
            cuts.sort()
            masks = accumulate((mask for _, mask in cuts), and_, initial=full)
            self._bounds.append((place, [bound for bound, _ in cuts], list(masks)))
        self._full = full

    def odds(self, numbers: Sequence[float]) -> float:
        left = self._full
        for place, bounds, masks in self._bounds:
            left &= masks[bisect_left(bounds, numbers[place])]
        total = 0.0
        for leaves, byte in zip(self._leaves, left.to_bytes(len(self._leaves), "little"), strict=True):
            total += leaves[byte]
        return total


def _by_byte(tree: Tree) -> list[float]:
    """The leaf of each byte: that of its lowest bit."""
    leaves = _leaves(tree)
    if len(leaves) > MAX_SMALL:
        raise ValueError(f"a tree has {len(leaves)} leaves, not at most {MAX_SMALL}")
    leaves += [0.0] * (MAX_SMALL - len(leaves))
    return [leaves[(byte & -byte).bit_length() - 1] for byte in range(1 << MAX_SMALL)]


def _leaves(tree: Tree) -> list[float]:
    return [*_leaves(tree[2]), *_leaves(tree[3])] if isinstance(tree, list) else [tree]


def _cuts(tree: Tree, first: int) -> Iterator[tuple[int, float, int]]:
    """Of each fork the place, the bound, and as bits the leaves up to it; the leaves are counted from `first`."""
    if isinstance(tree, list):
        place, bound, below, above = tree
        middle = first + len(_leaves(below))
        yield place, bound, (1 << middle) - (1 << first)
        yield from _cuts(below, first)
        yield from _cuts(above, middle)


def read_learnt(path: Path) -> Any:
    return json.loads(gzip.decompress(path.read_bytes()))


def write_learnt(path: Path, content: Any) -> None:
    """Equal contents make equal bytes."""
    data = json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()
    path.write_bytes(gzip.compress(data, mtime=0))
