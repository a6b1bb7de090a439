"""How far two readers agree beyond what chance alone would give: Cohen's kappa (Cohen 1960), with its range at 95 %."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

Z: Final = 1.96
# What a kappa up to so much is called (Landis and Koch 1977).
WORDS: Final = (
    (0.0, "no better than chance"), (0.2, "slight"), (0.4, "fair"), (0.6, "moderate"), (0.8, "substantial"),
    (1.0, "almost perfect"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Agreement:
    """Of `count` that both judged `same` were judged alike. `kappa` with its range is None where it says nothing: nobody judged
    anything, or both only ever said one and the same."""

    count: int
    same: int
    kappa: float | None = None
    low: float | None = None
    high: float | None = None

    @property
    def share(self) -> float:
        return self.same / self.count if self.count else 0.0

    @property
    def word(self) -> str:
        kappa = self.kappa
        return next((word for most, word in WORDS if kappa <= most), "") if kappa is not None else ""


def agreement(pairs: Sequence[tuple[str, str]]) -> Agreement:
    """Of what each of the two said about the same things."""
    count, same = len(pairs), sum(one == other for one, other in pairs)
    first, second = (Counter(said) for said in zip(*pairs, strict=True)) if pairs else (Counter[str](), Counter[str]())
    by_chance = sum(first[name] * second[name] for name in first) / count**2 if count else 1.0
    if by_chance == 1.0:
        return Agreement(count, same)
    observed = same / count
    kappa = (observed - by_chance) / (1 - by_chance)
    wide = Z * math.sqrt(observed * (1 - observed) / count) / (1 - by_chance)
    return Agreement(count, same, kappa, max(-1.0, kappa - wide), min(1.0, kappa + wide))
