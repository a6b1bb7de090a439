"""Whether two names mean one thing, by fixed rules: what differs in a number, a code or a word of one class is two things."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Final

from ledger.rules.catalogue.numbers import Amount, Code
from ledger.rules.catalogue.reading import ArticleName, read_name, with_numbers_of, without
from ledger.rules.catalogue.shorthand import akin_words, alike
from ledger.rules.catalogue.words import SOFT, Concept, Meanings, may_mean, meanings

_STAINLESS: Final = frozenset({Concept("material", "stainless")})
_ZINC: Final = frozenset({Concept("finish", "galvanised"), Concept("finish", "hotdip")})
_PLATED: Final = frozenset(Concept("finish", name) for name in ("chromed", "nickel", "galvanised", "blackened"))
_YELLOW_METALS: Final = frozenset(Concept("material", name) for name in ("brass", "copper", "bronze"))
_NEVER_BOTH: Final = (
    (_STAINLESS, _ZINC), (_ZINC, _STAINLESS), (_PLATED, _YELLOW_METALS), (_YELLOW_METALS, _PLATED),
)  # fmt: skip
# From here on a suggestion is worth one key; below, it is one of several that a person chooses from.
CONFIDENT: Final = 0.7
# What a piece weighs where both names have it.
_WEIGHTS: Final = {"kind": 3.0, "material": 2.0, SOFT: 0.0}
_OTHER_CONCEPT, _WORD, _AMOUNT, _CODE, _DESIGNATION = 1.5, 2.0, 2.5, 2.5, 5.0
_AKIN: Final = 1.0
SHORTEST_WORD: Final = 4
# Of that weight so much counts against, where only the name that was asked for has it, or only the item's.
_ASKED_ALONE, _ITEM_ALONE = 0.9, 0.7
_INSTEAD: Final = 0.5
# What is meant by a word that only the name asked for has is sure to be meant.
_MEANT_ALONE: Final = 1.2
# What most things of a trade are made of tells little.
_ANY_OF_THEM: Final = frozenset(Concept("material", name) for name in ("steel", "wood", "metal", "plastic"))
# What a thing is sold in, where only one of the names says so.
_SOLD_IN: Final = frozenset({Concept("kind", "bag")})
# Told of a thing or left out: no other thing for that.
_OFTEN_LEFT_OUT: Final = {"article", "V", "strength", "din", "iso", "en", "ip", "ral", "ph", "pz", "t", "a", "bag"}
_LEFT_OUT: Final = 0.3


type Feature = Amount | Code | Meanings | str


def in_full(feature: Feature) -> float:
    """What counts whole."""
    return 1.0


@dataclass(slots=True)
class Comparison:
    """`differs` says why they are two things; `shared` is what both say, `alone` what only one does. What counts for and against
    stands beside them with its weight: in `both`, only in the name `asked` for, only in the item's (`unsaid`)."""

    differs: str = ""
    equal: bool = False
    shared: list[str] = field(default_factory=list)
    alone: list[str] = field(default_factory=list)
    both: list[tuple[Feature, float]] = field(default_factory=list)
    asked: list[tuple[Feature, float]] = field(default_factory=list)
    unsaid: list[tuple[Feature, float]] = field(default_factory=list)
    # Words that nobody knows in either of them, perhaps for one another.
    unlike: float = 0.0

    @property
    def score(self) -> float:
        return self.score_among()

    @property
    def matched(self) -> float:
        return sum(weight for _, weight in self.both)

    @property
    def explained(self) -> float:
        """The share of what the name asked for says that the item says too."""
        return self.matched / (self.matched + sum(weight for _, weight in self.asked)) if self.matched else 0.0

    @property
    def goes_along(self) -> bool:
        """Whether the name asked for says nothing of its own but words that nobody knows, and the item none for them. Short ones
        are sizes and grades."""
        return not self.unlike and all(isinstance(one, str) and len(one) >= SHORTEST_WORD for one, _ in self.asked)

    def score_among(
        self,
        telling: Callable[[Feature], float] = in_full,
        rare: Callable[[Feature], float] = in_full,
        heard: Callable[[Feature], float] = in_full,
    ) -> float:
        """`telling` is the share of what else could be meant that lacks a feature: what all of them have tells none apart. `rare`
        is how few of a list have it, `heard` how far the list knows it at all. 0 where they are two things."""
        if self.differs or self.equal:
            return float(self.equal and not self.differs)
        matched = sum(weight * rare(feature) for feature, weight in self.both)
        asked = sum(weight * heard(feature) for feature, weight in self.asked)
        unsaid = sum(weight * telling(feature) for feature, weight in self.unsaid)
        return matched / (matched + asked + unsaid + self.unlike) if matched else 0.0

    def in_words(self) -> str:
        """`same: M6, 40 mm, bolt; in one only: black`."""
        parts = {"same": self.shared, "in one only": self.alone}
        return "; ".join(f"{word}: {', '.join(said)}" for word, said in parts.items() if said)


