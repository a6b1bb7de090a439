"""Learn what makes a turn of a talk the answer to a question, and say what it is worth on talks it was not learnt from.

    uv run --with scipy --with lightgbm python -m extraction.training.recall TALKS.jsonl… [--near TALKS.jsonl] [--write]

A line is a talk: `{"name", "turns": [{"sender", "thread", "text"}], "questions": [{"text", "answers": [places]}]}`. Of each
question the best turns by their words and the turns beside these are put in order by trees (LambdaMART). The figure is the
share of the answers among the first ten. Of the talks of `--near` the encoder reads each turn: from these it is learnt how its
vectors are shortened, and the trees that put the best in order by meaning too. `--write` writes ledger/rules/ranker.json.gz.
"""

import argparse
import json
import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import lightgbm
import numpy as np

from extraction.training.tripwire import as_lists
from ledger.language.words import terms
from ledger.recall import encoder
from ledger.rules.signals import (
    FALLING,
    LEARNT,
    MAX_TEXTS,
    NEARNESS,
    RERANKED,
    RISING,
    SENDER,
    SIGNALS,
    WITH_NEIGHBOURS,
    Signals,
    TalkTurn,
    WeighedQuestion,
)
from ledger.rules.trees import write_learnt

TREES = {
    "objective": "lambdarank", "num_leaves": 8, "learning_rate": 0.15, "min_data_in_leaf": 50, "feature_fraction": 0.7,
    "lambdarank_truncation_level": 15, "deterministic": True, "force_row_wise": True, "verbose": -1,
}  # fmt: skip
ROUNDS = 60
# The mean of so many forests: the seed decides less.
SEEDS = (1, 2, 3, 4, 5)
SHOWN = 10


@dataclass(frozen=True)
class Example:
    """One question: a row of numbers for each candidate, and which of them answer it; `answers` counts all that do."""

    rows: np.ndarray
    right: np.ndarray
    answers: int

    @classmethod
    def of(cls, rows: Mapping[int, tuple[float, ...]], answers: Set[int]) -> "Example":
        return cls(
            np.array(list(rows.values()), dtype=float), np.array([float(pk in answers) for pk in rows]), len(answers)
        )


class Talk:
    """A talk and its words, as the database would find them."""

    def __init__(self, told: Mapping[str, Any]) -> None:
        threads = {name: at for at, name in enumerate(dict.fromkeys(turn["thread"] for turn in told["turns"]), 1)}
        places = [threads[turn["thread"]] for turn in told["turns"]]
        self.turns = {
            at: TalkTurn(
                at, place, turn["text"], turn["sender"], terms(turn["text"]),
                before=at - 1 if places[at - 2 : at - 1] == [place] and at > 1 else 0,
                after=at + 1 if places[at : at + 1] == [place] else 0,
            )
            for at, (turn, place) in enumerate(zip(told["turns"], places, strict=True), 1)
        }  # fmt: skip
        self.questions = told["questions"]
        self.said: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        self.senders: defaultdict[str, list[int]] = defaultdict(list)
        for pk, turn in self.turns.items():
            for word, times in Counter(turn.words).items():
                self.said[word].append((pk, times))
            for word in turn.sender_words:
                self.senders[word].append(pk)
        self.mean = sum(len(turn.words) for turn in self.turns.values()) / max(1, len(self.turns))

    def examples(self) -> Iterator[Example]:
        for question in self.questions:
            signals, pks = self._signals(question["text"])
            yield Example.of(signals.rows(pks), {place + 1 for place in question["answers"]})

    def examples_by_nearness(self, trees: Any) -> Iterator[Example]:
        """Of each question the best by `trees`, with what the encoder tells of them."""
        read = dict(zip(self.turns, encoder.encode([turn.text for turn in self.turns.values()]), strict=True))
        for question in self.questions:
            signals, pks = self._signals(question["text"])
            rows = signals.rows(pks)
            odds = dict(zip(rows, trees.predict(np.array(list(rows.values()))) if rows else (), strict=True))
            best = {pk: rows[pk] for pk in sorted(odds, key=lambda pk: -odds[pk])[:RERANKED]}
            asked = signals.asked
            near = encoder.EncodedQuestion.of(asked.text, asked.weights, asked.people).nearest(read)
            yield Example.of(signals.add_nearness(best, near), {place + 1 for place in question["answers"]})

    def _signals(self, text: str) -> tuple[Signals, list[int]]:
        weights = {word: self._idf(len(self.said[word])) for word in terms(text)}
        scores: defaultdict[int, float] = defaultdict(float)
        for word, weight in weights.items():
            for pk, times in self.said[word]:
                length = len(self.turns[pk].words)
                scores[pk] += weight * times * 2.2 / (times + 1.2 * (0.6 + 0.4 * length / self.mean))
            for pk in self.senders[word]:
                scores[pk] += SENDER * self._idf(len(self.senders[word]))
        ranked = sorted(scores, key=lambda pk: (-scores[pk], -pk))[:MAX_TEXTS]
        asked = WeighedQuestion(text, weights, frozenset(word for word in weights if self.senders[word]))
        beside = [
            near for pk in ranked[:WITH_NEIGHBOURS] for near in (self.turns[pk].before, self.turns[pk].after) if near
        ]
        return Signals(asked, self.turns, ranked), list(dict.fromkeys((*ranked, *beside)))

    def _idf(self, holders: int) -> float:
        return math.log(1 + (len(self.turns) - holders + 0.5) / (holders + 0.5))


