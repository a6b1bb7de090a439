"""Task discussions: what is corrected, confirmed, contradicted, asked again and concluded in a thread (D1 to D9). Pure.

confirmation_of(text) -> "confirm" | "deny" | None
discuss(heard, first, triggers) -> Discussed(hits, patterns, marks)
"""

from extraction.discussion.confirming import confirmation_of
from extraction.discussion.discuss import Discussed, Mark, Noted, discuss
from extraction.discussion.heard import Heard, hear
from extraction.discussion.said import Utterance, utterances
from extraction.discussion.triggers import Triggers, shipped

DISCUSSION_VERSION = "1.0.0"

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
