"""Plots as static SVG: attributes and classes only, so that they stand under a policy that allows no inline style and no
script. Colours come from `plots.css` and follow the page's theme; what tells two series apart is also their shape (full,
hollow, dashed). Each is an image with a text in `aria-label`; the figures themselves belong into a table beside it."""

from review.plots.bars import Stack, bars
from review.plots.histogram import histogram
from review.plots.line import Line, line, spark
from review.plots.ranges import Range, ranges
from review.plots.reliability import Bin, reliability

__all__ = ["Bin", "Line", "Range", "Stack", "bars", "histogram", "line", "ranges", "reliability", "spark"]
