"""Dates and times in chat and notes, in four languages: where they stand, and what they mean."""

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.language.times import TimeSpan, find_times

# A Wednesday morning.
NOW = datetime(2026, 5, 6, 9, 30, tzinfo=ZoneInfo("America/New_York"))


def found(text: str, zone: str = "America/New_York", **options: object) -> list[TimeSpan]:
    return find_times(text, reference=NOW, zone=zone, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "said", "type_", "value"),
    [
        ("can you collect them tmrw 4?", "tmrw 4", "datetime", "2026-05-07T16:00:00-04:00"),
        ("pickup 2moro at 3p", "2moro at 3p", "datetime", "2026-05-07T15:00:00-04:00"),
        ("thurs 4ish works", "thurs 4ish", "datetime", "2026-05-07T16:00:00-04:00"),
        ("dentist wed 9:15am", "wed 9:15am", "datetime", "2026-05-06T09:15:00-04:00"),
        ("gym sat: 2pm", "sat: 2pm", "datetime", "2026-05-09T14:00:00-04:00"),
        ("back in 20 min", "in 20 min", "datetime", "2026-05-06T09:50:00-04:00"),
        ("half past three?", "half past three", "time", "15:30:00"),
        ("quarter to nine in the evening", "quarter to nine in the evening", "time", "20:45:00"),
        ("lunch at noon", "noon", "time", "12:00:00"),
        ("free 4-5pm", "4-5pm", "range", "16:00:00/17:00:00"),
        ("free from 3 to 4:30", "from 3 to 4:30", "range", "15:00:00/16:30:00"),
        (
            "away from the 12th to the 15th of June",
            "from the 12th to the 15th of June",
            "range",
            "2026-06-12/2026-06-16",
        ),
        ("send it by Friday", "by Friday", "range", "../2026-05-09"),
        ("not before 5pm", "before 5pm", "range", "../17:00:00"),
        ("closed since Monday", "since Monday", "range", "2026-05-11/.."),
        ("let us talk next week", "next week", "range", "2026-05-11/2026-05-18"),
        ("see you tonight", "tonight", "range", "2026-05-06T20:00:00-04:00/2026-05-07T00:00:00-04:00"),
        ("it is on the 14th", "the 14th", "date", "2026-05-14"),
        ("due 6/4", "6/4", "date", "2026-06-04"),
        ("3 days after June 1st", "3 days after June 1st", "date", "2026-06-04"),
        ("it takes 45 minutes", "45 minutes", "duration", "PT45M"),
        ("an hour and a half at most", "an hour and a half", "duration", "PT1H30M"),
        ("swimming every Tuesday at 4", "every Tuesday at 4", "set", "FREQ=WEEKLY;BYDAY=TU;BYHOUR=16;BYMINUTE=0"),
        ("rent on the 1st of every month", "the 1st of every month", "set", "FREQ=MONTHLY;BYMONTHDAY=1"),
        ("every other Friday", "every other Friday", "set", "FREQ=WEEKLY;INTERVAL=2;BYDAY=FR"),
        (
            "drinks Thursday evening next week",
            "Thursday evening next week",
            "range",
            "2026-05-14T16:00:00-04:00/2026-05-14T20:00:00-04:00",
        ),
        ("we are only 3 next week", "next week", "range", "2026-05-11/2026-05-18"),
        ("out the week starting on June 1", "the week starting on June 1", "range", "2026-06-01/2026-06-08"),
        # Spanish.
        ("quedamos el jueves a las 4", "jueves a las 4", "datetime", "2026-05-07T16:00:00-04:00"),
        (
            "mañana por la mañana",
            "mañana por la mañana",
            "range",
            "2026-05-07T08:00:00-04:00/2026-05-07T12:00:00-04:00",
        ),
        ("pasado manana", "pasado manana", "date", "2026-05-08"),
        ("a las cuatro y media de la tarde", "cuatro y media de la tarde", "time", "16:30:00"),
        ("cada martes", "cada martes", "set", "FREQ=WEEKLY;BYDAY=TU"),
        ("el 5 de junio de 2026", "el 5 de junio de 2026", "date", "2026-06-05"),
        ("hace 3 días", "hace 3 días", "date", "2026-05-03"),
        # German.
        ("am Donnerstag um 16 Uhr", "Donnerstag um 16 Uhr", "datetime", "2026-05-07T16:00:00-04:00"),
        ("treffen wir uns um halb vier", "halb vier", "time", "15:30:00"),
        ("uebermorgen um zehn", "uebermorgen um zehn", "datetime", "2026-05-08T10:00:00-04:00"),
        ("viertel vor neun", "viertel vor neun", "time", "08:45:00"),
        ("am 3. Juni", "3. Juni", "date", "2026-06-03"),
        ("am 4.6. um 10", "4.6. um 10", "datetime", "2026-06-04T10:00:00-04:00"),
        ("jeden Dienstag", "jeden Dienstag", "set", "FREQ=WEEKLY;BYDAY=TU"),
        ("von 9 bis 17 Uhr", "von 9 bis 17 Uhr", "range", "09:00:00/17:00:00"),
        ("um 3 uhr 15 am nachmittag", "3 uhr 15", "time", "15:15:00"),
        # French.
        ("on se voit jeudi à 16h30", "jeudi à 16h30", "datetime", "2026-05-07T16:30:00-04:00"),
        (
            "demain de 9h à midi chez nous",
            "demain de 9h à midi",
            "range",
            "2026-05-07T09:00:00-04:00/2026-05-07T12:00:00-04:00",
        ),
        ("à dix heures moins le quart", "dix heures moins le quart", "time", "09:45:00"),
        ("vers quinze heures trente", "quinze heures trente", "time", "15:30:00"),
        ("la semaine prochaine avec eux", "la semaine prochaine", "range", "2026-05-11/2026-05-18"),
        ("le 5 juin 2026 au soir", "5 juin 2026", "date", "2026-06-05"),
        ("ça dure deux heures", "deux heures", "duration", "PT2H"),
        ("il y a 3 jours", "il y a 3 jours", "date", "2026-05-03"),
        # A Spanish hour of many words.
        ("a las once y cuarenta y cinco", "once y cuarenta y cinco", "time", "11:45:00"),
    ],
)
def test_what_is_said_and_meant(text: str, said: str, type_: str, value: str) -> None:
    assert [(one.text, one.type, one.value) for one in found(text)] == [(said, type_, value)]


