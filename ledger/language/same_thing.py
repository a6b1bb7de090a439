"""Whether two sentences speak of one thing, before anybody asks whether they agree on it. Pure; words are compared."""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from typing import Final

from ledger.language.fold import normalise_statement
from ledger.language.polarity import Assertion
from ledger.language.words import WORD, stem

# A weight in kilograms need not say `weighs`.
_IMPLIED: Final = frozenset(
    map(stem, "weigh weighs weight cost costs price last lasts take takes measure measures".split())
)
# So much of what is held, and of what both say together, is the same subject.
COVERED: Final = 0.6
ALIKE: Final = 0.5


def of_two_things(said: Assertion, held: Assertion) -> bool:
    """Each names something that the other does not: `the Berlin office` and `the Paris office`, `panel 1` and `panel 2`; or next
    to a word that both say each says another: `almond milk`, `oat milk`."""
    if said.names - held.roots and held.names - said.roots or _of_two_times(said.words, held.words):
        return True
    mine, theirs = _subjects_in_order(said), _subjects_in_order(held)
    shared = said.subjects & held.subjects
    return any(
        _next_to(mine, word, step) - held.roots and _next_to(theirs, word, step) - said.roots
        for word, step in product(shared, (-1, 1))
    )


def _of_two_times(one: str, other: str) -> bool:
    """Whether each says when, where or for whom it holds, and not the same."""
    return _of_two_settings(one, other) or _of_two_periods(one, other)


# What a sentence begins with to say when, where or for whom the rest holds: `In 2024 …`, `On Mondays …`, `2025: …`.
_SETTING: Final = re.compile(
    r"(?:(?:in|on|at|for|during|since|from)\s+(?P<which>(?:the\s+)?[\w-]+)|(?P<year>\d{4}):)", re.I
)


def _of_two_settings(one: str, other: str) -> bool:
    """Where another thing is said of another time or place; the same thing may be said to be at one of them only."""
    mine, theirs = _SETTING.match(one), _SETTING.match(other)
    if not mine or not theirs or _in_setting(mine) == _in_setting(theirs):
        return False
    return normalise_statement(one[mine.end() :]) != normalise_statement(other[theirs.end() :])


# `last year's fair` and `this year's`.
_PERIOD: Final = re.compile(
    r"\b(?:last|this|next|previous|coming|current)\s"
    r"(?:year|month|week|spring|summer|autumn|winter|term|season|quarter|sprint)\b",
    re.I,
)


def _of_two_periods(one: str, other: str) -> bool:
    mine, theirs = _periods_in(one), _periods_in(other)
    return bool(mine and theirs) and mine.isdisjoint(theirs)


@lru_cache(maxsize=4096)
def _periods_in(words: str) -> frozenset[str]:
    return frozenset(map(str.lower, _PERIOD.findall(words)))


def _in_setting(found: re.Match[str]) -> str:
    return stem(found["which"] or found["year"])


def _subjects_in_order(one: Assertion) -> list[str]:
    return [root for root in _roots_in_order(one.words) if root in one.subjects]


@lru_cache(maxsize=4096)
def _roots_in_order(words: str) -> list[str]:
    return list(map(stem, WORD.findall(words)))


def _next_to(order: Sequence[str], word: str, step: int) -> frozenset[str]:
    places = (at + step for at, root in enumerate(order) if root == word)
    return frozenset(order[at] for at in places if 0 <= at < len(order))


def subjects_of(one: Assertion) -> frozenset[str]:
    return one.subjects - _IMPLIED or one.subjects


def same_subject(mine: frozenset[str], theirs: frozenset[str]) -> bool:
    shared = mine & theirs
    if len(shared) < 2:
        return frozenset() < mine == theirs
    covers, alike = len(shared) / len(theirs), len(shared) / len(mine | theirs)
    return shared in (mine, theirs) or (covers >= COVERED and alike >= ALIKE)


_NO_ONES: Final = re.compile(r"\b(?:non-|nicht-?)(?P<who>[^\W\d_]{4,})", re.I)


# What tells one of several things apart. `the last week` is no thing.
_WHICH: Final = re.compile(
    r"\b(?:first|last|second|third|small|large|big|upper|lower|inner|outer|left|right|front|back|rear|spare"
    r"|(?:erste|letzte|zweite|dritte|kleine|große|obere|untere|innere|äußere|linke|rechte|vordere|hintere)[nrsm]?"
    r"|primer[ao]?|últim[ao]|segund[ao]|tercer[ao]?|première?|dernière?|dernier|second|deuxième|troisième|petite?|grande?)"
    r"\s(?!(?:day|week|month|quarter|year|time|tag|woche|monat|quartal|jahr|mal|día|semana|mes|trimestre|año|vez|jour|semaine|mois"
    r"|an|année|fois)(?:e?[sn])?\b)(?P<what>[^\W\d_]{3,})",
    re.I,
)
_OF_ALL: Final = re.compile(
    r"\b(?:all|every|each|any|no|none|never|alle[nr]?|jede[nrs]?|keine?[nr]?|nie|tod[ao]s?|cada|ningun[ao]?|ningún|nunca"
    r"|tou(?:te|s|tes)|chaque|aucune?|jamais)\b",
    re.I,
)


def of_others(one: str, other: str) -> bool:
    """`Members` and `non-members` are told of two groups; the last ferry, and the small kiln, are not every one."""
    return _shut_out(one) != _shut_out(other) or _is_one_of(one, other) or _is_one_of(other, one)


def _is_one_of(one: str, other: str) -> bool:
    """Whether one tells which, where the other speaks of the thing alone, and not of all that there are."""
    alone = (_told_apart(one) - _told_apart(other)).intersection(_roots_in_order(other))
    return bool(alone) and not _OF_ALL.search(other)


@lru_cache(maxsize=4096)
def _told_apart(words: str) -> frozenset[str]:
    return frozenset(stem(found["what"]) for found in _WHICH.finditer(words))


@lru_cache(maxsize=4096)
def _shut_out(words: str) -> frozenset[str]:
    return frozenset(map(str.lower, _NO_ONES.findall(words)))
