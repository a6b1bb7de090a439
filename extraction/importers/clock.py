"""Times as exports write them: seconds since 1970, ISO 8601, or a wall clock without a zone, which is the scope's."""

import math
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo


def epoch(value: Any, per_second: float = 1) -> datetime | None:
    """From a number, or text that holds one; None for what is no time between the years 1970 and 9999."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value) / per_second
        return datetime.fromtimestamp(number, UTC) if math.isfinite(number) and number > 0 else None
    except (ValueError, OverflowError, OSError):
        return None


def iso(value: Any, zone: ZoneInfo) -> datetime | None:
    """From ISO 8601; without an offset it is a wall clock of `zone`."""
    if not isinstance(value, str) or len(value) > 60:
        return None
    try:
        moment = datetime.fromisoformat(value)
        moment = moment if moment.tzinfo else local(moment, zone)[0]
        # What no clock of the world can show is no time either.
        return moment.astimezone(UTC) and moment
    except (ValueError, OverflowError):
        return None


def local(wall: datetime, zone: ZoneInfo) -> tuple[datetime, bool]:
    """A wall clock's time, and whether the clock showed it twice, or never, because it was put back or forward."""
    moment = wall.replace(tzinfo=zone)
    if not timedelta(days=2) < wall - datetime.min < datetime.max - datetime.min - timedelta(days=2):
        return wall.replace(tzinfo=UTC), False
    return moment, moment.utcoffset() != moment.replace(fold=1).utcoffset()
