"""Shares with the range in which the true one lies: a dot on a bar from 0 to 1."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString

from review.plots.canvas import RIGHT, WIDTH, cut, drawing, piece, words

ROW = 30
FOOT = 16


@dataclass(frozen=True, slots=True)
class Range:
    """A share between `low` and `high`, all within 0 and 1; `note` stands behind the name, such as how many cases."""

    name: str
    low: float
    share: float
    high: float
    note: str = ""


def ranges(rows: Sequence[Range], *, said: str) -> SafeString:
    """One row each, all on one axis from 0 to 1."""
    height = max(1, len(rows)) * ROW
    room = WIDTH - RIGHT

    def across(share: float) -> float:
        return 6 + (room - 12) * share

    pieces = [
        piece("line", x1=across(share), x2=across(share), y1=0, y2=height, class_="plot-grid") for share in (0, 0.5, 1)
    ]
    for at, one in enumerate(rows):
        y = at * ROW
        pieces.append(words(cut(one.name, room - len(one.note) * 5.6 - 12), 0, y + 11))
        pieces.append(words(one.note, float(room), y + 11, at="end"))
        width = max(1.0, across(one.high) - across(one.low))
        pieces.append(piece("rect", x=across(one.low), y=y + 18, width=width, height=4, class_="plot-range"))
        pieces.append(piece("circle", cx=across(one.share), cy=y + 20, r=3.5, class_="plot-dot plot-1"))
    pieces += [words(f"{share:g}", across(share), height + 11.0, at="middle") for share in (0, 0.5, 1)]
    return drawing("ranges", said, pieces, height=height + FOOT)
