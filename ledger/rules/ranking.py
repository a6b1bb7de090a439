"""Orders: of the queue, and of relevance. A rank or a score says what to look at first; it is no confidence (law 6, P3)."""

import math
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from ledger.language.words import edit_distance

# Cormack, Clarke and Büttcher 2009: reciprocal rank fusion with k = 60.
RRF_K: Final = 60
MAX_LOOSE: Final = 1_000
FULL_LENGTH_WORDS = 12

# The steps of the queue: what is stronger comes before what is weaker, and within a step what came first comes first.
STRONG: Final = 0.55
WEAK: Final = 0.4
# The turn of a weak candidate, and of one that stands behind others of its rule and source.
TURN_WEAK: Final = 6
TURN_CROWDED: Final = 7
# More weak ones of one rule and source than this are shown as one row behind the best of them.
FLOOD_FROM: Final = 6
LEADS: Final = 3


def rank(*, confidence: float, words: int, novelty: float = 1.0) -> float:
    """Rule confidence × content length × novelty (P3), each between 0 and 1. Length counts up to a full sentence."""
    length = 0.5 + 0.5 * min(words, FULL_LENGTH_WORDS) / FULL_LENGTH_WORDS
    return round(confidence * length * novelty, 4)


def crowded(hits: Sequence[tuple[int, str, float]]) -> frozenset[int]:
    """The places of those that stand behind the best `LEADS` of their source and rule. A hit is (source, rule, rank); only weak
    ones of the same rule and source crowd, and only where there are more than `FLOOD_FROM` of them. What nobody's rule found
    never does."""
    groups: defaultdict[tuple[int, str], list[int]] = defaultdict(list)
    for at, (source, rule, how) in enumerate(hits):
        if source and rule and how < WEAK:
            groups[source, rule].append(at)
    behind: set[int] = set()
    for group in groups.values():
        if len(group) > FLOOD_FROM:
            behind.update(sorted(group, key=lambda at: (-hits[at][2], at))[LEADS:])
    return frozenset(behind)


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


def weighed(strict: Sequence[int], by_word: Mapping[str, Sequence[int]], *, unheld: int, most: int) -> dict[int, float]:
    """Rows, best first, each with the share of a question's words that it holds: those of `strict` hold them all, the rest are
    counted word by word up to `most` rows each. `unheld` words are held by none, and weigh as much as one row's own."""
    weights = {word: rarity(len(rows), most=most) for word, rows in by_word.items()}
    total = sum(weights.values()) + unheld
    shares: dict[int, float] = defaultdict(float)
    for word, rows in by_word.items():
        for row in rows:
            shares[row] += weights[word] / total
    loose = sorted(shares, key=lambda row: (-shares[row], -row))
    fused = fuse([strict, loose[:MAX_LOOSE]])
    order = sorted(fused, key=lambda row: (-fused[row], -shares.get(row, 0.0), -row))
    return {row: round(shares.get(row, 1.0), 4) for row in order}


def relevance(
    lexical: float,
    *,
    distance: int,
    newest: float,
    standing: float = 1.0,
    disputed: bool = False,
    needs_recheck: bool = False,
) -> float:
    """What orders a shelf (C11): the words, then nearness of the scope, then recency (`newest`: 0 oldest to 1 newest), all of it
    more or less by how the row stands: its truth, a tactic's utility.

    `needs_recheck` ranks down (C9), a dispute a little; neither hides.
    """
    score = lexical * (1 + 0.25 / (1 + distance)) + 0.1 / (1 + distance) + 0.05 * newest
    return round(score * standing * (0.5 if needs_recheck else 0.8 if disputed else 1.0), 6)


def near(word: str, other: str) -> bool:
    """Whether `other` could be `word` mistyped: one slip in a short word, two in a long one, none below four letters."""
    allowed = bisect_right((4, 7), len(word))
    if word == other or not allowed or len(word) > 100:
        return word == other
    return abs(len(word) - len(other)) <= allowed and edit_distance(word, other, most=allowed) <= allowed
