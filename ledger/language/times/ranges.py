"""What several expressions mean together: a day with a clock, ranges, `before` and `since`."""

from dataclasses import replace
from datetime import date, time, timedelta
from functools import partial
from typing import Final

from ledger.language.times.clocks import written_clock
from ledger.language.times.date_arithmetic import next_weekday, shift
from ledger.language.times.expressions import Clock, ClockRange, Day, DayPart, DayRange, Duration, Instant, InstantRange
from ledger.language.times.grammar import Reclassified, Symbol, rules
from ledger.language.times.reference import Meaning, ReferenceTime


def _in_year(day: Day, year: int) -> Day:
    return Day(shift(day.date, months=12 * (year - day.date.year)))


def _through(first: Day, end: Day) -> DayRange | None:
    """Both days and what is between them."""
    if end.date < first.date:
        return None
    return DayRange(first.date, end.date + timedelta(days=1), first.certain and end.certain)


def days_through(ref: ReferenceTime, days: list[Day], year: int | None = None) -> DayRange | None:
    """`from Monday to Friday`, `May 5 to June 6, 2027`. A year said last is the year of both."""
    first, end = days
    sure = end.certain
    if year is not None:
        first, end = _in_year(first, year), _in_year(end, year)
    elif first.floating and not end.floating:
        first = _in_year(first, end.date.year)
        first = _in_year(first, end.date.year - 1) if first.date > end.date else first
    over = sure and ref.today > end.date
    if not over and timedelta(0) < first.date - end.date < timedelta(days=7):
        end = Day(next_weekday(first.date, end.date.weekday()))
    return _through(first, end)


def day_through_number(day: Day, day_number: int, year: int | None = None) -> DayRange | None:
    """`May 5 to the 12th`."""
    end = day.date.replace(day=day_number)
    if end <= day.date:
        return None
    if year is None:
        return _through(day, Day(end))
    return _through(Day(day.date.replace(year=year)), Day(end.replace(year=year)))


def number_through_day(day_number: int, day: Day) -> DayRange | None:
    """`from the 12th to the 15th of June`."""
    first = day.date.replace(day=day_number)
    return _through(Day(first), day) if first < day.date else None


_END_OF_DAYS: Final = "(comma? (of|in)? year|of month (of? year)?)"
_NO_CLOCK: Final = "(?! part|Clock|measure|unit|clock_unit|dash|oclock)"
DAY_RANGES: Final = rules(
    {
        f"((from|between|of)? Day (dash|to)|(from|of) Day at:to|between Day and) the? Day {_END_OF_DAYS}?": days_through,
        f"((from|between) Day (dash|to)|between Day and|of? Day dash) the? day_number {_END_OF_DAYS}?+ {_NO_CLOCK}": (
            day_through_number
        ),
        f"of? Day to the? {{day_number ordinal}} {_END_OF_DAYS}?+ {_NO_CLOCK}": day_through_number,
        f"of? Day to the? day_number {_END_OF_DAYS} {_NO_CLOCK}": day_through_number,
        "((from|between)? the? day_number (to|dash)|between the? day_number and) the? Day": number_through_day,
    }
)


def bounds_through(bounds: list[Day | DayRange]) -> DayRange | None:
    """`from January to April 2015`: a year said last is the year of both. `November to February` ends in the next."""
    one, other = (bound.as_range() for bound in bounds)
    (first, _), (_, end) = one.closed, other.closed
    if one.floating and not other.floating:
        last = end - timedelta(days=1)
        first = shift(first, months=12 * (last.year - first.year))
        first = shift(first, months=-12) if first > last else first
    if end <= first and all(isinstance(bound, DayRange) for bound in bounds):
        end = end.replace(year=first.year + ((end.month, end.day) <= (first.month, first.day)))
    return DayRange(first, end, one.certain and other.certain) if first < end else None


