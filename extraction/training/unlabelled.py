"""Learn which sentences decide, commit or forbid without a label (`extraction/extractors/unlabelled/weights.json.gz`).

    uv run --with scikit-learn --with lightgbm python -m extraction.training.unlabelled CLONES [--write] [--curve] [--trees]

From the marked sentences of `gold.py`. Everything is measured with weights that saw nothing of a sentence's group (its repository):
sentences that a rule reads already are left out, and what the reader was not sure of counts for nothing. Printed are precision
and recall of each kind by the chance from which on it is proposed, and of rules and reader together by how many are proposed; then
at the bars chosen, by group, with what was missed and why. The bars are the lowest at which all that rules and reader find in
groups left out is right often enough. `--curve` learns from fewer groups, `--trees` measures gradient-boosted trees over the same
features beside, `--write` learns from all and writes the weights.
"""

import argparse
import random
import tomllib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import lightgbm
import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

from extraction.extractors.agent_files import orders_in
from extraction.extractors.documents import Hit, RuleSet, find_hits
from extraction.extractors.documents.owners import speaking_in
from extraction.extractors.unlabelled.features import KINDS, Feature, Sentence, features_of
from extraction.extractors.unlabelled.model import WEIGHTS, SentenceModel, packed
from extraction.extractors.unlabelled.proposals import covered_by, kinds_sought, labelled_in, owner_in
from extraction.training.gold import GoldFile, Mark, gold_files
from extraction.training.groups import KIND_OF, counts_of, is_found
from ledger.language.outline import headings, mask_code, one_break
from ledger.rules.sections import sections_of
from ledger.rules.trees import write_learnt

