"""What expressions of time mean: clocks, days, ranges, durations and recurrences, and how each is spelled out."""

from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from typing import Final, Self
from zoneinfo import ZoneInfo

from ledger.language.times.reference import Meaning, ReferenceTime, Resolution

# First and last hour of a part of the day (24 is the next day's 0:00), and from which hour of twelve on it means the later
# half of the day: five at night is 17:00, four at night is 4:00.
PARTS: Final = {
    "morning": (8, 12, 12), "breakfast": (7, 9, 12), "noon": (12, 14, 0), "lunch": (12, 14, 0), "afternoon": (12, 16, 0),
    "evening": (16, 20, 0), "dinner": (16, 20, 0), "night": (20, 24, 5), "nacht": (0, 5, 12),
}  # fmt: skip
_AT_NIGHT: Final = ("night", "nacht")


@dataclass(frozen=True, slots=True)
class Clock(Meaning):
    """A time of day. `open` where the half of the day was not said: then `hour` is what people mostly mean (1–6 afternoon)."""

    hour: int
    minute: int = 0
    second: int = 0
    open: bool = False
    zone: ZoneInfo | None = None

    @classmethod
    def written(cls, hour: int, minute: int = 0, second: int = 0, *, sure: bool = False) -> Self:
        """A clock as written without a half of the day; `sure` in 24-hour notation. ValueError where no clock shows it."""
        time(0 if (hour, minute) == (24, 0) else hour, minute, second)
        half_open = not sure and 1 <= hour <= 12
        return cls(hour + 12 * (half_open and hour <= 6), minute, second, half_open)

    @property
    def time(self) -> time:
        """As a wall clock; 24:00 is 0:00."""
        return time(self.hour % 24, self.minute, self.second)

    @property
    def reading(self) -> tuple[int, int]:
        """Hour and minute, to compare."""
        return self.hour, self.minute

    def in_part(self, part: str) -> "Clock":
        """The half of the day that the part of day decides."""
        if not self.open:
            return self
        hour = self.hour % 12
        if hour >= PARTS[part][2]:
            hour += 12
        elif part not in _AT_NIGHT:
            # Twelve in the morning is noon.
            hour = hour or self.hour
        return replace(self, hour=hour, open=False)

    def in_half(self, meridiem: str) -> "Clock":
        """With `am` or `pm` said, which `16:30` does not need."""
        if self.hour > 12 and not self.open:
            return self
        return replace(self, hour=self.hour % 12 + 12 * (meridiem == "pm"), open=False)

    def before(self, minutes: int) -> "Clock":
        """So many minutes before this full hour."""
        hour = (self.hour - 1) % 24
        if self.open:
            plain = (self.hour % 12 - 1) % 12
            hour = plain + 12 * (plain <= 6)
        return replace(self, hour=hour, minute=60 - minutes)

    def on(self, ref: ReferenceTime, day: date) -> datetime:
        """This clock on that day; 24:00 is the next day's 0:00."""
        return ref.at(day + timedelta(days=self.hour == 24), self.time, self.zone)

    def as_range(self) -> "ClockRange":
        """From itself to itself."""
        return ClockRange(self, self)

    def resolve(self, ref: ReferenceTime) -> Resolution:
        at = self.on(ref, ref.today)
        return "time", self.time.isoformat(), at, at, not self.open and at >= ref.now, ""


@dataclass(frozen=True, slots=True)
class Day(Meaning):
    """One day, or a part of it. `floating` where no year was said, so that a range may bring one."""

    date: date
    certain: bool = True
    part: str = ""
    floating: bool = False

    def at(self, ref: ReferenceTime, clock: Clock) -> "Instant":
        """That clock on this day."""
        clock = clock.in_part(self.part) if self.part else clock
        return Instant(clock.on(ref, self.date), self.certain and not clock.open)

    def during(self, ref: ReferenceTime, clocks: "ClockRange") -> "InstantRange":
        """Those clocks on this day."""
        return (clocks.in_part(self.part) if self.part else clocks).on(ref, self)

    def as_day(self) -> Self:
        """Itself."""
        return self

    def as_range(self) -> "DayRange":
        """From itself to the next."""
        return DayRange(self.date, self.date + timedelta(days=1), self.certain, floating=self.floating)

    def resolve(self, ref: ReferenceTime) -> Resolution:
        if self.part:
            return DayPart(self).resolve(ref)
        return "date", self.date.isoformat(), self.date, self.date, self.certain, ""


@dataclass(frozen=True, slots=True)
class DayPart(Meaning):
    """A part of a day that may still get its clock: `tomorrow morning`, before `at 9`."""

    day: Day

    def as_day(self) -> Day:
        """The day, of which the part is known."""
        return self.day

    def on(self, ref: ReferenceTime) -> "InstantRange":
        """Its hours."""
        return part_hours(self.day.part).on(ref, self.day)

    def resolve(self, ref: ReferenceTime) -> Resolution:
        return self.on(ref).resolve(ref)


@dataclass(frozen=True, slots=True)
class DayRange(Meaning):
    """Whole days, the end exclusive; None is open. `floating` where no year was said."""

    first: date | None
    end: date | None
    certain: bool = True
    modifier: str = ""
    floating: bool = False

    @property
    def closed(self) -> tuple[date, date]:
        """Both ends. ValueError for an open range."""
        if self.first is None or self.end is None:
            raise ValueError("an open range")
        return self.first, self.end

    @property
    def variant(self) -> str:  # type: ignore[override]
        """`years` from a whole year on."""
        return "years" if self.first and self.end and (self.end - self.first).days >= 365 else "days"

    def as_range(self) -> "DayRange":
        """Itself. ValueError for an open range."""
        first, end = self.closed
        return DayRange(first, end, self.certain, floating=self.floating)

    def resolve(self, ref: ReferenceTime) -> Resolution:
        return "range", f"{_iso(self.first)}/{_iso(self.end)}", self.first, self.end, self.certain, self.modifier


