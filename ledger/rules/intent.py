"""What a question wants, by three heuristics that anybody can read (C13), and the words in it that say something."""

import re
from typing import Final

TROUBLE: Final = "trouble"
HOW_TO: Final = "how_to"
LAST_TIME: Final = "last_time"
GENERAL: Final = "general"
INTENTS: Final = (TROUBLE, HOW_TO, LAST_TIME, GENERAL)

# The first that finds its words decides.
_SIGNS: Final = tuple(
    (name, re.compile(pattern, re.I))
    for name, pattern in (
        (LAST_TIME, r"\b(?:last time|previously|(?:did|have|had) (?:i|we|you)\b|before this|what happened)"),
        (HOW_TO, r"\b(?:how (?:should|do|can|would|to)|best (?:way|practice|approach)|recommended way)\b"),
        (TROUBLE, r"\b(?:error|exception|traceback|fail(?:s|ed|ure|ing)?|crash(?:es|ed)?|timed out|exit code [1-9])\b"),
    )
)
# Words of asking, which say nothing about what is asked for. Stop words proper are the database's business.
_ASKING: Final = frozenset(
    "should would could can may might must best way ways practice approach recommended last time previously before what how "
    "why when where who which did do does done have had know known knows tell say says said need needs please want wants "
    "anything something everything thing things help here remember remind context about relevant information info".split()
)
_WORD: Final = re.compile(r"\w+(?:['’.\-]\w+)*")


def intent_of(*, intent: str = "", query: str = "", last_tool_failed: bool = False) -> str:
    """`trouble`, `how_to`, `last_time` or `general`. A known `intent` is taken as said, other words are read like the query."""
    if intent in INTENTS:
        return intent
    if last_tool_failed:
        return TROUBLE
    return next((name for name, signs in _SIGNS if signs.search(f"{intent} {query}")), GENERAL)


def only_asks(text: str) -> bool:
    """Whether `text` asks for nothing in particular: it is empty, or all of its words are words of asking. A sign, a picture
    or a word too long to be one asks for something, which nothing holds."""
    words = _WORD.findall(text.lower())
    return all(word in _ASKING for word in words) if words else not text.strip()


def telling_words(text: str, *, most: int) -> list[str]:
    """The first `most` different words of `text` that are no words of asking, in lower case, in order."""
    found = dict.fromkeys(word for word in _WORD.findall(text.lower()) if word not in _ASKING and len(word) <= 100)
    return list(found)[:most]
