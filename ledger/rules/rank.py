"""What orders the queue. A rank is no confidence: it says what to look at first, not what is true (law 6, P3)."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Final

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
