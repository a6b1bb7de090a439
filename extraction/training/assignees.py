"""Learn who takes something on in answer to which line (`extraction/chat/commitments/assignee_model.json.gz`) from our own chats.

    uv run --with numpy --with scipy --with lightgbm python -m extraction.training.assignees [--write] [--tripwires FILE]

Prints how the reader does on each author's chats with trees, and a tripwire, that saw nothing of that author: right assignees and
right lines of what was marked, and how many other lines are read as taking something on. `--write` learns from all and writes the
trees. `--tripwires` keeps the unseen tripwires in a file, and takes them from there if it is there. The chats among the tests
are in no fit.
"""

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import lightgbm
import numpy as np

from extraction.chat.commitments import ThreadReader, assignee_model
from extraction.chat.commitments.assignee_features import (
    MessageInThread,
    Row,
    assignee_row,
    candidates,
    line_rows,
    message_row,
    possible_assignees,
)
from extraction.chat.commitments.assignee_model import AssigneePrediction
from extraction.chat.tripwire import Tripwire
from extraction.chat.tripwire.model import packed, unpacked
from extraction.training import tripwire as words
from extraction.training.chats import FAMILIES, OLDEST, THREADS, ChatFile, labelled_lines, training_chats
from extraction.training.chats import packed as archived
from extraction.training.readings import ReadLine, household_tripwire, read_lines
from ledger.rules.trees import Forest, write_learnt

FOLDS = words.FOLDS
TREES: Mapping[str, Any] = {
    "learning_rate": 0.05, "num_leaves": 12, "min_data_in_leaf": 20, "feature_fraction": 0.4, "bagging_fraction": 0.7,
    "bagging_freq": 1, "lambda_l2": 10.0, "use_missing": False, "seed": 7, "num_threads": 1, "deterministic": True,
    "force_row_wise": True, "verbose": -1,
}  # fmt: skip
ROUNDS = {"takes": 250, "line": 250, "who": 200}
# What is read rests on what was read before it, and so on the trees.
READINGS = 2
# The oldest threads were written to be hard, and hold many turns of phrase that no other chat has.
OLDER = 1.5
# Lines that accept nothing are few.
NOTHING = ("tune_nothing", 5.0)
# Without a tripwire before it the reader is to do well too: all of the oldest chats, and so many of the others.
UNWATCHED = 4
_OUT = Path(assignee_model.__file__).with_name("assignee_model.json.gz")
Trees = Mapping[str, Forest]


@dataclass(frozen=True)
class Seen:
    """A line that was weighed: its row, those of the lines that it may answer and of who may do it, with the places of the right
    ones, -1 where there is none."""

    fold: int
    weight: float
    row: Row
    takes: bool
    lines: Sequence[Row]
    line: int
    persons: Sequence[Row]
    who: int


class _Watching(ThreadReader):
    """Keeps what the choice was made from."""

    def _predicted(self, message: MessageInThread, *rest: Any) -> AssigneePrediction:
        if lines := candidates(message):
            rows = line_rows(message, lines)
            people = {
                at: [(who, assignee_row(message, who, rest[0], at)) for who in possible_assignees(message, rest[0], at)]
                for at in lines
            }
            # What was read is kept with its place, so that nothing else can be taken for it.
            WEIGHED[id(message.own), len(self.acts)] = (message.own, message_row(message), lines, rows, people)
        return super()._predicted(message, *rest)


WEIGHED: dict[tuple[int, int], Any] = {}


def files() -> list[ChatFile]:
    """The oldest chats with the labels of the threads, then all others."""
    return [*archived(THREADS), *(file for file in training_chats() if file.voice != FAMILIES)]


def author_of(file: ChatFile) -> str:
    name = file.name.partition("_")[0]
    return OLDEST.get(name, "old_4") if file.voice == THREADS else name


def seen_in(file: ChatFile, fold: int, tripwire: Tripwire, *, watched: bool) -> list[Seen]:
    found = []
    weight = NOTHING[1] if file.name == NOTHING[0] else OLDER if file.voice == THREADS else 1.0
    for line in read_lines(file, tripwire, reader=_Watching, watched=watched):
        kept = WEIGHED.pop((id(line.act.utterance), line.place), None)
        if kept is None or (line.who and line.source is None) or line.status == "committed":
            continue
        _, row, lines, rows, some = kept
        at = lines.index(line.source) if line.source in lines else -1
        persons = some.get(line.source, [])
        who = next((place for place, (one, _) in enumerate(persons) if {o.name for o in one} == line.who), -1)
        takes = bool(line.who)
        found.append(
            Seen(fold, weight, row, takes, rows if takes else (), at, [one for _, one in persons] if takes else (), who)
        )
    return found


def fit(rows: Sequence[Seen]) -> Trees:
    """The trees of each question."""
    given = lightgbm.Dataset(
        np.array([one.row for one in rows], dtype=float), np.array([float(one.takes) for one in rows]),
        weight=np.array([one.weight for one in rows]),
    )  # fmt: skip
    takes = lightgbm.train({**TREES, "objective": "binary"}, given, num_boost_round=ROUNDS["takes"])
    lines = chosen([(one.lines, one.line) for one in rows if one.takes and one.line >= 0], "line")
    who = chosen([(one.persons, one.who) for one in rows if one.takes and one.who >= 0 and len(one.persons) > 1], "who")
    learnt = {"takes": takes, "line": lines, "who": who}
    return {question: Forest(words.as_lists([trees])) for question, trees in learnt.items()}


