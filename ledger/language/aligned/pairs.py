"""Two English statements beside each other: which words both say, what is left to each, and whether they are of one time."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from ledger.language.aligned.lexicon import base_of, same_meaning
from ledger.language.aligned.reading import EnglishReading, reading_of
from ledger.language.aligned.tokens import Word
from ledger.language.measures import Measure, agree


@dataclass(frozen=True, slots=True)
class Pair:
    """Two readings: the words that both say, each with the other's, and what is left to each."""

    a: EnglishReading
    b: EnglishReading
    met: tuple[tuple[Word, Word], ...]
    only_a: tuple[Word, ...]
    only_b: tuple[Word, ...]

    @property
    def turned(self) -> bool:
        return self.a.denies != self.b.denies

    @property
    def neither_denies(self) -> bool:
        return not self.a.denies and not self.b.denies

    @property
    def related(self) -> bool:
        """Whether both speak of a thing that is no mere name, and of enough else."""
        shared = [one for one, _ in self.met if not one.is_verb and (not one.is_name or one.said.isupper())]
        left = [[word for word in things(only) if word.is_noun] for only in (self.only_a, self.only_b)]
        return bool(shared) and (len(self.met) > 1 or not all(left))

    @property
    def outright(self) -> bool:
        """Whether both say it outright: nothing hoped or said to be, and of all that there is, in one case."""
        says = self.a.says ^ self.b.says
        return not {"attitude", "part"} & (self.a.says | self.b.says) and not {"condition", "own"} & says

    @property
    def two_times(self) -> bool:
        """Whether one tells what was and the other what is, or each names a time of one sort, and not the same."""
        return self.past_and_present or self.other_times

    @property
    def past_and_present(self) -> bool:
        a, b = self.a, self.b
        was = any(
            "past" in one.says and "past" not in other.says and not other.tells for one, other in ((a, b), (b, a))
        )
        return was or any(
            one.is_past != other.is_past
            for one, other in self.met
            if one.base == other.base and one.is_verb and other.is_verb
        )

    @property
    def other_times(self) -> bool:
        return self.sorts_apart > 0

    @property
    def sorts_apart(self) -> int:
        """Of how many sorts of times each names one, and none in common."""
        a, b = self.a.times, self.b.times
        sorts = {sort for sort, _ in a} & {sort for sort, _ in b}
        return sum(all(one[0] != sort for one in a & b) for sort in sorts)

    @property
    def other_edges(self) -> bool:
        return bool(self.a.edges and self.b.edges) and self.a.edges.isdisjoint(self.b.edges)

    @property
    def misfits(self) -> list[tuple[Measure, Measure]]:
        """Each amount that none of its sort on the other side agrees with, and one of these."""
        found = []
        for amount in self.a.amounts:
            rivals = [other for other in self.b.amounts if _of_one_sort(amount, other)]
            if rivals and not any(_fit(amount, other) for other in rivals):
                found.append((amount, rivals[0]))
        return found


def pair_of(one: str, other: str) -> Pair:
    a, b = reading_of(one), reading_of(other)
    alike = [[at for at, candidate in enumerate(b.words) if same_word(word, candidate)] for word in a.words]
    taken, met = set[int](), list[tuple[Word, Word]]()
    for word, places in zip(a.words, alike, strict=True):
        if free := [at for at in places if at not in taken]:
            taken.add(free[0])
            met.append((word, b.words[free[0]]))
    said = set[int]().union(*alike)
    only_a = tuple(word for word, places in zip(a.words, alike, strict=True) if not places)
    return Pair(a, b, tuple(met), only_a, tuple(word for at, word in enumerate(b.words) if at not in said))


def same_word(one: Word, other: Word) -> bool:
    if one.base == other.base:
        return True
    return not (one.is_name and other.is_name) and same_meaning(one.base, other.base)


def things(words: Sequence[Word]) -> list[Word]:
    return [word for word in words if word.is_thing]


def _of_one_sort(a: Measure, b: Measure) -> bool:
    """Bare numbers beside the same word; the same number with another unit is another amount."""
    if a.what != b.what:
        return bool(a.unit and b.unit) and a.low == b.low != 0
    if a.what != "number":
        return True
    beside = ((one, other) for one, other in product((a.after, a.before), (b.after, b.before)) if one and other)
    return any(same_meaning(base_of(one), base_of(other)) for one, other in beside)


def _fit(a: Measure, b: Measure) -> bool:
    if a.what == b.what == "clock" and not (_half_told(a) and _half_told(b)):
        return (a.low - b.low) % 720 == 0
    return a.what == b.what and agree(a, b)


def _half_told(one: Measure) -> bool:
    """Whether a time of day cannot be before and after noon."""
    return one.low >= 780 or one.said.lower().rstrip(".").endswith("m")


def said_by(words: Sequence[Word]) -> str:
    return " ".join(word.said for word in words)
