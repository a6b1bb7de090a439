"""Hours and days as people write them to each other, where no language's grammar of time has them."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from extraction.chat.commitments.named_times import named_times

# A Wednesday.
AT = datetime(2026, 10, 14, 9, 0, tzinfo=ZoneInfo("Europe/Paris"))


@pytest.mark.parametrize(
    ("text", "days", "clocks"),
    [
        ("they have 5.15 for the knee", [], ["17:15"]),
        ("we'll be there for three.", [], ["15:00"]),
        ("rehearsal is 3 today yeah?", ["10-14"], ["15:00"]),
        ("need the truck sat arvo 1-4", ["10-17"], ["13:00", "16:00"]),
        ("can I have it tomorrow 8 to 10", ["10-15"], ["08:00", "10:00"]),
        ("from 9 to noon", [], ["09:00", "12:00"]),
        ("stuck here till four", [], ["16:00"]),
        ("friday morning then", ["10-16"], []),
        ("ich brauche ihn morgen von zehn bis zwei", ["10-15"], ["10:00", "14:00"]),
        ("bis elf abgeholt werden", [], ["11:00"]),
        ("a eso de las 7", [], ["19:00"]),
        ("samedi de 9h à 11h", ["10-17"], ["09:00", "11:00"]),
        ("demain à midi, vers seize heures trente au plus tard", ["10-15"], ["12:00", "16:30"]),
        ("mercredi prochain je finis à 18 heures", ["10-21"], ["18:00"]),
        ("it was £1.40 for 3 kids", [], []),
        ("more than one of them", [], []),
        ("je reviens dans 2 heures", ["10-14"], ["11:00"]),
        ("ça dure 2 heures, pendant 3 heures de route", [], []),
        ("rdv mardi à 17h30, retour vers 19h", ["10-20"], ["17:30", "19:00"]),
        ("neuf heures et demie, dix heures moins le quart", [], ["09:30", "09:45"]),
        ("le 3 novembre de 14h à 16h", ["11-03"], ["14:00", "16:00"]),
        ("a las once y cuarenta y cinco", [], ["11:45"]),
        ("ab 15.30 da", [], ["15:30"]),
        ("the boiler man can only do seven this evening", ["10-14"], ["19:00"]),
        ("we are 8 tonight, set the table", ["10-14"], []),
        ("me llevo el coche de nueve a once", [], ["09:00", "11:00"]),
        ("ok if I have the van 1 to 3 for moving a dresser", [], ["13:00", "15:00"]),
        ("ten to 6 tonight", ["10-14"], ["17:50"]),
        ("can I have it from 10 need to fetch a fridge", [], ["10:00"]),
        ("is judo 6 today?", ["10-14"], ["18:00"]),
    ],
)
def test_what_a_message_names(text, days, clocks):
    named = named_times(text, at=AT, zone="Europe/Paris")
    assert [f"{day:%m-%d}" for day in named.days] == days
    assert list(named.clocks) == clocks


def test_said_in_the_evening_the_morning_is_that_of_the_next_day():
    assert [
        f"{day:%m-%d}" for day in named_times("van in the morning?", at=AT.replace(hour=20), zone="Europe/Paris").days
    ] == ["10-15"]
    assert named_times("van in the morning?", at=AT, zone="Europe/Paris").days == ()


def test_until_when_something_lasts():
    assert f"{named_times('it is there till Friday', at=AT, zone='Europe/Paris').until:%A}" == "Saturday"
