"""The two clocks of a page: as of when it held, and as of when it was believed, from two fields of its address."""

import datetime as dt
import zoneinfo
from collections.abc import Mapping
from dataclasses import dataclass

from ledger.errors import Invalid
from review.desk.fields import time_of


@dataclass(frozen=True, slots=True)
class AsOf:
    """What the form holds, what it means, and by field what is wrong with it. A day alone means its end."""

    as_of: dt.datetime | None = None
    believed_at: dt.datetime | None = None
    typed: Mapping[str, str] | None = None
    error: str = ""
    field: str = ""
    zone: str = "UTC"

    @property
    def asked(self) -> bool:
        return bool(self.as_of or self.believed_at)


def as_of_from(parameters: Mapping[str, str], zone: str) -> AsOf:
    """Reads `as_of` and `believed_at`, in the scope's own time unless they say another."""
    typed = {name: parameters.get(name, "").strip() for name in ("as_of", "believed_at")}
    found: dict[str, dt.datetime | None] = {}
    for name, words in typed.items():
        try:
            found[name] = _end_of(words, zone, name)
        except (Invalid, OverflowError) as error:
            said = error.message if isinstance(error, Invalid) else "no such time"
            return AsOf(typed=typed, error=said, field=name, zone=zone)
    return AsOf(found["as_of"], found["believed_at"], typed, zone=zone)


def _end_of(words: str, zone: str, field: str) -> dt.datetime | None:
    time = time_of(words, zone, field)
    if time is not None and len(words) == 10:
        time = time.replace(tzinfo=zoneinfo.ZoneInfo(zone)) + dt.timedelta(days=1, microseconds=-1)
    return time.astimezone(dt.UTC) if time else None
