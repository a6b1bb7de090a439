"""Times as exports write them: seconds since 1970, ISO 8601, or a wall clock without a zone, which is the scope's."""

import math
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
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


# How large a number is tells what it counts: beyond these, thousandths, millionths and billionths of seconds.
UNITS = ((1e17, 1e9), (1e14, 1e6), (1e11, 1e3), (0, 1))
WRITTEN = ("%A, %B %d, %Y at %I:%M:%S %p UTC", "%b %d, %Y %I:%M:%S %p", "%m/%d/%Y %I:%M %p", "%Y/%m/%d %H:%M:%S",
           "%Y/%m/%d %H:%M", "%d/%b/%y %I:%M %p", "%d.%m.%Y %H:%M:%S", "%d.%m.%Y %H:%M")  # fmt: skip


def moment(value: Any, zone: ZoneInfo) -> datetime | None:
    """A time in whatever form a program wrote it: a number of seconds or parts of them since 1970, ISO 8601, RFC 5322, or one of
    the ways in which exports spell it out."""
    try:
        number = abs(float(value))
    except (ValueError, TypeError, OverflowError):
        return iso(value, zone) or (_spelled(" ".join(value.split()), zone) if isinstance(value, str) else None)
    return epoch(value, next(unit for least, unit in UNITS if number >= least or number != number))


def _spelled(text: str, zone: ZoneInfo) -> datetime | None:
    for form in WRITTEN if len(text) <= 60 else ():
        with suppress(ValueError):
            return iso(datetime.strptime(text, form).isoformat() + "+00:00" * form.endswith("UTC"), zone)
    with suppress(ValueError, TypeError, IndexError, OverflowError):
        return iso(parsedate_to_datetime(text).isoformat(), zone)
    return None
