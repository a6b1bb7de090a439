"""Learn which sentences decide, commit or forbid without a label (`extraction/extractors/unlabelled/weights.json.gz`).

    uv run --with scikit-learn python -m extraction.training.unlabelled CLONES [--write] [--curve]

From the marked sentences of `gold.py`. Everything is measured with weights that saw nothing of a sentence's group (its repository):
sentences that a rule reads already are left out, and what the reader was not sure of counts for nothing. Printed are precision
and recall of each kind by the chance from which on it is proposed, and of rules and reader together by how many are proposed; then
at the bars chosen, with what was missed and why. Of the bars of texts that label nothing and of those that do, the pair
is chosen that finds most while all that rules and reader find in groups left out is right often enough. `--curve` learns from
fewer groups, `--write` learns from all and writes the weights.
"""

import argparse
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any, Final

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

from extraction.extractors.documents import Hit, RuleSet
from extraction.extractors.documents.owners import speaking_in
from extraction.extractors.unlabelled.features import KINDS, Feature, Manner, Sentence, features_of
from extraction.extractors.unlabelled.model import WEIGHTS, SentenceModel, packed
from extraction.extractors.unlabelled.proposals import (
    covered_by,
    kinds_sought,
    labelled_in,
    labels_what_counts,
    owner_in,
)
from extraction.training.gold import GoldFile, Mark, gold_files
from extraction.training.groups import KIND_OF, counts_of, is_found, ruled_hits, shipped_rules
from ledger.language.outline import headings, mask_code, one_break
from ledger.rules.trees import write_learnt

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


@dataclass(frozen=True, slots=True)
class Row:
    """A sentence that was read, with its mark, its group, and whether a rule reads it already."""

    group: str
    text: str
    sentence: Sentence
    mark: Mark | None
    covered: bool
    known: frozenset[str]
    # The kinds that are looked for in its text, and whether this labels what it settles.
    sought: frozenset[str]
    labels: bool

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


@dataclass(frozen=True, slots=True)
class Ruled:
    """What rules alone find of the marked files: hits, how many are right, and by kind the sure marks that no label makes plain."""

    hits: int
    right: int
    wanted: Mapping[str, int]
    found: Mapping[str, int]


def rows_of(file: GoldFile, text: str, hits: Sequence[Hit], rules: RuleSet) -> Iterator[Row]:
    shadow = mask_code(one_break(text))
    manner = Manner.of(shadow, headings(shadow), labelled_in(hits))
    covered, known, sought = covered_by(hits), speaking_in(text), kinds_sought(manner)
    sentences = list(file.sentences_in(text, manner))
    labels = labels_what_counts(shadow, sentences, manner, rules)
    for sentence in sentences:
        at = (sentence.piece.start, sentence.piece.end)
        yield Row(file.repository, text, sentence, file.mark_at(*at), covered(*at), known, sought, labels)


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


type Bars = Sequence[Sequence[float]]


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

    def model(self, bars: Bars) -> SentenceModel:
        fitted = self.linear()
        table = np.rint(np.array([one.coef_[0] for one in fitted]) * 100).astype(int)
        weights = {
            name: tuple(int(one) for one in table[:, at])
            for name, at in self.number.items()
            if abs(table[:, at]).max() > 0
        }
        return SentenceModel(self.words, [round(float(one.intercept_[0]), 2) for one in fitted], bars, weights)


