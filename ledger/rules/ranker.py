"""Weighs what speaks for an answer (`ledger.rules.signals`) by trees that were learnt from threads and questions about them."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final

from ledger.rules.signals import SIGNALS
from ledger.rules.trees import Forest, read_learnt

LEARNT: Final = Path(__file__).with_name("ranker.json.gz")


def odds(row: Sequence[float]) -> float:
    """Higher is likelier; only good for putting the candidates of one question in order."""
    return _forest().odds(row)


@cache
def _forest() -> Forest:
    """Raises `ValueError` where what was learnt is of other signals."""
    learnt = read_learnt(LEARNT)
    if tuple(learnt["signals"]) != SIGNALS:
        raise ValueError(f"{LEARNT.name} was learnt from other signals; learn it anew")
    return Forest(learnt["trees"])