def compare(asked: str, named: str) -> Comparison:
    """Two names, read and compared. Symmetric but for what only one of them says."""
    left, right = read_name(asked), read_name(named)
    found = Comparison()
    if left.form and left.form == right.form:
        found.equal, found.shared, found.both = True, ["the same words"], [(left.form, 1.0)]
        return found
    if left.pack and right.pack and left.pack != right.pack:
        found.differs = "another number in a pack"
        return found
    left, right = _designated(left, right, found)
    left, right = with_numbers_of(left, right), with_numbers_of(right, left)
    for step in (_numbers, _meanings):
        step(left, right, found)
        if found.differs:
            return found
    return found


def contains(sentence: str, named: str) -> Comparison:
    """Whether a sentence names a thing: all that its name says stands there, whatever else does."""
    left, right = read_name(sentence), read_name(named)
    found = Comparison()
    for asked, item, same in (
        (left.amounts, right.amounts, lambda one, other: _same_amount(one, other) or _same_without_unit(one, other)),
        (left.codes, right.codes, lambda one, other: one == other),
        (left.concepts, right.concepts, lambda one, other: bool(one & other)),
        (left.words, right.words, alike),
    ):
        both, _, missing = _pair(asked, item, same)  # type: ignore[arg-type]
        if any(not isinstance(one, frozenset) or not _soft(one) for one in missing):
            return Comparison(differs="not all of the name stands there")
        found.both += [(named, 1.0) for _ in both]
    found.shared = [named]
    return found


def _pair[L, R](
    left: Sequence[L], right: Sequence[R], same: Callable[[L, R], bool]
) -> tuple[list[L], list[L], list[R]]:
    """What both have, what only the left one has, what only the right one has; each is used once."""
    rest = list(right)
    both: list[L] = []
    alone: list[L] = []
    for one in left:
        other = next((at for at, it in enumerate(rest) if same(one, it)), None)
        if other is None:
            alone.append(one)
        else:
            both.append(one)
            rest.pop(other)
    return both, alone, rest


def _clash[L, R](asked: Iterable[L], item: Iterable[R], rivals: Callable[[L, R], bool]) -> L | None:
    """What only one of the two names says, and the other says otherwise."""
    return next((one for one, other in product(asked, item) if rivals(one, other)), None)


def _designated(left: ArticleName, right: ArticleName, found: Comparison) -> tuple[ArticleName, ArticleName]:
    """A maker's own number that both have says it all, however it is cut into pieces: `KX-TG820B` is `kxtg820b`."""
    same = left.designations & right.designations
    if not same:
        return left, right
    found.both += [(one, _DESIGNATION) for one in same]
    found.shared += sorted(same)
    return without(left, same), without(right, same)


