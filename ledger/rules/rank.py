"""What orders the queue. A rank is no confidence: it says what to look at first, not what is true (law 6, P3)."""

FULL_LENGTH_WORDS = 12


def rank(*, confidence: float, words: int, novelty: float = 1.0) -> float:
    """Rule confidence × content length × novelty (P3), each between 0 and 1. Length counts up to a full sentence."""
    length = 0.5 + 0.5 * min(words, FULL_LENGTH_WORDS) / FULL_LENGTH_WORDS
    return round(confidence * length * novelty, 4)
