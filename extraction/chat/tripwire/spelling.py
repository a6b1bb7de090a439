"""Find the word that a misspelt one stands for, by an index of deletions (the symmetric-delete method of SymSpell)."""

from collections.abc import Iterable
from functools import lru_cache
from itertools import combinations

from ledger.language.words import edit_distance

SHORTEST = 4
LONG = 8


def allowed(length: int) -> int:
    """How many letters may be wrong in a word of this length."""
    return 0 if length < SHORTEST else 1 if length < LONG else 2


class Spelling:
    """Words one typing error away (two from eight letters on), with the same first letter. `plain` words are no errors."""

    def __init__(self, words: Iterable[str], plain: Iterable[str]) -> None:
        self.plain = frozenset(plain)
        self._index: dict[str, list[str]] = {}
        for word in sorted(set(words)):
            if len(word) >= SHORTEST and word.isalpha():
                for part in _deletions(word, allowed(len(word))):
                    self._index.setdefault(part, []).append(word)
        self._nearest = lru_cache(maxsize=8192)(self._look_up)

    def nearest(self, word: str) -> str:
        """The nearest word, or nothing."""
        return self._nearest(word)

    def _look_up(self, word: str) -> str:
        if len(word) < SHORTEST or len(word) > 30 or not word.isalpha() or word in self.plain:
            return ""
        most = allowed(len(word))
        best, found = most + 1, ""
        for part in _deletions(word, most):
            for known in self._index.get(part, ()):
                if (
                    known[0] == word[0]
                    and (far := edit_distance(word, known, most=best)) < best
                    and far <= allowed(len(known))
                ):
                    best, found = far, known
        return found


def _deletions(word: str, most: int) -> set[str]:
    parts = {word}
    for many in range(1, most + 1):
        for gone in combinations(range(len(word)), many):
            parts.add("".join(letter for at, letter in enumerate(word) if at not in gone))
    return parts