def _numbers(left: ArticleName, right: ArticleName, found: Comparison) -> None:
    """Amounts and codes; a bare number may be the number of a code: `shore 20` and `A20`."""
    exact, asked, item = _pair(left.amounts, right.amounts, _same_amount)
    loose, asked, item = _pair(asked, item, _same_without_unit)
    same, codes, others = _pair(left.codes, right.codes, lambda one, other: one == other)
    if other := _clash(codes, others, lambda one, other: one.prefix == other.prefix == "m"):
        # Before a bare number is taken for a thread: `M6x8` is no `M8x6`.
        found.differs = f"m{other.value} stands in one only"
        return
    bare, asked, others = _pair(asked, others, _numbers_code)
    coded, item, codes = _pair(item, codes, _numbers_code)
    # A fine thread fits no coarse one; where no pitch is told it is the coarse one.
    pitch = next((one for one in (*codes, *others) if one.prefix == "pitch"), None)
    amount = _clash(asked, item, _rivals) or _clash(asked, others, _other_number) or _clash(item, codes, _other_number)
    code = _clash(codes, others, lambda one, other: one.prefix == other.prefix) or pitch
    if amount or code:
        told = _told(amount) if amount else f"{code.prefix}{code.value}" if code else ""
        found.differs = f"{told} stands in one only"
        return
    found.unlike += _CODE * min(sum(_decides(one) for one in only) for only in (codes, others))
    matched = [*exact, *loose, *bare, *coded]
    _weigh(found, matched, asked, item, lambda one: _AMOUNT, _told, lambda one: one.quantity)
    _weigh(found, same, codes, others, lambda one: _CODE, lambda one: one.prefix + one.value, lambda one: one.prefix)


def _decides(code: Code) -> bool:
    return code.prefix not in _OFTEN_LEFT_OUT


def _numbers_code(one: Amount, code: Code) -> bool:
    """`8 mm` are the thread of an `M8`, too."""
    said = not one.quantity or (one.unit == "mm" and code.prefix == "m")
    return said and code.value == f"{float(one.written):g}"


def _other_number(one: Amount, code: Code) -> bool:
    """A number that stands where the other name has a code with another one."""
    return not one.quantity and _decides(code) and code.value.isdigit()


def _same_amount(one: Amount, other: Amount) -> bool:
    return (one.quantity, one.value) == (other.quantity, other.value)


def _same_without_unit(one: Amount, other: Amount) -> bool:
    """`40` and `40 mm`, where only one says its unit; lengths without one are in millimetres. A cable of
    `2.5 mm` has `2.5 mm²`."""
    if one.quantity and other.quantity:
        return {one.unit, other.unit} == {"mm", "mm²"} and one.written == other.written
    if bool(one.quantity) == bool(other.quantity):
        return False
    bare, full = (other, one) if one.quantity else (one, other)
    return bare.value in (full.written, full.value) or (full.quantity == "m" and bare.value == full.value * 1000)


def _rivals(one: Amount, other: Amount) -> bool:
    """Two amounts of one kind left over. What has no unit rivals any."""
    return one.quantity == other.quantity or not (one.quantity and other.quantity)


def _told(one: Amount) -> str:
    return f"{float(one.written):g} {one.unit}".rstrip()