@pytest.mark.parametrize(
    "text",
    [
        "may I come in?", "they may or may not agree", "he sat down in the sun", "we won 3-1", "open 24/7", "a 1:1 with Rob",
        "v2.4.1 is out", "see 10.0.0.1:8080", "call +1 415 555 0199", "add 3/4 of a cup", "that is 12 % more", "a second try",
        "soldiers march on", "good morning all", "ticket ABC-12345", "https://example.org/2026/05/06/notes", "I have 2000 pieces",
        "end of the line", "the first draft", "she is five years old", "room 204", "I mar the page", "so do I",
        "on mars", "a midi keyboard", "Elle a 2 copines", "hier ist es", "it takes about 2 de facto",
    ],
)  # fmt: skip
def test_what_only_looks_like_a_time(text: str) -> None:
    assert found(text) == []


def test_offsets_count_code_points_of_the_untouched_text() -> None:
    text = "🎈🎈 party\r\n\tañadir: sábado 5 pm — ok?"
    (one,) = found(text)
    assert text[one.start : one.end] == one.text == "sábado 5 pm"


def test_wall_clocks_survive_the_change_to_summer_time() -> None:
    before = datetime(2026, 3, 28, 12, tzinfo=UTC)
    berlin = {"reference": before, "zone": "Europe/Berlin"}
    (day,) = find_times("tomorrow at 16:00", **berlin)  # type: ignore[arg-type]
    (hours,) = find_times("in 24 hours", **berlin)  # type: ignore[arg-type]
    (skipped,) = find_times("tomorrow at 2:30am", **berlin)  # type: ignore[arg-type]
    assert day.value == "2026-03-29T16:00:00+02:00"
    assert hours.value == "2026-03-29T14:00:00+02:00"
    assert skipped.value == "2026-03-29T03:30:00+02:00"


def test_another_zone_said_is_another_instant() -> None:
    (one,) = found("today at 3pm PST")
    assert one.value == "2026-05-06T18:00:00-04:00"


def test_day_and_month_follow_the_locale_and_say_when_it_is_a_guess() -> None:
    (american,) = found("6/4", dayfirst=False)
    (german,) = found("6/4", zone="Europe/Berlin", languages=("de",))
    (guess,) = found("6/4")
    assert (american.begins, american.certain) == (date(2026, 6, 4), True)
    assert (german.begins, german.certain, guess.certain) == (date(2026, 4, 6), False, False)
    assert found("25/12")[0].begins == date(2026, 12, 25)


def test_what_a_reader_might_take_otherwise_is_not_certain() -> None:
    certain = {
        text: found(text)[0].certain for text in ("at 4", "at 4pm", "friday", "next friday", "a few hours", "16:30")
    }
    assert certain == {
        "at 4": False,
        "at 4pm": True,
        "friday": True,
        "next friday": False,
        "a few hours": False,
        "16:30": True,
    }


def test_the_day_is_the_speakers_own() -> None:
    late = datetime(2026, 5, 7, 2, 0, tzinfo=UTC)
    assert find_times("today", reference=late, zone="America/New_York")[0].value == "2026-05-06"
    assert find_times("today", reference=late, zone="Europe/Berlin")[0].value == "2026-05-07"


def test_a_naive_reference_and_an_unknown_zone_are_refused() -> None:
    with pytest.raises(ValueError, match="aware"):
        find_times("now", reference=datetime(2026, 5, 6), zone="UTC")  # noqa: DTZ001
    with pytest.raises(ZoneInfoNotFoundError):
        find_times("at 5", reference=NOW, zone="Mars/Olympus")


_PIECES = st.sampled_from(
    "at by 4 31 2026 29/2 5pm 99:99 0:00 feb 30 every other last week of next friday in 20 min - to from and , . the 1st "
    "morgen halb um mañana de las y media 24:00 99999999 00000000 century decade 9999 december".split()
)


@given(st.lists(_PIECES, max_size=12).map(" ".join) | st.text(max_size=60))
def test_any_text_gives_ordered_spans_of_itself(text: str) -> None:
    spans = found(text)
    assert all(text[one.start : one.end] == one.text for one in spans)
    assert all(a.end <= b.start for a, b in zip(spans, spans[1:], strict=False))


def test_a_long_text_is_read_in_time_that_grows_with_it() -> None:
    assert len(found("so tomorrow at 5pm and then nothing. " * 2000)) == 2000
