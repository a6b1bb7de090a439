"""Sentences: where one ends. In talk a line break ends one; prose may be wrapped over lines; a list of statements is cut wherever
one might be read by itself."""

import re
from typing import Final

from ledger.language.words import WORD

MAX_SENTENCE: Final = 600
_STOPS: Final = ".!?…。！？"
_END_OF_STATEMENT: Final = re.compile(r"(?<=[.!?。！？])[\"')\]]*\s+(?=\S)|\n+|;\s+")
_END_OF_TALK: Final = re.compile(rf"[{_STOPS}]+[)\"'”’]*(?=\s|$)|\n+|[\U0001f44d\U0001f44e✅❌](?=\s|$)")
# A full stop behind one of these ends no sentence, nor in talk one behind a single letter.
_ABBREVIATION: Final = re.compile(r"\b(?:e\.g|i\.e|eg|ie|vs|mr|mrs|ms|dr|st|approx|cf|etc|no|nr|bzw|z\.b)\Z", re.I)
_LONGEST_ABBREVIATION: Final = 8
_LETTER: Final = re.compile(r"\b[A-Z]\Z", re.I)

_AFTER_STOP: Final = re.compile(r"[\s\"'”’)]|\Z")
_CLOSING: Final = "\"'”’)" + _STOPS
_MARKERS: Final = "-*•#>|"
# A line that stops this far before the margin was ended on purpose.
_SHORT_LINE: Final = 45


def sentences(text: str, *, most: int = 200) -> list[str]:
    """The first `most` different sentences and lines of `text` that hold a word."""
    parts = dict.fromkeys(part.strip() for part in _END_OF_STATEMENT.split(text) if WORD.search(part))
    return list(parts)[:most]


def talk_spans(text: str) -> list[tuple[int, int]]:
    """Start and end of the sentences and lines that tile a message."""
    found, start = [], 0
    for mark in _END_OF_TALK.finditer(text):
        if mark[0] != "." or not (
            _abbreviates(text, mark.start()) or _LETTER.search(text, max(0, mark.start() - 1), mark.start())
        ):
            found.append((start, mark.end()))
            start = mark.end()
    return [*found, (start, len(text))]


def sentence_around(text: str, start: int, end: int) -> tuple[int, int]:
    """The sentence that holds `start:end`: from the last full stop, blank line or list marker to the next."""
    first, low = start, max(0, start - MAX_SENTENCE)
    while first > low and not _starts_after(text, first - 1):
        first -= 1
    last, high = end, min(len(text), end + MAX_SENTENCE)
    while last < high and not _ends_before(text, last):
        last += 1
    while last < high and text[last] in _CLOSING:
        last += 1
    words = text[first:last].lstrip().lstrip("-*•># \t")
    return last - len(words), last - len(words) + len(words.rstrip())


def _starts_after(text: str, at: int) -> bool:
    """Whether a sentence begins after the character at `at`."""
    if text[at] == "\n":
        return text[at - 1 : at] in ("\n", "") or _breaks(text, at)
    return text[at + 1 : at + 2].isspace() and _stops(text, at)


def _ends_before(text: str, at: int) -> bool:
    """Whether a sentence ends at `at`, perhaps with the mark that stands there."""
    if text[at] == "\n":
        return text[at + 1 : at + 2] in ("\n", "") or _breaks(text, at)
    return _stops(text, at) and _AFTER_STOP.match(text, at + 1) is not None


def _breaks(text: str, at: int) -> bool:
    return text[at + 1 : at + 2] in _MARKERS or at - (text.rfind("\n", 0, at) + 1) < _SHORT_LINE


def _stops(text: str, at: int) -> bool:
    return text[at] in _STOPS and not (text[at] == "." and _abbreviates(text, at))


def _abbreviates(text: str, dot: int) -> bool:
    return _ABBREVIATION.search(text, max(0, dot - _LONGEST_ABBREVIATION), dot) is not None
