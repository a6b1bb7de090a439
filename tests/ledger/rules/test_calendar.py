"""Events in a window: what the wall clock says, series, what is left out, and overlaps by brute force."""

import random
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from dateutil.rrule import rrulestr
from hypothesis import given
from hypothesis import strategies as st

from ledger.rules.calendar import Occurrence, entry_of, occurrences_of

NEW_YORK = "America/New_York"
MAY = datetime(2026, 5, 1, tzinfo=UTC), datetime(2026, 6, 1, tzinfo=UTC)


def expanded(value: dict[str, Any], start: datetime, end: datetime, zone: str = NEW_YORK) -> list[Occurrence]:
    entry = entry_of("EVT-1", "event", {"title": "Soccer", **value}, zone)
    return [] if entry is None else list(occurrences_of(entry, start, end))


def clocks(found: list[Occurrence]) -> list[str]:
    return [one.start.strftime("%m-%d %H:%M %z") for one in found]


def test_a_series_keeps_its_clock_over_both_changes_of_the_clocks():
    weekly = {"start": "2026-03-01T16:30:00", "rrule": "FREQ=WEEKLY;BYDAY=SU"}
    spring = expanded(weekly, datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 3, 16, tzinfo=UTC))
    assert clocks(spring) == ["03-01 16:30 -0500", "03-08 16:30 -0400", "03-15 16:30 -0400"]
    autumn = expanded(weekly, datetime(2026, 10, 25, tzinfo=UTC), datetime(2026, 11, 9, tzinfo=UTC))
    assert clocks(autumn) == ["10-25 16:30 -0400", "11-01 16:30 -0500", "11-08 16:30 -0500"]


def test_a_clock_that_is_skipped_is_moved_on_and_one_shown_twice_is_the_first():
    window = datetime(2026, 3, 8, tzinfo=UTC), datetime(2026, 3, 9, tzinfo=UTC)
    assert clocks(expanded({"start": "2026-03-08T02:30:00"}, *window)) == ["03-08 03:30 -0400"]
    window = datetime(2026, 11, 1, tzinfo=UTC), datetime(2026, 11, 2, tzinfo=UTC)
    (twice,) = expanded({"start": "2026-11-01T01:30:00", "end": "2026-11-01T02:30:00"}, *window)
    assert clocks([twice]) == ["11-01 01:30 -0400"]
    assert twice.end.astimezone(UTC) - twice.start.astimezone(UTC) == timedelta(hours=2)


def test_an_hour_is_taken_for_an_end_that_nobody_told():
    (told,) = expanded({"start": "2026-05-05T16:30:00-04:00", "end": "2026-05-05T18:00:00-04:00"}, *MAY)
    assert told.end - told.start == timedelta(minutes=90) and told.entry.end_known
    (open_end,) = expanded({"start": "2026-05-05T16:30:00-04:00"}, *MAY)
    assert open_end.end - open_end.start == timedelta(minutes=60) and not open_end.entry.end_known
    (before,) = expanded({"start": "2026-05-05T16:30:00", "end": "2026-05-05T12:00:00"}, *MAY)
    assert before.end - before.start == timedelta(minutes=60)


def test_a_whole_day_ends_at_midnight_however_long_it_was():
    window = datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 4, 1, tzinfo=UTC)
    (short,) = expanded({"start": "2026-03-08"}, *window)
    assert short.end.astimezone(UTC) - short.start.astimezone(UTC) == timedelta(hours=23)
    (break_,) = expanded({"start": "2026-03-24", "end": "2026-03-28"}, *window)
    assert clocks([break_]) == ["03-24 00:00 -0400"] and break_.end.strftime("%m-%d %H:%M") == "03-28 00:00"


def test_a_start_without_a_zone_is_of_the_place_and_a_zone_of_its_own_wins():
    (floating,) = expanded({"start": "2026-05-05T09:00:00"}, *MAY, zone="Asia/Tokyo")
    assert clocks([floating]) == ["05-05 09:00 +0900"]
    (its_own,) = expanded({"start": "2026-05-05T09:00:00", "timezone": "Europe/Berlin"}, *MAY, zone="Asia/Tokyo")
    assert clocks([its_own]) == ["05-05 09:00 +0200"]


def test_it_is_found_before_it_begins_and_gone_once_it_is_over():
    value = {"start": "2026-05-05T16:30:00", "end": "2026-05-05T17:30:00"}
    zone = ZoneInfo(NEW_YORK)
    begins, ends = datetime(2026, 5, 5, 16, 30, tzinfo=zone), datetime(2026, 5, 5, 17, 30, tzinfo=zone)
    week = timedelta(days=7)
    assert expanded(value, begins - timedelta(days=3), begins - timedelta(days=3) + week)
    assert expanded(value, ends - timedelta(minutes=1), ends + week)
    assert not expanded(value, ends, ends + week)
    assert not expanded(value, begins - week, begins)


def test_one_occurrence_is_called_off_and_another_moved():
    weekly = {
        "start": "2026-05-05T16:30:00",
        "rrule": "FREQ=WEEKLY;BYDAY=TU;COUNT=4",
        "exdates": ["2026-05-12T16:30:00"],
    }
    assert [one.start.day for one in expanded(weekly, *MAY)] == [5, 19, 26]


