"""Bars: level ones of one or more parts, upright ones for classes, and shares with the range in which the true one lies."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString

from review.plots.canvas import (
    LEFT,
    LETTER,
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
)  # fmt: skip

ROW = 30
BAR = 10
FOOT = 16
LEGEND = 14
ROOM = WIDTH - RIGHT


@dataclass(frozen=True, slots=True)
class Stack:
    """One bar: its name and the lengths of its parts, none below 0, in the order of the legend."""

    name: str
    parts: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Range:
    """A share between `low` and `high`, all within 0 and 1; `note` stands behind the name, such as how many cases."""

    name: str
    low: float
    share: float
    high: float
    note: str = ""


def bars(stacks: Sequence[Stack], *, alt: str, names: Sequence[str] = ()) -> SafeString:
    """One row a bar, the name above it, what it comes to behind its name. `names` of the parts make a legend."""
    longest = max((sum(one.parts) for one in stacks), default=0) or 1
    head = LEGEND if names else 0
    pieces = legend(names, x=0)
    for at, one in enumerate(stacks):
        y = head + at * ROW
        pieces += _heading(one.name, " + ".join(amount(part) for part in one.parts), y + 13)
        pieces.append(together(_parts(one.parts, longest, y + 17)))
    return drawing("bars", alt, pieces, height=head + max(1, len(stacks)) * ROW + 4)


def _heading(name: str, note: str, y: int) -> list[SafeString]:
    """The name of a row and what stands behind it, both on one line."""
    return [words(cut(name, ROOM - len(note) * LETTER - 12), 0, y), words(note, float(ROOM), y, at="end")]


def _parts(parts: Sequence[float], longest: float, y: int) -> Iterator[SafeString]:
    """The parts of one bar, end to end."""
    x = 0.0
    for part, length in enumerate(parts, 1):
        width = ROOM * length / longest
        if length > 0:
            yield piece("rect", x=x, y=y, width=max(1.0, width), height=BAR, class_=f"plot-{part}")
        x += width


def histogram(classes: Sequence[tuple[str, float]], *, alt: str) -> SafeString:
    """`classes` from left to right, each with its name and count; the count stands on its bar."""
    top = top_of(count for _, count in classes)
    step = (WIDTH - LEFT - RIGHT) / max(1, len(classes))
    lefts = [LEFT + at * step for at in range(len(classes))]
    pieces = grid(top)
    for x, (_, count) in zip(lefts, classes, strict=True):
        if count > 0:
            y = min(up(count, top), up(0, top) - 1)
            pieces += [
                piece("rect", x=x + step * 0.1, y=y, width=step * 0.8, height=up(0, top) - y, class_="plot-1"),
                words(amount(count), x + step / 2, y - 3, at="middle"),
            ]
    return drawing("histogram", alt, [*pieces, *under([name for name, _ in classes], [x + step / 2 for x in lefts])])


def ranges(rows: Sequence[Range], *, alt: str) -> SafeString:
    """One row each, all on one axis from 0 to 1."""
    height = max(1, len(rows)) * ROW
    axis = [(share, _across(share)) for share in (0, 0.5, 1)]
    pieces = [piece("line", x1=x, x2=x, y1=0, y2=height, class_="plot-grid") for _, x in axis]
    for at, one in enumerate(rows):
        y = at * ROW
        low, width = _across(one.low), max(1.0, _across(one.high) - _across(one.low))
        pieces += [
            *_heading(one.name, one.note, y + 11),
            piece("rect", x=low, y=y + 18, width=width, height=4, class_="plot-range"),
            piece("circle", cx=_across(one.share), cy=y + 20, r=3.5, class_="plot-dot plot-1"),
        ]
    pieces += [words(f"{share:g}", x, height + 11.0, at="middle") for share, x in axis]
    return drawing("ranges", alt, pieces, height=height + FOOT)


def _across(share: float) -> float:
    return 6 + (ROOM - 12) * share
