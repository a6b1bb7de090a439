"""Times of repeated calls, and how two of them compare."""

import statistics
import time
from collections.abc import Callable
from typing import Any


def median_ms(call: Callable[[], Any], *, times: int = 30, warm: int = 3) -> float:
    """Milliseconds of one call: the median of `times` after `warm` unmeasured ones."""
    for _ in range(warm):
        call()
    took = []
    for _ in range(times):
        began = time.perf_counter()
        call()
        took.append((time.perf_counter() - began) * 1000)
    return statistics.median(took)


def row(name: str, ours: float, bare: float, *, note: str = "") -> str:
    return f"{name:<46} {ours:>9.2f} ms {bare:>9.2f} ms {ours / bare:>7.2f}×  {note}"
