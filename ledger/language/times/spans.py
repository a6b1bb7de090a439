"""What is found in a text about time: where it stands, and what it means from where the speaker stood."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal

SpanType = Literal["date", "time", "datetime", "range", "duration", "set"]


@dataclass(frozen=True, slots=True)
class TimeSpan:
    """One expression of time: always `text == whole[start:end]`, half-open, in code points.

    `value` by `type`: date `2026-05-08`; time `16:00:00`; datetime `2026-05-08T16:00:00-04:00`; range
    `begin/end`, where an open side is `..` and the end is exclusive (`by Friday` is `../2026-05-09`); duration `PT45M`;
    set an iCalendar RRULE (`FREQ=WEEKLY;BYDAY=TU`).
    `begins` and `ends` are the same as dates where whole days are meant, else as aware datetimes; a time without a day
    stands on the day of the message; a duration has neither. `certain` is False wherever a reader might take it otherwise:
    a bare hour, a day and month in either order, "next Friday" said on a Monday.
    """

    start: int
    end: int
    text: str
    type: SpanType
    value: str
    begins: date | datetime | None = None
    ends: date | datetime | None = None
    certain: bool = True
    modifier: str = ""