def test_the_end_of_a_series_may_be_in_utc_or_a_day():
    weekly = {"start": "2026-05-05T20:30:00", "rrule": "FREQ=WEEKLY;UNTIL=20260513T003000Z"}
    assert [one.start.day for one in expanded(weekly, *MAY)] == [5, 12]
    assert [one.start.day for one in expanded({**weekly, "rrule": "FREQ=WEEKLY;UNTIL=20260519"}, *MAY)] == [5, 12, 19]
    no_count = {**weekly, "rrule": "FREQ=WEEKLY;UNTIL=20260519;COUNT=-1;INTERVAL=2"}
    assert [one.start.day for one in expanded(no_count, *MAY)] == [5, 19]


@pytest.mark.parametrize(
    "rule",
    [
        "FREQ=SECONDLY", "FREQ=DAILY;BYHOUR=1,2,3", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=31",
        "nonsense", "FREQ=WEEKLY;BYDAY=XX", "FREQ=DAILY;INTERVAL=0x", "FREQ=MONTHLY;BYSETPOS=99;BYDAY=MO", "FREQ=WEEKLY;UNTIL=x",
        "FREQ=WEEKLY;UNTIL=20269999T000000Z", "FREQ=DAILY;BYMONTHDAY=0", "FREQ=DAILY;BYSETPOS=3", "=", ";;", "FREQ",
        "FREQ=DAILY;INTERVAL=0",
    ],
)  # fmt: skip
def test_a_rule_that_says_nothing_leaves_the_event_where_it_stands(rule):
    assert [one.start.day for one in expanded({"start": "2026-05-05T16:30:00", "rrule": rule}, *MAY)] == [5]


@pytest.mark.parametrize(
    "value", [{}, {"start": ""}, {"start": "soon"}, {"start": 5}, {"start": "2026-05-05T16:30:00", "timezone": "Mars/Base"},
              {"start": "9999-12-31T23:59:59"}, {"start": "0001-01-01T00:00:00+14:00"}, {"start": "2026-02-30"},
              {"start": "2026-05-05T16:30:00", "timezone": "../etc/passwd"}, {"start": "2026-05-05T16:30:00", "end": "9"}],
)  # fmt: skip
def test_a_value_without_a_start_of_the_calendar_takes_place_nowhere(value):
    assert expanded(value, *MAY) == []


FREQUENCIES = ("DAILY", "WEEKLY", "MONTHLY", "YEARLY")
DAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
ZONES = (NEW_YORK, "Europe/Berlin", "Asia/Kolkata", "Australia/Sydney", "America/Santiago", "UTC")


def some_rule(rng: random.Random) -> str:
    parts = [f"FREQ={rng.choice(FREQUENCIES)}", f"INTERVAL={rng.randint(1, 4)}"]
    if rng.random() < 0.6:
        parts.append("BYDAY=" + ",".join(rng.sample(DAYS, rng.randint(1, 4))))
    if rng.random() < 0.2:
        parts.append("BYMONTH=" + ",".join(map(str, rng.sample(range(1, 13), 3))))
    if rng.random() < 0.2:
        parts.append(f"BYMONTHDAY={rng.choice([1, 13, 28, -1])}")
    ends = rng.random()
    if ends < 0.3:
        parts.append(f"COUNT={rng.randint(1, 40)}")
    elif ends < 0.6:
        parts.append(f"UNTIL=2026{rng.randint(1, 12):02}{rng.randint(1, 28):02}T120000")
    return ";".join(parts)


def test_two_hundred_series_are_as_dateutil_expands_them():
    rng = random.Random(16)
    for _ in range(200):
        zone = ZoneInfo(rng.choice(ZONES))
        first = datetime(2025, rng.randint(1, 12), rng.randint(1, 28), rng.randint(0, 23), rng.choice([0, 15, 30]))
        rule = some_rule(rng)
        start = datetime(2026, rng.randint(1, 12), rng.randint(1, 28), tzinfo=UTC)
        end = start + timedelta(days=rng.randint(1, 90))
        found = expanded({"start": first.isoformat(), "rrule": rule, "timezone": zone.key}, start, end)
        wall = rrulestr(rule, dtstart=first).between(datetime(2025, 1, 1), datetime(2027, 12, 31), inc=True)
        instants = [one.replace(tzinfo=zone).astimezone(UTC) for one in wall]
        told = [one for one in instants if one < end and one + timedelta(minutes=60) > start]
        assert [one.start.astimezone(UTC) for one in found] == told, (rule, first, zone.key)


minutes = st.integers(0, 600)


@given(minutes, st.integers(1, 300), minutes, st.integers(1, 300))
def test_two_overlap_where_they_share_a_minute(first, length, second, other):
    noon = datetime(2026, 5, 5, 12, tzinfo=UTC)
    value = {
        "start": (noon + timedelta(minutes=first)).isoformat(),
        "end": (noon + timedelta(minutes=first + length)).isoformat(),
    }
    (one,) = expanded(value, *MAY)
    start, end = noon + timedelta(minutes=second), noon + timedelta(minutes=second + other)
    shared = set(range(first, first + length)) & set(range(second, second + other))
    assert one.overlaps(start, end) == bool(shared)
