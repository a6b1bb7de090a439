"""Learn what the tripwire of households knows (`extraction/chat/tripwire/household.json.gz`) from our own labelled chats.

    uv run --with numpy --with scipy --with lightgbm python -m extraction.training.tripwire [--write]

Two steps. Six logistic regressions over a message's words give its heads: what it says by itself. Regression trees over the
heads of a message and of those before it, and over what is between them, tell whether it coordinates in its thread. Printed is
what each author's chats come to with heads and trees that saw nothing of that author. The trees learn from heads that had
not seen the message either, as it will be with a message of tomorrow. The chats among the tests are in no fit.
"""

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import groupby
from pathlib import Path
from typing import Any, cast

import lightgbm
import numpy as np
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

from extraction.chat.tripwire import Tripwire, model
from extraction.chat.tripwire.message_features import MessageFeatures, people_known
from extraction.chat.tripwire.model import HEADS, TripwireModel, packed
from extraction.chat.tripwire.scoring import JudgedWindow, window_of
from extraction.chat.tripwire.thread_features import numbers_of
from extraction.training.chats import LabelledLine, labelled_lines, training_chats
from extraction.training.readings import Judged, household_tripwire, precision_and_recall
from ledger.rules.trees import Forest, write_learnt

LEARNED = Path(model.__file__).with_name("household.json.gz")
FOLDS = 5
# How strongly a weight is held at nothing, by the kind of its feature.
PENALTY = {"g": 0.75, "w": 1.25, "b": 2.0, "s": 2.0}
SEEN_OFTEN = 3
# Hundredths: lighter features are left out.
LEAST = 5
# So many words at most has an answer that is put out of its place.
SHORT = 3
# Groups that are met less often are not looked at by the trees.
MET_OFTEN = 150
# The oldest chats hold twice as much coordination as a family's; they count less.
OLDER = 0.5
# Two forests, averaged, so that the seed decides less.
SEEDS = (7, 8)
ROUNDS = 250
TREES = {
    "objective": "binary", "learning_rate": 0.045, "num_leaves": 24, "min_data_in_leaf": 40, "feature_fraction": 0.4,
    "bagging_fraction": 0.7, "bagging_freq": 1, "lambda_l2": 10.0, "use_missing": False, "num_threads": 2,
    "deterministic": True, "force_row_wise": True, "verbose": -1,
}  # fmt: skip


def threads_of(rows: Iterable[LabelledLine]) -> list[list[LabelledLine]]:
    return [list(thread) for _, thread in groupby(rows, key=lambda row: row.thread)]


def out_of_place(said: Sequence[LabelledLine]) -> Iterator[LabelledLine]:
    """Short answers where nothing was asked: what coordinates only in its thread does not as the first words of a day, and
    not behind small talk. No chat of ours has many of them, and a "kk" must not pass by itself."""
    talk = [thread[:4] for thread in threads_of(said) if len(thread) > 3 and not any(row.coordinates for row in thread)]
    short = [row for row in said if row.gold == "c" and len(row.message.text.split()) <= SHORT]
    for number, row in enumerate(short):
        if number % 3 == 0:
            yield replace(row, before=(), gold="-", takes="", answers=0, moved_to=row.thread)
        elif number % 3 == 1:
            stood = talk[number % len(talk)]
            at = cast(datetime, stood[-1].message.sent_at) + timedelta(minutes=1)
            before = tuple(one.message for one in stood)
            yield replace(
                row, before=before, gold="-", takes="", answers=0, moved_to=stood[0].thread,
                message=replace(row.message, sent_at=at),
            )  # fmt: skip


class Sample:
    """All lines with what the program sees in them."""

    def __init__(self, tripwire: Tripwire, rows: Iterable[LabelledLine]) -> None:
        said = list(rows)
        self.lines = said + list(out_of_place(said))
        self.windows: list[JudgedWindow] = [
            window_of(tripwire, row.message, row.before, people_known(row.people)) for row in self.lines
        ]
        self.place = {(row.thread, row.number): at for at, row in enumerate(said)}
        self.gold = np.array([float(row.coordinates) for row in self.lines])
        self.weight = np.array([OLDER if row.author.startswith("old") or row.moved_to else 1.0 for row in self.lines])
        authors = sorted({row.author for row in self.lines})
        self.fold = np.array([authors.index(row.author) % FOLDS for row in self.lines])
        self.targets = self._targets()
        met = Counter(name for window in self.windows for name in window.this.features.groups)
        self.groups = tuple(sorted(name for name, count in met.items() if count >= MET_OFTEN))

    def _targets(self) -> list[Any]:
        """What each head is to tell, in the order of HEADS."""
        following = [self.place.get((row.stood_in, len(row.before) + 2)) for row in self.lines]
        asked = np.zeros(len(self.lines))
        for row in self.lines:
            if row.answers and row.gold != "-":
                asked[self.place[row.thread, row.answers]] = 1
        return [
            self.gold,
            np.array([float(row.gold == "+") for row in self.lines]),
            np.array([float(row.gold == "c") for row in self.lines]),
            np.array([self.gold[at] if at is not None else 0.0 for at in following]),
            asked,
            np.array([float(bool(row.takes)) for row in self.lines]),
        ]

    def numbers(self, heads: Any) -> Any:
        """The rows of numbers with these heads in place of those that the messages have."""
        out = []
        for at, window in enumerate(self.windows):
            before = window.before
            row = self.lines[at]
            told = [
                replace(one, features=_with(one.features, heads[self.place[row.stood_in, len(row.before) + 1 - back]]))
                for back, one in zip(range(len(before), 0, -1), before, strict=True)
            ]
            out.append(
                numbers_of(replace(window.this, features=_with(window.this.features, heads[at])), told, self.groups)
            )
        return np.array(out, dtype=float)


