"""Whether two names mean one thing, by fixed rules: what differs in a number, a code or a word of one class is two things."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import filterfalse, product
from typing import Final, NamedTuple

from ledger.rules.catalogue.reading import Amount, ArticleName, read_name
from ledger.rules.catalogue.words import SOFT, Concept, Meanings, one_letter_apart

_STAINLESS: Final = frozenset({Concept("material", "stainless")})
_ZINC: Final = frozenset({Concept("finish", "galvanised"), Concept("finish", "hotdip")})
_NEVER_BOTH: Final = ((_STAINLESS, _ZINC), (_ZINC, _STAINLESS))
# From here on a suggestion is worth one key; below, it is one of several that a person chooses from.
CONFIDENT: Final = 0.75
WORTH_TELLING: Final = 0.45
# Two that fit about as well are a choice.
CLOSE: Final = 0.07
MAX_CHOICES: Final = 5
MAX_COMPARED: Final = 200
# What a piece weighs where both names have it.
_WEIGHTS: Final = {"kind": 3.0, "material": 2.0, SOFT: 0.0}
_OTHER_CONCEPT, _WORD, _AMOUNT, _CODE = 1.5, 2.0, 2.5, 2.5
# Of that weight so much counts against, where only the name that was asked for has it, or only the item's.
_ASKED_ALONE, _ITEM_ALONE = 0.9, 0.7
# Told of a thing or left out: no other thing for that.
_OFTEN_LEFT_OUT: Final = {"V", "strength", "din", "iso", "en", "ip", "ral", "ph", "pz", "t", "a"}
_LEFT_OUT: Final = 0.3


class Ranked(NamedTuple):
    """An item by its number, how sure the rules are, and what they compared."""

    number: int
    confidence: float
    compared: "Comparison"


@dataclass(slots=True)
class Comparison:
    """`score` is 0 where `differs` says why they are two things; `shared` is what both say, `alone` what only one does."""

    matched: float = 0.0
    against: float = 0.0
    differs: str = ""
    shared: list[str] = field(default_factory=list)
    alone: list[str] = field(default_factory=list)

    @property
    def score(self) -> float:
        if self.differs or not self.matched:
            return 0.0
        return self.matched / (self.matched + self.against)

    def in_words(self) -> str:
        """`same: M6, 40 mm, bolt; in one only: black`."""
        parts = {"same": self.shared, "in one only": self.alone}
        return "; ".join(f"{word}: {', '.join(said)}" for word, said in parts.items() if said)


def compare(asked: str, named: str) -> Comparison:
    """Two names, read and compared. Symmetric but for what only one of them says."""
    left, right = read_name(asked), read_name(named)
    found = Comparison()
    if left.form and left.form == right.form:
        found.matched, found.shared = 1.0, ["the same words"]
        return found
    if left.pack and right.pack and left.pack != right.pack:
        found.differs = "another number in a pack"
        return found
    for step in (_amounts, _codes, _concepts, _words):
        step(left, right, found)
        if found.differs:
            return found
    return found


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
        best: dict[int, Ranked] = {}
        for number, name in self._near(asked):
            found = asks(asked, name)
            least = best[number].confidence if number in best else WORTH_TELLING
            if number not in without and found.score >= least:
                best[number] = Ranked(number, found.score, found)
        ranked = sorted(best.values(), key=lambda one: (-one.confidence, one.number))[:MAX_CHOICES]
        if len(ranked) > 1 and ranked[0].confidence - ranked[1].confidence < _room(ranked[0].confidence):
            return [one._replace(confidence=one.confidence / 2) for one in ranked]
        return ranked

    def _near(self, asked: str) -> list[tuple[int, str]]:
        shared = Counter(at for feature in _features(read_name(asked)) for at in self._places.get(feature, ()))
        return [self._names[at] for at, _ in shared.most_common(MAX_COMPARED)]


def _features(name: ArticleName) -> set[object]:
    """What two names of one thing can share. Amounts are told by their number, so that `40` meets `40 mm`."""
    words = {word[:3] for word in name.words}
    concepts = {one for meant in name.concepts for one in meant if one.group != SOFT}
    return {*name.codes, *concepts, *words, *(one.written for one in name.amounts), name.form}


def contains(sentence: str, named: str) -> Comparison:
    """Whether a sentence names a thing: all that its name says stands there, whatever else does."""
    left, right = read_name(sentence), read_name(named)
    found = Comparison()
    for asked, item, same in (
        (left.amounts, right.amounts, lambda one, other: _same_amount(one, other) or _same_without_unit(one, other)),
        (left.codes, right.codes, lambda one, other: one == other),
        (left.concepts, right.concepts, lambda one, other: bool(one & other)),
        (left.words, right.words, _alike),
    ):
        both, _, missing = _pair(asked, item, same)  # type: ignore[arg-type]
        if any(not isinstance(one, frozenset) or not _soft(one) for one in missing):
            return Comparison(differs="not all of the name stands there")
        found.matched += len(both)
    found.shared = [named]
    return found


def _room(score: float) -> float:
    """How far the second must lie behind the first; what fits whole is beaten by nothing that does not."""
    return CLOSE if score < 1 else 1e-9


def _pair[T](left: Sequence[T], right: Sequence[T], same: Callable[[T, T], bool]) -> tuple[list[T], list[T], list[T]]:
    """What both have, what only the left one has, what only the right one has; each is used once."""
    rest = list(right)
    both: list[T] = []
    alone: list[T] = []
    for one in left:
        other = next((at for at, it in enumerate(rest) if same(one, it)), None)
        if other is None:
            alone.append(one)
        else:
            both.append(one)
            rest.pop(other)
    return both, alone, rest


def _clash[T](asked: Iterable[T], item: Iterable[T], rivals: Callable[[T, T], bool]) -> T | None:
    """What only one of the two names says, and the other says otherwise."""
    return next((one for one, other in product(asked, item) if rivals(one, other)), None)


def _amounts(left: ArticleName, right: ArticleName, found: Comparison) -> None:
    exact, asked, item = _pair(left.amounts, right.amounts, _same_amount)
    loose, asked, item = _pair(asked, item, _same_without_unit)
    if clash := _clash(asked, item, _rivals):
        found.differs = f"{_told(clash)} stands in one only"
        return
    _weigh(found, [*exact, *loose], asked, item, lambda one: _AMOUNT, _told, lambda one: one.quantity)


def _same_amount(one: Amount, other: Amount) -> bool:
    return (one.quantity, one.value) == (other.quantity, other.value)


def _same_without_unit(one: Amount, other: Amount) -> bool:
    """`40` and `40 mm`, where only one says its unit; lengths without one are in millimetres."""
    if bool(one.quantity) == bool(other.quantity):
        return False
    bare, full = (other, one) if one.quantity else (one, other)
    return bare.value in (full.written, full.value) or (full.quantity == "m" and bare.value == full.value * 1000)


def _rivals(one: Amount, other: Amount) -> bool:
    """Two amounts of one kind left over. What has no unit rivals any."""
    return one.quantity == other.quantity or not (one.quantity and other.quantity)


def _told(one: Amount) -> str:
    return f"{float(one.written):g} {one.unit}".rstrip()


def _codes(left: ArticleName, right: ArticleName, found: Comparison) -> None:
    both, asked, item = _pair(left.codes, right.codes, lambda one, other: one == other)
    # A fine thread fits no coarse one; where no pitch is told it is the coarse one.
    pitch = next((one for one in (*asked, *item) if one.prefix == "pitch"), None)
    if clash := _clash(asked, item, lambda one, other: one.prefix == other.prefix) or pitch:
        found.differs = f"{clash.prefix}{clash.value} stands in one only"
        return
    _weigh(found, both, asked, item, lambda one: _CODE, lambda one: one.prefix + one.value, lambda one: one.prefix)


def _concepts(left: ArticleName, right: ArticleName, found: Comparison) -> None:
    exact, asked, item = _pair(left.concepts, right.concepts, lambda one, other: one == other)
    loose, asked, item = _pair(asked, item, lambda one, other: bool(one & other))
    both = [*exact, *loose]
    asked, item = list(filterfalse(_soft, asked)), list(filterfalse(_soft, item))
    if clash := _clash(asked, item, _exclude):
        found.differs = f"{_named(clash)} stands in one only"
        return
    # What was matched already, said a second time: `plywood, birch ply`.
    matched = frozenset().union(*both)
    asked, item = list(filter(matched.isdisjoint, asked)), list(filter(matched.isdisjoint, item))
    _weigh(found, both, asked, item, _weight, _named, lambda one: "")


def _soft(meant: Meanings) -> bool:
    return any(one.group == SOFT for one in meant)


def _exclude(one: Meanings, other: Meanings) -> bool:
    """Two of one class, or a material with a finish that it never has."""
    kinds, others = {meant.group for meant in one}, {meant.group for meant in other}
    return bool(kinds & others) or any(bool(one & a and other & b) for a, b in _NEVER_BOTH)


def _named(meant: Meanings) -> str:
    return min(one.name for one in meant).replace("_", " ")


def _weight(meant: Meanings) -> float:
    return max(_WEIGHTS.get(one.group, _OTHER_CONCEPT) for one in meant)


def _words(left: ArticleName, right: ArticleName, found: Comparison) -> None:
    both, asked, item = _pair(left.words, right.words, _alike)
    if asked and item:
        # Two names each with words that nobody knows: brands, perhaps.
        found.against += _WORD * min(len(asked), len(item))
    _weigh(found, both, asked, item, lambda one: _WORD, str, lambda one: "")


def _alike(one: str, other: str) -> bool:
    """The same word, another form of it, an abbreviation, or a slip of one letter in a long one."""
    short, long = sorted((one, other), key=len)
    if len(short) >= 3 and long.startswith(short) and (len(short) >= 4 or len(long) - len(short) <= 2):
        return True
    return one == other or (len(short) >= 6 and one_letter_apart(one, other))


def _weigh[T](
    found: Comparison,
    both: Sequence[T],
    asked: Sequence[T],
    item: Sequence[T],
    weight: Callable[[T], float],
    told: Callable[[T], str],
    slot: Callable[[T], str],
) -> None:
    found.matched += sum(map(weight, both))
    for rest, share in ((asked, _ASKED_ALONE), (item, _ITEM_ALONE)):
        found.against += sum(_LEFT_OUT if slot(one) in _OFTEN_LEFT_OUT else weight(one) * share for one in rest)
    found.shared += [told(one) for one in both]
    found.alone += [told(one) for one in (*asked, *item)]
