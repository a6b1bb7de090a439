"""Our own words coming back: lines of a context pack that somebody pasted, quoted, wrapped, or an agent repeated (law 8)."""

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
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
_FAR: Final = 1_500


def echoes(text: str, sections: Sequence[SectionLike] = ()) -> Callable[[int], bool]:
    """A test whether a position lies in a line of a context pack. A line that only names a ref is one where other lines of
    the text show that they come from a pack, or where an agent says it: people cite by ref too."""
    ranges: list[tuple[int, int]] = []
    if "source" in text or "withheld]" in text:
        ranges = list(_cited(text))
    if ranges:
        ranges += [match.span() for match in _NAMED.finditer(text)]
    spoken = [section for section in sections if section.speaker == "agent"]
    if spoken and "[" in text:
        ranges += [match.span() for one in spoken for match in _REPEATED.finditer(text, one.start, one.end)]
    ranges = _joined(ranges)
    starts = [start for start, _ in ranges]

    def inside(position: int) -> bool:
        at = bisect_right(starts, position) - 1
        return at >= 0 and position < ranges[at][1]

    return inside


def _cited(text: str) -> Sequence[tuple[int, int]]:
    """From each citation back to where its line began: its bullet, in the line or further up where it was wrapped."""
    found = []
    end = 0
    for match in _CITATION.finditer(text):
        low = max(end, match.start() - _FAR)
        breaks = [m.end() for m in _PARAGRAPH.finditer(text, low, match.start())]
        low = breaks[-1] if breaks else low
        line = max(low, text.rfind("\n", low, match.start()) + 1)
        bullets = [low + m.start() for m in _BULLET.finditer(text[low : match.start()])]
        if bullets:
            start = bullets[-1]
        else:
            in_line = _BULLET_IN_LINE.search(text[line : match.start()])
            start = line + in_line.start() if in_line else line
        found.append((start, match.end()))
        end = match.end()
    return found


def _joined(ranges: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """In order and without overlaps, so that one look finds the range of a position."""
    joined: list[tuple[int, int]] = []
    for start, end in sorted(ranges):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined
