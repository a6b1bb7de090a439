"""Learn what makes a turn of a talk the answer to a question, and say what it is worth on talks it was not learnt from.

    uv run --with numpy --with scipy --with lightgbm python -m extraction.training.recall TALKS.jsonl… [--write]

A line is a talk: `{"name", "turns": [{"sender", "thread", "text"}], "questions": [{"text", "answers": [places]}]}`. Of each
question the best turns by their words and the turns beside these are put in order by trees (LambdaMART). The figure is the
share of the answers among the first ten. `--write` writes ledger/rules/ranker.json.gz.
"""

import argparse
import json
import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import lightgbm
import numpy as np

from extraction.training.tripwire import as_lists
from ledger.language.words import terms
from ledger.rules.signals import LEARNT, MAX_TEXTS, SENDER, SIGNALS, WITH_NEIGHBOURS, Signals, TalkTurn, WeighedQuestion
from ledger.rules.trees import write_learnt

TREES = {
    "objective": "lambdarank", "num_leaves": 8, "learning_rate": 0.15, "min_data_in_leaf": 50, "feature_fraction": 0.7,
    "lambdarank_truncation_level": 15, "seed": 1, "deterministic": True, "force_row_wise": True, "verbose": -1,
}  # fmt: skip
ROUNDS = 60
SHOWN = 10


@dataclass(frozen=True)
class Example:
    """One question: a row of numbers for each candidate, and which of them answer it; `answers` counts all that do."""

    rows: np.ndarray
    right: np.ndarray
    answers: int


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
            right = {place + 1 for place in question["answers"]}
            rows = self._rows(question["text"])
            yield Example(
                np.array(list(rows.values()), dtype=float).reshape(len(rows), len(SIGNALS)),
                np.array([float(pk in right) for pk in rows]),
                len(right),
            )

    def _rows(self, text: str) -> dict[int, tuple[float, ...]]:
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
        return Signals(asked, self.turns, ranked).rows(dict.fromkeys((*ranked, *beside)))

    def _idf(self, holders: int) -> float:
        return math.log(1 + (len(self.turns) - holders + 0.5) / (holders + 0.5))


def read_examples(path: Path) -> list[Example]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return [example for line in lines if line for example in Talk(json.loads(line)).examples()]


def learn(examples: Sequence[Example]) -> Any:
    used = [one for one in examples if one.right.any()]
    data = lightgbm.Dataset(
        np.vstack([one.rows for one in used]),
        np.concatenate([one.right for one in used]),
        group=[len(one.right) for one in used],
    )
    return lightgbm.train(TREES, data, num_boost_round=ROUNDS)


def share_shown(examples: Sequence[Example], trees: Any) -> float:
    """Of the answers how many are among the first ten, the mean over questions."""
    shares = []
    for one in examples:
        order = np.argsort(-trees.predict(one.rows), kind="stable")[:SHOWN] if len(one.rows) else []
        shares.append(float(one.right[order].sum()) / one.answers)
    return sum(shares) / len(shares)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("talks", type=Path, nargs="+")
    parser.add_argument("--unseen", type=Path, action="append", default=[], help="only measured, never learnt from")
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
    if given.write:
        write_learnt(LEARNT, {"signals": SIGNALS, "trees": as_lists([trees])})


if __name__ == "__main__":
    main()
