"""Tasks handed to a handle in a list, without a label: `- (**@ann**) update the poster`, `- [ ] call the hall (@bo)`."""

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final

from extraction.extractors.documents.hits import RuleMatch
from extraction.extractors.documents.labelled import listed_match
from extraction.extractors.documents.layout import Item, line_end
from extraction.extractors.documents.page import Page
from extraction.extractors.documents.reported import are_minutes
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
# `@ann @bo to write it`, `@Ann Lee to write it`
_TO: Final = re.compile(
    rf"{_BULLET}(?:\[ \][ \t]++)?+(?P<words>{_HANDLE}(?:(?:,? (?:and |& ?)?|, ?| ?/ ?){_HANDLE}){{0,4}}(?: [A-Z][\w’'-]{{1,20}})?"
    r" (?:to|will) (?!be\b)(?P<verb>[A-Za-z]+))\b",
    re.M,
)
# `(Ann) Write to them`; not `(Ann) Update on the hall`, which the agenda says.
_BRACKETED: Final = re.compile(
    rf"{_BULLET}(?:\[ \][ \t]++)?+(?P<words>\((?P<names>[A-Z][\w.'’ /,&+-]{{1,60}})\):? "
    r"(?!(?:Discuss|Present)\b)(?P<verb>[A-Z][a-z]+))"
    r"(?! (?:on|of|from|if|about|and|for|to|by)\b)(?= [\w\[\"'’“`#@(])(?![^\n]*\?[ \t]*$)",
    re.M,
)
# Release notes thank whoever did it in the same form.
_RELEASES: Final = re.compile(
    r"change ?log|release|what['’]s (?:new|changed)|contributors|credits|history|\bv?\d+\.\d+", re.I
)


def handed_matches(page: Page) -> Iterator[RuleMatch]:
    """An action for each item that tells a handle to do something, and for each open box that names one at its end."""
    if "@" not in page.shadow or any(_RELEASES.search(head.title) for head in page.headings):
        return
    yield from _matches(chain(*(form.finditer(page.shadow) for form in (_FIRST, _LAST, _TO))), page)


def bracketed_matches(page: Page) -> Iterator[RuleMatch]:
    """An action for each item of minutes that tells one of its people in brackets to do something."""
    if not page.people or not are_minutes(page):
        return
    items = _BRACKETED.finditer(page.shadow)
    yield from _matches(
        (item for item in items if any(map(page.people.knows, re.split(r"[/,&+ ]+", item["names"])))), page
    )


def _matches(items: Iterable[re.Match[str]], page: Page) -> Iterator[RuleMatch]:
    for item in items:
        if CLASS_OF.get(item["verb"].lower()) == "VERB":
            start, end = item.start("words"), line_end(page.shadow, item.start("words"), len(page.shadow))
            yield listed_match(RULE, "list", "action_item", Item(item.start(), start, end, 0, done=False), page)