def chosen(groups: Sequence[tuple[Sequence[Row], int]], question: str) -> Any:
    """Trees under which the right one of each group is the likeliest: one softmax a group."""
    sizes = [len(rows) for rows, _ in groups]
    first = np.cumsum([0, *sizes[:-1]])
    which = np.repeat(np.arange(len(groups)), sizes)
    aim = np.zeros(sum(sizes))
    aim[first + np.array([right for _, right in groups])] = 1

    def loss(scores: Any, _: Any) -> tuple[Any, Any]:
        parts = np.exp(scores - np.maximum.reduceat(scores, first)[which])
        parts /= np.add.reduceat(parts, first)[which]
        return parts - aim, np.maximum(parts * (1 - parts), 1e-3)

    data = lightgbm.Dataset(np.array([row for rows, _ in groups for row in rows], dtype=float), aim)
    return lightgbm.train({**TREES, "objective": loss}, data, num_boost_round=ROUNDS[question])


def use(trees: Trees) -> None:
    """Let the reader weigh by these."""
    assignee_model.learnt_trees.cache_clear()
    known: Any = assignee_model.learnt_trees()
    known.update(trees)


def unseen_tripwires(keep: Path | None) -> list[Tripwire]:
    """One a fold, which saw nothing of its authors."""
    authors = authors_of_all()
    kept = json.loads(keep.read_text(encoding="utf-8")) if keep is not None and keep.exists() else {}
    shipped = household_tripwire()
    # A fold goes by an author's place among all: those that were learnt with others are no use.
    if kept.get("authors") == authors:
        return [replace(shipped, learned=unpacked(one)) for one in kept["tripwires"]]
    sample = words.Sample(shipped, labelled_lines(training_chats()))
    used = [np.where(sample.fold != turn)[0] for turn in range(FOLDS)]
    heads = [words.heads_from(sample, some) for some in used]
    unseen = np.zeros((len(sample.lines), len(heads[0].bias)))
    for turn, one in enumerate(heads):
        away = np.where(sample.fold == turn)[0]
        unseen[away] = words.heads_of(sample, one, away)
    numbers = sample.numbers(unseen)
    found = [
        replace(one, forest=Forest(words.as_lists(words.trees_from(sample, numbers, some))))
        for one, some in zip(heads, used, strict=True)
    ]
    if keep is not None:
        content = {"authors": authors, "tripwires": [packed(one) for one in found]}
        keep.write_text(json.dumps(content), encoding="utf-8")
    return [replace(shipped, learned=one) for one in found]


def authors_of_all() -> list[str]:
    return sorted({row.author for row in labelled_lines(training_chats())})


def folds_of(chats: Sequence[ChatFile]) -> dict[ChatFile, int]:
    """As the tripwire's: by the author's place among all of them."""
    authors = authors_of_all()
    return {file: authors.index(author_of(file)) % FOLDS for file in chats}


def tell(name: str, lines: Sequence[ReadLine]) -> None:
    marked = [line for line in lines if line.who and line.source is not None]
    right = [line for line in marked if line.assignee_right]
    taken = [line for line in lines if not line.who and line.act.status == "committed"]
    print(
        f"{name:20} {len(marked)} marked, {sum(not line.passed for line in marked)} of them stopped: "
        f"assignee {len(right) / len(marked):.3f}, {sum(not line.act.guess for line in right) / len(marked):.3f} no guess, "
        f"line {sum(line.source_right for line in marked) / len(marked):.3f}; of {len(lines) - len(marked)} others "
        f"{len(taken)} taken on, {sum(not line.act.guess for line in taken)} no guess",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--tripwires", type=Path)
    given = parser.parse_args()
    tripwires, folds = unseen_tripwires(given.tripwires), folds_of(files())
    rows: list[Seen] = []
    for _ in range(READINGS):
        by_fold = [fit([one for one in rows if one.fold != turn]) if rows else None for turn in range(FOLDS)]
        rows = []
        for number, (file, fold) in enumerate(folds.items()):
            if trees := by_fold[fold]:
                use(trees)
            rows += seen_in(file, fold, tripwires[fold], watched=True)
            if file.voice == THREADS or number % UNWATCHED == 0:
                rows += seen_in(file, fold, tripwires[fold], watched=False)
        print(f"{len(rows)} lines, {sum(one.takes for one in rows)} of them take something on", flush=True)
    if given.write:
        write_learnt(_OUT, {question: forest.trees for question, forest in fit(rows).items()})
    read: dict[str, list[ReadLine]] = {}
    for turn in range(FOLDS):
        use(fit([one for one in rows if one.fold != turn]))
        for file in (file for file, fold in folds.items() if fold == turn):
            read.setdefault(author_of(file), []).extend(read_lines(file, tripwires[turn], watched=True))
    for author, lines in sorted(read.items()):
        tell(author, lines)
    tell(
        "all but the oldest", [line for author, lines in read.items() if not author.startswith("old") for line in lines]
    )


if __name__ == "__main__":
    main()
