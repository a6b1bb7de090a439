"""Level bars, each of one or more parts: promoted and rejected by rule."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString

from review.plots.canvas import RIGHT, WIDTH, amount, cut, drawing, legend, piece, together, words

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
