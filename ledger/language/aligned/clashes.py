"""Whether two English statements in other words cannot both be true (D12).

Pure. What both speak of is aligned by form and meaning; what is left to each decides. Where each says something of its own they
speak of two things, unless it is one thing that the rest allows only once: who chairs it, where it is kept, what it is written in.
"""

import re
from collections.abc import Callable, Sequence
from typing import Final

from ledger.language.aligned.lexicon import base_of, opposite
from ledger.language.aligned.moments import WHEN
from ledger.language.aligned.names import another_name
from ledger.language.aligned.pairs import Pair, pair_of, said_by, same_word, things
from ledger.language.aligned.reading import EnglishReading
from ledger.language.aligned.tokens import Word


def clash(one: str, other: str) -> str:
    """Why the two cannot both be true, or the empty string. The order does not matter."""
    pair = pair_of(one, other)
    if not pair.related or not pair.outright:
        return ""
    return next(filter(None, (differs(pair) for differs in _DIFFERENCES)), "")


def speak_past_each_other(one: str, other: str) -> bool:
    """Whether they are told of two times or by two people, or one wonders what the other says, so that they cannot contradict."""
    pair = pair_of(one, other)
    a, b = pair.a, pair.b
    if "attitude" in a.says ^ b.says or "part" in a.says & b.says or pair.past_and_present:
        return True
    if pair.turned and (_leaves_room(a, b) if a.denies else _leaves_room(b, a)):
        return True
    elsewhen = pair.other_times or (pair.misfits and pair.other_edges)
    return (elsewhen and not _only_when(pair)) or not _plainly(pair.a, pair.b)


def _verbs(words: Sequence[Word]) -> list[Word]:
    return [word for word in words if word.is_verb]


def _denied(pair: Pair) -> str:
    """What one denies of all, the other says of some; or one says of all what the other denies of some."""
    a, b = pair.a, pair.b
    if not pair.turned or pair.two_times or pair.misfits or "only" in a.says | b.says or not _plainly(a, b):
        return ""
    sides = (a, b, pair.only_a, pair.only_b) if a.denies else (b, a, pair.only_b, pair.only_a)
    if len(pair.met) < 2 or not _reaches(*sides, met=len(pair.met)):
        return ""
    return f"one says it, the other denies it: {said_by([one for one, _ in pair.met])}"


def _reaches(
    no: EnglishReading, yes: EnglishReading, only_no: Sequence[Word], only_yes: Sequence[Word], *, met: int
) -> bool:
    """Whether what is denied holds of what is said: nothing more is done in either, and what only the denial speaks of is among
    all that the other does."""
    if _leaves_room(no, yes) or (no.amounts and _bounds(no) != _bounds(yes)):
        return False
    if _verbs(only_no) or len(_verbs(only_yes)) > 1 or len(only_yes) > 2 * met:
        return False
    return not things(only_no) or ("all" in yes.says and not things(only_yes))


def _leaves_room(no: EnglishReading, yes: EnglishReading) -> bool:
    """What need not be may be, and what may be under some condition is an exception."""
    excepted = "exception" in yes.says - no.says or len(yes.amounts) > len(no.amounts)
    return "leave" in yes.says and ("spared" in no.says or excepted)


def _bounds(one: EnglishReading) -> set[tuple[str, str]]:
    return {(amount.what, amount.bound) for amount in one.amounts}


def _plainly(a: EnglishReading, b: EnglishReading) -> bool:
    """Whether neither denies a denial, but for `nobody … without` beside whoever does without it."""
    return all(one.denials < 2 or ("twice" in one.says and not _left(one, other)) for one, other in ((a, b), (b, a)))


def _left(one: EnglishReading, other: EnglishReading) -> list[Word]:
    return [word for word in things(one.words) if not any(same_word(word, met) for met in other.words)]


_DUE: Final = re.compile(r"\b(?:deadline|due|at the latest|no later than)\b", re.I)
# A weight in kilograms need not say `weighs`.
_MEASURED: Final = frozenset(
    "capacity size weight length height width limit rate level total value deadline price fee cost diameter date retention weigh "
    "measure last cap".split()
)


def _only_when(pair: Pair) -> bool:
    """Whether all that differs is when."""
    if len(pair.misfits) != 1 or pair.misfits[0][0].what not in WHEN:
        return False
    if pair.misfits[0][0].what == "clock":
        return not pair.other_times and not pair.other_edges
    return pair.sorts_apart < 2


def _another_amount(pair: Pair) -> str:
    if not pair.misfits or not pair.neither_denies or pair.past_and_present or not _amounts_meet(pair):
        return ""
    left = [
        [word for word in only if word.base not in _MEASURED and word.sorts != "r"]
        for only in (pair.only_a, pair.only_b)
    ]
    if all(left) or any(len(things(words)) > (1 if len(pair.met) > 1 else 0) for words in left):
        return ""
    mine, theirs = pair.misfits[0]
    return f"says {mine.said} where it is {theirs.said}"


