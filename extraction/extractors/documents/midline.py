"""Labels in the middle of a line, in capitals: `- 618: ACTION: merge it`, `We spoke of oak. RESOLVED: use oak`."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from extraction.extractors.documents.hits import RuleMatch
from extraction.extractors.documents.labelled import labelled_matches
from extraction.extractors.documents.layout import trim_end
from extraction.extractors.documents.owners import looks_like_names
from extraction.extractors.documents.page import LabelLine, Page
from extraction.extractors.documents.patterns import places_of
from extraction.extractors.documents.ruleset import RuleSet

_WORDS: Final = ("ACTION", "AI", "TODO", "RESOLUTION", "RESOLVED", "DECISION", "AGREED", "CONSENSUS")
# Words, so that a list's own mark is not taken for what stands before.
_BEFORE: Final = re.compile(r"\w[^\n\w]{0,4}(?:[.;:,)\]!?–—-][*_]{0,2} (?P<marks>[(\[*_]{0,3})| (?P<bracket>[(\[]))\Z")
_AFTER: Final = re.compile(
    r"(?P<more> ITEM)?(?: (?:on|for|to) (?P<owner>@?[A-Z][\w.'’-]{0,30}(?: [A-Z][\w.'’-]{0,30})?))?"
    r"[*_]{0,3}:[*_]{0,3} (?=[^\n]{0,200}[a-z])"
)


MAX_LINE: Final = 1_000


def midline_labels(shadow: str, rules: RuleSet) -> list[LabelLine]:
    """The labels that something else stands before on their line; the words of each reach to the next one, or to its line's end."""
    places = sorted((at, word) for word in _WORDS for at in places_of(word, shadow))
    lines = [line for at, word in places if (line := _label_at(at, word, shadow, rules))]
    starts = [*(line.line_start for line in lines[1:]), len(shadow)]
    return [replace(line, line_end=min(line.line_end, start)) for line, start in zip(lines, starts, strict=False)]


def midline_matches(page: Page) -> Iterator[RuleMatch]:
    """The hits of these labels."""
    for line in page.midline:
        handed = _handed(line, page.shadow)
        yield from [handed] if handed else labelled_matches(line, page)


_MARKER: Final = re.compile(r"[ \t>]*(?:(?:[-*+•]|\d{1,3}[.)])[ \t]+)?(?:\[ \][ \t]+)?")


def _handed(line: LabelLine, shadow: str) -> RuleMatch | None:
    """`- send the list (TODO: @ann)`: of a label that only names somebody the words before it are the task."""
    names = shadow[line.content : line.line_end].strip()
    if line.kind != "action_item" or not looks_like_names(names):
        return None
    start = _MARKER.match(shadow, shadow.rfind("\n", 0, line.line_start) + 1, line.line_start).end()  # type: ignore[union-attr]
    end = trim_end(shadow, start, line.line_start)
    return RuleMatch("line.label", "label", line.kind, start, end, assignee=names.replace("@", ""))


def _label_at(at: int, word: str, shadow: str, rules: RuleSet) -> LabelLine | None:
    before = _BEFORE.search(shadow, max(0, at - 16), at)
    after = _AFTER.match(shadow, at + len(word))
    end = shadow.find("\n", at, at + MAX_LINE)
    end = min(len(shadow), at + MAX_LINE) if end < 0 else end
    if not before or not after or end - at == MAX_LINE:
        return None
    label = (word + (after["more"] or "")).lower()
    closed = shadow.find(")", at, end) if "(" in before[0] else -1
    return LabelLine(
        kind=rules.labels.get(label, ""), label=label, line_start=at - len(before["marks"] or before["bracket"] or ""),
        line_end=closed if closed >= 0 else end, indent=0, quote="", bullet="", content=after.end(), marks="", bracketed=False,
        owner=after["owner"] or "", speaker="", emphatic=True,
    )  # fmt: skip
