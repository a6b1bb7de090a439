"""Log confidence checks; a log of its own, not journalled (law 6)."""

from collections.abc import Sequence

from ledger.models import Gate


def log_gates(gates: Sequence[Gate]) -> None:
    """One statement for all, in the transaction of what they decided about."""
    Gate.objects.bulk_create(gates)
