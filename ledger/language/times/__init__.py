"""Dates and times in text: where they stand and what they mean. One door, `find_times`; all behind it may change."""

import re
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from ledger.language.fold import fold
from ledger.language.times.clocks import CLOCKS, NUMBERS, PARTS_OF_DAY
from ledger.language.times.days import DAYS, ORDINALS
from ledger.language.times.durations import DURATIONS, RECURRENCES, TIMED_RECURRENCES
from ledger.language.times.grammar import reduce
from ledger.language.times.lexicon import hinted_in, lexicon
from ledger.language.times.periods import PERIODS
from ledger.language.times.ranges import DAY_RANGES, JOINED, LEFT, OPEN_RANGES, RANGES
from ledger.language.times.reference import Meaning, ReferenceTime, SpanType, TimeSpan
from ledger.language.times.tokens import symbols_of

__all__ = ["SpanType", "TimeSpan", "find_times"]

# Durations and recurrences before days, so that "every Tuesday" is no Tuesday; joined days before open ends.
_CASCADE: Final = (
    *NUMBERS, *CLOCKS, *RECURRENCES, *DURATIONS, *DAYS, *DAY_RANGES, *ORDINALS, *PARTS_OF_DAY, *DURATIONS, *TIMED_RECURRENCES,
    *RANGES, *PERIODS, *PERIODS, *RANGES, *JOINED, *OPEN_RANGES, *JOINED, *LEFT,
)  # fmt: skip
_WORD: Final = re.compile(r"[^\W\d_]+(?:['’](?:hui|à|a|au)\b)?")
_MONTH_FIRST: Final = ("America/", "US/", "UTC", "Etc/")


def find_times(
    text: str,
    *,
    reference: datetime,
    zone: str,
    languages: tuple[str, ...] = ("en", "es", "de", "fr"),
    dayfirst: bool | None = None,
) -> list[TimeSpan]:
    """Every date, time, range, duration and recurrence in `text`, in order, never overlapping (O4, P4).

    `reference` is when it was said (aware); `zone` the IANA name of where. `dayfirst` orders `6/4`; None takes it from the
    first language and the zone, and marks the value uncertain. Raises ValueError for a naive reference, and zoneinfo's
    ZoneInfoNotFoundError for an unknown zone.
    """
    if reference.tzinfo is None:
        raise ValueError("the reference must be aware")
    where = ZoneInfo(zone)
    order = not (languages[:1] == ("en",) and zone.startswith(_MONTH_FIRST)) if dayfirst is None else dayfirst
    ref = ReferenceTime(reference.astimezone(where), where, order, dayfirst is not None)
    hinted = frozenset(languages)
    if len(languages) > 1:
        hinted = hinted_in(frozenset(key for word in _WORD.findall(text) for key in (word.lower(), fold(word))))
    symbols = symbols_of(text, lexicon(frozenset(languages), hinted))
    reduce(symbols, _CASCADE, ref)
    return [
        TimeSpan(one.start, one.end, text[one.start : one.end], *one.value.resolve(ref))
        for one in symbols
        if isinstance(one.value, Meaning)
    ]
