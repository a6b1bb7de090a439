"""Tasks handed to a handle in a list, without a label: `- (**@ann**) update the poster`, `- [ ] call the hall (@bo)`."""

import re
from collections.abc import Iterator
from itertools import chain
from typing import Final

from extraction.extractors.documents.hits import RuleMatch
from extraction.extractors.documents.labelled import listed_match
from extraction.extractors.documents.layout import Item, line_end
from extraction.extractors.documents.page import Page
from extraction.extractors.unlabelled.cues import CLASS_OF

RULE: Final = "list.handed"
_HANDLE: Final = r"[*_]{0,3}@[\w.-]{0,38}[A-Za-z0-9][*_]{0,3}"
_BULLET: Final = r"^[ \t>]*+(?:[-*+•]|\d{1,3}[.)])[ \t]++"
_FIRST: Final = re.compile(
    rf"{_BULLET}(?:\[ \][ \t]++)?+(?P<words>[*_]{{0,3}}[(\[]?{_HANDLE}[)\]]?[*_]{{0,3}}:?[ \t]+"
    r"(?:please[ \t]+|to[ \t]+)?(?P<verb>[A-Za-z]+))\b",
    re.M,
)
_LAST: Final = re.compile(
    rf"{_BULLET}\[ \][ \t]++(?P<words>(?P<verb>[A-Za-z]+)\b[^\n]*[ \t]\({_HANDLE}\)[ \t]*\.?$)", re.M
)
# Release notes thank whoever did it in the same form.
_RELEASES: Final = re.compile(
    r"change ?log|release|what['’]s (?:new|changed)|contributors|credits|history|\bv?\d+\.\d+", re.I
)


def handed_matches(page: Page) -> Iterator[RuleMatch]:
    """An action for each item that tells a handle to do something, and for each open box that names one at its end."""
    if "@" not in page.shadow or any(_RELEASES.search(head.title) for head in page.headings):
        return
    for item in chain(_FIRST.finditer(page.shadow), _LAST.finditer(page.shadow)):
        if CLASS_OF.get(item["verb"].lower()) == "VERB":
            start, end = item.start("words"), line_end(page.shadow, item.start("words"), len(page.shadow))
            yield listed_match(RULE, "list", "action_item", Item(item.start(), start, end, 0, done=False), page)
