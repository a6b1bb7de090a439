"""Lines over time, the small one that stands in a row of text, and the reliability diagram."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from django.utils.safestring import SafeString

from ledger.rules.calibration import Bin
from review.plots.canvas import (
    LEFT,
    RIGHT,
    WIDTH,
    amount,
    drawing,
    grid,
    legend,
    number,
    piece,
    top_of,
    under,
    up,
    words,
)  # fmt: skip

# A line of more points goes without a dot on each.
MAX_DOTS = 31
# The square of the reliability diagram, and the counts below it.
SQUARE_LEFT = 30
SQUARE_TOP = 8
SIDE = 210
COUNTS = 34
FLOOR = SQUARE_TOP + SIDE + 14 + COUNTS
SQUARE_HEIGHT = FLOOR + 24


@dataclass(frozen=True, slots=True)
class LineSeries:
    """One series, a value a label, none below 0."""

    name: str
    values: tuple[float, ...]


def line(labels: Sequence[str], lines: Sequence[LineSeries], *, alt: str) -> SafeString:
    """`labels` from left to right, oldest first. Each line has `len(labels)` values; several lines get a legend."""
    top = top_of(value for one in lines for value in one.values)
    places = _places(len(labels), LEFT, WIDTH - RIGHT)
    pieces = grid(top)
    for at, one in enumerate(lines, 1):
        points = [(x, up(value, top)) for x, value in zip(places, one.values, strict=True)]
        pieces += _drawn(points, f"plot-{at}", dots=len(points) <= MAX_DOTS)
    if len(lines) > 1:
        pieces += legend([one.name for one in lines])
    return drawing("line", alt, [*pieces, *under(labels, places)])


def spark(values: Sequence[float], *, alt: str, width: int = 96, height: int = 22) -> SafeString:
    """A line without axes, the newest value a dot. From 0 to the highest; scale it by its class, `plot-spark`."""
    top = max([*values, 0]) or 1
    places = _places(len(values), 3, width - 3)
    points = [(x, 3 + (height - 6) * (1 - value / top)) for x, value in zip(places, values, strict=True)]
    newest = [_dot(x, y, 2, "plot-1") for x, y in points[-1:]]
    return drawing("spark", alt, [*_drawn(points, "plot-1"), *newest], width=width, height=height)


def _places(count: int, left: float, right: float) -> list[float]:
    """One point stands in the middle."""
    if count == 1:
        return [(left + right) / 2]
    return [left + (right - left) * at / max(1, count - 1) for at in range(count)]


def _drawn(points: Sequence[tuple[float, float]], class_: str, *, dots: bool = False) -> list[SafeString]:
    """The points as one line; one that stands alone is a dot."""
    if dots or len(points) == 1:
        return [*_stroke(points, class_), *(_dot(x, y, 2.5, class_) for x, y in points)]
    return _stroke(points, class_)


def _stroke(points: Sequence[tuple[float, float]], class_: str) -> list[SafeString]:
    """A line through all points; none where there is but one."""
    if len(points) < 2:
        return []
    drawn = " ".join(f"{number(x)},{number(y)}" for x, y in points)
    return [piece("polyline", points=drawn, class_=f"plot-stroke {class_}")]


def _dot(x: float, y: float, radius: float, class_: str) -> SafeString:
    return piece("circle", cx=x, cy=y, r=radius, class_=f"plot-dot {class_}")


def line_in_words(labels: Sequence[str], values: Sequence[float]) -> str:
    """A line in words: from where to where, and its highest."""
    known = list(zip(values, labels, strict=True))
    if not known:
        return "no figures"
    (first, since), (last, until) = known[0], known[-1]
    most, when = max(known)
    rises = sum(b > a for a, b in pairwise(values))
    falls = sum(b < a for a, b in pairwise(values))
    return f"from {first:g} ({since}) to {last:g} ({until}), {rises} times up and {falls} times down, most {most:g} ({when})"


def reliability(bins: Sequence[Bin], *, alt: str) -> SafeString:
    """Of what was given this confidence, how much was right? On the line from corner to corner as much as was said; below it
    the extractor is too sure. The bins that hold something, each a dot with its range; below them how many each holds.

    DeGroot and Fienberg, "The comparison and evaluation of forecasters", The Statistician 32, 1983.
    """
    held = [one for one in bins if one.count]
    most = max((one.count for one in held), default=1)
    points = [(_x(one.mean), _y(one.share)) for one in held]
    whiskers = [(_x(one.mean), _y(one.share_low), _y(one.share_high)) for one in held]
    pieces = [
        *_square(),
        *(piece("line", x1=x, x2=x, y1=low, y2=high, class_="plot-whisker") for x, low, high in whiskers),
        *_stroke(points, "plot-1"),
        *(_dot(x, y, 3.5, "plot-1") for x, y in points),
        *(part for one in held for part in _count(one, most)),
        piece("line", x1=SQUARE_LEFT, x2=WIDTH - RIGHT, y1=FLOOR, y2=FLOOR, class_="plot-axis"),
        words("confidence", (SQUARE_LEFT + WIDTH - RIGHT) / 2, SQUARE_HEIGHT - 1.0, at="middle"),
    ]
    return drawing("reliability", alt, pieces, height=SQUARE_HEIGHT)


def _square() -> list[SafeString]:
    """The grid with its figures, and the line on which confidence is just as high as it should be."""
    pieces: list[SafeString] = []
    for share in (0, 0.5, 1):
        y = _y(share)
        pieces += [
            piece("line", x1=SQUARE_LEFT, x2=WIDTH - RIGHT, y1=y, y2=y, class_="plot-grid"),
            words(f"{share:g}", SQUARE_LEFT - 5, y + 3.5, at="end"),
            words(f"{share:g}", _x(share), float(SQUARE_HEIGHT - 12), at="middle"),
        ]
    return [*pieces, piece("line", x1=_x(0), y1=_y(0), x2=_x(1), y2=_y(1), class_="plot-even")]


def _count(one: Bin, most: int) -> list[SafeString]:
    height = max(1.0, (COUNTS - 10) * one.count / most)
    left, right = _x(one.low) + 1, _x(one.high) - 1
    return [
        piece("rect", x=left, y=FLOOR - height, width=right - left, height=height, class_="plot-count"),
        words(amount(one.count), (left + right) / 2, FLOOR - height - 2, at="middle", class_="plot-small"),
    ]


def _x(share: float) -> float:
    return SQUARE_LEFT + (WIDTH - RIGHT - SQUARE_LEFT) * share


def _y(share: float) -> float:
    return SQUARE_TOP + SIDE * (1 - share)
