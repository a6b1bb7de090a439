"""Two statements that are one but for what stands in one place: who does it, where it is, by what means, when (D12)."""

import time

import pytest

from ledger.language.contradiction import Statement, contradicts
from ledger.language.lands import is_land
from ledger.language.roles.rivals import rival

ONE_PLACE = [
    ("Orders are packed by Tilda.", "Rasmus packs the orders."),
    ("Responsible for the archive is Mona.", "Pieter is in charge of the archive."),
    ("The ladder is in the cellar.", "The ladder hangs in the boiler room."),
    ("Charts are rendered with Vega.", "We render the charts using Matplotlib."),
    ("The insurer is Axalto.", "Our insurer is Brandis."),
    ("The roofer comes on Tuesday.", "The roofer is coming on Thursday."),
    ("Each crate holds 12 bottles.", "There are 20 bottles in each crate."),
    ("Das Archiv betreut Frau Lind.", "Das Archiv wird von Herrn Voss betreut."),
    ("Die Leiter steht im Keller.", "Die Leiter befindet sich im Schuppen."),
    ("La escalera está en el sótano.", "Guardamos la escalera en el cobertizo."),
    ("Lidia dirige el archivo.", "El archivo lo dirige Mateo."),
    ("L'échelle est rangée à la cave.", "L'échelle se trouve dans l'abri."),
    ("Sylvie dirige les archives.", "Les archives sont dirigées par Rémi."),
]
ROOM_FOR_BOTH = [
    ("The upper lock is new.", "The lower lock is new."),
    ("The oven is heated to 220 degrees.", "The small oven is heated to 180 degrees."),
    ("The tram leaves at 05:30.", "The last tram leaves at 23:50."),
    ("Der Bus fährt um 5:30 Uhr ab.", "Der letzte Bus fährt um 23:50 Uhr ab."),
    ("Ingrid chairs the jury.", "Malik sits on the jury."),
    ("La présence au cours est obligatoire.", "La présence au déjeuner est facultative."),
    ("The tool is written in Go.", "The tool runs on Linux."),
    ("The exporter writes PDF.", "The exporter writes Word."),
    ("The form is available in French.", "The form is available in Italian."),
    ("The fair takes place in Portugal.", "The fair takes place in Porto."),
    ("Invite the neighbours.", "Invite the teachers."),
    ("Section 4 describes the pump.", "Section 5 describes the pump."),
    ("A lantern hangs beside the gate.", "A lantern hangs beside the well."),
    ("Nobody parks beside the gate.", "Nobody parks beside the well."),
    ("The fountain is on in June.", "The fountain is off in December."),
    ("Members pay 10 euros.", "Non-members pay 15 euros."),
    ("Use Postgres for the archive.", "Use PostgreSQL for the archive."),
    ("Im Juni ist der Brunnen an.", "Im Dezember ist der Brunnen aus."),
    ("Lena spricht Polnisch.", "Lena spricht Tschechisch."),
    ("El tren para en Lorca.", "El tren para en Totana."),
    ("Le train s'arrête à Dole.", "Le train s'arrête à Beaune."),
]


@pytest.mark.parametrize(("one", "other"), ONE_PLACE)
def test_what_stands_in_one_place_rules_the_other_out(one, other):
    assert contradicts(Statement("A", one), Statement("B", other))
    assert contradicts(Statement("A", other), Statement("B", one))


@pytest.mark.parametrize(("one", "other"), ROOM_FOR_BOTH)
def test_where_there_is_room_for_both_nobody_is_accused(one, other):
    assert contradicts(Statement("A", one), Statement("B", other)) == ""


def test_what_holds_of_all_holds_of_each_that_is_told_apart():
    every, small = (
        Statement("A", "Every oven is heated to 220 degrees."),
        Statement("B", "The small oven is heated to 180 degrees."),
    )
    assert contradicts(every, small)
    assert contradicts(small, every)


def test_a_label_alone_is_of_the_language_that_it_is_compared_with():
    assert contradicts(Statement("A", "Die Wartezeit beträgt 20 Sekunden."), Statement("B", "Wartezeit: 20 Minuten"))


def test_lands_are_told_from_places_in_them():
    assert is_land("Alemania")
    assert not is_land("Porto")


def test_two_statements_are_compared_in_a_millisecond():
    rival("The ladder is in the cellar.", "The ladder hangs in the boiler room.")
    start = time.process_time()
    for number in range(200):
        rival(
            f"The ladder of hall {number} is in the cellar.", f"The ladder of hall {number} hangs in the boiler room."
        )
    assert (time.process_time() - start) / 200 < 0.003
