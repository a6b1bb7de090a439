"""Plots as static SVG: attributes and classes only, so that they stand under a policy that allows no inline style and no
script. Colours come from `plots.css` and follow the page's theme; what tells two series apart is also their shape (full,
hollow, dashed). Each is an image with a text in `aria-label`; the figures themselves belong into a table beside it."""

from review.plots.bars import Range, Stack, bars, histogram, ranges
from review.plots.lines import LineSeries, line, reliability, spark

__all__ = [
    "LineSeries",
    "Range",
    "Stack",
    "bars",
    "histogram",
    "line",
    "ranges",
    "reliability",
    "spark",
]