def unseen_chances(rows: Sequence[Row], most_groups: int = 0) -> Any:
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
        matrix = learner.matrix_of([rows[at] for at in away])
        chances[away] = np.array([one.predict_proba(matrix)[:, 1] for one in learner.linear()]).T
    return chances


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a row is most likely."""

    row: Row
    at: int
    chance: float

    @property
    def right(self) -> bool:
        return self.row.kind == KINDS[self.at]

    @property
    def wanted(self) -> bool:
        return self.row.wanted(KINDS[self.at])

    def passes(self, bars: Bars) -> bool:
        return self.chance >= bars[self.row.labels][self.at]


def proposals_of(rows: Sequence[Row], chances: Any) -> list[Proposal]:
    """Of each row that is judged, surest first."""
    likely = zip(rows, chances.argmax(axis=1), chances.max(axis=1), strict=True)
    judged = [Proposal(row, int(at), float(chance)) for row, at, chance in likely if row.judged(KINDS[at])]
    return sorted(judged, key=lambda one: -one.chance)


def tell(name: str, rows: Sequence[Row], proposals: Iterable[Proposal], at: int) -> None:
    own = [one for one in proposals if one.at == at]
    right, found = sum(one.right for one in own), sum(one.wanted for one in own)
    wanted = sum(row.wanted(KINDS[at]) for row in rows)
    print(
        f"{name}: {KINDS[at]} proposed {len(own)}, precision {right / max(1, len(own)):.2f}, "
        f"recall {found / max(1, wanted):.2f} of {wanted}"
    )


def precision_with(ruled: Ruled, proposals: Sequence[Proposal]) -> float:
    """Of all that rules and reader find how much is right."""
    return (ruled.right + sum(one.right for one in proposals)) / (ruled.hits + len(proposals))


def kind_bar(proposals: Sequence[Proposal], at: int) -> float:
    """The lowest bar at which what is proposed of a kind is right often enough by itself; NEVER where none shows enough."""
    for step in range(20, 99):
        own = [one.right for one in proposals if one.at == at and one.chance >= step / 100]
        if len(own) >= MIN_SHOWN and sum(own) / len(own) >= KIND_PRECISION:
            return step / 100
    return NEVER


def chosen_bars(proposals: Sequence[Proposal], ruled: Ruled) -> Bars:
    """One bar for all kinds in texts that label nothing and one in those that do, in steps of 0.02: the pair that finds most and
    keeps the precision of rules and reader together; higher for a kind that needs it."""
    least = [kind_bar(proposals, at) for at in range(len(KINDS))]
    likely = [one for one in proposals if one.chance >= min(least)]
    steps = [step / 100 for step in range(40, 100, 2)]
    found: list[tuple[int, Bars]] = []
    for pair in product(steps, steps):
        bars = [[max(bar, own) for own in least] for bar in pair]
        passing = [one for one in likely if one.passes(bars)]
        if precision_with(ruled, passing) >= PRECISION:
            found.append((sum(one.wanted for one in passing), bars))
    return max(found)[1]


def tell_ranks(proposals: Sequence[Proposal], ruled: Ruled) -> None:
    """How much rules and the reader's first proposals find, and how precisely."""
    for rank in RANKS:
        tell_first(f"rules and first {rank}, from {proposals[rank - 1].chance:.2f}", proposals[:rank], ruled)


def tell_first(name: str, first: Sequence[Proposal], ruled: Ruled) -> None:
    found = Counter(dict(ruled.found)) + Counter(KINDS[one.at] for one in first if one.wanted)
    shares = ", ".join(f"{kind} {found[kind] / ruled.wanted[kind]:.2f}" for kind in KINDS)
    share = found.total() / sum(ruled.wanted.values())
    print(f"{name}: precision {precision_with(ruled, first):.3f}, found {share:.3f} ({shares})")


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


def tell_misses(rows: Sequence[Row], passing: Sequence[Proposal]) -> None:
    found = {id(one.row) for one in passing if one.wanted}
    for kind in KINDS:
        missed = [row for row in rows if row.wanted(kind) and id(row) not in found]
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
    given = parser.parse_args()
    rules = shipped_rules()
    texts = [(file, text) for file in gold_files() if (text := file.text(given.clones))]
    files = [(file, text, ruled_hits(file, text, rules)) for file, text in texts]
    rows, ruled = [row for one in files for row in rows_of(*one, rules)], ruled_of(files)
    print(len(rows), "sentences of", len({row.group for row in rows}), "groups")
    for most in (15, 30, 60, 90) if given.curve else ():
        tell_first(f"first 200 by {most} groups", proposals_of(rows, unseen_chances(rows, most))[:200], ruled)
    proposals = proposals_of(rows, unseen_chances(rows))
    for at, bar in product(range(len(KINDS)), STEPS):
        tell(f"from {bar:.2f}", rows, (one for one in proposals if one.chance >= bar), at)
    tell_ranks(proposals, ruled)
    bars = chosen_bars(proposals, ruled)
    passing = [one for one in proposals if one.passes(bars)]
    print(f"rules alone: {ruled.right} of {ruled.hits} right; bars where nothing is labelled, and elsewhere: {bars}")
    tell_first(f"rules and the {len(passing)} that pass", passing, ruled)
    for at in range(len(KINDS)):
        tell("at its bar", rows, passing, at)
    tell_misses(rows, passing)
    tell_owners(rows)
    if given.write:
        write_learnt(WEIGHTS, packed(Learner(rows).model(bars)))


if __name__ == "__main__":
    main()
