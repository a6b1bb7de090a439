"""Our own words coming back: lines of a context pack that somebody pasted or an agent repeated (law 8)."""

import re
from bisect import bisect_right
from collections.abc import Callable
from typing import Final

# `- words [DEC-20260130-001 source 3:10-42]`, as ledger.rules.packing writes a line.
_CITED: Final = re.compile(
    r"^.*\[(?:[A-Z]{2,6}-\d{8}-\d{3,9} (?:withheld|source \d{1,19}:\d{1,9}-\d{1,9})|source \d{1,19}:\d{1,9}-\d{1,9})\][ \t\r]*$",
    re.M,
)
_NAMED: Final = re.compile(r"^[ \t>]*- .*\[[A-Z]{2,6}-\d{8}-\d{3,9}\][ \t\r]*$", re.M)


def echoes(text: str) -> Callable[[int], bool]:
    """A test whether a position lies in a line of a context pack. A line that only names a ref is one where other lines
    of the text show that they come from a pack: people cite by ref too."""
    if "source " not in text and " withheld]" not in text:
        return lambda position: False
    ranges = [match.span() for match in _CITED.finditer(text)]
    if ranges:
        ranges = sorted({*ranges, *(match.span() for match in _NAMED.finditer(text))})
    starts = [start for start, _ in ranges]

    def inside(position: int) -> bool:
        at = bisect_right(starts, position) - 1
        return at >= 0 and position < ranges[at][1]

    return inside
