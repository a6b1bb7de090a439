"""Lines over time, the small one that stands in a row of text, and the reliability diagram."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from django.utils.safestring import SafeString

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
)


@dataclass(frozen=True, slots=True)
class LineSeries:
    """One series, a value a label, none below 0; None where nothing is known: the line breaks there."""

    name: str
    values: tuple[float | None, ...]


def line(labels: Sequence[str], lines: Sequence[LineSeries], *, said: str) -> SafeString:
    """`labels` from left to right, oldest first. Each line has `len(labels)` values; several lines get a legend."""
    top = top_of(value for one in lines for value in one.values if value is not None)
    places = _places(len(labels), LEFT, WIDTH - RIGHT)
    pieces = grid(top)
    for at, one in enumerate(lines, 1):
        pieces += _drawn([None if v is None else up(v, top) for v in one.values], places, f"plot-{at}")
    if len(lines) > 1:
        pieces += legend([one.name for one in lines])
    return drawing("line", said, [*pieces, *under(labels, places)])


def spark(values: Sequence[float | None], *, said: str, width: int = 96, height: int = 22) -> SafeString:
    """A line without axes, the newest value a dot. From 0 to the highest; scale it by its class, `plot-spark`."""
    top = max([*(value for value in values if value is not None), 0]) or 1
    heights = [None if value is None else 3 + (height - 6) * (1 - value / top) for value in values]
    places = _places(len(values), 3, width - 3)
    pieces = _drawn(heights, places, "plot-1", dots=False)
    last = next((at for at in reversed(range(len(heights))) if heights[at] is not None), None)
    if last is not None:
        pieces.append(piece("circle", cx=places[last], cy=heights[last], r=2, class_="plot-dot plot-1"))
    return drawing("spark", said, pieces, width=width, height=height)


def _places(count: int, left: float, right: float) -> list[float]:
    """One point stands in the middle."""
    if count == 1:
        return [(left + right) / 2]
    return [left + (right - left) * at / max(1, count - 1) for at in range(count)]


def _drawn(
    heights: Sequence[float | None], places: Sequence[float], class_: str, *, dots: bool = True
) -> list[SafeString]:
    """Each run of known values as one line; dots where there are few, and where a value stands alone."""
    runs: list[list[int]] = [[]]
    for at, height in enumerate(heights):
        if height is None:
            runs.append([])
        else:
            runs[-1].append(at)
    made = []
    for run in (run for run in runs if run):
        points = " ".join(f"{number(places[at])},{number(heights[at] or 0)}" for at in run)
        if len(run) > 1:
            made.append(piece("polyline", points=points, class_=f"plot-stroke {class_}"))
        if len(run) == 1 or (dots and len(heights) <= 31):
            made += [piece("circle", cx=places[at], cy=heights[at], r=2.5, class_=f"plot-dot {class_}") for at in run]
    return made


def line_in_words(labels: Sequence[str], values: Sequence[float | None]) -> str:
    """A line in words: from where to where, and its highest."""
    known = [(value, label) for label, value in zip(labels, values, strict=True) if value is not None]
    if not known:
        return "no figures"
    (first, since), (last, until) = known[0], known[-1]
    most, when = max(known)
    rises = sum(b > a for (a, _), (b, _) in pairwise(known))
    falls = sum(b < a for (a, _), (b, _) in pairwise(known))
    return f"from {first:g} ({since}) to {last:g} ({until}), {rises} times up and {falls} times down, most {most:g} ({when})"


SQUARE_LEFT = 30
SIDE = 210
SQUARE_TOP = 8
COUNTS = 34
SQUARE_HEIGHT = SQUARE_TOP + SIDE + 14 + COUNTS + 24


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """Confidences from `low` to `high`: how many, their mean, which share was right, and the range of that share. All but
    `count` within 0 and 1."""

    low: float
    high: float
    count: int
    mean: float
    share: float
    share_low: float
    share_high: float


def reliability(bins: Sequence[ReliabilityBin], *, said: str) -> SafeString:
    """The bins that hold something, each a dot with its range; below them how many each holds."""
    held = [one for one in bins if one.count]
    most = max((one.count for one in held), default=1)
    pieces: list[SafeString] = []
    for share in (0, 0.5, 1):
        pieces.append(piece("line", x1=SQUARE_LEFT, x2=WIDTH - RIGHT, y1=_y(share), y2=_y(share), class_="plot-grid"))
        pieces.append(words(f"{share:g}", SQUARE_LEFT - 5, _y(share) + 3.5, at="end"))
        pieces.append(words(f"{share:g}", _x(share), float(SQUARE_HEIGHT - 12), at="middle"))
    pieces.append(piece("line", x1=_x(0), y1=_y(0), x2=_x(1), y2=_y(1), class_="plot-even"))
    for one in held:
        x = _x(one.mean)
        pieces.append(piece("line", x1=x, x2=x, y1=_y(one.share_low), y2=_y(one.share_high), class_="plot-whisker"))
    if len(held) > 1:
        points = " ".join(f"{_x(one.mean):.1f},{_y(one.share):.1f}" for one in held)
        pieces.append(piece("polyline", points=points, class_="plot-stroke plot-1"))
    pieces += [piece("circle", cx=_x(one.mean), cy=_y(one.share), r=3.5, class_="plot-dot plot-1") for one in held]
    floor = SQUARE_TOP + SIDE + 14 + COUNTS
    for one in held:
        height = max(1.0, (COUNTS - 10) * one.count / most)
        left, right = _x(one.low) + 1, _x(one.high) - 1
        pieces.append(piece("rect", x=left, y=floor - height, width=right - left, height=height, class_="plot-count"))
        pieces.append(
            words(amount(one.count), (left + right) / 2, floor - height - 2, at="middle", class_="plot-small")
        )
    pieces.append(piece("line", x1=SQUARE_LEFT, x2=WIDTH - RIGHT, y1=floor, y2=floor, class_="plot-axis"))
    pieces.append(words("confidence", (SQUARE_LEFT + WIDTH - RIGHT) / 2, SQUARE_HEIGHT - 1.0, at="middle"))
    return drawing("reliability", said, pieces, height=SQUARE_HEIGHT)


def _x(share: float) -> float:
    return SQUARE_LEFT + (WIDTH - RIGHT - SQUARE_LEFT) * share


def _y(share: float) -> float:
    return SQUARE_TOP + SIDE * (1 - share)
