"""The single place where a verb asks whether its step exists."""

from ledger.errors import BadTransition
from ledger.models import Claim, Conflict, Run
from ledger.rules.states import CLAIM_STEPS, CONFLICT_STEPS, RUN_STEPS, next_state


def reach(verb: str, row: Claim | Conflict | Run) -> str:
    """The state `verb` leads to. Raises `BadTransition`, naming state and verb, where there is no such step."""
    steps = CLAIM_STEPS if isinstance(row, Claim) else CONFLICT_STEPS if isinstance(row, Conflict) else RUN_STEPS
    target = next_state(steps, verb, row.status)
    if target is None:
        name = row.ref if isinstance(row, Claim) else f"{row._meta.model_name} {row.pk}"
        raise BadTransition(f"{name} is {row.status}: {verb} leads nowhere from there", state=row.status, verb=verb)
    return target
