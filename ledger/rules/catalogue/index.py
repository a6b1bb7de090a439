"""The names of a catalogue, ready to be asked which of them somebody means (T12)."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from math import log
from typing import Final, NamedTuple

from ledger.rules.catalogue.matching import SHORTEST_WORD, Comparison, Feature, compare, contains, in_full
from ledger.rules.catalogue.reading import ArticleName, read_name
from ledger.rules.catalogue.shorthand import ListWords
from ledger.rules.catalogue.words import SOFT

WORTH_TELLING: Final = 0.45
# Two that fit about as well are a choice.
CLOSE: Final = 0.07
MAX_CHOICES: Final = 5
MAX_COMPARED: Final = 60
# What all items of a list have still counts so much of what only one of them has.
LEAST_RARE: Final = 0.7
# What a word of the asked name counts that the list does not know, from this many letters on.
UNHEARD: Final = 0.3
# How much of what is missing to certainty a clear lead makes up for.
CLEAR: Final = 0.4
# Who explains so much of what the best one does could be meant as well.
RIVAL: Final = 0.7
# And who explains so much of what is asked as the best one.
EXPLAINED: Final = 0.9
# Who explains so much of what the best one does fits as well.
TIED: Final = 0.97
# What nobody said of the only one that fits still counts a little.
LEAST_TELLING: Final = 0.15


class Ranked(NamedTuple):
    """An item by its number, how sure the rules are, and what they compared."""

    number: int
    confidence: float
    compared: "Comparison"


class NameIndex:
    """The names of a catalogue (each with its item's number; an item may have several), ready to be asked.

    Of a long catalogue only those names are compared that share the most with what is asked.
    """

    def __init__(self, names: Iterable[tuple[int, str]]) -> None:
        self._names = list(names)
        self._places: dict[object, list[int]] = defaultdict(list)
        having: dict[object, set[int]] = defaultdict(set)
        for at, (number, name) in enumerate(self._names):
            read = read_name(name)
            for feature in _features(read):
                self._places[feature].append(at)
            for feature in _pieces_of(read):
                having[feature].add(number)
        self._words = ListWords(name for _, name in self._names)
        self._having = {feature: len(numbers) for feature, numbers in having.items()}
        self._items = len({number for number, _ in self._names})

    def rank(self, asked: str, *, without: Collection[int] = (), inside: bool = False) -> list[Ranked]:
        """The items that `asked` can mean, the best first; where two fit about as well, neither is confident: a person
        chooses. `without` are items that it does not mean; `inside` asks for names that stand in a sentence, whole."""
        asks, asked = (contains, asked) if inside else (compare, self._words.written_out(asked))
        compared = [(number, name, asks(asked, name)) for number, name in self._near(asked) if number not in without]
        fitting = [one for one in compared if one[2].score > 0]
        rivals, tied = _rivals(fitting)
        # Where several fit alike, a word that the list does not know may be what tells them apart.
        heard = in_full if tied else self._heard
        best: dict[int, Ranked] = {}
        for number, _, found in fitting:
            score = found.score_among(_telling(number, rivals), self._rare, heard)
            if number not in best or score > best[number].confidence:
                best[number] = Ranked(number, score, found)
        return _sure(sorted(best.values(), key=lambda one: (-one.confidence, one.number)))

    def _near(self, asked: str) -> list[tuple[int, str]]:
        shared: Counter[int] = Counter()
        for feature in _features(read_name(asked)):
            places = self._places.get(feature, ())
            for at in places:
                shared[at] += self._rarity(len(places))  # type: ignore[assignment]
        return [self._names[at] for at, _ in shared.most_common(MAX_COMPARED)]

    def _rarity(self, having: int) -> float:
        """From 1 for what one item of the list has down to nearly 0 for what all have (inverse document frequency)."""
        few = log((self._items + 1) / 1.5)
        return min(1.0, max(LEAST_RARE, log((self._items + 1) / (having + 0.5)) / few)) if having > 1 else 1.0

    def _rare(self, feature: Feature) -> float:
        return self._rarity(max((self._having.get(one, 0) for one in _parts_of(feature)), default=0))

    def _heard(self, feature: Feature) -> float:
        """A word that no item of the list has and no vocabulary knows, a brand perhaps, speaks less against one. Short ones are
        sizes and grades."""
        unheard = isinstance(feature, str) and len(feature) >= SHORTEST_WORD and feature not in self._having
        return UNHEARD if unheard else 1.0


def _rivals(fitting: Sequence[tuple[int, str, Comparison]]) -> tuple[list[tuple[int, str]], bool]:
    """Which could be meant as well as the best one, and whether some fit as well as that."""
    most = max((found.matched for _, _, found in fitting), default=0.0)
    explained = max((found.explained for _, _, found in fitting), default=0.0)
    rivals = [
        (number, name)
        for number, name, found in fitting
        if found.matched >= RIVAL * most and found.explained >= EXPLAINED * explained
    ]
    return rivals, len({number for number, _, found in fitting if found.matched >= TIED * most}) > 1


def _telling(number: int, rivals: Collection[tuple[int, str]]) -> Callable[[Feature], float]:
    """How far a feature of an item tells it from the others that could be meant."""
    others = [_all_of(read_name(name)) for other, name in rivals if other != number]

    def share(feature: Feature) -> float:
        lacking = sum(feature not in one for one in others)
        return max(LEAST_TELLING, lacking / len(others)) if others else LEAST_TELLING

    return share


def _all_of(name: ArticleName) -> set[Feature]:
    return {*name.amounts, *name.codes, *name.concepts, *name.words}


def _features(name: ArticleName) -> set[object]:
    """What two names of one thing can share. Amounts are told by their number, so that `40` meets `40 mm`."""
    words = {word[:3] for word in name.words}
    concepts = {one for meant in name.concepts for one in meant if one.group != SOFT}
    return {*name.codes, *concepts, *words, *(one.written for one in name.amounts), *name.designations, name.form}


def _parts_of(feature: Feature) -> Iterable[object]:
    """What is counted of a feature: each thing that a word can mean."""
    return feature if isinstance(feature, frozenset) else (feature,)


def _pieces_of(name: ArticleName) -> set[object]:
    return {part for feature in (*_all_of(name), *name.designations) for part in _parts_of(feature)}


def _sure(ranked: list[Ranked]) -> list[Ranked]:
    """What is worth telling. Two that fit about as well are confident neither; what lies clearly ahead gains by it."""
    told = [one for one in ranked if one.confidence >= WORTH_TELLING][:MAX_CHOICES]
    if not told:
        return []
    first, second = told[0], ranked[1].confidence if len(ranked) > 1 else 0.0
    close = len(told) > 1 and first.confidence - second < _room(first.confidence)
    if close or any(_as_well(first, other) for other in told[1:]):
        return [one._replace(confidence=one.confidence / 2) for one in told]
    if first.compared.goes_along:
        told[0] = first._replace(confidence=_clear(first.confidence, second))
    return told


def _as_well(first: Ranked, other: Ranked) -> bool:
    """Whether nothing that is asked tells the two apart, and each has something of its own: the usual one is not meant for that."""
    unsaid, others = ({feature for feature, _ in one.compared.unsaid} for one in (first, other))
    same = other.compared.matched >= TIED * first.compared.matched
    return (
        same and first.confidence < 1 and other.compared.explained >= first.compared.explained and not unsaid <= others
    )


def _clear(first: float, second: float) -> float:
    """The further the second lies behind, the surer is the first."""
    return first + (1 - first) * CLEAR * (1 - second / first)


def _room(score: float) -> float:
    """How far the second must lie behind the first; what fits whole is beaten by nothing that does not."""
    return CLOSE if score < 1 else 1e-9
