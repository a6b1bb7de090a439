"""Learn which message an answer goes back to (`extraction/coordination/openings.json`) from the labelled threads beside this file.

    uv run --with numpy --with scipy python -m tests.extraction.coordination.fit [--write]

Prints how often the marked message is found among the answers that are read as such, each family left out in turn. The families
`blind_*` are never learnt from.
"""

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy
from scipy.optimize import minimize

from extraction.coordination import openings
from extraction.coordination.frames import Frame
from extraction.coordination.openings import Features, candidates, compared
from extraction.coordination.reading import ThreadReader
from tests.extraction.coordination.chat import THREADS, labelled

STRENGTH = 0.5
_OUT = Path(openings.__file__).with_name("openings.json")


class _Watching(ThreadReader):
    """Keeps what the choice was made from, by the words of the answer."""

    def _attributed(self, frame: Any, heard: Any, replied: Any, chances: Any) -> Any:
        places = candidates(self.thread)
        SEEN[id(frame)] = (frame, places, compared(frame, places, heard, self.thread, chances))
        return super()._attributed(frame, heard, replied, chances)


# The frame is kept too, so that its id stays its own.
SEEN: dict[int, tuple[Frame, list[int], list[Features]]] = {}


def rows() -> dict[str, list[tuple[int, list[Features]]]]:
    """For each family its answers: the place of the marked line among the features (the last: none)."""
    found: dict[str, list[tuple[int, list[Features]]]] = {}
    for path in sorted(THREADS.glob("*.txt")):
        if path.stem.startswith("blind"):
            continue
        for watched in (True, False):
            for line in labelled(path, watched=watched, reader=_Watching):
                if line.who and id(line.frame) in SEEN:
                    _, places, features = SEEN[id(line.frame)]
                    if line.source is not None and line.source not in places:
                        continue
                    at = len(places) if line.source is None else places.index(line.source)
                    found.setdefault(path.stem, []).append((at, features))
    return found


def fit(sample: Sequence[tuple[int, list[Features]]]) -> dict[str, float]:
    names = {name: at for at, name in enumerate(sorted({n for _, some in sample for one in some for n, _ in one}))}
    tables = []
    for at, some in sample:
        table = numpy.zeros((len(some), len(names)))
        for row, one in enumerate(some):
            for name, amount in one:
                table[row, names[name]] += amount
        tables.append((at, table))

    def loss(weights: Any) -> Any:
        total, slope = STRENGTH * weights @ weights, 2 * STRENGTH * weights
        for at, table in tables:
            scores = table @ weights
            scores -= scores.max()
            chance = numpy.exp(scores) / numpy.exp(scores).sum()
            total -= numpy.log(chance[at] + 1e-12)
            slope += table.T @ chance - table[at]
        return total, slope

    weights = minimize(loss, numpy.zeros(len(names)), jac=True, method="L-BFGS-B").x
    return {name: round(float(weights[at]), 3) for name, at in names.items() if abs(weights[at]) >= 0.001}


def right(sample: Sequence[tuple[int, list[Features]]], weights: Mapping[str, float]) -> int:
    def best(some: list[Features]) -> int:
        return max(range(len(some)), key=lambda at: sum(weights.get(name, 0.0) * amount for name, amount in some[at]))

    return sum(best(some) == at for at, some in sample)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true")
    chosen = parser.parse_args()
    families = rows()
    whole = sum(len(one) for one in families.values())
    unseen = sum(
        right(one, fit([row for other, some in families.items() if other != name for row in some]))
        for name, one in families.items()
    )
    weights = fit([row for some in families.values() for row in some])
    seen = sum(right(one, weights) for one in families.values())
    print(f"{whole} answers; unseen {unseen / whole:.3f}, seen {seen / whole:.3f}, {len(weights)} weights")
    if chosen.write:
        _OUT.write_text(json.dumps(weights, indent=1, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