PACKS: Final = Path(__file__).parents[2] / "ledger" / "packs"
FOLDS: Final = 11
# How strongly weights are held at nothing.
HELD: Final = 0.1
# A word counts by itself, and a feature at all, where it is met in so many groups.
WORD_GROUPS, FEATURE_GROUPS = 5, 3
# What a mark that is not sure, or that a label makes plain, counts beside a sure one.
UNSURE, LABELLED = 0.3, 0.5
# All that rules and reader find is right so often, and of each kind what the reader proposes, shown by so many proposals at least;
# else the kind is never proposed.
PRECISION: Final = 0.91
KIND_PRECISION: Final = 0.65
MIN_SHOWN: Final = 20
NEVER: Final = 2.0
RANKS: Final = (25, 50, 100, 150, 200, 300, 400, 600)
STEPS: Final = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8)
TREES: Final = {
    "objective": "binary", "learning_rate": 0.08, "num_leaves": 12, "min_data_in_leaf": 15, "feature_fraction": 0.4,
    "lambda_l2": 5.0, "num_threads": 2, "deterministic": True, "force_row_wise": True, "verbose": -1,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Row:
    """A sentence that was read, with its mark, its group, and whether a rule reads it already."""

    group: str
    text: str
    sentence: Sentence
    mark: Mark | None
    covered: bool
    known: frozenset[str]
    # The kinds that are looked for in its text.
    sought: frozenset[str]

    @property
    def kind(self) -> str:
        kind = self.mark.kind if self.mark else ""
        return "constraint" if kind == "preference" else kind

    @property
    def weight(self) -> float:
        mark = self.mark
        return 1.0 if mark is None else (1.0 if mark.sure else UNSURE) * (LABELLED if mark.labelled else 1.0)

    def wanted(self, kind: str) -> bool:
        mark = self.mark
        return mark is not None and self.kind == kind and mark.sure and not mark.labelled and not self.covered

    def judged(self, kind: str) -> bool:
        """Whether proposing it is right or wrong: not where a rule reads it, nor where the reader was not sure."""
        unsure = self.mark is not None and not self.mark.sure
        return not self.covered and kind in self.sought and not (unsure and self.kind == kind)

    @property
    def words(self) -> str:
        piece = self.sentence.piece
        return " ".join(self.text[piece.start : piece.end].split())


def shipped_rules() -> RuleSet:
    """The rules of the packs that documents are read with."""
    packs = ((PACKS / f"{name}.toml").read_text(encoding="utf-8") for name in ("core", "engineering"))
    return RuleSet.from_packs([tomllib.loads(pack) for pack in packs])


@dataclass(frozen=True, slots=True)
class Ruled:
    """What rules alone find of the marked files: hits, how many are right, and by kind the sure marks that no label makes plain."""

    hits: int
    right: int
    wanted: Mapping[str, int]
    found: Mapping[str, int]


def ruled_hits(file: GoldFile, text: str, rules: RuleSet) -> list[Hit]:
    sections = sections_of(text, kind="document", sender_kind="document")
    hits = find_hits(text, sections, rules, kind="document", sent_at=None, now=datetime(2026, 1, 1, tzinfo=UTC))
    return [*hits, *orders_in(file.path, text, sections, rules, hits)]


def rows_of(file: GoldFile, text: str, hits: Sequence[Hit]) -> Iterator[Row]:
    shadow = mask_code(one_break(text))
    covered, known, sought = covered_by(hits), speaking_in(text), kinds_sought(shadow, headings(shadow), hits)
    for sentence in file.sentences_in(text, labelled_in(hits)):
        at = (sentence.piece.start, sentence.piece.end)
        yield Row(file.repository, text, sentence, file.mark_at(*at), covered(*at), known, sought)


def ruled_of(files: Sequence[tuple[GoldFile, str, Sequence[Hit]]]) -> Ruled:
    count: Counter[str] = Counter()
    for file, text, hits in files:
        own = [hit for hit in hits if hit.kind in KIND_OF and file.start <= hit.spans[0].start < file.end]
        count.update(counts_of(file, text, own, "", frozenset()))
        for mark in file.marks:
            if mark.sure and not mark.labelled:
                kind = "constraint" if mark.kind == "preference" else mark.kind
                count.update([f"wanted {kind}", *([f"found {kind}"] if is_found(mark, own) else [])])
    kinds = {part: {kind: count[f"{part} {kind}"] for kind in KINDS} for part in ("wanted", "found")}
    return Ruled(count["hits"], count["right"], kinds["wanted"], kinds["found"])


def words_of(rows: Sequence[Row]) -> frozenset[str]:
    """The words that are met in lower case in several groups."""
    groups: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        for number, token in enumerate(row.sentence.tokens):
            if token[0].islower() or number == 0:
                groups[token.lower()].add(row.group)
    return frozenset(word for word, met in groups.items() if len(met) >= WORD_GROUPS)


class Learner:
    """Rows as a matrix over the features that several groups show."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self.words = words_of(rows)
        shown = [features_of(row.sentence, self.words) for row in rows]
        groups: dict[Feature, set[str]] = defaultdict(set)
        for row, names in zip(rows, shown, strict=True):
            for name in names:
                groups[name].add(row.group)
        kept = sorted(name for name, met in groups.items() if len(met) >= FEATURE_GROUPS)
        self.number = {name: at for at, name in enumerate(kept)}
        self.rows, self.matrix = rows, self._matrix(shown)
        self.weight = np.array([row.weight for row in rows])

    def matrix_of(self, rows: Sequence[Row]) -> Any:
        return self._matrix([features_of(row.sentence, self.words) for row in rows])

    def _matrix(self, shown: Sequence[Sequence[Feature]]) -> Any:
        number = self.number
        at = [(line, number[name]) for line, names in enumerate(shown) for name in names if name in number]
        return csr_matrix((np.ones(len(at)), tuple(zip(*at, strict=True))), shape=(len(shown), len(number)))

    def target(self, kind: str) -> Any:
        return np.array([float(row.kind == kind) for row in self.rows])

    def linear(self) -> list[Any]:
        """One regression for each kind."""
        return [
            LogisticRegression(C=HELD, max_iter=500, solver="liblinear", tol=1e-3).fit(
                self.matrix, self.target(kind), sample_weight=self.weight
            )
            for kind in KINDS
        ]

    def model(self, bars: Sequence[float]) -> SentenceModel:
        fitted = self.linear()
        table = np.rint(np.array([one.coef_[0] for one in fitted]) * 100).astype(int)
        weights = {
            name: tuple(int(one) for one in table[:, at])
            for name, at in self.number.items()
            if abs(table[:, at]).max() > 0
        }
        return SentenceModel(self.words, [round(float(one.intercept_[0]), 2) for one in fitted], bars, weights)


Chances = Any
Fit = Callable[[Learner, Sequence[Row]], Chances]


def linear_chances(learner: Learner, rows: Sequence[Row]) -> Chances:
    matrix = learner.matrix_of(rows)
    return np.array([one.predict_proba(matrix)[:, 1] for one in learner.linear()]).T


def tree_chances(learner: Learner, rows: Sequence[Row]) -> Chances:
    matrix = learner.matrix_of(rows)
    chances = []
    for kind in KINDS:
        data = lightgbm.Dataset(learner.matrix, learner.target(kind), weight=learner.weight)
        chances.append(lightgbm.train(TREES, data, num_boost_round=120).predict(matrix))
    return np.array(chances).T


def unseen_chances(rows: Sequence[Row], fit: Fit, most_groups: int = 0) -> Chances:
    """The chances of each row by what saw nothing of its group; learnt from so many groups at most."""
    groups = sorted({row.group for row in rows})
    random.Random(7).shuffle(groups)  # noqa: S311
    fold = {group: at % FOLDS for at, group in enumerate(groups)}
    chances = np.zeros((len(rows), len(KINDS)))
    for turn in range(FOLDS):
        seen = [group for group in groups if fold[group] != turn]
        used = set(seen[:most_groups] if most_groups else seen)
        away = [at for at, row in enumerate(rows) if fold[row.group] == turn]
        learner = Learner([row for row in rows if row.group in used])
        chances[away] = fit(learner, [rows[at] for at in away])
    return chances


def figures(rows: Sequence[Row], chances: Chances, at: int, bar: float) -> tuple[int, int, int, int]:
    """Of a kind at a bar: proposed, right, sure ones that were wanted, and those of them that were found."""
    kind = KINDS[at]
    best = chances.argmax(axis=1)
    hits = [
        row
        for row, chance, first in zip(rows, chances, best, strict=True)
        if first == at and chance[at] >= bar and row.judged(kind)
    ]
    right = sum(row.kind == kind for row in hits)
    return len(hits), right, sum(row.wanted(kind) for row in rows), sum(row.wanted(kind) for row in hits)


def tell(name: str, rows: Sequence[Row], chances: Chances, at: int, bar: float) -> None:
    hits, right, wanted, found = figures(rows, chances, at, bar)
    precision, recall = right / max(1, hits), found / max(1, wanted)
    print(
        f"{name}: {KINDS[at]} from {bar:.2f}: proposed {hits}, precision {precision:.2f}, recall {recall:.2f} of {wanted}"
    )


def all_precision(rows: Sequence[Row], chances: Chances, ruled: Ruled, bars: Sequence[float]) -> float:
    """Of all that rules and reader find how much is right."""
    counts = [figures(rows, chances, at, bar) for at, bar in enumerate(bars)]
    hits, right = (sum(count[part] for count in counts) for part in (0, 1))
    return (ruled.right + right) / (ruled.hits + hits)


def kind_bar(rows: Sequence[Row], chances: Chances, at: int) -> float:
    """The lowest bar at which what is proposed of a kind is right often enough by itself; NEVER where none shows enough."""
    for step in range(20, 99):
        hits, right, _, _ = figures(rows, chances, at, step / 100)
        if hits >= MIN_SHOWN and right / hits >= KIND_PRECISION:
            return step / 100
    return NEVER


def chosen_bars(rows: Sequence[Row], chances: Chances, ruled: Ruled) -> list[float]:
    """For all kinds the lowest bar, in steps of 0.01, that keeps the precision of rules and reader together; higher for a kind that
    needs it."""
    own = [kind_bar(rows, chances, at) for at in range(len(KINDS))]
    steps = ([max(step / 100, bar) for bar in own] for step in range(20, 100))
    return next(bars for bars in steps if all_precision(rows, chances, ruled, bars) >= PRECISION)


def tell_ranks(rows: Sequence[Row], chances: Chances, ruled: Ruled) -> None:
    """How much rules and the reader's first proposals find, and how precisely."""
    best = chances.argmax(axis=1)
    ranked = sorted(
        (
            (chance[at], KINDS[at], row)
            for row, chance, at in zip(rows, chances, best, strict=True)
            if row.judged(KINDS[at])
        ),
        key=lambda one: -one[0],
    )
    for rank in RANKS:
        first = ranked[:rank]
        right = sum(row.kind == kind for _, kind, row in first)
        found = {
            kind: ruled.found[kind] + sum(row.wanted(kind) for _, named, row in first if named == kind)
            for kind in KINDS
        }
        shares = ", ".join(f"{kind} {found[kind] / ruled.wanted[kind]:.2f}" for kind in KINDS)
        precision = (ruled.right + right) / (ruled.hits + len(first))
        share = sum(found.values()) / sum(ruled.wanted.values())
        print(
            f"rules and first {rank}, from {first[-1][0]:.2f}: precision {precision:.3f}, found {share:.3f} ({shares})"
        )


def tell_groups(rows: Sequence[Row], chances: Chances, bars: Sequence[float]) -> None:
    for group in sorted({row.group for row in rows}):
        own = [at for at, row in enumerate(rows) if row.group == group]
        parts = []
        for at, kind in enumerate(KINDS):
            hits, right, wanted, found = figures([rows[one] for one in own], chances[own], at, bars[at])
            parts.append(f"{kind} {found}/{wanted}, wrong {hits - right}")
        print(f"{group}: {len(own)} sentences; {'; '.join(parts)}")


def why_missed(row: Row) -> str:
    """The kind of a miss, by the form of the sentence."""
    count, first = len(row.sentence.tokens), row.sentence.tokens[:1]
    if not any(token.isascii() and token.isalpha() for token in row.sentence.tokens):
        return "another language"
    if count <= 4:
        return "four words or fewer"
    if row.sentence.tokens[1:2] == [":"] or row.sentence.tokens[2:3] == [":"]:
        return "a speaker's line"
    if count > 35:
        return "longer than 35 words"
    return "an order without an owner" if first and first[0].islower() else "a whole sentence"


def tell_misses(rows: Sequence[Row], chances: Chances, bars: Sequence[float]) -> None:
    for at, kind in enumerate(KINDS):
        missed = [row for row, one in zip(rows, chances, strict=True) if row.wanted(kind) and one[at] < bars[at]]
        print(f"missed {kind}:", dict(Counter(why_missed(row) for row in missed).most_common()))


def tell_owners(rows: Sequence[Row]) -> None:
    """Of the sure actions that no label marks, how many owners are read as the reader of the gold wrote them."""
    owned = [row for row in rows if row.mark and row.kind == "action" and row.mark.sure and not row.mark.labelled]
    pairs = [(row.mark.owner if row.mark else "", owner_in(row.words, row.known)) for row in owned]
    named = [(gold, found) for gold, found in pairs if gold]
    right = sum(gold.casefold().strip("@") == found.casefold().strip("@") for gold, found in named)
    wrong = sum(bool(found) and not gold for gold, found in pairs)
    print(f"owners: {right} of {len(named)} right, {wrong} of {len(pairs) - len(named)} without one given one")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clones", type=Path, help="the folder of the clones (see gold.py)")
    parser.add_argument("--write", action="store_true", help=f"learn from all and write {WEIGHTS.name}")
    parser.add_argument("--curve", action="store_true", help="learn from fewer groups, too")
    parser.add_argument("--trees", action="store_true", help="measure boosted trees beside")
    given = parser.parse_args()
    rules = shipped_rules()
    texts = [(file, text) for file in gold_files() if (text := file.text(given.clones))]
    files = [(file, text, ruled_hits(file, text, rules)) for file, text in texts]
    rows, ruled = [row for one in files for row in rows_of(*one)], ruled_of(files)
    print(len(rows), "sentences of", len({row.group for row in rows}), "groups")
    chances = unseen_chances(rows, linear_chances)
    _tell_all("linear", rows, chances)
    if given.trees:
        _tell_all("trees", rows, unseen_chances(rows, tree_chances))
    if given.curve:
        for most in (15, 30, 60, 90):
            fewer = unseen_chances(rows, linear_chances, most)
            for at in range(len(KINDS)):
                tell(f"{most} groups", rows, fewer, at, 0.5)
    tell_ranks(rows, chances, ruled)
    bars = chosen_bars(rows, chances, ruled)
    print(f"rules alone: {ruled.right} of {ruled.hits} right; all: {all_precision(rows, chances, ruled, bars):.3f}")
    for at, bar in enumerate(bars):
        tell("at its bar", rows, chances, at, bar)
    tell_groups(rows, chances, bars)
    tell_misses(rows, chances, bars)
    tell_owners(rows)
    if given.write:
        write_learnt(WEIGHTS, packed(Learner(rows).model(bars)))


def _tell_all(name: str, rows: Sequence[Row], chances: Chances) -> None:
    for at in range(len(KINDS)):
        for bar in STEPS:
            tell(name, rows, chances, at, bar)


if __name__ == "__main__":
    main()
