"""Regression trees, and the packed files that what was learnt stands in: JSON under gzip, so small and quick to load."""

import gzip
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

# A leaf, or: the place of a number, a bound, what holds up to it, what holds above.
type Tree = float | list[Any]


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


def read_learnt(path: Path) -> Any:
    return json.loads(gzip.decompress(path.read_bytes()))


def write_learnt(path: Path, content: Any) -> None:
    """Equal contents make equal bytes."""
    data = json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()
    path.write_bytes(gzip.compress(data, mtime=0))
