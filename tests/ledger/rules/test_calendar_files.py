"""iCalendar texts in the manner of different programs, what they say as values, and what is written read again."""

from datetime import UTC, datetime
from typing import Any

import pytest
from dateutil.rrule import rruleset, rrulestr
from hypothesis import given
from hypothesis import strategies as st

from ledger.rules.calendar import CalendarEntry, Occurrence, entry_of, occurrences_of, with_changes
from ledger.rules.calendar_files.reading import FileEvent, UnreadEvent, events_in, is_calendar
from ledger.rules.calendar_files.writing import calendar_text
from ledger.rules.calendar_words import told, told_rule

BERLIN = "Europe/Berlin"
# As Windows and a program without zones of its own define them.
VIENNA = """BEGIN:VTIMEZONE
TZID:Our house
BEGIN:STANDARD
DTSTART:16011028T030000
RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
END:STANDARD
BEGIN:DAYLIGHT
DTSTART:16010325T020000
RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
END:DAYLIGHT
END:VTIMEZONE
"""


def calendar(*events: str, head: str = "") -> str:
    blocks = "".join(f"BEGIN:VEVENT\n{one.strip()}\nEND:VEVENT\n" for one in events)
    return f"BEGIN:VCALENDAR\nVERSION:2.0\n{head}{blocks}END:VCALENDAR\n"


def values(text: str) -> list[dict[str, Any]]:
    return [dict(one.value) for one in events_in(text) if isinstance(one, FileEvent)]


def entries_of(text: str, zone: str = BERLIN) -> list[CalendarEntry]:
    found = [entry_of(f"EVT-{at}", "event", one, zone) for at, one in enumerate(values(text), 1)]
    return [entry for entry in reversed(found) if entry is not None]


def expanded(text: str, year: int = 2026) -> list[Occurrence]:
    window = datetime(year, 1, 1, tzinfo=UTC), datetime(year + 1, 1, 1, tzinfo=UTC)
    found = [one for entry in with_changes(entries_of(text)) for one in occurrences_of(entry, *window)]
    return sorted(found, key=lambda one: one.start)


def clocks(found: list[Occurrence]) -> list[str]:
    return [one.start.strftime("%m-%d %H:%M %z") for one in found]


@pytest.mark.filterwarnings("ignore:Timezone")
@pytest.mark.parametrize(
    ("tzid", "zone"),
    [
        ("Europe/Berlin", "Europe/Berlin"),
        ("/mozilla.org/20050126_1/America/New_York", "America/New_York"),
        ("W. Europe Standard Time", "Europe/Berlin"),
        ("/freeassociation.example/America/Argentina/Buenos_Aires", "America/Argentina/Buenos_Aires"),
        ("Nobody knows", ""),
    ],
)
def test_a_zone_is_known_by_the_names_that_programs_give_it(tzid: str, zone: str) -> None:
    (event,) = events_in(calendar(f"SUMMARY:Choir\nDTSTART;TZID={tzid}:20260505T190000"))
    assert isinstance(event, FileEvent)
    assert event.value.get("timezone", "") == zone and event.value["start"] == "2026-05-05T19:00:00"
    assert bool(event.doubts) == (zone == "") == ("floating" in event.value)


def test_a_zone_of_a_calendars_own_is_known_by_its_clocks() -> None:
    text = calendar(
        "UID:a\nSUMMARY:Choir\nDTSTART;TZID=Our house:20260320T190000\nRRULE:FREQ=WEEKLY;COUNT=3", head=VIENNA
    )
    assert values(text)[0]["timezone"] == "Europe/Berlin"
    assert clocks(expanded(text)) == ["03-20 19:00 +0100", "03-27 19:00 +0100", "04-03 19:00 +0200"]


def test_utc_floating_and_whole_days() -> None:
    utc, floating, day = values(calendar(
        "SUMMARY:Call\nDTSTART:20260505T170000Z\nDURATION:PT30M",
        "SUMMARY:Feed the cat\nDTSTART:20260505T080000\nRRULE:FREQ=DAILY",
        "SUMMARY:Break\nDTSTART;VALUE=DATE:20260324\nDTEND;VALUE=DATE:20260329\nTRANSP:TRANSPARENT",
    ))  # fmt: skip
    assert (utc["start"], utc["end"], utc["timezone"]) == (
        "2026-05-05T17:00:00+00:00",
        "2026-05-05T17:30:00+00:00",
        "UTC",
    )
    assert floating["floating"] and "timezone" not in floating
    entry = entry_of("EVT-1", "event", floating | {"timezone": "Asia/Tokyo"}, BERLIN)
    assert entry is not None and entry.zone_name == BERLIN
    assert day["start"] == "2026-03-24" and day["end"] == "2026-03-29" and day["background"]


