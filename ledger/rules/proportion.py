"""How far a share of few cases can be trusted."""

from math import sqrt


def wilson(right: int, total: int, *, z: float = 1.96) -> tuple[float, float]:
    """The Wilson score interval of `right` out of `total` (95 % by default): 0 to 1, and the whole of it without any case.

    Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22, 1927.
    """
    if total <= 0:
        return 0.0, 1.0
    share = right / total
    spread = z * z / total
    middle = (share + spread / 2) / (1 + spread)
    half = z * sqrt(share * (1 - share) / total + spread / (4 * total)) / (1 + spread)
    return max(0.0, middle - half), min(1.0, middle + half)
