"""Labels in the middle of a line, in capitals: `- 618: ACTION: merge it`, `We spoke of oak. RESOLVED: use oak`."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from extraction.extractors.documents.hits import RuleMatch
from extraction.extractors.documents.labelled import labelled_matches
from extraction.extractors.documents.layout import line_end
from extraction.extractors.documents.page import LabelLine, Page
from extraction.extractors.documents.patterns import places_of

_WORDS: Final = ("ACTION", "AI", "TODO", "RESOLUTION", "RESOLVED", "DECISION", "AGREED", "CONSENSUS")
# Words, so that a list's own mark is not taken for what stands before.
_BEFORE: Final = re.compile(r"\w[^\n\w]{0,4}[.;:,)\]!?–—-][*_]{0,2} [(\[*_]{0,3}\Z")
_AFTER: Final = re.compile(
    r"(?P<more> ITEM)?(?: (?:on|for|to) (?P<owner>@?[A-Z][\w.'’-]{0,30}(?: [A-Z][\w.'’-]{0,30})?))?"
    r"[*_]{0,3}:[*_]{0,3} (?=[^\n]{0,200}[a-z])"
)


MAX_LINE: Final = 1_000


def midline_matches(page: Page) -> Iterator[RuleMatch]:
    """The hits of labels that something else stands before on their line: the first on each, as far as its line goes."""
    places = [(at, word) for word in _WORDS for at in places_of(word, page.shadow)]
    lines: dict[int, LabelLine] = {}
    for at, word in sorted(places):
        end = page.shadow.find("\n", at, at + MAX_LINE)
        ends = len(page.shadow) if end < 0 else end
        if ends - at <= MAX_LINE and ends not in lines and (line := _label_at(at, word, page)):
            lines[ends] = line
    own_lines = replace(page, edges=list(lines))
    for line in lines.values():
        yield from labelled_matches(line, own_lines)


def _label_at(at: int, word: str, page: Page) -> LabelLine | None:
    before = _BEFORE.search(page.shadow, max(0, at - 16), at)
    after = _AFTER.match(page.shadow, at + len(word))
    if not before or not after:
        return None
    label = (word + (after["more"] or "")).lower()
    end = line_end(page.shadow, at, len(page.shadow))
    closed = page.shadow.find(")", at, end) if "(" in before[0] else -1
    return LabelLine(
        kind=page.rules.labels.get(label, ""), label=label, line_start=at, line_end=closed if closed >= 0 else end, indent=0,
        quote="", bullet="", content=after.end(), marks="", bracketed=False, owner=after["owner"] or "", speaker="",
        emphatic=True,
    )  # fmt: skip
