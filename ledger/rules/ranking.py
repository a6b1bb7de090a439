"""Orders of relevance: lists fused by rank, near words told from far ones. A score orders; it is no confidence (law 6)."""

import math
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import Final

from ledger.language.words import edit_distance

# Cormack, Clarke and Büttcher 2009: reciprocal rank fusion with k = 60.
RRF_K: Final = 60


def fuse[T](lists: Iterable[Sequence[T]]) -> dict[T, float]:
    """Reciprocal rank fusion: each list adds 1 / (60 + place) to what it holds."""
    scores: dict[T, float] = {}
    for ranked in lists:
        for place, item in enumerate(dict.fromkeys(ranked), 1):
            scores[item] = scores.get(item, 0.0) + 1 / (RRF_K + place)
    return scores


def rarity(holders: int, *, most: int) -> float:
    """The weight of a word that `holders` rows hold, counted up to `most`: between 0.1 (everywhere) and 1 (one row)."""
    return max(0.1, 1 - math.log(max(1, holders)) / math.log(most + 1))


def relevance(
    lexical: float, *, distance: int, newest: float, disputed: bool = False, needs_recheck: bool = False
) -> float:
    """What orders a shelf (C11): the words, then nearness of the scope, then recency (`newest`: 0 oldest to 1 newest).

    `needs_recheck` ranks down (C9), a dispute a little; neither hides.
    """
    score = lexical * (1 + 0.25 / (1 + distance)) + 0.1 / (1 + distance) + 0.05 * newest
    return round(score * (0.5 if needs_recheck else 0.8 if disputed else 1.0), 6)


def near(word: str, other: str) -> bool:
    """Whether `other` could be `word` mistyped: one slip in a short word, two in a long one, none below four letters."""
    allowed = bisect_right((4, 7), len(word))
    if word == other or not allowed or len(word) > 100:
        return word == other
    return abs(len(word) - len(other)) <= allowed and edit_distance(word, other, most=allowed) <= allowed
