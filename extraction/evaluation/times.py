"""Gold of times as Recognizers-Text writes it, and what we find, brought to the same words for comparison."""

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from ledger.language.times import TimeSpan

SORTS: Final = {
    "datetimeV2.date": "date", "datetimeV2.time": "time", "datetimeV2.datetime": "datetime", "datetimeV2.daterange": "range",
    "datetimeV2.timerange": "range", "datetimeV2.datetimerange": "range", "datetimeV2.duration": "duration",
    "datetimeV2.set": "set",
}  # fmt: skip
UNRESOLVED: Final = "not resolved"


def values_of(result: Mapping[str, Any]) -> frozenset[str]:
    """Every value that a gold span allows. An end that names the last second of a day is the next midnight."""
    resolution = result.get("resolution") or {}
    return frozenset(map(_allowed, resolution.get("values", ())))


def _allowed(value: Mapping[str, Any]) -> str:
    if value.keys().isdisjoint(("start", "end")):
        return _plain(value.get("value"))
    end = _plain(value.get("end"))
    if end.endswith("T23:59:59"):
        end = (datetime.fromisoformat(end) + timedelta(seconds=1)).isoformat()
    return f"{_plain(value.get('start'))}/{end}"


def _plain(written: object) -> str:
    """As ours are written; an open side is `..`, and `not resolved` stays."""
    if written is None:
        return ".."
    return str(written) if written == UNRESOLVED else str(written).replace(" ", "T")


_LENGTH: Final = re.compile(r"(\d+(?:\.\d+)?)([YMWDHS])")
_DAYS_S: Final = {"Y": 365 * 86400, "M": 30 * 86400, "W": 7 * 86400, "D": 86400}
_CLOCK_S: Final = {"H": 3600, "M": 60, "S": 1}


def value_of(found: TimeSpan) -> str:
    """What we found in the gold's words: wall clocks without offset, durations in seconds, sets unresolved."""
    if found.type == "set" or (found.type == "date" and not found.value):
        return UNRESOLVED
    if found.type == "duration":
        days, _, clock = found.value.partition("T")
        seconds = _seconds(days, _DAYS_S) + _seconds(clock, _CLOCK_S)
        return f"{seconds:.10g}"
    plain = re.sub(r"[+-]\d\d:\d\d(?=/|\Z)", "", found.value)
    return re.sub(r"\.\d+", "", plain)


def _seconds(written: str, units: Mapping[str, int]) -> float:
    return sum(float(number) * units[unit] for number, unit in _LENGTH.findall(written))
