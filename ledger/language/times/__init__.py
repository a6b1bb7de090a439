"""Dates and times in text: where they stand and what they mean. One door, `find_times`; all behind it may change."""

from ledger.language.times.finding import find_times
from ledger.language.times.spans import SpanType, TimeSpan

__all__ = ["SpanType", "TimeSpan", "find_times"]
