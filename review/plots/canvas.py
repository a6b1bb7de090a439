"""What all plots share: the frame, the axes, numbers as attributes, and words that are escaped and cut to their room."""

from collections.abc import Iterable, Sequence
from math import ceil, floor, log10
from typing import Final

from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe

# Units of the drawing; the page scales it. Small enough that words stay readable on a telephone.
WIDTH: Final = 340
HEIGHT: Final = 180
LEFT: Final = 34
RIGHT: Final = 10
TOP: Final = 20
BOTTOM: Final = 26
# A letter of a label is about this wide.
LETTER: Final = 5.6


def number(value: float) -> str:
    """A coordinate with one decimal at most: the same figures give the same bytes."""
    return f"{value:.1f}".removesuffix(".0")


def amount(value: float) -> str:
    """A figure on an axis: whole where it is whole, in thousands where it is long."""
    if abs(value) >= 10_000:
        return f"{value / 1000:,.0f}k" if abs(value) >= 100_000 else f"{value / 1000:.3g}k"
    return f"{value:,.0f}" if value == floor(value) else f"{value:g}"


def piece(tag: str, /, inner: object = "", **attributes: object) -> SafeString:
    """One SVG element; `_` in names becomes `-`, a `class_` is a class, floats are rounded, and all of it is escaped."""
    given = [
        format_html(
            ' {}="{}"', name.rstrip("_").replace("_", "-"), number(value) if isinstance(value, float) else value
        )
        for name, value in attributes.items()
        if value != ""
    ]
    return format_html("<{0}{1}>{2}</{0}>", mark_safe(tag), together(given), inner)  # noqa: S308 - our own tag names


def together(pieces: Iterable[str]) -> SafeString:
    """Pieces one after the other, each escaped unless it is markup already."""
    return mark_safe("".join(conditional_escape(one) for one in pieces))  # noqa: S308 - escaped piece by piece


def drawing(kind: str, alt: str, pieces: Iterable[str], *, width: float = WIDTH, height: float = HEIGHT) -> SafeString:
    """The whole image. `alt` is what it shows in words, for whoever does not see it."""
    box = f"0 0 {number(width)} {number(height)}"
    return piece(
        "svg", together(pieces), class_=f"plot plot-{kind}", viewBox=box, role="img", aria_label=alt, focusable="false"
    )


def words(text: object, x: float, y: float, *, at: str = "", class_: str = "plot-words") -> SafeString:
    """A label; `at` is the anchor, `middle` or `end`."""
    return piece("text", text, x=x, y=y, text_anchor=at, class_=class_)


def cut(text: str, room: float) -> str:
    """As much of a label as fits."""
    most = max(1, int(room / LETTER))
    return text if len(text) <= most else text[: max(1, most - 1)] + "…"


def top_of(values: Iterable[float]) -> float:
    """The end of an axis that begins at 0: the next 1, 2, 2.5 or 5 times a power of ten; 1 where nothing is above 0."""
    most = max([*values, 0])
    if most <= 0:
        return 1
    power = 10.0 ** floor(log10(most))
    return next(step * power for step in (1, 2, 2.5, 5, 10) if step * power >= most * 0.9999)


def grid(top: float) -> list[SafeString]:
    """Lines at 0, the half and the top of the upright axis, with their figures."""
    steps = [0, top] if top < 2 else [0, top / 2, top]
    made = []
    for value in steps:
        y = up(value, top)
        made.append(piece("line", x1=LEFT, x2=WIDTH - RIGHT, y1=y, y2=y, class_="plot-grid" if value else "plot-axis"))
        made.append(words(amount(value), LEFT - 5, y + 3.5, at="end"))
    return made


def up(value: float, top: float) -> float:
    """The height of a value on the upright axis."""
    return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * value / top


def under(labels: Sequence[str], places: Sequence[float]) -> list[SafeString]:
    """Labels under the level axis: all where they fit, else so many that none touches the next; the first and last always."""
    if not labels:
        return []
    widest = max(len(label) for label in labels) * LETTER + 8
    fit = max(1, int((WIDTH - LEFT - RIGHT) / widest))
    every = ceil(len(labels) / fit)
    last = len(labels) - 1
    shown = [at for at in range(0, len(labels), every) if at == last or places[last] - places[at] >= widest + RIGHT]
    made = []
    for at in dict.fromkeys([*shown, last]):
        half = len(labels[at]) * LETTER / 2
        x = min(max(places[at], half), WIDTH - half)
        made.append(words(labels[at], x, HEIGHT - BOTTOM + 15.0, at="middle"))
    return made


def legend(names: Sequence[str], *, x: float = LEFT) -> list[SafeString]:
    """A sample of each series with its name, on one line. Series are numbered from 1 in `plots.css`."""
    made: list[SafeString] = []
    for at, name in enumerate(names, 1):
        made.append(piece("rect", x=x, y=1.0, width=9, height=7, class_=f"plot-{at}"))
        made.append(words(name, x + 13, 8))
        x += 13 + len(name) * LETTER + 14
    return made
