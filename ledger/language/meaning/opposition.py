"""Whether two German, Spanish or French statements in other words cannot both be true: the same thing said and denied, another
amount, another day (D12). English is compared by `ledger.language.contradiction` itself.

Pure. What both speak of is aligned by stem and meaning; what only one speaks of decides: where each has something of its own, they
speak of two things and say nothing of each other.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from ledger.language.meaning.amounts import Amount
from ledger.language.meaning.reading import Reading, Term, reading_of
from ledger.language.meaning.vocabulary import language_of_both

# What a verb weighs, beside a noun: it may be another word for the same.
JOINING: Final = 0.35
# What is common to two that deny each other weighs at least a noun and a verb.
ENOUGH: Final = 1.3
MOST_OF_ITS_OWN: Final = 1.1


@dataclass(frozen=True, slots=True)
class _Pair:
    a: Reading
    b: Reading
    common: float
    shared: tuple[Term, ...]
    only_a: tuple[Term, ...]
    only_b: tuple[Term, ...]

    @property
    def shorter_rest(self) -> float:
        """How much even the side with less of its own says that the other does not."""
        return min(_weight(self.only_a), _weight(self.only_b))

    @property
    def longer_rest(self) -> float:
        return max(_weight(self.only_a), _weight(self.only_b))

    @property
    def near(self) -> bool:
        """Whether they share enough to be told of one thing."""
        return self.common >= 1 and self.longer_rest <= 1 + 1.5 * self.common

    @property
    def alike(self) -> bool:
        """Whether most of what either says is in both, or one says all that the other does on the same day."""
        same_day = bool(self.a.days & self.b.days) and self.shorter_rest == 0
        return self.common >= ENOUGH and (self.longer_rest <= self.common or (same_day and self.longer_rest <= 2))

    @property
    def two_things(self) -> bool:
        return all(any(not term.joins for term in side) for side in (self.only_a, self.only_b))

    @property
    def turned(self) -> bool:
        """Whether one denies what the other says. The two ends of one meaning deny each other where each has one."""
        a, b = self.a, self.b
        ends = (a.opposites & b.upright - b.opposites) | (b.opposites & a.upright - a.opposites)
        return (a.denials + b.denials + bool(ends)) % 2 == 1

    @property
    def unclear(self) -> bool:
        """Whether one has an end of a meaning of which the other has neither: `we drop support for it`."""
        a, b = self.a, self.b
        return bool(a.opposites - b.upright - b.opposites or b.opposites - a.upright - a.opposites)

    @property
    def other_days(self) -> bool:
        """Whether of a sort of days that both name they name none in common."""
        a, b = self.a.days, self.b.days
        sorts = {what for what, _ in a} & {what for what, _ in b}
        return any(not {day for day in a & b if day[0] == sort} for sort in sorts)

    @property
    def other_condition(self) -> bool:
        a, b = self.a, self.b
        if a.condition and b.condition:
            return a.condition != b.condition
        condition, plain = (a.condition, b) if a.condition else (b.condition, a)
        return bool(condition) and not plain.alone and not condition & plain.keys


def _weight(terms: Sequence[Term]) -> float:
    return sum(JOINING if term.joins else 1.0 for term in terms)


def opposed(one: str, other: str) -> str:
    """Why the two cannot both be true, or the empty string. The order does not matter."""
    language = language_of_both(one, other)
    if language is None:
        return ""
    pair = _aligned(reading_of(one, language), reading_of(other, language))
    if not pair.near or pair.other_condition:
        return ""
    return next(filter(None, (differs(pair) for differs in _DIFFERENCES)), "")


def _aligned(a: Reading, b: Reading) -> _Pair:
    shared = tuple(term for term in a.terms if _met(term, b))
    in_b = tuple(term for term in b.terms if _met(term, a))
    only_a, only_b = (tuple(set(side.terms).difference(both)) for side, both in ((a, shared), (b, in_b)))
    ends = (a.opposites & b.upright) | (b.opposites & a.upright)
    beside = (a.modal == b.modal != "", ends, a.days & b.days)
    common = max(_weight(shared), _weight(in_b), 1.0 * _all_said(a, b, shared)) + JOINING * sum(map(bool, beside))
    return _Pair(a, b, common, shared, only_a, only_b)


def _all_said(a: Reading, b: Reading, shared: Sequence[Term]) -> bool:
    """Whether what both do is all that one of them speaks of."""
    return bool(shared) and any(all(term.joins for term in side.terms) for side in (a, b))


def _met(term: Term, other: Reading) -> bool:
    return any(_same(term, one) for one in other.terms)


def _same(one: Term, other: Term) -> bool:
    """Words of one meaning, one word within the other (`Kassensystem`, `System`), or six letters in common."""
    if one.key == other.key or one.meanings & other.meanings:
        return True
    short, long = sorted((one.root, other.root), key=len)
    if _NEGATES.match(long) and not _NEGATES.match(short):
        return False
    if len(short) >= 5 and (long.startswith(short) or long.endswith(short)):
        return True
    return len(short) >= 6 and short[:6] == long[:6]


# `Nichtmitglieder` are no members.
_NEGATES: Final = re.compile(r"(?:nicht|non-|no-|un)(?=\w{4})")


def _excluded(pair: _Pair) -> str:
    """One takes something for what the other does without."""
    if pair.turned or not pair.alike:
        return ""
    used: set[str] = set()
    for mine, theirs, instead in ((pair.a, pair.b, pair.only_a), (pair.b, pair.a, pair.only_b)):
        if _weight(instead) >= 1:
            used |= (mine.excluded - mine.keys) & theirs.keys
    return f"excluded by one, used by the other: {', '.join(sorted(used))}" if used else ""


def _denied(pair: _Pair) -> str:
    a, b = pair.a, pair.b
    if not pair.turned or not pair.alike or pair.unclear or pair.other_days or a.excluded | b.excluded:
        return ""
    if pair.two_things or pair.shorter_rest > JOINING or _need_not(a, b) or _other_amount(pair):
        return ""
    return f"one says it, the other denies it: {_listed(pair)}"


def _need_not(a: Reading, b: Reading) -> bool:
    """`need not` and `may` agree."""
    obliging = a if a.modal == "oblige" else b
    return {a.modal, b.modal} == {"permit", "oblige"} and obliging.denials % 2 == 1


def _other_amount(pair: _Pair) -> str:
    """What each measures otherwise than the other does."""
    mine, theirs = pair.a.amounts, pair.b.amounts
    back = _misfits(theirs, mine)
    return next((what for what in _misfits(mine, theirs) if what in back), "")


def _misfits(mine: Sequence[Amount], theirs: Sequence[Amount]) -> list[str]:
    kinds = {other.what for other in theirs}
    fitting = {one for one in mine if any(other.what == one.what and one.fits(other) for other in theirs)}
    return [one.what for one in mine if one.what in kinds and one not in fitting]


def _another_amount(pair: _Pair) -> str:
    if pair.turned or pair.other_days or pair.two_things or pair.shorter_rest > MOST_OF_ITS_OWN:
        return ""
    what = _other_amount(pair)
    return what and f"another amount ({what}) of {_listed(pair)}"


def _another_day(pair: _Pair) -> str:
    a, b = pair.a, pair.b
    if (
        a.denials
        or b.denials
        or pair.turned
        or pair.two_things
        or pair.shorter_rest > MOST_OF_ITS_OWN
        or not pair.other_days
    ):
        return ""
    sorts = [{what for what, _ in side.days} & {"days", "months"} for side in (a, b)]
    both_recur = a.recurring and b.recurring and not a.alone | b.alone
    return f"another day of {_listed(pair)}" if sorts[0] and sorts[0] == sorts[1] and not both_recur else ""


def _listed(pair: _Pair) -> str:
    return ", ".join(dict.fromkeys(term.root for term in pair.shared))


_DIFFERENCES: Final[tuple[Callable[[_Pair], str], ...]] = (_excluded, _denied, _another_amount, _another_day)