@dataclass(frozen=True, slots=True)
class Instant(Meaning):
    """A clock on a day."""

    at: datetime
    certain: bool = True

    def as_range(self) -> "InstantRange":
        """From itself to itself."""
        return InstantRange(self.at, self.at, self.certain)

    def resolve(self, ref: ReferenceTime) -> Resolution:
        return "datetime", self.at.isoformat(), self.at, self.at, self.certain, ""


@dataclass(frozen=True, slots=True)
class InstantRange(Meaning):
    """From one instant to another; None is open."""

    first: datetime | None
    end: datetime | None
    certain: bool = True
    modifier: str = ""

    def as_day(self) -> Day:
        """The half of a day in which it begins. ValueError for an open range and for more than half a day."""
        if self.first is None or self.end is None or self.end - self.first > timedelta(hours=12):
            raise ValueError("no half of a day")
        return Day(self.first.date(), self.certain, "morning" if self.first.hour < 12 else "afternoon")

    def as_range(self) -> Self:
        """Itself. ValueError for an open range."""
        if self.modifier:
            raise ValueError("an open range")
        return self

    def resolve(self, ref: ReferenceTime) -> Resolution:
        return "range", f"{_iso(self.first)}/{_iso(self.end)}", self.first, self.end, self.certain, self.modifier


@dataclass(frozen=True, slots=True)
class ClockRange(Meaning):
    """From one clock to another, without a day; None is open."""

    first: Clock | None
    end: Clock | None
    modifier: str = ""

    @classmethod
    def between(cls, first: Clock, end: Clock) -> Self:
        """A half of the day said of one counts for the other where that keeps the order ("4-5pm")."""
        if first.open and not end.open:
            halves = (first.hour % 12 + 12, first.hour % 12)
            hour = next((half for half in halves if (half, first.minute) < end.reading), first.hour)
            return cls(replace(first, hour=hour, open=False), end)
        if end.open and not first.open:
            plain = end.hour % 12
            return cls(first, replace(end, hour=plain + 12 * ((plain, end.minute) <= first.reading), open=False))
        if first.open and end.reading <= first.reading:
            end = replace(end, hour=end.hour % 12 + 12)
            first = replace(first, hour=first.hour % 12) if end.reading <= first.reading else first
        return cls(first, end)

    @property
    def variant(self) -> str:  # type: ignore[override]
        """`closed`, or which side it has."""
        return {(True, True): "closed", (True, False): "since"}.get((bool(self.first), bool(self.end)), "until")

    def in_part(self, part: str) -> "ClockRange":
        """Both clocks in the half of the day that the part decides."""
        return replace(self, first=self.first and self.first.in_part(part), end=self.end and self.end.in_part(part))

    def on(self, ref: ReferenceTime, day: Day) -> InstantRange:
        """The range on that day; an end before the begin is on the day after."""
        first = self.first.on(ref, day.date) if self.first else None
        end = self.end.on(ref, day.date) if self.end else None
        if first and end and self.end and end <= first:
            end = self.end.on(ref, day.date + timedelta(days=1))
        certain = day.certain and not any(clock and clock.open for clock in (self.first, self.end))
        return InstantRange(first, end, certain, self.modifier)

    def resolve(self, ref: ReferenceTime) -> Resolution:
        today = self.on(ref, Day(ref.today))
        shown = f"{_iso(self.first.time if self.first else None)}/{_iso(self.end.time if self.end else None)}"
        return "range", shown, today.first, today.end, today.certain, self.modifier


@dataclass(frozen=True, slots=True)
class Duration(Meaning):
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
    def size(self) -> tuple[int, int, float]:
        """Months, days and seconds."""
        return self.months, self.days, self.seconds

    @property
    def variant(self) -> str:  # type: ignore[override]
        """`time` where hours pass, else `days`."""
        return "time" if self.seconds else "days"

    @property
    def iso(self) -> str:
        """ISO 8601: `P1Y2M`, `P2W`, `PT90M`, `PT1.5S`."""
        if self.days and self.days % 7 == 0 and not (self.months or self.seconds):
            return f"P{self.days // 7}W"
        years, months = divmod(self.months, 12)
        hours, rest = divmod(self.seconds, 3600)
        minutes, seconds = divmod(rest, 60)
        dated = _amounts((years, "Y"), (months, "M"), (self.days, "D"))
        timed = _amounts((hours, "H"), (minutes, "M"), (round(seconds, 3), "S"))
        return "P" + dated + (timed and f"T{timed}") if dated or timed else "PT0S"

    def resolve(self, ref: ReferenceTime) -> Resolution:
        return "duration", self.iso, None, None, not self.vague, ""


@dataclass(frozen=True, slots=True)
class Recurrence(Meaning):
    """What happens again and again, as an iCalendar rule."""

    rule: str

    def resolve(self, ref: ReferenceTime) -> Resolution:
        return "set", self.rule, None, None, True, ""


@dataclass(frozen=True, slots=True)
class NoSuchDay(Meaning):
    """A day that no calendar has (30 February): found, and unresolved."""

    def resolve(self, ref: ReferenceTime) -> Resolution:
        return "date", "", None, None, False, ""


def part_hours(part: str) -> ClockRange:
    """The hours of a part of the day."""
    first, end, _ = PARTS[part]
    return ClockRange(Clock(first), Clock(end))


def _iso(value: date | datetime | time | None) -> str:
    return ".." if value is None else value.isoformat()


def _amounts(*amounts: tuple[float, str]) -> str:
    return "".join(f"{amount:g}{unit}" for amount, unit in amounts if amount)
