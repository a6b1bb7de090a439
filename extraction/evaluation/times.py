"""Gold of times as Recognizers-Text writes it, and what we find, brought to the same words for comparison."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from ledger.language.times import TimeSpan

SORTS: Final = {
    "datetimeV2.date": "date", "datetimeV2.time": "time", "datetimeV2.datetime": "datetime", "datetimeV2.daterange": "range",
    "datetimeV2.timerange": "range", "datetimeV2.datetimerange": "range", "datetimeV2.duration": "duration",
    "datetimeV2.set": "set",
}  # fmt: skip
UNRESOLVED: Final = "not resolved"


def reference_of(written: object) -> datetime:
    """When a row was said, in UTC; rows that do not say are read at the start of 2026."""
    return datetime.fromisoformat(str(written or "2026-01-01T00:00:00")).replace(tzinfo=UTC)


def values_of(result: Mapping[str, Any]) -> frozenset[str]:
    """Every value that a gold span allows. An end that names the last second of a day is the next midnight."""
    allowed = set()
    for one in (result.get("resolution") or {}).get("values", ()):
        if "start" in one or "end" in one:
            allowed.add(f"{_plain(one.get('start'))}/{_next(_plain(one.get('end')))}")
        else:
            allowed.add(_plain(one.get("value")))
    return frozenset(allowed)


def _plain(written: object) -> str:
    return ".." if written is None else str(written) if written == UNRESOLVED else str(written).replace(" ", "T")


def _next(end: str) -> str:
    if not end.endswith("T23:59:59"):
        return end
    return (datetime.fromisoformat(end) + timedelta(seconds=1)).isoformat()


_LENGTH: Final = re.compile(r"(\d+(?:\.\d+)?)([YMWDHS])")
_DAYS: Final = {"Y": 365, "M": 30, "W": 7, "D": 1}
_SECONDS: Final = {"H": 3600, "M": 60, "S": 1}


def value_of(found: TimeSpan) -> str:
    """What we found in the gold's words: wall clocks without offset, durations in seconds, sets unresolved."""
    if found.type == "set" or (found.type == "date" and not found.value):
        return UNRESOLVED
    if found.type == "duration":
        days, _, clock = found.value.partition("T")
        seconds = sum(float(n) * _DAYS[unit] * 86400 for n, unit in _LENGTH.findall(days))
        seconds += sum(float(n) * _SECONDS[unit] for n, unit in _LENGTH.findall(clock))
        return f"{seconds:.10g}"
    plain = re.sub(r"[+-]\d\d:\d\d(?=/|\Z)", "", found.value)
    return re.sub(r"\.\d+", "", plain)
