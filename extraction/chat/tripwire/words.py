"""Cut a message into words, signs and emoji; bring each word to one form, and a misspelt one to the word that it stands for."""

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from ledger.language.fold import fold
from ledger.language.words import edit_distance

# A longer message is judged by its beginning: a chat line that coordinates does so early.
MAX_CHARS = 2_000
_MAX_WORD = 60
_TOKEN = re.compile(r"[^\W_]+(?:['’][^\W_]+)*|[^\w\s]")
_REPEATED = re.compile(r"(.)\1{2,}")
_POSSESSIVE = re.compile(r"(?:'s|s')$")

# From so many letters on one may be wrong, then two.
_WITH_ONE_ERROR, _WITH_TWO_ERRORS = 4, 8
_MAX_MISSPELT = 30


@dataclass(frozen=True, slots=True)
class Token:
    """`forms` the word without case, accents, stretched letters and possessive, likeliest first; `raw` as it was written."""

    raw: str
    forms: tuple[str, ...]
    is_word: bool


def tokens_of(text: str) -> list[Token]:
    return [_token(raw) for raw in _TOKEN.findall(text[:MAX_CHARS])]


@lru_cache(maxsize=8192)
def _token(raw: str) -> Token:
    if not raw[0].isalnum():
        return Token(raw, (raw,), False)
    word = fold(raw)[:_MAX_WORD]
    forms = [word, _REPEATED.sub(r"\1", word), _REPEATED.sub(r"\1\1", word)]
    bare = filter(None, [_POSSESSIVE.sub("", form) for form in forms])
    return Token(raw, tuple(dict.fromkeys([*forms, *bare])), True)


class Spelling:
    """Words one typing error away (two from eight letters on), with the same first letter, found by an index of deletions (the
    symmetric-delete method of SymSpell). `plain` words are no errors."""

    def __init__(self, words: Iterable[str], plain: Iterable[str]) -> None:
        self.plain = frozenset(plain)
        self._index: dict[str, list[str]] = {}
        for word in {one for one in words if len(one) >= _WITH_ONE_ERROR and one.isalpha()}:
            for part in _deletions(word, max_errors(word)):
                self._index.setdefault(part, []).append(word)
        self.nearest = lru_cache(maxsize=8192)(self._nearest)

    def _nearest(self, word: str) -> str:
        """The nearest word, the first in the alphabet of several; or nothing."""
        most = max_errors(word)
        if not most or len(word) > _MAX_MISSPELT or not word.isalpha() or word in self.plain:
            return ""
        known = {one for part in _deletions(word, most) for one in self._index.get(part, ()) if one[0] == word[0]}
        measured = [(edit_distance(word, one, most=most), one) for one in known]
        near = [(far, one) for far, one in measured if far <= min(most, max_errors(one))]
        return min(near, default=(0, ""))[1]


def max_errors(word: str) -> int:
    """How many letters may be wrong in a word of this length."""
    return bisect_right((_WITH_ONE_ERROR, _WITH_TWO_ERRORS), len(word))


def _deletions(word: str, most: int) -> set[str]:
    """The word without up to so many of its letters."""
    return {"".join(kept) for gone in range(most + 1) for kept in combinations(word, len(word) - gone)}
