"""Time zones as calendars name them, by the IANA name that means the same."""

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta, tzinfo
from functools import lru_cache
from typing import Final
from zoneinfo import ZoneInfo, available_timezones

from icalendar import Timezone
from icalendar.timezone.windows_to_olson import WINDOWS_TO_OLSON

# What was last known of a zone that is called by none of its names: compared where clocks change, week by week.
_SAMPLES: Final = [datetime(2019, 1, 1, 12, tzinfo=UTC) + timedelta(days=7 * week) for week in range(6 * 52)]
# Of zones whose clocks go alike the best known names the rest.
_BEST_KNOWN: Final = (
    "Europe/Berlin Europe/London America/New_York America/Chicago America/Denver America/Los_Angeles Australia/Sydney"
)
_NAMES: Final = tuple(dict.fromkeys([*_BEST_KNOWN.split(), *WINDOWS_TO_OLSON.values(), *sorted(available_timezones())]))
_LOCATION: Final = re.compile(r"^X-LIC-LOCATION[^:\n]*:(.+)$", re.M)
_NO_NAME: Final = re.compile(r"[^\w+/ .()&,:-]")


def zone_of(tzid: str, definitions: Mapping[str, str]) -> str:
    """The IANA name of a `TZID`: its own, one at its end (`/mozilla.org/20050126_1/Europe/Berlin`), the one for which Windows has
    this name, or the one whose clocks go as its VTIMEZONE in `definitions` says. Empty where none does."""
    definition = definitions.get(tzid, "")
    location = _LOCATION.search(definition)
    names = [tzid, *([location[1].strip()] if location else [])]
    known = (name for one in names for name in _possible_names(one) if is_zone(name))
    return next(known, "") or _by_its_clocks(definition)


def _possible_names(tzid: str) -> Iterator[str]:
    name = tzid.strip().strip('"')
    yield name
    yield WINDOWS_TO_OLSON.get(name, "")
    parts = name.split("/")
    for count in (3, 2):
        yield "/".join(parts[-count:])


@lru_cache(maxsize=1024)
def is_zone(name: str) -> bool:
    if not name or len(name) > 60 or _NO_NAME.search(name):
        return False
    try:
        ZoneInfo(name)
    except (ValueError, LookupError, OSError):
        return False
    return True


@lru_cache(maxsize=256)
def _by_its_clocks(definition: str) -> str:
    if not definition:
        return ""
    try:
        parsed = Timezone.from_ical(definition)
        offsets = _offsets(parsed.to_tz(lookup_tzid=False)) if isinstance(parsed, Timezone) else []
    except Exception:  # noqa: BLE001 - whatever a broken definition makes the parser raise, it names no zone
        return ""
    return next((name for name in _NAMES if is_zone(name) and _offsets(ZoneInfo(name)) == offsets), "")


def _offsets(zone: tzinfo) -> list[timedelta | None]:
    return [moment.astimezone(zone).utcoffset() for moment in _SAMPLES]
