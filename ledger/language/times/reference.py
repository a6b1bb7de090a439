"""From where an expression of time is told, and what each comes to in the end."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Literal
from zoneinfo import ZoneInfo

SpanType = Literal["date", "time", "datetime", "range", "duration", "set"]
# What a `TimeSpan` says after its place and text.
Resolution = tuple[SpanType, str, date | datetime | None, date | datetime | None, bool, str]


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


@dataclass(frozen=True, slots=True)
class ReferenceTime:
    """From where all is counted: the message's own time in the scope's zone, and how days and months are ordered there."""

    now: datetime
    zone: ZoneInfo
    dayfirst: bool
    order_known: bool

    @property
    def today(self) -> date:
        """The day of the message, in the scope's zone."""
        return self.now.date()

    @property
    def monday(self) -> date:
        """The first day of the message's week."""
        return self.today - timedelta(days=self.today.weekday())

    @property
    def month(self) -> date:
        """The first day of the message's month."""
        return self.today.replace(day=1)

    def at(self, day: date, clock: time, zone: ZoneInfo | None = None) -> datetime:
        """That wall clock on that day, aware. A clock that summer time leaps over moves on by the leap."""
        local = datetime.combine(day, clock, tzinfo=zone or self.zone)
        return local.astimezone(UTC).astimezone(self.zone)


class Meaning(ABC):
    """What a rule may make of words. Rules name it by its class, and by `variant` where they tell sorts of it apart."""

    __slots__ = ()
    variant = ""

    @abstractmethod
    def resolve(self, ref: ReferenceTime) -> Resolution:
        """Type, value, begin, end, certainty and modifier, as a `TimeSpan` has them."""
