"""Whether a confidence says what it means: of what was given 0.7, are seven of ten right? And how far can a share be trusted?"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from typing import Final

BINS: Final = 10
# So many standard deviations to either side hold 95 % of a normal distribution.
Z: Final = 1.96
# A proposal of a prior rests on so many decisions at least, and the prior in force counts for so many of them.
LEAST: Final = 20
WEIGHT: Final = 10
LOWEST: Final = 0.01
HIGHEST: Final = 0.99


@dataclass(frozen=True, slots=True)
class Bin:
    """Confidences from `low` to below `high` (the last one to 1): `count` decided, their mean confidence, the `share` that was
    right, and the Wilson range of that share. An empty one has mean and share 0."""

    low: float
    high: float
    count: int
    mean: float
    share: float
    share_low: float
    share_high: float


def wilson(right: int, total: int) -> tuple[float, float]:
    """The Wilson score interval (95 %) of `right` out of `total`: 0 to 1, and the whole of it without any case.

    Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22, 1927.
    """
    if total <= 0:
        return 0.0, 1.0
    share = right / total
    spread = Z * Z / total
    middle = (share + spread / 2) / (1 + spread)
    half = Z * sqrt(share * (1 - share) / total + spread / (4 * total)) / (1 + spread)
    return max(0.0, middle - half), min(1.0, middle + half)


def binned(sums: Mapping[int, tuple[int, int, float]]) -> tuple[tuple[Bin, ...], float]:
    """The `BINS` classes from their places, 0 to 9, each with (count, right, sum of confidences); and the expected calibration
    error: the mean of |share − mean| over all that was decided, 0 without any.

    Naeini, Cooper and Hauskrecht, "Obtaining well calibrated probabilities using Bayesian binning", AAAI 2015.
    """
    made = []
    for place in range(BINS):
        count, right, total = sums.get(place, (0, 0, 0.0))
        low, high = wilson(right, count)
        mean, share = (total / count, right / count) if count else (0.0, 0.0)
        made.append(Bin(place / BINS, (place + 1) / BINS, count, mean, share, low, high))
    decided = sum(one.count for one in made)
    error = sum(one.count * abs(one.share - one.mean) for one in made) / decided if decided else 0.0
    return tuple(made), error


def suggested_prior(current: float, right: int, total: int) -> float | None:
    """The mean of a Beta distribution that begins as `WEIGHT` decisions at the `current` prior and has seen `right` of `total`;
    two decimals, within 0.01 and 0.99. None below `LEAST` decisions: too few to say."""
    if total < LEAST:
        return None
    mean = (WEIGHT * current + right) / (WEIGHT + total)
    return min(HIGHEST, max(LOWEST, round(mean, 2)))
