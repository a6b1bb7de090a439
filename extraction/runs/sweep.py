"""What time brings about: runs that a dead worker left, deferred candidates that wake, candidates nobody decided in time, and
the passes of policies that a scope's owner turned on."""

import uuid
from collections.abc import Callable
from typing import Any

from django.utils import timezone

from extraction.runs.wave_report import forget_reports
from ledger.actions.decide import expire as expire_claim
from ledger.actions.decide import wake
from ledger.actions.idempotency import drop_old_records
from ledger.actions.policy import run_policies
from ledger.actions.run import sweep_runs
from ledger.actor import system
from ledger.errors import BadTransition, StaleVersion
from ledger.models import Claim

SWEEPER = system("worker", "sweep")
MAX_AT_ONCE = 500


def sweep() -> int:
    """All of it; returns how many runs wait now. Safe to call at any time, by anyone, as often as one likes."""
    waiting = sweep_runs()
    wake_deferred()
    expire()
    run_policies()
    return waiting


def wake_deferred() -> int:
    """Back into the queue what was put off until now."""
    due = Claim.objects.filter(status="deferred", deferred_until__lte=timezone.now()).select_related("scope")
    return _each(list(due.order_by("deferred_until")[:MAX_AT_ONCE]), wake)


def expire() -> int:
    """Out of the queue what had its time; idempotency records past their day are dropped, and files of reports past theirs."""
    drop_old_records()
    forget_reports()
    now = timezone.now()
    due = Claim.objects.filter(status="pending", expires_at__lte=now).select_related("scope")
    # What is still to come can be decided about until it comes.
    due = due.exclude(valid_from__gt=now)
    return _each(list(due.order_by("expires_at")[:MAX_AT_ONCE]), expire_claim)


def _each(claims: list[Claim], verb: Callable[..., Any]) -> int:
    batch = uuid.uuid4()
    done = 0
    for claim in claims:
        try:
            verb(claim, actor=SWEEPER, batch=batch)
            done += 1
        except (BadTransition, StaleVersion):
            continue  # somebody decided meanwhile
    return done
