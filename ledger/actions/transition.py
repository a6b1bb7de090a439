"""The single place where a verb asks whether its step exists."""

from ledger.errors import BadTransition
from ledger.models import Claim, Conflict, Run
from ledger.rules.states import CLAIM_STEPS, CONFLICT_STEPS, RUN_STEPS, next_state

# What a purge leaves of the origin of a claim whose only words it took (law 1).
REDACTED = {"redacted": True}
REVIVING = ("promote", "restore", "reopen", "edit")


def reach(verb: str, row: Claim | Conflict | Run) -> str:
    """The state `verb` leads to. Raises `BadTransition`, naming state and verb, where there is no such step."""
    steps = CLAIM_STEPS if isinstance(row, Claim) else CONFLICT_STEPS if isinstance(row, Conflict) else RUN_STEPS
    target = next_state(steps, verb, row.status)
    if isinstance(row, Claim) and verb in REVIVING and row.proposed == REDACTED:
        raise BadTransition(f"a purge took the words of {row.ref}: {verb} leads nowhere", state=row.status, verb=verb)
    if target is None:
        name = row.ref if isinstance(row, Claim) else f"{row._meta.model_name} {row.pk}"
        raise BadTransition(f"{name} is {row.status}: {verb} leads nowhere from there", state=row.status, verb=verb)
    return target
