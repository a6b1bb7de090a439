"""Waiting for runs inside a request. Few threads serve, so at most two requests of a process wait (design §10)."""

import threading
import time
from collections.abc import Sequence

from ledger.models import Run

PLACES = threading.BoundedSemaphore(2)
EVERY_S = 0.05
UNFINISHED = ("queued", "running")


def wait_for(runs: Sequence[Run], seconds: float) -> bool:
    """Whether all are finished now. Waits up to `seconds` while one of the two places is free; refreshes the runs."""
    waiting = [run for run in runs if run.status in UNFINISHED]
    if not waiting:
        return True
    if seconds <= 0 or not PLACES.acquire(blocking=False):
        return False
    try:
        until = time.monotonic() + seconds
        ids = [run.pk for run in waiting]
        while Run.objects.filter(pk__in=ids, status__in=UNFINISHED).exists():
            if time.monotonic() >= until:
                return False
            time.sleep(EVERY_S)
    finally:
        PLACES.release()
    for run in waiting:
        run.refresh_from_db(fields=["status", "stats", "error", "attempts", "retry_at", "started_at", "finished_at"])
    return True
