"""The checks that a candidate's words went through, each with its own score and threshold (law 6)."""

from collections.abc import Mapping, Sequence
from typing import Final

from django.db.models import Q

from ledger.models import Claim, Gate

MOST: Final = 300
MAX_SHOWN: Final = 4


def gates_of(claims: Sequence[Claim], sources: Mapping[int, Sequence[int]]) -> dict[int, list[Gate]]:
    """By claim id the gates of its run about its kind, and those of the `sources` its words stand in. One query."""
    runs = {claim.run_id for claim in claims if claim.run_id}
    cited = {pk for group in sources.values() for pk in group}
    if not runs:
        return {}
    wanted = Q(run__in=runs) | Q(source__in=cited, run=None)
    rows = list(Gate.objects.filter(wanted).order_by("-id")[:MOST])
    return {claim.pk: _of(claim, rows, set(sources.get(claim.pk, ()))) for claim in claims if claim.run_id}


def _of(claim: Claim, rows: Sequence[Gate], cited: set[int]) -> list[Gate]:
    """The newest of each stage."""
    found: dict[str, Gate] = {}
    for gate in rows:
        ours = gate.run_id == claim.run_id and gate.type in ("", claim.kind_id)
        if ours or (gate.run_id is None and gate.source_id in cited):
            found.setdefault(gate.stage, gate)
    return sorted(found.values(), key=lambda gate: gate.pk)[:MAX_SHOWN]