def _with(features: MessageFeatures, heads: Any) -> MessageFeatures:
    return replace(features, heads=tuple(heads))


def heads_from(sample: Sample, used: Any) -> TripwireModel:
    """The weights of words, without trees, from the lines whose places are given."""
    features = [sample.windows[at].this.features.features for at in used]
    times = Counter(name for names in features for name in names)
    kept = sorted(name for name, count in times.items() if count >= SEEN_OFTEN)
    number = {name: at for at, name in enumerate(kept)}
    at = [(line, number[name]) for line, names in enumerate(features) for name in names if name in number]
    matrix: Any = csr_matrix((np.ones(len(at)), tuple(zip(*at, strict=True))), shape=(len(features), len(kept)))
    turned = matrix.T.tocsr()
    held = np.array([*(PENALTY[name[0]] for name in kept), 0.0])
    found, bias = [], []
    for head, target in zip(HEADS, sample.targets, strict=True):
        gold = target[used]
        # Nobody marked in the oldest chats who takes on what.
        counts = (sample.weight[used] == 1.0).astype(float) if head in ("asked", "takes") else np.ones(len(used))

        def loss(weights: Any, gold: Any = gold, counts: Any = counts) -> tuple[float, Any]:
            odds = matrix @ weights[:-1] + weights[-1]
            wrong = counts * (1 / (1 + np.exp(-odds)) - gold)
            value = (counts * (np.logaddexp(0, odds) - gold * odds)).sum() + 0.5 * (held * weights**2).sum()
            return float(value), np.append(turned @ wrong, wrong.sum()) + held * weights

        weights = minimize(loss, np.zeros(len(kept) + 1), jac=True, method="L-BFGS-B", options={"maxiter": 120}).x
        found.append(np.rint(weights[:-1] * 100).astype(int))
        bias.append(round(float(weights[-1]), 2))
    table = np.array(found).T
    words = {name: tuple(int(one) for one in table[at]) for name, at in number.items() if abs(table[at]).max() >= LEAST}
    return TripwireModel(sample.groups, tuple(bias), words, Forest())


def heads_of(sample: Sample, weights: TripwireModel, places: Iterable[int]) -> Any:
    return np.array([weights.heads(sample.windows[at].this.features.features) for at in places])


def unseen_heads(sample: Sample) -> Any:
    """The heads of each line by weights that saw nothing of its author."""
    out = np.zeros((len(sample.lines), len(HEADS)))
    for turn in range(FOLDS):
        away = np.where(sample.fold == turn)[0]
        out[away] = heads_of(sample, heads_from(sample, np.where(sample.fold != turn)[0]), away)
    return out


def trees_from(sample: Sample, numbers: Any, used: Any) -> list[Any]:
    def forest(seed: int) -> Any:
        data = lightgbm.Dataset(numbers[used], sample.gold[used], weight=sample.weight[used])
        return lightgbm.train({**TREES, "seed": seed}, data, num_boost_round=ROUNDS)

    return [forest(seed) for seed in SEEDS]


def odds_of(forests: Sequence[Any], numbers: Any) -> Any:
    return sum(forest.predict(numbers, raw_score=True) for forest in forests) / len(forests)


def as_lists(forests: Sequence[Any]) -> list[Any]:
    """The trees as `Forest` reads them; what they start from stands in the leaves of the first."""

    def node(one: Any) -> Any:
        if "leaf_value" in one:
            return round(one["leaf_value"] / len(forests), 4)
        return [one["split_feature"], round(one["threshold"], 4), node(one["left_child"]), node(one["right_child"])]

    return [node(one["tree_structure"]) for forest in forests for one in forest.dump_model()["tree_info"]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help=f"learn from all and write {LEARNED.name}")
    parser.add_argument("--bar", type=float, nargs="+", default=[0.65], help="log-odds from which on a line passes")
    given = parser.parse_args()
    sample = Sample(household_tripwire(), labelled_lines(training_chats()))
    numbers = sample.numbers(unseen_heads(sample))
    odds = np.zeros(len(sample.lines))
    for turn in range(FOLDS):
        away = sample.fold == turn
        odds[away] = odds_of(trees_from(sample, numbers, ~away), numbers[away])
    for bar in given.bar:
        print(f"bar {bar}")
        judged = [(row, bool(one >= bar)) for row, one in zip(sample.lines, odds, strict=True) if not row.moved_to]
        for kind in sorted({_kind(row) for row in sample.lines}):
            tell(kind, [one for one in judged if _kind(one[0]) == kind])
        tell("all", judged)
    if given.write:
        every_line = np.arange(len(sample.lines))
        trees = as_lists(trees_from(sample, numbers, every_line))
        write_learnt(LEARNED, packed(replace(heads_from(sample, every_line), forest=Forest(trees))))


def _kind(row: LabelledLine) -> str:
    """Authors who wrote to the same task, by the letters of their name."""
    return row.author.rstrip("0123456789")


def tell(name: str, judged: Sequence[Judged]) -> None:
    precision, recall = precision_and_recall(judged)
    print(f"{name}: {len(judged)} messages, precision {precision:.3f}, recall {recall:.3f}", flush=True)


if __name__ == "__main__":
    main()
