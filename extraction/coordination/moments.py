"""The days and clocks that a message names, from the one library behind `extraction.times`."""

from dataclasses import dataclass
from datetime import date, datetime

from extraction.coordination.folding import fold
from extraction.coordination.replies import CORRECTS
from extraction.times import TimeSpan, find_times


@dataclass(frozen=True, slots=True)
class Moments:
    """`days` and `clocks` (`HH:MM`) in the order of the text, each once; `spans` where they stand. `rrule` where it recurs."""

    days: tuple[date, ...] = ()
    clocks: tuple[str, ...] = ()
    spans: tuple[tuple[int, int], ...] = ()
    rrule: str = ""
    certain: bool = True

    def __bool__(self) -> bool:
        return bool(self.spans)


def moments(text: str, *, at: datetime, zone: str) -> Moments:
    """What `text`, said at `at` in `zone`, names. A clock without a day names no day."""
    days: dict[date, None] = {}
    clocks: dict[str, None] = {}
    spans: list[tuple[int, int]] = []
    rrule, certain = "", True
    found = [one for one in find_times(text, reference=at, zone=zone) if one.type != "duration"]
    taken_back = max((one.end() for one in CORRECTS.finditer(fold(text))), default=0)
    for one in [one for one in found if one.start >= taken_back] or found:
        rrule = rrule or (one.value if one.type == "set" else "")
        spans.append((one.start, one.end))
        certain = certain and one.certain
        for moment in (one.begins, one.ends):
            if isinstance(moment, datetime) and _names_clock(one, moment, at):
                clocks[moment.strftime("%H:%M")] = None
                if _names_day(one):
                    days[moment.date()] = None
        if isinstance(one.begins, date) and not isinstance(one.begins, datetime):
            days[one.begins] = None
    return Moments(tuple(days), tuple(clocks), tuple(spans), rrule, certain)


def _names_clock(one: TimeSpan, moment: datetime, at: datetime) -> bool:
    """`dinner`, `this afternoon` and `now` are no clocks; `half five` and `at noon` are."""
    return moment != at and (one.type != "range" or any(char.isdigit() for char in one.text))


def _names_day(one: TimeSpan) -> bool:
    """A clock alone stands on the day of the message without saying so."""
    return one.type == "datetime" or (one.type == "range" and "T" in one.value.split("/")[0])