@pytest.mark.parametrize("zone", ["America/New_York", "UTC", "Asia/Tokyo"])
def test_a_whole_day_that_is_moved_may_be_named_by_its_midnight_in_a_zone(zone: str) -> None:
    series = "UID:bins\nSUMMARY:Bins\nDTSTART;VALUE=DATE:20260402\nRRULE:FREQ=WEEKLY;COUNT=3"
    moved = "UID:bins\nSUMMARY:Bins\nRECURRENCE-ID;TZID=GMT Standard Time:20260409T000000\nDTSTART;VALUE=DATE:20260410"
    entries = with_changes(entries_of(calendar(series, moved), zone))
    window = datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 6, 1, tzinfo=UTC)
    assert sorted(one.start.day for entry in entries for one in occurrences_of(entry, *window)) == [2, 10, 16]


def test_what_is_left_out_added_moved_and_called_off() -> None:
    series = f"""UID:piano\nSUMMARY:Piano\nDTSTART;TZID={BERLIN}:20260303T163000\nDTEND;TZID={BERLIN}:20260303T171500
RRULE:FREQ=WEEKLY;BYDAY=TU;UNTIL=20260407T143000Z\nEXDATE;TZID={BERLIN}:20260310T163000
RDATE;TZID={BERLIN}:20260305T090000"""
    moved = f"UID:piano\nRECURRENCE-ID:20260317T153000Z\nSUMMARY:Piano\nDTSTART;TZID={BERLIN}:20260318T100000"
    off = "UID:piano\nRECURRENCE-ID;VALUE=DATE:20260324\nSTATUS:CANCELLED\nSUMMARY:Piano\nDTSTART:20260324T163000"
    text = calendar(series, moved, off)
    assert clocks(expanded(text)) == [
        "03-03 16:30 +0100", "03-05 09:00 +0100", "03-18 10:00 +0100", "03-31 16:30 +0200", "04-07 16:30 +0200",
    ]  # fmt: skip
    assert [told(entry) for entry in reversed(entries_of(text))] == [
        "Piano, Tue 2026-03-03 16:30, every week on Tue until 2026-04-07, not 2026-03-10, also 2026-03-05 09:00",
        "Piano of Tue 2026-03-17 16:30 takes place Wed 2026-03-18 10:00",
        "No Piano on Tue 2026-03-24",
    ]
    assert clocks(expanded(calendar(series, "UID:piano\nDTSTART:20260303T163000\nSTATUS:CANCELLED"))) == []
    newer = "UID:piano\nSEQUENCE:2\nSUMMARY:Piano\nDTSTART;TZID=Europe/Berlin:20260505T163000"
    assert clocks(expanded(calendar(series, newer))) == ["05-05 16:30 +0200"]


def test_people_places_and_what_cannot_be_kept() -> None:
    text = calendar(
        'SUMMARY:Leo\\, swim\nDTSTART:20260505T170000Z\nLOCATION:Pool\\; hall 2\nATTENDEE;CN="Ada L":mailto:a@yard.example\n'
        "ATTENDEE:mailto:b@yard.example\nRRULE:FREQ=DAILY;COUNT=2\nRRULE:FREQ=WEEKLY",
        "SUMMARY:Nothing", "SUMMARY:Broken\nDTSTART:2026-05-05",
    )  # fmt: skip
    kept, without, broken = events_in(text)
    assert isinstance(kept, FileEvent) and isinstance(without, UnreadEvent) and isinstance(broken, UnreadEvent)
    assert (kept.value["title"], kept.value["place"], kept.value["people"]) == ("Leo, swim", "Pool; hall 2", ["Ada L"])
    assert kept.doubts and text[kept.start : kept.end].startswith("BEGIN:VEVENT")
    assert is_calendar("\ufeffBEGIN:VCALENDAR\r\n") and not is_calendar("Calendars begin with BEGIN:VCALENDAR")


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("FREQ=WEEKLY;BYDAY=TU,TH", "every week on Tue, Thu"),
        ("FREQ=MONTHLY;BYDAY=2SU", "every month on Sun no. 2"),
        ("FREQ=MONTHLY;INTERVAL=2;BYDAY=-1FR;COUNT=4", "every 2 months on the last Fri 4 times"),
        ("FREQ=HOURLY", ""),
    ],
)
def test_a_rule_is_told_in_words(rule: str, words: str) -> None:
    assert told_rule(rule) == words


