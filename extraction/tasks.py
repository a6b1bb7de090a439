"""The queue's tasks: thin, because what is to be done stands in rows."""

import time
from datetime import timedelta

from celery import shared_task
from django.db import connection

from extraction.observer.live import observe_recent
from extraction.runs.pipeline import work_off
from extraction.runs.retention import purge_old_chat
from extraction.runs.sweep import expire, sweep
from ledger.actions.encode_sources import encode_waiting
from ledger.actions.tally import tally

# A task ends after a while and wakes the next, so that a restart never waits for a long one.
LONGEST_S = 30.0
# What follows from a message is not held up by all those behind it.
OBSERVED_EVERY_S = 1.0
# A message that came within this time has been read by now.
JUST_NOW = timedelta(minutes=2)


@shared_task(name="extraction.work")  # type: ignore[untyped-decorator]
def work() -> None:
    """Work on what is queued, and say what follows from it."""
    until = time.monotonic() + LONGEST_S
    while work_off(seconds=OBSERVED_EVERY_S) and time.monotonic() < until:
        observe_recent(since=JUST_NOW)


@shared_task(name="extraction.runs.sweep")  # type: ignore[untyped-decorator]
def sweep_task() -> None:
    """Find what was forgotten, and work on it."""
    if sweep():
        work_off(seconds=LONGEST_S)


@shared_task(name="extraction.encode")  # type: ignore[untyped-decorator]
def encode() -> None:
    """Give new sources the vectors of their tokens, where an encoder is installed."""
    encode_waiting(seconds=LONGEST_S)


@shared_task(name="extraction.seal")  # type: ignore[untyped-decorator]
def seal() -> None:
    """Chain the journal's new events (law 3), and count what they brought into the queue and out of it."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT ledger_seal()")
    tally()


@shared_task(name="extraction.observe")  # type: ignore[untyped-decorator]
def observe_task() -> None:
    """What nobody answered in time."""
    observe_recent()


@shared_task(name="extraction.expire")  # type: ignore[untyped-decorator]
def expire_task() -> None:
    """What nobody decided in time, records past their day, and raw chat that was kept long enough."""
    expire()
    purge_old_chat()
