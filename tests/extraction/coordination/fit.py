"""Learn who takes something on in answer to which line (`extraction/coordination/taking.json`) from the threads beside this file.

    uv run --with numpy --with scipy python -m tests.extraction.coordination.fit [--write]

Prints how the reader does with each file left out in turn: right assignees and right lines of what was marked, and how many other
lines are read as taking something on, behind the tripwire, behind one that makes no mistake, and without any. `--write` writes the
weights of all. The files `blind_*` and every second family of `more6_*` to `more9_*` are never learnt from.
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

from extraction.coordination import taking
from extraction.coordination.reading import ThreadReader
from extraction.coordination.taking import Taken
from extraction.coordination.weighing import NOTHING, Features, Option, options
from tests.extraction.coordination.chat import THREADS, Line, told

# Each line is learnt from as it is read behind the tripwire, behind one that makes no mistake, and without any.
WAYS: Mapping[str, Mapping[str, bool]] = {
    "tripwire": {"watched": True}, "marks": {"watched": True, "marks": True}, "none": {}
}  # fmt: skip
STRENGTH = 4.0
SEEN_OFTEN = 3
# The newest are in the kind of a real family's chat; the lines that accept nothing are few.
WEIGHTS = {"more6": 2.0, "more7": 2.0, "more8": 2.0, "more9": 2.0, "tune_nothing": 3.0}
HALVED = ("more6", "more7", "more8", "more9")
# What is read rests on what was read before it, and so on the weights.
ROUNDS = 2
_OUT = Path(taking.__file__).with_name("taking.json")


@dataclass(frozen=True)
class Row:
    """A line that was weighed: its options, the place of the right one among them, how much it counts."""

    file: str
    found: Sequence[tuple[Option, Features]]
    right: int
    weight: float


class _Watching(ThreadReader):
    """Keeps what the choice was made from."""

    weighed: list[tuple[Option, Features]] | None = None

    def _weighed(self, *given: Any) -> Taken:
        own, shares, chances, explicit, sure = given
        SEEN[id(own), len(self.frames)] = list(options(own, shares, self.thread, chances, explicit, sure))
        return super()._weighed(*given)


SEEN: dict[tuple[int, int], list[tuple[Option, Features]]] = {}


def lines_of(path: Path, way: str, reader: type[ThreadReader] = ThreadReader) -> Iterable[Line]:
    """What may be learnt from of one file."""
    halved = path.stem.startswith(HALVED)
    return (line for line in told(path, reader=reader, **WAYS[way]) if not halved or line.family % 2)


def files() -> list[Path]:
    return [path for path in sorted(THREADS.glob("*.txt")) if not path.stem.startswith("blind")]


def rows_of(path: Path) -> list[Row]:
    weight = next((much for name, much in WEIGHTS.items() if path.stem.startswith(name)), 1.0)
    found = []
    for way in WAYS:
        for line in lines_of(path, way, _Watching):
            seen = SEEN.pop((id(line.frame.own), line.place), None)
            if seen is None or (line.who and line.source is None):
                continue
            right = [at for at, (option, _) in enumerate(seen) if _is_right(option, line)]
            if right:
                found.append(Row(path.stem, seen, right[0], weight))
    return found


def _is_right(option: Option, line: Line) -> bool:
    if not line.who:
        return option == NOTHING
    return {one.name for one in option.who} == line.who and option.at == line.source


def fit(rows: Sequence[Row]) -> dict[str, float]:
    """The weights under which the right options are likeliest, small ones preferred."""
    often = Counter(name for row in rows for name in {name for _, some in row.found for name, _ in some})
    names = {name: at for at, name in enumerate(sorted(name for name in often if often[name] >= SEEN_OFTEN))}
    places, amounts, ends, starts, right = [], [], [0], [0], []
    for row in rows:
        for _, some in row.found:
            known = [(names[name], amount) for name, amount in some if name in names]
            places += [place for place, _ in known]
            amounts += [amount for _, amount in known]
            ends.append(len(places))
        right.append(starts[-1] + row.right)
        starts.append(len(ends) - 1)
    table: Any = csr_matrix((amounts, places, ends), shape=(len(ends) - 1, len(names)))
    turned = table.T.tocsr()
    first, which = numpy.array(starts[:-1]), numpy.repeat(numpy.arange(len(rows)), numpy.diff(starts))
    counts = numpy.array([row.weight for row in rows])
    aim = numpy.zeros(len(ends) - 1)
    aim[right] = 1

    def loss(weights: Any) -> Any:
        scores = table @ weights
        most = numpy.maximum.reduceat(scores, first)
        parts = numpy.exp(scores - most[which])
        whole = numpy.add.reduceat(parts, first)
        total = STRENGTH * weights @ weights - counts @ (scores[right] - most - numpy.log(whole))
        return total, turned @ ((parts / whole[which] - aim) * counts[which]) + 2 * STRENGTH * weights

    found = minimize(loss, numpy.zeros(len(names)), jac=True, method="L-BFGS-B", options={"maxiter": 300}).x
    return {name: round(float(found[at]), 3) for name, at in names.items() if abs(found[at]) >= 0.005}


def use(weights: Mapping[str, float]) -> None:
    """Let the reader weigh by these."""
    taking.weights.cache_clear()
    known = taking.weights()
    known.clear()
    known |= weights


def tell(name: str, lines: Sequence[Line]) -> None:
    marked = [line for line in lines if line.who and line.source is not None]
    right = [line for line in marked if line.assignee_right]
    taken = [line for line in lines if not line.who and line.frame.status == "committed"]
    print(
        f"{name:20} {len(marked)} marked, {sum(not line.passed for line in marked)} of them stopped: "
        f"assignee {len(right) / len(marked):.3f}, {sum(not line.frame.guess for line in right) / len(marked):.3f} no guess, "
        f"line {sum(line.source_right for line in marked) / len(marked):.3f}; of {len(lines) - len(marked)} others "
        f"{len(taken)} taken on, {sum(not line.frame.guess for line in taken)} no guess"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true")
    chosen = parser.parse_args()
    for _ in range(ROUNDS):
        rows = [row for path in files() for row in rows_of(path)]
        weights = fit(rows)
        use(weights)
    print(f"{len(rows)} lines, {len(weights)} weights")
    if chosen.write:
        _OUT.write_text(json.dumps(weights, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    read: dict[tuple[str, str], list[Line]] = {}
    for path in files():
        use(fit([row for row in rows if row.file != path.stem]))
        for way in WAYS:
            for part in ("newest" if path.stem.startswith(HALVED) else "older",):
                read.setdefault((way, part), []).extend(lines_of(path, way))
    for (way, part), lines in sorted(read.items()):
        tell(f"{part}, {way}", lines)


if __name__ == "__main__":
    main()