def read_talks(path: Path) -> list[Talk]:
    return [Talk(json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines() if line]


def read_examples(path: Path) -> list[Example]:
    return [example for talk in read_talks(path) for example in talk.examples()]


def examples_by_nearness(path: Path, trees: Any) -> list[Example]:
    return [example for talk in read_talks(path) for example in talk.examples_by_nearness(trees)]


def learn(examples: Sequence[Example], signals: Sequence[str] = (), seed: int = 1) -> Any:
    """Where `signals` are named, what speaks for an answer never speaks against it."""
    used = [one for one in examples if one.right.any()]
    data = lightgbm.Dataset(
        np.vstack([one.rows for one in used]),
        np.concatenate([one.right for one in used]),
        group=[len(one.right) for one in used],
    )
    held = {"monotone_constraints": [(name in RISING) - (name in FALLING) for name in signals]} if signals else {}
    return lightgbm.train(TREES | held | {"seed": seed}, data, num_boost_round=ROUNDS)


def share_shown(examples: Sequence[Example], *forests: Any) -> float:
    """Of the answers how many are among the first ten, the mean over questions."""
    shares = []
    for one in examples:
        odds: Any = sum(trees.predict(one.rows) for trees in forests) if len(one.rows) else np.zeros(0)
        order: Any = np.argsort(-odds, kind="stable")[:SHOWN]
        shares.append(float(one.right[order].sum()) / one.answers)
    return sum(shares) / len(shares)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("talks", type=Path, nargs="+")
    parser.add_argument("--unseen", type=Path, action="append", default=[], help="only measured, never learnt from")
    parser.add_argument("--near", type=Path, action="append", default=[], help="talks that the encoder reads")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    examples = {path: read_examples(path) for path in given.talks}
    for path in examples if len(examples) > 1 else ():
        others = learn([one for other, rows in examples.items() if other != path for one in rows])
        print(
            f"{path.stem:24} {len(examples[path])} questions, learnt from the others: {share_shown(examples[path], others):.3f}"
        )
    trees = learn([one for rows in examples.values() for one in rows])
    for path in given.unseen:
        rows = read_examples(path)
        print(f"{path.stem:24} {len(rows)} questions, unseen: {share_shown(rows, trees):.3f}")
    if not given.near:
        return
    if given.write:
        talks = [talk for path in given.near for talk in read_talks(path)]
        encoder.learn_projection([turn.text for talk in talks for turn in talk.turns.values()])
    signals = (*SIGNALS, *NEARNESS)
    read = [one for path in given.near for one in examples_by_nearness(path, trees)]
    near = [learn(read, signals, seed) for seed in SEEDS]
    for path in given.unseen:
        print(f"{path.stem:24} by nearness, unseen: {share_shown(examples_by_nearness(path, trees), *near):.3f}")
    if given.write:
        learnt = {"signals": signals, "trees": as_lists([trees]), "trees_with_nearness": as_lists(near)}
        write_learnt(LEARNT, learnt)


if __name__ == "__main__":
    main()
