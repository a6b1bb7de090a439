"""Task discussions: what is corrected, confirmed, contradicted, asked again and concluded in a thread (D1 to D9). Pure.

confirmation_of(text) -> "confirm" | "deny" | None
discuss(heard, first, triggers) -> Discussed(hits, patterns, marks)
"""

from extraction.extractors.discussions.confirming import confirmation_of
from extraction.extractors.discussions.discuss import discuss
from extraction.extractors.discussions.heard import Heard, hear
from extraction.extractors.discussions.noting import Discussed, Mark, Noted
from extraction.extractors.discussions.said import Utterance, utterances
from extraction.extractors.discussions.triggers import Triggers, shipped

DISCUSSION_VERSION = "1.1.0"

__all__ = [
    "DISCUSSION_VERSION",
    "Discussed",
    "Heard",
    "Mark",
    "Noted",
    "Triggers",
    "Utterance",
    "confirmation_of",
    "discuss",
    "hear",
    "shipped",
    "utterances",
]
