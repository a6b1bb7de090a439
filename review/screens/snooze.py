"""Until when a candidate is put off: tomorrow morning, Monday, a day of one's own. It comes back by itself."""

import datetime as dt
import zoneinfo
from typing import Final

from django.utils import timezone

from ledger.errors import Invalid

# When a day of review begins.
MORNING: Final = dt.time(8)
DAYS: Final = {"day": 1, "tomorrow": 1, "week": 7, "month": 30}


def back_at(pause: str, day: str, zone: str, *, now: dt.datetime | None = None) -> dt.datetime | None:
    """The morning it comes back on, in the scope's own time zone; None for good. A `day` (2026-03-09) is what somebody typed
    and goes before a `pause`. Raises `Invalid` (field `until`) for what is neither."""
    here = zoneinfo.ZoneInfo(zone)
    today = (now or timezone.now()).astimezone(here).date()
    if day.strip():
        try:
            on = dt.date.fromisoformat(day.strip())
        except ValueError:
            raise Invalid("write the day as 2026-03-09", field="until") from None
        if on <= today:
            raise Invalid("the day it comes back must lie in the future", field="until")
    elif pause in DAYS:
        on = today + dt.timedelta(days=DAYS[pause])
    elif pause == "monday":
        on = today + dt.timedelta(days=7 - today.weekday())
    elif pause == "":
        return None
    else:
        raise Invalid(f"until is one of {', '.join((*DAYS, 'monday'))}, a day, or nothing", field="until")
    return dt.datetime.combine(on, MORNING, here)
