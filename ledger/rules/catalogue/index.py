"""The names of a catalogue, ready to be asked which of them somebody means (T12)."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable
from typing import Final, NamedTuple

from ledger.rules.catalogue.matching import Comparison, Feature, compare, contains
from ledger.rules.catalogue.reading import ArticleName, read_name
from ledger.rules.catalogue.words import SOFT

WORTH_TELLING: Final = 0.45
# Two that fit about as well are a choice.
CLOSE: Final = 0.07
MAX_CHOICES: Final = 5
MAX_COMPARED: Final = 200
# Who explains so much of what the best one does could be meant as well.
RIVAL: Final = 0.7
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
        for at, (_, name) in enumerate(self._names):
            for feature in _features(read_name(name)):
                self._places[feature].append(at)

    def rank(self, asked: str, *, without: Collection[int] = (), inside: bool = False) -> list[Ranked]:
        """The items that `asked` can mean, the best first; where two fit about as well, neither is confident: a person
        chooses. `without` are items that it does not mean; `inside` asks for names that stand in a sentence, whole."""
        asks = contains if inside else compare
        compared = [(number, name, asks(asked, name)) for number, name in self._near(asked) if number not in without]
        fitting = [one for one in compared if one[2].score > 0]
        most = max((found.matched for _, _, found in fitting), default=0.0)
        rivals = [(number, name) for number, name, found in fitting if found.matched >= RIVAL * most]
        best: dict[int, Ranked] = {}
        for number, _, found in fitting:
            score = found.score_among(_telling(number, rivals))
            if score >= (best[number].confidence if number in best else WORTH_TELLING):
                best[number] = Ranked(number, score, found)
        ranked = sorted(best.values(), key=lambda one: (-one.confidence, one.number))[:MAX_CHOICES]
        if len(ranked) > 1 and ranked[0].confidence - ranked[1].confidence < _room(ranked[0].confidence):
            return [one._replace(confidence=one.confidence / 2) for one in ranked]
        return ranked

    def _near(self, asked: str) -> list[tuple[int, str]]:
        shared = Counter(at for feature in _features(read_name(asked)) for at in self._places.get(feature, ()))
        return [self._names[at] for at, _ in shared.most_common(MAX_COMPARED)]


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
    return {*name.codes, *concepts, *words, *(one.written for one in name.amounts), name.form}


def _room(score: float) -> float:
    """How far the second must lie behind the first; what fits whole is beaten by nothing that does not."""
    return CLOSE if score < 1 else 1e-9
