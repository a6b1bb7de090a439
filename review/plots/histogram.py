"""Upright bars side by side: how many fall into each class."""

from collections.abc import Sequence

from django.utils.safestring import SafeString

from review.plots.canvas import LEFT, RIGHT, WIDTH, amount, drawing, grid, piece, top_of, under, up, words


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
