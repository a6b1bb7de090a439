"""Fit the tripwire's weights: logistic regression over what is seen, with the thread's boosts as given offsets.

`uv run python -m tests.extraction.tripwire.fit` fits on `tune`, and prints what that comes to on `held`; `--all --write`
fits on both and puts the weights into the pack. Words are not fitted: they are the language's.
"""

import argparse
import json
import tomllib
from collections.abc import Sequence
from dataclasses import replace
from math import exp, log
from pathlib import Path
from typing import Any

from extraction.tripwire import Tripwire
from extraction.tripwire.compiled import SEEN
from extraction.tripwire.scoring import _said, features, judge, people_of
from tests.extraction.tripwire.families import Line, lines

PACK = Path(__file__).parents[3] / "ledger" / "packs" / "household.toml"
ROUNDS = 3
# Only together with what is said: our threads are denser than a day of a family's, and this alone would learn that.
NEVER_ALONE = {"lately"}
# What is known of the language beforehand: the weights that the fit moves away from only where the messages say so.
PRIORS: dict[str, float] = json.loads((Path(__file__).parent / "priors.json").read_text(encoding="utf-8"))


def predict(tripwire: Tripwire, rows: Sequence[Line]) -> list[tuple[dict[str, str], Any, bool]]:
    """For each row what is seen, its words, and whether it passes; the thread's own messages pass as they would."""
    from extraction.tripwire.scoring import score

    answers = []
    for row in rows:
        known = people_of(row.people)
        window = [
            m
            for m in row.before
            if (row.message.sent_at - m.sent_at).total_seconds() <= tripwire.context.question_seconds
        ][-8:]
        told: list[Any] = []
        for at, one in enumerate(window):
            said = _said(tripwire, one.text, known)
            told.append((one, said, judge(tripwire, features(tripwire, one, said, told[:at], known), said).passed))
        said = _said(tripwire, row.message.text, known)
        seen = features(tripwire, row.message, said, told, known)
        answers.append((seen, said, score(tripwire, row.message, row.before, row.people).passed))
    return answers


def fit(
    tripwire: Tripwire,
    rows: Sequence[Line],
    pairs: Sequence[tuple[str, str]],
    *,
    penalty: float,
    steps: int = 300,
    recall: float = 1.0,
) -> Tripwire:
    for _ in range(ROUNDS):
        tripwire = _fit_once(tripwire, rows, pairs, penalty, steps, recall)
    return tripwire


def _fit_once(
    tripwire: Tripwire,
    rows: Sequence[Line],
    pairs: Sequence[tuple[str, str]],
    penalty: float,
    steps: int,
    recall: float,
) -> Tripwire:
    context = tripwire.context
    data = []
    for row, (seen, said, _) in zip(rows, predict(tripwire, rows), strict=True):
        boost = 0.0
        names = set(seen)
        if "thread" in seen:
            boost = context.boost + (context.short_boost if said.words <= context.short_words else 0)
            names -= tripwire.noise
        bar = 0.7 - boost
        active = [name for name in names - NEVER_ALONE if name in tripwire.weights]
        active += ["+".join(pair) for pair in pairs if pair[0] in seen and pair[1] in seen]
        data.append((active, -log(bar / (1 - bar)), 1.0 if row.coordinates else 0.0))
    weights: dict[str, float] = {"": tripwire.base, **PRIORS}
    mean: dict[str, float] = {}
    square: dict[str, float] = {}
    for step in range(1, steps + 1):
        slope: dict[str, float] = {}
        for active, offset, gold in data:
            z = weights[""] + sum(weights.get(name, 0.0) for name in active) + offset
            error = (1 / (1 + exp(-max(-30, min(30, z)))) - gold) * (recall if gold else 1.0)
            slope[""] = slope.get("", 0.0) + error
            for name in active:
                slope[name] = slope.get(name, 0.0) + error
        for name, value in slope.items():
            g = value + (
                penalty * (2 if "+" in name else 1) * (weights.get(name, 0.0) - PRIORS.get(name, 0.0)) if name else 0
            )
            mean[name] = 0.9 * mean.get(name, 0) + 0.1 * g
            square[name] = 0.99 * square.get(name, 0) + 0.01 * g * g
            move = 0.1 * (mean[name] / (1 - 0.9**step)) / ((square[name] / (1 - 0.99**step)) ** 0.5 + 1e-8)
            weights[name] = weights.get(name, 0.0) - move * (1 if step < 200 else 0.2)
    single = {
        name: round(weight, 2)
        for name, weight in weights.items()
        if name and "+" not in name and name in tripwire.weights | dict.fromkeys(SEEN)
    }
    together = tuple(
        (*name.split("+"), round(weight, 2)) for name, weight in weights.items() if tuple(name.split("+")) in pairs
    )
    return replace(
        tripwire, base=round(weights[""], 2), weights=dict.fromkeys(tripwire.weights, 0.0) | single, pairs=together
    )


