"""What expressions of time mean, before they are spelled out: clocks, days, periods, durations."""

from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from ledger.language.times.engine import Place

# Which hours a part of the day spans; `later` ends the next day.
PARTS = {
    "morning": (8, 12), "noon": (12, 14), "afternoon": (12, 16), "evening": (16, 20), "night": (20, 24), "nacht": (0, 5),
    "breakfast": (7, 9), "lunch": (12, 14), "dinner": (16, 20),
}  # fmt: skip
_LATE = frozenset({"afternoon", "evening", "night", "dinner", "lunch", "noon"})


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of day. `open` where the half of the day was not said: then `hour` is what people mostly mean (1–6 afternoon)."""

    hour: int
    minute: int = 0
    second: int = 0
    open: bool = False
    bare: bool = False
    zone: str = ""

    @property
    def time(self) -> time:
        """As a wall clock; 24:00 is 0:00."""
        return time(self.hour % 24, self.minute, self.second)

    def in_part(self, part: str) -> "Clock":
        """The half of the day that the part of day decides."""
        if not self.open:
            return self
        hour = self.hour % 12
        if part == "nacht" or (part == "night" and hour < 5):
            return replace(self, hour=hour, open=False)
        return replace(
            self, hour=hour + 12 if part in _LATE else self.hour % 24 if self.hour % 12 == 0 else hour, open=False
        )

    def half(self, meridiem: str) -> "Clock":
        """With am or pm said."""
        hour = self.hour % 12 + (12 if meridiem == "pm" else 0)
        return replace(self, hour=hour, open=False, bare=False)


def clock_of(hour: int, minute: int = 0, second: int = 0, *, bare: bool = False, sure: bool = False) -> Clock | None:
    """A clock as written without a half of the day; None where no clock shows it. `sure` for 24-hour notation."""
    if not (0 <= hour <= 24 and 0 <= minute <= 59 and 0 <= second <= 59) or (hour == 24 and minute):
        return None
    if sure or hour > 12 or hour == 0:
        return Clock(hour, minute, second, open=False, bare=bare)
    return Clock(hour + 12 if hour <= 6 else hour, minute, second, open=True, bare=bare)


@dataclass(frozen=True, slots=True)
class Day:
    """One day. `floating` where no year was said, so that a range may bring one."""

    date: date
    certain: bool = True
    part: str = ""
    floating: bool = False


@dataclass(frozen=True, slots=True)
class Period:
    """Whole days, the end exclusive; None is open. `floating` where no year was said."""

    first: date | None
    end: date | None
    certain: bool = True
    modifier: str = ""
    floating: bool = False


@dataclass(frozen=True, slots=True)
class Clocks:
    """A range of the day without a day; None is open."""

    first: Clock | None
    end: Clock | None
    modifier: str = ""
    part: str = ""


@dataclass(frozen=True, slots=True)
class Moment:
    """One instant."""

    at: datetime
    certain: bool = True


@dataclass(frozen=True, slots=True)
class Stretch:
    """From one instant to another; None is open."""

    first: datetime | None
    end: datetime | None
    certain: bool = True
    modifier: str = ""


@dataclass(frozen=True, slots=True)
class Duration:
    """How long, not when. `vague` for "a few hours"."""

    months: int = 0
    days: int = 0
    seconds: float = 0
    vague: bool = False
    workdays: bool = False

    def __add__(self, other: "Duration") -> "Duration":
        return Duration(
            self.months + other.months, self.days + other.days, self.seconds + other.seconds, self.vague or other.vague,
            self.workdays or other.workdays,
        )  # fmt: skip

    @property
    def iso(self) -> str:
        """ISO 8601: `P1Y2M`, `P2W`, `PT90M`, `PT1.5S`."""
        years, months = divmod(self.months, 12)
        weeks = self.days // 7 if self.days and self.days % 7 == 0 and not (self.months or self.seconds) else 0
        day_part = "".join(
            f"{n}{u}" for n, u in ((years, "Y"), (months, "M"), (weeks, "W"), (0 if weeks else self.days, "D")) if n
        )
        hours, rest = divmod(self.seconds, 3600)
        minutes, seconds = divmod(rest, 60)
        clock_part = "".join(f"{n:g}{u}" for n, u in ((hours, "H"), (minutes, "M"), (round(seconds, 3), "S")) if n)
        return f"P{day_part}" + (f"T{clock_part}" if clock_part else "") if day_part or clock_part else "PT0S"


def moment(place: Place, day: Day, clock: Clock) -> Moment:
    """That clock on that day; 24:00 is the next day's 0:00."""
    clock = clock.in_part(day.part) if day.part else clock
    return Moment(_at(place, day.date, clock), day.certain and not clock.open)


def _at(place: Place, day: date, clock: Clock) -> datetime:
    zone = ZoneInfo(clock.zone) if clock.zone else None
    return place.at(day + timedelta(days=clock.hour == 24), clock.time, zone)


def stretch(place: Place, day: Day, clocks: Clocks) -> Stretch:
    """That range of the day on that day; an end before the begin is on the day after."""
    first = _at(place, day.date, clocks.first) if clocks.first else None
    end = _at(place, day.date, clocks.end) if clocks.end else None
    if first and end and end <= first:
        end = _at(place, day.date + timedelta(days=1), clocks.end)  # type: ignore[arg-type]
    certain = day.certain and not any(clock and clock.open for clock in (clocks.first, clocks.end))
    return Stretch(first, end, certain, clocks.modifier)


def part_clocks(part: str) -> Clocks:
    """The hours of a part of the day."""
    first, end = PARTS[part]
    return Clocks(Clock(first), Clock(end), part=part)


def between(first: Clock, end: Clock) -> Clocks:
    """From one clock to another: a half of the day said of one counts for the other where that keeps the order ("4-5pm")."""
    if first.open and not end.open:
        plain = first.hour % 12
        late = plain + 12
        fits = late <= 24 and (late, first.minute) < (end.hour, end.minute)
        first = replace(
            first,
            hour=late if fits else plain if (plain, first.minute) < (end.hour, end.minute) else first.hour,
            open=False,
        )
    elif end.open and not first.open:
        plain = end.hour % 12
        early_fits = (plain, end.minute) > (first.hour, first.minute)
        end = replace(end, hour=plain if early_fits else plain + 12, open=False)
    elif first.open and end.open:
        if (end.hour, end.minute) <= (first.hour, first.minute):
            end = replace(end, hour=end.hour % 12 + 12)
            if (end.hour, end.minute) <= (first.hour, first.minute):
                first = replace(first, hour=first.hour % 12)
        elif (
            first.hour < 12 <= end.hour and first.hour >= 7 and end.hour - first.hour > 8 and end.hour % 12 > first.hour
        ):
            end = replace(end, hour=end.hour % 12)
    return Clocks(first, end)
