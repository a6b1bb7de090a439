"""Sentences in the first person: `I prefer …`, `I am a …` (P4). Only words a user or an agent says, never a document's."""

from collections.abc import Iterator, Sequence

from extraction.extractors.documents.bodies import trim_end, trim_start
from extraction.extractors.documents.hits import Find, SectionLike
from extraction.extractors.documents.ruleset import RuleSet

LONGEST_SENTENCE = 600


def sentence_finds(shadow: str, sections: Sequence[SectionLike], rules: RuleSet, kind: str) -> Iterator[Find]:
    """One hit for each sentence that a pack's pattern finds. Questions state nothing."""
    for section in sections:
        if section.speaker not in ("user", "agent"):
            continue
        words = shadow[section.start : section.end]
        for rule in rules.sentences:
            last = -1
            for match in rule.pattern.finditer(words):
                at, stop = match.span(1) if rule.pattern.groups and match.start(1) >= 0 else match.span()
                if at < last or stop == at:
                    continue
                start, last = sentence_around(words, at, stop)
                said = words[start:last]
                if last - start > LONGEST_SENTENCE or said.rstrip().endswith(("?", "？")):
                    continue
                if rule.unless is not None and rule.unless.search(said) is not None:
                    continue
                first = section.start + start
                yield Find(rule.id, "sentence", rule.kind, first, section.start + last, explicit=False)


_ENDS = ".!?。！？…"


def sentence_around(words: str, start: int, end: int) -> tuple[int, int]:
    """The sentence that holds `start:end`: from the last full stop, blank line or list marker to the next."""
    low = max(0, start - LONGEST_SENTENCE)
    at = start
    while at > low:
        before = words[at - 1]
        if before == "\n" and (
            words[at - 2 : at - 1] in ("\n", "") or words[at : at + 1] in "-*•#>|" or _was_short(words, at - 1)
        ):
            break
        if before in _ENDS and words[at : at + 1].isspace() and not _abbreviation(words, at - 1):
            break
        at -= 1
    first = at
    high = min(len(words), end + LONGEST_SENTENCE)
    at = end
    while at < high:
        here = words[at]
        if here == "\n" and (
            words[at + 1 : at + 2] in ("\n", "") or words[at + 1] in "-*•#>|" or _was_short(words, at)
        ):
            break
        if (
            here in _ENDS
            and (at + 1 >= len(words) or words[at + 1].isspace() or words[at + 1] in "\"'”’)")
            and not _abbreviation(words, at)
        ):
            at += 1
            while at < high and words[at] in "\"'”’)" + _ENDS:
                at += 1
            break
        at += 1
    first = trim_start(words, first, at)
    while first < at and words[first] in "-*•># \t":
        first += 1
    return first, trim_end(words, first, at)


def _was_short(words: str, break_at: int) -> bool:
    """A line that stops well before the margin was ended on purpose."""
    return break_at - (words.rfind("\n", 0, break_at) + 1) < 45


def _abbreviation(words: str, dot: int) -> bool:
    if words[dot] != ".":
        return False
    word = words[max(0, dot - 6) : dot].rsplit(None, 1)[-1:] or [""]
    return word[0].casefold().lstrip("(") in (
        "e.g",
        "i.e",
        "eg",
        "ie",
        "vs",
        "mr",
        "mrs",
        "ms",
        "dr",
        "st",
        "no",
        "approx",
        "cf",
        "etc",
    )
