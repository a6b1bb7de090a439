"""Lines over time, and the small one without axes that stands in a row of text."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from django.utils.safestring import SafeString

from review.plots.canvas import LEFT, RIGHT, WIDTH, drawing, grid, legend, number, piece, top_of, under, up


@dataclass(frozen=True, slots=True)
class Line:
    """One series, a value a label, none below 0; None where nothing is known: the line breaks there."""

    name: str
    values: tuple[float | None, ...]


def line(labels: Sequence[str], lines: Sequence[Line], *, said: str) -> SafeString:
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


def said_of(labels: Sequence[str], values: Sequence[float | None]) -> str:
    """A line in words: from where to where, and its highest."""
    known = [(value, label) for label, value in zip(labels, values, strict=True) if value is not None]
    if not known:
        return "no figures"
    (first, since), (last, until) = known[0], known[-1]
    most, when = max(known)
    rises = sum(b > a for (a, _), (b, _) in pairwise(known))
    falls = sum(b < a for (a, _), (b, _) in pairwise(known))
    return f"from {first:g} ({since}) to {last:g} ({until}), {rises} times up and {falls} times down, most {most:g} ({when})"