def _meanings(left: ArticleName, right: ArticleName, found: Comparison) -> None:
    """What the words mean, and those that nobody knows: among these may be what cuts a word of the other name short."""
    exact, asked, item = _pair(left.concepts, right.concepts, lambda one, other: one == other)
    loose, asked, item = _pair(asked, item, lambda one, other: bool(one & other))
    both = [*exact, *loose]
    # What was matched already, said a second time: `plywood, birch ply`.
    matched: Meanings = frozenset().union(*both)
    asked, item = _unmatched(asked, matched), _unmatched(item, matched)
    same, words, others = _pair(left.words, right.words, alike)
    cut, asked, others = _pair(asked, others, _shortens)
    short, words, item = _pair(words, item, lambda word, meant: _shortens(meant, word))
    if clash := _clash(asked, item, _exclude) or _clash(asked, others, _says_other) or _clash(item, words, _says_other):
        found.differs = f"{_named(clash)} stands in one only"
        return
    # What both say, where one of them says it as a part of something else: `tape` of `marking tape`, `box` of `box of 100`.
    said_too = left.written & right.written
    asked, item = _but_for(said_too, asked), _but_for(said_too, item)
    words, others = ([word for word in only if word not in said_too] for only in (words, others))
    akin, words, others = _pair(words, others, akin_words)
    found.both += [(word, _AKIN) for word in akin]
    found.shared += akin
    if words and others:
        # Two names each with words that nobody knows: brands, perhaps.
        found.unlike += _WORD * min(len(words), len(others))
    if any(_decides(one) for one, _ in found.unsaid if isinstance(one, Code)) or not all(map(_soft, item)):
        # A word that nobody knows may say otherwise what the item says: `triangle` beside `square`, `DL` beside `C5`.
        found.unlike += _INSTEAD * len(words)
    _weigh(found, [*both, *cut], asked, item, _weight, _named, lambda one: "" if _SOLD_IN.isdisjoint(one) else "bag")
    _weigh(found, [*same, *short], words, others, lambda one: _WORD, str, lambda one: "")


def _but_for(said: Iterable[str], rest: Iterable[Meanings]) -> list[Meanings]:
    meant = frozenset[Concept]().union(*(one for word in said for one in meanings(word)))
    return [one for one in rest if meant.isdisjoint(one)]


def _unmatched(rest: Iterable[Meanings], matched: Meanings) -> list[Meanings]:
    return [one for one in rest if not _soft(one) and matched.isdisjoint(one)]


def _shortens(meant: Meanings, word: str) -> bool:
    return bool(meant & may_mean(word))


def _says_other(meant: Meanings, word: str) -> bool:
    """Whether the word may cut another one of the same class short, and none of this meaning."""
    maybe = may_mean(word)
    return not maybe & meant and bool({one.group for one in maybe} & {one.group for one in meant})


# How a thing looks, told by its colour, its coating or its bare metal: another word of these is another thing.
_BARE_METALS: Final = frozenset({"stainless", "brass", "copper", "bronze", "aluminium"})


def _tells_looks(meant: Meanings) -> bool:
    return all(
        one.group in ("colour", "finish") or (one.group == "material" and one.name in _BARE_METALS) for one in meant
    )


def _soft(meant: Meanings) -> bool:
    return any(one.group == SOFT for one in meant)


def _exclude(one: Meanings, other: Meanings) -> bool:
    """Two of one class, or a material with a finish that it never has."""
    if _tells_looks(one) and _tells_looks(other):
        return True
    kinds, others = {meant.group for meant in one}, {meant.group for meant in other}
    return bool(kinds & others) or any(bool(one & a and other & b) for a, b in _NEVER_BOTH)


def _named(meant: Meanings) -> str:
    return min(one.name for one in meant).replace("_", " ")


def _weight(meant: Meanings) -> float:
    if not meant.isdisjoint(_ANY_OF_THEM):
        return _LEFT_OUT
    return max(_WEIGHTS.get(one.group, _OTHER_CONCEPT) for one in meant)


def _weigh[T: Feature](
    found: Comparison,
    both: Sequence[T],
    asked: Sequence[T],
    item: Sequence[T],
    weight: Callable[[T], float],
    told: Callable[[T], str],
    slot: Callable[[T], str],
) -> None:
    """`asked` and `item` are what only one of the names says."""
    found.both += [(one, weight(one)) for one in both]
    found.asked += [(one, _weight_alone(slot(one), weight(one) * _asked_share(one))) for one in asked]
    found.unsaid += [(one, _weight_alone(slot(one), weight(one) * _ITEM_ALONE)) for one in item]
    found.shared += [told(one) for one in both]
    found.alone += [told(one) for one in (*asked, *item)]


def _weight_alone(slot: str, weight: float) -> float:
    return _LEFT_OUT if slot in _OFTEN_LEFT_OUT else weight


def _asked_share(one: Feature) -> float:
    return _MEANT_ALONE if isinstance(one, frozenset) else _ASKED_ALONE