ZONES = st.sampled_from(["", "UTC", BERLIN, "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata"])
RULES = st.sampled_from([
    "FREQ=DAILY;COUNT=20", "FREQ=WEEKLY;BYDAY=SU,TH;COUNT=15", "FREQ=MONTHLY;BYDAY=-1SU;COUNT=12",
    "FREQ=DAILY;INTERVAL=9;COUNT=40", "FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=9", "FREQ=YEARLY;BYMONTH=3,10;BYDAY=-1SU;COUNT=6",
])  # fmt: skip
STARTS = st.datetimes(min_value=datetime(2026, 1, 1), max_value=datetime(2026, 12, 31)).map(
    lambda moment: moment.replace(second=0, microsecond=0)
)


@given(start=STARTS, zone=ZONES, rule=RULES, left_out=st.sets(st.integers(0, 19), max_size=3), added=STARTS)
def test_an_expansion_is_that_of_dateutil_and_survives_a_file(start, zone, rule, left_out, added) -> None:
    """Over both changes of the clocks, floating and in UTC: the wall clocks of the rule, and the same read back."""
    ruled = list(rrulestr(rule, dtstart=start))
    gone = [ruled[at] for at in left_out if at < len(ruled)]
    expected = rruleset()
    expected.rrule(rrulestr(rule, dtstart=start))  # type: ignore[arg-type]
    expected.rdate(added)
    for one in gone:
        expected.exdate(one)
    value = {"title": "Soccer", "start": start.isoformat(), "timezone": zone or BERLIN, "floating": not zone, "rrule": rule,
             "exdates": [one.isoformat() for one in gone], "rdates": [added.isoformat()]}  # fmt: skip
    window = datetime(2025, 12, 1, tzinfo=UTC), datetime(2040, 1, 1, tzinfo=UTC)
    entry = entry_of("EVT-1", "event", value, BERLIN)
    assert entry is not None
    found = list(occurrences_of(entry, *window))
    walls = [wall.replace(tzinfo=entry.zone).astimezone(UTC) for wall in expected]
    assert sorted(one.start.astimezone(UTC) for one in found) == sorted(walls)
    (again,) = entries_of(calendar_text("Ours", [entry], {}).decode())
    assert [(one.start, one.end) for one in occurrences_of(again, *window)] == [(one.start, one.end) for one in found]


def test_what_is_written_is_read_again_with_its_changes() -> None:
    series = {"title": "Piano", "people": ["Leo"], "start": "2026-03-03T16:30:00", "timezone": BERLIN, "place": "Elm St",
              "rrule": "FREQ=WEEKLY;BYDAY=TU;COUNT=6", "exdates": ["2026-03-10T16:30:00"]}  # fmt: skip
    off = {
        "title": "Piano",
        "start": "2026-03-17T16:30:00+01:00",
        "series": "EVT-1",
        "recurrence_id": "2026-03-17",
        "cancelled": True,
    }
    moved = off | {"start": "2026-03-25T10:00:00", "recurrence_id": "2026-03-24T16:30:00+01:00", "cancelled": False}
    given_ = [entry_of(f"EVT-{at}", "event", value, BERLIN) for at, value in ((3, moved), (2, off), (1, series))]
    entries = [entry for entry in given_ if entry is not None]
    text = calendar_text("Our\nhouse\r\x07", entries, {}).decode()
    assert (
        "X-WR-CALNAME:Our house\r\n" in text and text.count("UID:EVT-1@countersign") == 3 and "BEGIN:VTIMEZONE" in text
    )
    again = expanded(text)
    assert clocks(again) == ["03-03 16:30 +0100", "03-25 10:00 +0100", "03-31 16:30 +0200", "04-07 16:30 +0200"]
    assert again[0].entry.people == ("Leo",) and again[0].entry.place == "Elm St"
