"""Bars: level ones of one or more parts, upright ones for classes, and shares with the range in which the true one lies."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString

from review.plots.canvas import (
    LEFT,
    RIGHT,
    WIDTH,
    amount,
    cut,
    drawing,
    grid,
    legend,
    piece,
    together,
    top_of,
    under,
    up,
    words,
)

ROW = 30
BAR = 10


@dataclass(frozen=True, slots=True)
class Stack:
    """One bar: its name and the lengths of its parts, none below 0, in the order of the legend."""

    name: str
    parts: tuple[float, ...]


def bars(stacks: Sequence[Stack], *, said: str, names: Sequence[str] = ()) -> SafeString:
    """One row a bar, the name above it, what it comes to behind its name. `names` of the parts make a legend."""
    longest = max((sum(one.parts) for one in stacks), default=0) or 1
    head = 14 if names else 0
    room = WIDTH - RIGHT
    pieces: list[SafeString] = legend(names, x=0) if names else []
    for at, one in enumerate(stacks):
        y = head + at * ROW
        figures = " + ".join(amount(part) for part in one.parts)
        pieces.append(words(cut(one.name, room - len(figures) * 5.6 - 12), 0, y + 13))
        pieces.append(words(figures, float(room), y + 13, at="end"))
        x, drawn = 0.0, []
        for part, length in enumerate(one.parts, 1):
            width = room * length / longest
            if length > 0:
                drawn.append(piece("rect", x=x, y=y + 17, width=max(1.0, width), height=BAR, class_=f"plot-{part}"))
            x += width
        pieces.append(together(drawn))
    return drawing("bars", said, pieces, height=head + max(1, len(stacks)) * ROW + 4)


def histogram(classes: Sequence[tuple[str, float]], *, said: str) -> SafeString:
    """`classes` from left to right, each with its name and count; the count stands on its bar."""
    top = top_of(count for _, count in classes)
    step = (WIDTH - LEFT - RIGHT) / max(1, len(classes))
    pieces = grid(top)
    middles = []
    for at, (_, count) in enumerate(classes):
        x = LEFT + at * step
        middles.append(x + step / 2)
        if count > 0:
            y = min(up(count, top), up(0, top) - 1)
            pieces.append(
                piece("rect", x=x + step * 0.1, y=y, width=step * 0.8, height=up(0, top) - y, class_="plot-1")
            )
            pieces.append(words(amount(count), x + step / 2, y - 3, at="middle"))
    return drawing("histogram", said, [*pieces, *under([name for name, _ in classes], middles)])


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
