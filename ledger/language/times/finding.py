"""Find expressions of time in a text and resolve them against the message's own time and its zone (O4, P4)."""

import re
from datetime import date, datetime
from functools import cache
from typing import Final
from zoneinfo import ZoneInfo

from ledger.language.fold import fold
from ledger.language.times.clocks import CLOCKS, NUMBERS
from ledger.language.times.dates import DAYS, ORDINALS
from ledger.language.times.durations import DURATIONS
from ledger.language.times.engine import Place, is_a, reduce
from ledger.language.times.joining import DAY_RANGES, JOINING, OPEN, RANGES
from ledger.language.times.lexicon import hinted_in, lexicon
from ledger.language.times.meanings import (
    Clock,
    Clocks,
    Day,
    Duration,
    Moment,
    Period,
    Stretch,
    moment,
    part_clocks,
    stretch,
)
from ledger.language.times.parts import PARTS
from ledger.language.times.periods import PERIODS
from ledger.language.times.recurring import SETS, SETS_TIMED
from ledger.language.times.spans import SpanType, TimeSpan
from ledger.language.times.tokens import Node, nodes_of

# Durations and sets before days, so that "every Tuesday" is no Tuesday; joined days before open ends.
_CASCADE: Final = [
    *NUMBERS,
    *CLOCKS,
    *SETS,
    *DURATIONS,
    *DAYS,
    *DAY_RANGES,
    *ORDINALS,
    *PARTS,
    *DURATIONS,
    *SETS_TIMED,
    *RANGES,
    *PERIODS,
    *PERIODS,
    *RANGES,
    *JOINING,
    *OPEN,
    *JOINING,
]
_WORD: Final = re.compile(r"[^\W\d_]+")
_MONTH_FIRST: Final = ("America/", "US/", "UTC", "Etc/")


def find_times(
    text: str,
    *,
    reference: datetime,
    zone: str,
    languages: tuple[str, ...] = ("en", "es", "de"),
    dayfirst: bool | None = None,
) -> list[TimeSpan]:
    """Every date, time, range, duration and recurrence in `text`, in order, never overlapping.

    `reference` is when it was said (aware); `zone` the IANA name of where. `dayfirst` orders `6/4`; None takes it from the
    first language and the zone, and marks the value uncertain. Raises ValueError for a naive reference, and zoneinfo's
    ZoneInfoNotFoundError for an unknown zone.
    """
    if reference.tzinfo is None:
        raise ValueError("the reference must be aware")
    words = frozenset(fold(word) for word in _WORD.findall(text))
    table = lexicon(frozenset(languages), hinted_in(words) if len(languages) > 1 else frozenset(languages))
    nodes, live = nodes_of(text, table)
    if not live:
        return []
    where = _zone(zone)
    order = dayfirst if dayfirst is not None else not (languages[:1] == ("en",) and zone.startswith(_MONTH_FIRST))
    place = Place(reference.astimezone(where), where, order, dayfirst is not None)
    nodes = reduce(nodes, _CASCADE, place)
    return [span for node in nodes if (span := _span(text, node, place)) is not None]


@cache
def _zone(name: str) -> ZoneInfo:
    return ZoneInfo(name)


def _span(text: str, node: Node, place: Place) -> TimeSpan | None:
    said = text[node.start : node.end]
    value = node.value
    match value:
        case Clock():
            if value.bare:
                return None
            at = moment(place, Day(place.today), value)
            sure = not value.open and at.at >= place.now
            return TimeSpan(node.start, node.end, said, "time", value.time.isoformat(), at.at, at.at, sure)
        case Day():
            return TimeSpan(node.start, node.end, said, *_day(value, place))
        case Moment():
            return TimeSpan(
                node.start, node.end, said, "datetime", value.at.isoformat(), value.at, value.at, value.certain
            )
        case Period():
            shown = f"{_iso(value.first)}/{_iso(value.end)}"
            return TimeSpan(
                node.start, node.end, said, "range", shown, value.first, value.end, value.certain, value.modifier
            )
        case Clocks():
            held = stretch(place, Day(place.today), value)
            shown = f"{_clock(value.first)}/{_clock(value.end)}"
            return TimeSpan(
                node.start, node.end, said, "range", shown, held.first, held.end, held.certain, value.modifier
            )
        case Stretch():
            shown = f"{_iso(value.first)}/{_iso(value.end)}"
            return TimeSpan(
                node.start, node.end, said, "range", shown, value.first, value.end, value.certain, value.modifier
            )
        case Duration():
            return TimeSpan(node.start, node.end, said, "duration", value.iso, None, None, not value.vague)
    if is_a(node, "T_SET"):
        return TimeSpan(node.start, node.end, said, "set", value)
    if is_a(node, "now"):
        if node.start == 0 and node.end < len(text.rstrip(" ?!.")):
            return None
        return TimeSpan(node.start, node.end, said, "datetime", place.now.isoformat(), place.now, place.now)
    if is_a(node, "T_NONE"):
        # A day that no calendar has (30 February) is found and stays unresolved.
        return TimeSpan(node.start, node.end, said, "date", "", None, None, False)
    return None


def _day(day: Day, place: Place) -> tuple[SpanType, str, date | datetime, date | datetime, bool]:
    if not day.part:
        return "date", day.date.isoformat(), day.date, day.date, day.certain
    held = stretch(place, Day(day.date), part_clocks(day.part))
    assert held.first is not None and held.end is not None  # noqa: S101
    return "range", f"{_iso(held.first)}/{_iso(held.end)}", held.first, held.end, day.certain


def _iso(value: date | datetime | None) -> str:
    return ".." if value is None else value.isoformat()


def _clock(value: Clock | None) -> str:
    return ".." if value is None else value.time.isoformat()