def _amounts_meet(pair: Pair) -> bool:
    """Whether the amounts that differ are of one thing at one time; a day that something is due is of one thing, whatever else."""
    if _DUE.search(f"{pair.a.said} {pair.b.said}"):
        return True
    elsewhen = pair.other_times or pair.other_edges
    return len(pair.misfits) == 1 and (not elsewhen or _only_when(pair))


# Two ends of one deal, and what both may be at once.
_CONVERSE: Final = frozenset(
    "buy sell give take come go push pull ask answer send receive lend borrow enter leave import export arrive depart teach learn "
    "first last begin end".split()
)
# Where these differ the amounts beside them do as well.
_TRENDS: Final = frozenset(
    "increase raise grow rise expand improve lengthen climb gain extend decrease reduce lower shrink fall decline drop shorten "
    "compress slow worsen".split()
)
_STAYS: Final = frozenset("stay remain keep become turn switch leave".split())


# `A woman is standing`, `A woman is sitting`: of two women.
_ANY_ONE: Final = re.compile(r"(?:an?|one|two|three|four|five|some|several|people|there) ", re.I)


def _opposed(pair: Pair) -> str:
    if not pair.neither_denies or pair.two_times or all(_ANY_ONE.match(one.said) for one in (pair.a, pair.b)):
        return ""
    found = [(one, other) for one in pair.only_a for other in pair.only_b if _opposite(one, other)]
    if len(found) != 1 or any(map(_tells_which, found[0])):
        return ""
    ends = found[0]
    if pair.misfits and not all(word.base in _TRENDS for word in ends):
        return ""
    each_says_more = all(_beside(ends, only) for only in (pair.only_a, pair.only_b))
    return "" if each_says_more else f"{ends[0].said} in one, {ends[1].said} in the other"


def _tells_which(word: Word) -> bool:
    """`the upper pasture`"""
    does = word.is_verb and not word.said.endswith(("ed", "ing"))
    stays = base_of(word.lead) in _STAYS | {"be", "get"}
    return word.ahead and not does and not stays and word.lead not in ("in", "with", "by", "on", "a", "an")


def _beside(ends: Sequence[Word], only: Sequence[Word]) -> list[Word]:
    return [word for word in only if word not in ends and not (word.is_verb and word.base in _STAYS)]


def _opposite(one: Word, other: Word) -> bool:
    nouns = one.sorts[:1] == other.sorts[:1] == "n"
    return not nouns and not {one.base, other.base} <= _CONVERSE and opposite(one.base, other.base)


def _other_way(pair: Pair) -> str:
    """One prefers what the other puts behind."""
    a, b = pair.a.preferred, pair.b.preferred
    if not a or not b or not pair.neither_denies or not _one_thing(a[0], b[1]) or not _one_thing(a[1], b[0]):
        return ""
    return f"prefers {a[0]} where it is {b[0]}"


def _one_thing(one: str, other: str) -> bool:
    mine, theirs = ({base_of(word) for word in re.findall(r"\w+", words.lower())} for words in (one, other))
    return not mine.isdisjoint(theirs)


_ORDER: Final = re.compile(r"\b(before|after)\b", re.I)


def _turned_round(pair: Pair) -> str:
    """`A before B` and `B before A`."""
    if pair.turned or things(pair.only_a) or things(pair.only_b):
        return ""
    a, b = _sequence(pair.a), _sequence(pair.b)
    if not a or not b:
        return ""
    # `Prime the wall before painting it`: what comes first in both is what is primed and painted.
    mine, theirs = _but_for(a[0], b[0]), _but_for(b[0], a[0])
    crossed = mine and theirs and _says_all(mine, b[1]) and _says_all(theirs, a[1])
    return "the other way round" if crossed else ""


def _but_for(words: Sequence[Word], others: Sequence[Word]) -> list[Word]:
    return [word for word in words if not any(same_word(word, other) for other in others)]


def _says_all(mine: Sequence[Word], theirs: Sequence[Word]) -> bool:
    return all(any(same_word(one, other) for other in theirs) for one in mine)


def _sequence(one: EnglishReading) -> tuple[list[Word], list[Word]] | None:
    """What comes first, and what after it."""
    found = _ORDER.search(one.said)
    if not found:
        return None
    ahead = [word for word in one.words if word.place < found.start()]
    behind = [word for word in one.words if word.place > found.start()]
    if not ahead or not behind:
        return None
    return (ahead, behind) if found[0].lower() == "before" else (behind, ahead)


_DIFFERENCES: Final[tuple[Callable[[Pair], str], ...]] = (
    _denied, _opposed, _another_amount, _turned_round, _other_way, another_name,
)  # fmt: skip