def _edge(ref: ReferenceTime, edge: int | Day | DayRange | None) -> DayRange:
    """The days that a range may begin or end with: those of a stretch, the first of a year, or today for `now`."""
    if isinstance(edge, Day | DayRange):
        return edge.as_range()
    day = date(edge, 1, 1) if edge else ref.today
    return DayRange(day, day)


def edges_through(ref: ReferenceTime, edges: list[int | Day | DayRange | None]) -> DayRange | None:
    """`2010 to 2015`, `from now to Friday`."""
    one, other = (_edge(ref, edge) for edge in edges)
    (first, _), (_, end) = one.closed, other.closed
    return DayRange(first, end, one.certain and other.certain) if first < end else None


def now_until(ref: ReferenceTime, instant: Instant) -> InstantRange:
    """`from now to tomorrow at 5`."""
    return InstantRange(ref.now, instant.at)


def _through_shapes(of: str) -> str:
    return f"((in|from|between)? the? {of} (dash|to)|between the? {of} and) the? {of}"


RANGES: Final = rules(
    {
        _through_shapes("bound"): bounds_through,
        _through_shapes("edge"): edges_through,
        "((from|between)? now to|between now and) Instant": now_until,
    }
)


def clock_on(ref: ReferenceTime, anchor: Day | DayPart | InstantRange, figure: Symbol) -> Instant:
    """`Thursday at 4`, `tomorrow morning at 9`."""
    return anchor.as_day().at(ref, written_clock(figure))


def clocks_on(ref: ReferenceTime, anchor: Day | DayPart | InstantRange, clock_range: ClockRange) -> InstantRange:
    """`Thursday 4-5pm`."""
    return anchor.as_day().during(ref, clock_range)


def end_of_work(ref: ReferenceTime, day: Day | None = None) -> Instant:
    """`eod Friday`."""
    return Instant(ref.at(day.date if day else ref.today, time(23, 59, 59)), certain=False)


def hours_of_part(ref: ReferenceTime, day_part: DayPart) -> InstantRange:
    """`tomorrow morning`, without a clock."""
    return day_part.on(ref)


def instants_through(instants: list[Instant]) -> InstantRange:
    """`from Friday at 5 to Monday at 9`."""
    first, end = instants
    return InstantRange(first.at, end.at, first.certain and end.certain)


def instant_through_clock(ref: ReferenceTime, instant: Instant, figure: Symbol) -> InstantRange:
    """`Friday at 3 to 5`."""
    return ClockRange.between(_clock_of(instant), written_clock(figure)).on(ref, Day(instant.at.date()))


def clock_through_instant(ref: ReferenceTime, clock: Clock, instant: Instant) -> InstantRange:
    """`from 3 to 5 on Friday`."""
    return ClockRange.between(clock, _clock_of(instant)).on(ref, Day(instant.at.date()))


def _clock_of(instant: Instant) -> Clock:
    at = instant.at
    return Clock(at.hour, at.minute, at.second, open=not instant.certain and 7 <= at.hour <= 18)