def figures(tripwire: Tripwire, rows: Sequence[Line]) -> tuple[float, float, list[tuple[Line, bool]]]:
    """Precision, recall, and the rows that were judged wrongly."""
    passed = [one[2] for one in predict(tripwire, rows)]
    right = sum(row.coordinates and said for row, said in zip(rows, passed, strict=True))
    wrong = [(row, said) for row, said in zip(rows, passed, strict=True) if said != row.coordinates]
    return right / max(1, sum(passed)), right / max(1, sum(row.coordinates for row in rows)), wrong


def compiled() -> Tripwire:
    tripwire = Tripwire.from_packs([tomllib.loads(PACK.read_text(encoding="utf-8"))])
    assert tripwire is not None
    return tripwire


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--penalty", type=float, default=1.0)
    parser.add_argument(
        "--recall", type=float, default=1.0, help="how much a missed message costs beside a false alarm"
    )
    parser.add_argument("--all", action="store_true", help="fit on both halves")
    parser.add_argument("--write", action="store_true", help="put the weights into the pack")
    parser.add_argument("--wrong", action="store_true")
    given = parser.parse_args()
    start = compiled()
    tune, held = list(lines("tune")), list(lines("held"))
    pairs = [tuple(pair["of"]) for pair in tomllib.loads(PACK.read_text(encoding="utf-8"))["tripwire"]["pairs"]]
    fitted = fit(start, tune + held if given.all else tune, pairs, penalty=given.penalty, recall=given.recall)
    for name, rows in (("tune", tune), ("held", held)):
        precision, recall, wrong = figures(fitted, rows)
        print(f"{name}: {len(rows)} messages, precision {precision:.3f}, recall {recall:.3f}")
        for row, said in wrong if given.wrong else ():
            print(f"   {'said' if said else 'left'} {row.gold} {row.thread} {row.message.sender}: {row.message.text}")
    if given.write:
        PACK.write_text(written(PACK.read_text(encoding="utf-8"), fitted), encoding="utf-8")


def written(text: str, tripwire: Tripwire) -> str:
    """The pack's text with these weights, all else as it was."""
    of = ""
    lines_: list[str] = []
    weights = dict(tripwire.weights) | {f"{one}+{other}": weight for one, other, weight in tripwire.pairs}
    for line in text.splitlines():
        if line.startswith("["):
            of = "?" if line in ("[[tripwire.groups]]", "[[tripwire.pairs]]") else ""
        elif of == "?" and line.startswith(("name = ", "of = ")):
            value = tomllib.loads(line)
            of = value["name"] if "name" in value else "+".join(value["of"])
        elif of and line.startswith("weight = "):
            line = f"weight = {weights.get(of, 0.0)}"
        elif line.startswith("base = "):
            line = f"base = {tripwire.base}"
        lines_.append(line)
    return "\n".join(lines_) + "\n"


if __name__ == "__main__":
    main()
