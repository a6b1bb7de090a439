"""Our own words coming back: lines of a context pack that somebody pasted, quoted, wrapped, or an agent repeated (law 8)."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import Final

from extraction.extractors.documents.hits import SectionLike

_REF: Final = r"[A-Z]{2,6}[-‐‑]\d{8}[-‐‑]\d{3,9}"
_PLACE: Final = r"source[\s>]{1,9}\d{1,19}:\d{1,9}[-‐‑–]\d{1,9}"
# `[DEC-20260130-001 source 3:10-42]`, as ledger.rules.packing ends a line; what carried it may have broken it anew.
_CITATION: Final = re.compile(rf"\[(?:{_REF}[\s>]{{1,9}}(?:withheld|{_PLACE})|{_PLACE})\]")
_NAMED: Final = re.compile(rf"^[ \t>]*[-*•] .*\[{_REF}\][ \t\r]*$", re.M)
# How an agent gives a line of a pack back.
_REPEATED: Final = re.compile(rf"^.*\[{_REF}\][ \t\r.!]*$", re.M)
_BULLET: Final = re.compile(r"(?:^|\n)[ \t>]*[-*•][ \t]")
_BULLET_IN_LINE: Final = re.compile(r"(?:^|[ \t])[-*•][ \t]")
_PARAGRAPH: Final = re.compile(r"\n[ \t>\r]*\n")
# A line of a pack has at most so many characters, however it is wrapped.
_MAX_LINE: Final = 1_500

type Ranges = list[tuple[int, int]]


def echoed_ranges(text: str, sections: Sequence[SectionLike] = ()) -> Ranges:
    """The lines of context packs in a text, in order and without overlaps. A line that only names a ref is one where other
    lines of the text show that they come from a pack, or where an agent says it: people cite by ref too."""
    ranges = _cited(text) if "source" in text or "withheld]" in text else []
    if ranges:
        ranges += [match.span() for match in _NAMED.finditer(text)]
    for section in sections:
        if section.speaker == "agent":
            ranges += [match.span() for match in _REPEATED.finditer(text, section.start, section.end)]
    return _joined(ranges)


def is_within(ranges: Ranges, position: int) -> bool:
    at = bisect_right(ranges, position, key=lambda one: one[0]) - 1
    return at >= 0 and position < ranges[at][1]


def _cited(text: str) -> Ranges:
    """From each citation back to where its line began: its bullet, in the line or further up where it was wrapped."""
    found: Ranges = []
    end = 0
    for match in _CITATION.finditer(text):
        found.append((_line_start(text, end, match.start()), match.end()))
        end = match.end()
    return found


def _line_start(text: str, previous: int, citation: int) -> int:
    low = max(previous, citation - _MAX_LINE)
    for paragraph in _PARAGRAPH.finditer(text, low, citation):
        low = paragraph.end()
    bullets = [low + bullet.start() for bullet in _BULLET.finditer(text[low:citation])]
    if bullets:
        return bullets[-1]
    line = max(low, text.rfind("\n", low, citation) + 1)
    in_line = _BULLET_IN_LINE.search(text[line:citation])
    return line + in_line.start() if in_line else line


def _joined(ranges: Iterable[tuple[int, int]]) -> Ranges:
    joined: Ranges = []
    for start, end in sorted(ranges):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined
