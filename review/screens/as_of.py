"""The two clocks of a page: as of when it held, and as of when it was believed, from two fields of its address."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass

from ledger.errors import Invalid
from review.desk.fields import in_utc, time_of

DAY_LENGTH = len("2026-03-09")
TO_ITS_END = dt.timedelta(days=1, microseconds=-1)


@dataclass(frozen=True, slots=True)
class AsOf:
    """What the form holds, what it means, and by field what is wrong with it. A day alone means its end."""

    typed: Mapping[str, str]
    zone: str
    as_of: dt.datetime | None = None
    believed_at: dt.datetime | None = None
    error: str = ""
    field: str = ""

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
        except Invalid as error:
            return AsOf(typed, zone, error=error.message, field=name)
    return AsOf(typed, zone, found["as_of"], found["believed_at"])


def _end_of(words: str, zone: str, field: str) -> dt.datetime | None:
    time = time_of(words, zone, field)
    if time is None:
        return None
    return in_utc(time + TO_ITS_END if len(words) == DAY_LENGTH else time, field)
