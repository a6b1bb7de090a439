"""A reliability diagram: of what was given this confidence, how much was right? On the line from corner to corner, as much as
was said; below it the extractor is too sure.

DeGroot and Fienberg, "The comparison and evaluation of forecasters", The Statistician 32, 1983.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString

from review.plots.canvas import RIGHT, WIDTH, amount, drawing, piece, words

LEFT = 30
SIDE = 210
TOP = 8
COUNTS = 34
HEIGHT = TOP + SIDE + 14 + COUNTS + 24


@dataclass(frozen=True, slots=True)
class Bin:
    """Confidences from `low` to `high`: how many, their mean, which share was right, and the range of that share. All but
    `count` within 0 and 1."""

    low: float
    high: float
    count: int
    mean: float
    share: float
    share_low: float
    share_high: float


def reliability(bins: Sequence[Bin], *, said: str) -> SafeString:
    """The bins that hold something, each a dot with its range; below them how many each holds."""
    held = [one for one in bins if one.count]
    most = max((one.count for one in held), default=1)
    pieces: list[SafeString] = []
    for share in (0, 0.5, 1):
        pieces.append(piece("line", x1=LEFT, x2=WIDTH - RIGHT, y1=_y(share), y2=_y(share), class_="plot-grid"))
        pieces.append(words(f"{share:g}", LEFT - 5, _y(share) + 3.5, at="end"))
        pieces.append(words(f"{share:g}", _x(share), float(HEIGHT - 12), at="middle"))
    pieces.append(piece("line", x1=_x(0), y1=_y(0), x2=_x(1), y2=_y(1), class_="plot-even"))
    for one in held:
        x = _x(one.mean)
        pieces.append(piece("line", x1=x, x2=x, y1=_y(one.share_low), y2=_y(one.share_high), class_="plot-whisker"))
    if len(held) > 1:
        points = " ".join(f"{_x(one.mean):.1f},{_y(one.share):.1f}" for one in held)
        pieces.append(piece("polyline", points=points, class_="plot-stroke plot-1"))
    pieces += [piece("circle", cx=_x(one.mean), cy=_y(one.share), r=3.5, class_="plot-dot plot-1") for one in held]
    floor = TOP + SIDE + 14 + COUNTS
    for one in held:
        height = max(1.0, (COUNTS - 10) * one.count / most)
        left, right = _x(one.low) + 1, _x(one.high) - 1
        pieces.append(piece("rect", x=left, y=floor - height, width=right - left, height=height, class_="plot-count"))
        pieces.append(
            words(amount(one.count), (left + right) / 2, floor - height - 2, at="middle", class_="plot-small")
        )
    pieces.append(piece("line", x1=LEFT, x2=WIDTH - RIGHT, y1=floor, y2=floor, class_="plot-axis"))
    pieces.append(words("confidence", (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 1.0, at="middle"))
    return drawing("reliability", said, pieces, height=HEIGHT)


def _x(share: float) -> float:
    return LEFT + (WIDTH - RIGHT - LEFT) * share


def _y(share: float) -> float:
    return TOP + SIDE * (1 - share)
