"""Reads from a standby (docs/failover.md): a GET of the API is answered there, once it has all that was committed before the
request came. So nobody reads anything older than from the primary, their own writes least of all."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from time import monotonic
from typing import Any

import structlog
from django.db import InterfaceError, InternalError, OperationalError, connections
from django.http import HttpRequest

from config.embedded.process import wait_until
from ledger.reads.sql import fetch_column

log = structlog.get_logger(__name__)

PRIMARY, STANDBY = "default", "replica"
# How long a request waits for a standby that is a moment behind, and how long one that was away is not asked again.
PATIENCE_S, AWAY_S = 0.02, 5.0
READ_ONLY = "25006"
NO_ANSWER = (InterfaceError, InternalError, OperationalError)
away_until = 0.0


def read_from_standby(view: Callable[..., Any]) -> Callable[..., Any]:
    """Wraps each operation; without DATABASE_REPLICA_URL nothing changes. What a standby does not answer is asked of the primary:
    an operation that notes something as it reads (exposures, seats at a desk) always, once that was seen."""
    notes = False

    @wraps(view)
    def asked(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        nonlocal notes
        if notes or request.method != "GET" or not has_caught_up():
            return view(request, *args, **kwargs)
        try:
            with in_place_of_the_primary():
                return view(request, *args, **kwargs)
        except NO_ANSWER as error:
            notes = getattr(error.__cause__, "sqlstate", None) == READ_ONLY
            if not notes:
                leave_alone(error)
        return view(request, *args, **kwargs)

    return asked


def has_caught_up() -> bool:
    """Whether there is a standby, and it has everything that was committed up to now."""
    if STANDBY not in connections or monotonic() < away_until:
        return False
    [committed] = fetch_column("SELECT pg_current_wal_flush_lsn()::text")
    try:
        return wait_until(lambda: replayed(committed), seconds=PATIENCE_S, pause_s=0.002)
    except NO_ANSWER as error:
        leave_alone(error)
        return False


def replayed(position: str) -> bool:
    with connections[STANDBY].cursor() as cursor:
        cursor.execute("SELECT pg_last_wal_replay_lsn() >= %s::pg_lsn", [position])
        return bool((cursor.fetchone() or [False])[0])


@contextmanager
def in_place_of_the_primary() -> Iterator[None]:
    """Everything that this thread asks of the database goes to the standby, whoever asks it."""
    primary = connections[PRIMARY]
    connections[PRIMARY] = connections[STANDBY]
    try:
        yield
    finally:
        connections[PRIMARY] = primary


def leave_alone(error: Exception) -> None:
    global away_until
    away_until = monotonic() + AWAY_S
    log.warning("standby_away", error=str(error)[:200])
