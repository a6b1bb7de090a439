"""Task discussions: what is corrected, confirmed, contradicted, asked again and concluded in a thread (D1 to D9). Pure.

confirmation_of(text) -> "confirm" | "deny" | None
discuss(heard, first, triggers) -> ThreadFindings(hits, patterns, marks)
"""

from extraction.extractors.discussions.answers import confirmation_of
from extraction.extractors.discussions.discuss import discuss
from extraction.extractors.discussions.findings import ThreadFindings
from extraction.extractors.discussions.triggers import Triggers, shipped
from extraction.extractors.discussions.utterances import ReadUtterance, Utterance, hear, utterances

DISCUSSION_VERSION = "1.2.0"

__all__ = [
    "DISCUSSION_VERSION",
    "ThreadFindings",
    "ReadUtterance",
    "Triggers",
    "Utterance",
    "confirmation_of",
    "discuss",
    "hear",
    "shipped",
    "utterances",
]