_BARE: Final = "{figure number[1-23]|digits|dotted}"
_NOT_COUNTED: Final = "(?! counted|slash_sign|dash)"
# A bare number after a day is a clock where nothing follows that it could count.
_FREE: Final = "(?= comma|stop|then|or|and|on|to|close|at|modal|colon|pronoun|$)"
JOINED: Final = rules(
    {
        "{figure Clock} (on|of|comma|in)? the? {anchor Day}": clock_on,
        "ClockRange (on|of|comma|in)? the? {anchor Day}": clocks_on,
        f"{{figure dotted}} (on|of|in)? the? {{anchor Day}} {_FREE}": clock_on,
        "{anchor Day} (comma|at|open|colon)* about? {figure Clock}": clock_on,
        "{anchor Day} (comma|at|open|colon)* about? ClockRange": clocks_on,
        f"{{anchor Day}} (comma|open|colon)* (at (comma|at|open|colon)* about?|about) {_BARE} {_NOT_COUNTED}": clock_on,
        f"{{anchor Day}} (open|colon)* {_BARE} {_FREE}": clock_on,
        "{anchor DayPart} (comma|at|from)* about? {figure Clock}": clock_on,
        "{anchor DayPart} (comma|at|from)* about? ClockRange": clocks_on,
        f"{{anchor DayPart}} (comma|from)* (at (comma|at|from)* about?|about) {_BARE} {_NOT_COUNTED}": clock_on,
        f"{{anchor DayPart}} from* {_BARE} {_FREE}": clock_on,
        "{figure Clock} (on|comma|in|the|this)* {anchor DayPart}": clock_on,
        "ClockRange (on|comma|in|the|this)* {anchor DayPart}": clocks_on,
        "{anchor InstantRange} (at|comma)? about? {figure Clock}": clock_on,
        "{anchor InstantRange} (at|comma)? about? ClockRange": clocks_on,
        f"{{anchor InstantRange}} (at about?|comma? about) {{figure number[1-23]}} {_NOT_COUNTED}": clock_on,
        f"{{anchor InstantRange}} {{figure number[1-23]}} {_FREE}": clock_on,
        "{figure Clock} {anchor InstantRange}": clock_on,
        "ClockRange {anchor InstantRange}": clocks_on,
        "day_end of? Day": end_of_work,
        "Day at? day_end": end_of_work,
        "day_end": end_of_work,
        "DayPart": hours_of_part,
        "((from|between)? Instant (dash|to)|between Instant and) Instant": instants_through,
        "((from|between)? Instant (dash|to)|between Instant and) {figure Clock|num}": instant_through_clock,
        "((from|between)? Clock (dash|to)|between Clock and) Instant": clock_through_instant,
    }
)


def about_clock(clock: Clock) -> Clock:
    """`about 4:30`."""
    return clock


def about(point: Day | Instant) -> Day | Instant:
    """`around May 5`."""
    return replace(point, certain=False)


def age(duration: Duration) -> Reclassified:
    """`5 years old` is no time."""
    return Reclassified("any")


def open_range(limit: int | Day | Clock | DayRange | Instant | InstantRange, side: str = "since") -> Meaning:
    """`by Friday`, `since 2015`: `before` and `after` leave out what they name, the others count it in."""
    whole = DayRange(date(limit, 1, 1), date(limit, 1, 1)) if isinstance(limit, int) else limit.as_range()
    upto_end = (None, whole.end)
    first, end = {
        "before": (None, whole.first),
        "by": upto_end,
        "until": upto_end,
        "after": (whole.end, None),
        "since": (whole.first, None),
    }[side]
    return replace(whole, first=first, end=end, modifier=side)  # type: ignore[arg-type]


_MAY_STAND_BETWEEN: Final = "about? (at|the|on)*"
OPEN_RANGES: Final = rules(
    {
        "about:approx Clock": about_clock,
        "about:approx {point Day|Instant}": about,
        "Duration (of|dash)? aged": age,
        f"{{side before|after|to:until}} {_MAY_STAND_BETWEEN} limit": open_range,
        f"past {_MAY_STAND_BETWEEN} {{limit Clock}}": partial(open_range, side="after"),
        f"ago_first {_MAY_STAND_BETWEEN} limit": partial(open_range, side="before"),
        "from {limit Day|Clock|Instant|DayRange} on $": open_range,
        "{limit Day|Clock|Instant|DayRange} (and|or) (later|after)": open_range,
        "starting on? {limit Day|DayRange|Instant|Clock}": open_range,
    }
)


def instant_now(ref: ReferenceTime) -> Instant:
    """The message's own time."""
    return Instant(ref.now)


# "Now we go" opens a sentence; `now` alone is an answer.
LEFT: Final = rules({"(?<= .) now": instant_now, "^ now (?= stop* $)": instant_now})
