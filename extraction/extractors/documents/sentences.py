"""Sentences in the first person: `I prefer …`, `I am a …` (P4). Only words a user or an agent says, never a document's."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from extraction.extractors.documents.extents import trim_end, trim_start
from extraction.extractors.documents.hits import RuleMatch, SectionLike
from extraction.extractors.documents.ruleset import RuleSet, SentenceRule
from ledger.language.own_words import without_quoted

MAX_SENTENCE: Final = 600


def sentence_matches(shadow: str, sections: Sequence[SectionLike], rules: RuleSet) -> Iterator[RuleMatch]:
    """One hit for each sentence that a pack's pattern finds. Questions state nothing."""
    for section in sections:
        if section.speaker in ("user", "agent"):
            words = shadow[section.start : section.end]
            for rule in rules.sentences:
                for start, end in _sentences_of(rule, words):
                    first, last = section.start + start, section.start + end
                    yield RuleMatch(rule.id, "sentence", rule.kind, first, last, explicit=False)


def _sentences_of(rule: SentenceRule, words: str) -> Iterator[tuple[int, int]]:
    last, own = -1, without_quoted(words)
    for match in rule.pattern.finditer(words):
        low, high = match.span(1) if rule.pattern.groups and match.start(1) >= 0 else match.span()
        if low < last or not own[low:high].strip():
            continue  # said already, or by somebody else
        start, last = sentence_around(words, low, high)
        sentence = words[start:last]
        excepted = rule.unless is not None and rule.unless.search(sentence) is not None
        if len(sentence) <= MAX_SENTENCE and not sentence.rstrip().endswith(("?", "？")) and not excepted:
            yield start, last


_STOPS: Final = ".!?。！？…"
_AFTER_STOP: Final = re.compile(r"[\s\"'”’)]|\Z")
_CLOSING: Final = "\"'”’)" + _STOPS
_MARKERS: Final = "-*•#>|"
_ABBREVIATIONS: Final = frozenset("e.g i.e eg ie vs mr mrs ms dr st no approx cf etc".split())
# A line that stops this far before the margin was ended on purpose.
_SHORT_LINE: Final = 45


def sentence_around(words: str, start: int, end: int) -> tuple[int, int]:
    """The sentence that holds `start:end`: from the last full stop, blank line or list marker to the next."""
    first, low = start, max(0, start - MAX_SENTENCE)
    while first > low and not _starts_after(words, first - 1):
        first -= 1
    last, high = end, min(len(words), end + MAX_SENTENCE)
    while last < high and not _ends_before(words, last):
        last += 1
    while last < high and words[last] in _CLOSING:
        last += 1
    first = trim_start(words, first, last)
    first += len(words[first:last]) - len(words[first:last].lstrip("-*•># \t"))
    return first, trim_end(words, first, last)


def _starts_after(words: str, at: int) -> bool:
    """Whether a sentence begins after the character at `at`."""
    if words[at] == "\n":
        return words[at - 1 : at] in ("\n", "") or _breaks(words, at)
    return words[at + 1 : at + 2].isspace() and _stops(words, at)


def _ends_before(words: str, at: int) -> bool:
    """Whether a sentence ends at `at`, perhaps with the mark that stands there."""
    if words[at] == "\n":
        return words[at + 1 : at + 2] in ("\n", "") or _breaks(words, at)
    return _stops(words, at) and _AFTER_STOP.match(words, at + 1) is not None


def _breaks(words: str, at: int) -> bool:
    return words[at + 1 : at + 2] in _MARKERS or at - (words.rfind("\n", 0, at) + 1) < _SHORT_LINE


def _stops(words: str, at: int) -> bool:
    if words[at] != ".":
        return words[at] in _STOPS
    before = words[max(0, at - 6) : at].rsplit(None, 1)
    return not before or before[-1].casefold().lstrip("(") not in _ABBREVIATIONS
