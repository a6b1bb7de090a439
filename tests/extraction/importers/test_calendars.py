"""Calendars through the command: events become sources and wait; a newer version replaces, and nothing is believed by itself."""

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from ledger.actions.promote import promote
from ledger.actions.scope import add_person, create_scope
from ledger.actor import operator
from ledger.models import Claim, RunHit, Scope, Source
from tests.extraction.importers.reading import put, read

ALICE = operator("Alice")
HEAD = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Yard//Plan//EN\r\n"
SERIES = """BEGIN:VEVENT\r
UID:swim@yard\r
DTSTAMP:20260401T080000Z\r
LAST-MODIFIED:20260401T070000Z\r
DTSTART;TZID=W. Europe Standard Time:20990505T163000\r
DTEND;TZID=W. Europe Standard Time:20990505T173000\r
RRULE:FREQ=WEEKLY;BYDAY=TU\r
SUMMARY:Leo's swimming in the big p\r
 ool\r
LOCATION:Town pool\r
BEGIN:VALARM\r
ACTION:DISPLAY\r
TRIGGER:-PT15M\r
END:VALARM\r
END:VEVENT\r
"""
OFF = "BEGIN:VEVENT\r\nUID:swim@yard\r\nRECURRENCE-ID:20990512T143000Z\r\nDTSTART:20990512T143000Z\r\nSTATUS:CANCELLED\r\n" \
      "SUMMARY:Leo's swimming in the big pool\r\nEND:VEVENT\r\n"  # fmt: skip
TODO = "BEGIN:VTODO\r\nUID:t\r\nSUMMARY:Buy goggles\r\nEND:VTODO\r\n"


def file_of(*parts: str) -> bytes:
    return (HEAD + "".join(parts) + "END:VCALENDAR\r\n").encode()


def test_each_event_is_a_text_that_another_export_does_not_change(tmp_path: Path) -> None:
    plain = read(put(tmp_path / "one.ics", file_of(SERIES, OFF, TODO)))
    (text,) = plain.texts
    assert text.external_id == "ics:swim@yard" and text.title == "Leo's swimming in the big pool"
    assert text.text.count("BEGIN:VEVENT") == 2 and "VALARM" not in text.text and "DTSTAMP" not in text.text
    assert list(plain.skipped.values()) == ["a VTODO, no event"] and str(text.sent_at) == "2026-04-01 07:00:00+00:00"
    later = SERIES.replace("DTSTAMP:20260401", "DTSTAMP:20270101")
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as box:
        box.writestr("takeout/ours.ics", file_of(later, OFF))
    assert [one.text for one in read(tmp_path / "all.zip").texts] == [text.text]
    assert read(put(tmp_path / "plan.txt", file_of(later, OFF))).texts == [text]
    assert read(put(tmp_path / "none.ics", HEAD)).skipped == {"none.ics": "nothing said in it, read as ics"}
    split = SERIES.replace("swimming", "Übung").encode().replace(b"\xc3\x9c", b"\xc3\r\n \x9c")
    assert "Leo's Übung" in read(put(tmp_path / "two.ics", HEAD.encode() + split)).texts[0].title


def ingested(path: Path) -> dict[str, Any]:
    out = io.StringIO()
    call_command("ingest", str(path), "--scope", "yard", "--json", verbosity=0, stdout=out, stderr=io.StringIO())
    return json.loads(out.getvalue().splitlines()[-1])


@pytest.mark.django_db(transaction=True)
def test_events_wait_and_a_newer_version_names_the_one_it_replaces(tmp_path: Path) -> None:
    create_scope("yard", tier="project", packs=["household"], timezone="America/Chicago", actor=ALICE)
    add_person(Scope.objects.get(path="yard"), "Leonard", aliases=["Leo"], role="child", actor=ALICE)
    assert ingested(put(tmp_path / "one.ics", file_of(SERIES, OFF)))["candidates"] == 2
    series, off = Claim.objects.order_by("id")
    assert (series.status, series.rule, series.statement) == (
        "pending", "calendar.event",
        "Leo's swimming in the big pool, Tue 2099-05-05 16:30, every week on Tue, Town pool, with Leonard",
    )  # fmt: skip
    assert series.value == {
        "title": "Leo's swimming in the big pool", "people": ["Leonard"], "start": "2099-05-05T16:30:00",
        "end": "2099-05-05T17:30:00", "timezone": "Europe/Berlin", "place": "Town pool", "rrule": "FREQ=WEEKLY;BYDAY=TU",
        "uid": "swim@yard",
    }  # fmt: skip
    assert off.rule == "calendar.cancelled" and off.value["cancelled"]
    evidence, source = series.evidence.get(), Source.objects.get()
    assert source.text[evidence.start : evidence.end] == evidence.quote and evidence.quote.startswith("BEGIN:VEVENT")
    assert ingested(put(tmp_path / "again.ics", file_of(SERIES, OFF)))["duplicates"] == 1
    promote(series, actor=ALICE)
    later = SERIES.replace("163000", "170000").replace("173000", "180000")
    assert ingested(put(tmp_path / "later.ics", file_of(later)))["candidates"] == 1
    newer = Claim.objects.get(value__start="2099-05-05T17:00:00")
    assert newer.names_replaced == [series.ref] and Source.objects.count() == 2
    gone = SERIES.replace("UID:swim", "UID:other").replace("END:VEVENT", "STATUS:CANCELLED\r\nEND:VEVENT")
    assert ingested(put(tmp_path / "gone.ics", file_of(gone)))["candidates"] == 0
    assert RunHit.objects.get().why == "it is called off, and was never confirmed here"
