"""Sentences of minutes in which somebody of those present takes something on, and those in which nobody does."""

from datetime import UTC, datetime

import pytest

from extraction.extractors.documents.attendance import attendance_of
from ledger.language.outline import headings
from tests.extraction.reading import read

ENGLISH = "# Minutes 2026-03-04\n\nPresent: Ann Lee, Bo, Ines, Niko, Sam, Tom, Mei\n\n"
GERMAN = "# Sitzung\n\nTeilnehmer:\n- Ann\n- Bo\n- Jörg Müller\n\n"
SPANISH = "# Acta\n\n**Asistentes:** Ana, Luis y Carmen\n\n"
FRENCH = "# Compte rendu\n\n## Présents\n\n- Anne\n- Benoît\n- Chloé\n\n## Points\n\n"


def taken_on(text: str) -> list[tuple[str, str]]:
    """(assignee, statement) of what somebody takes on."""
    return [(hit.assignee, hit.statement) for hit in read(text) if hit.rule == "commitment.sentence"]


@pytest.mark.parametrize(
    ("minutes", "sentence", "assignee"),
    [
        (ENGLISH, "Mei volunteered to paint the gate.", "Mei"),
        (ENGLISH, "Sam promised to call the plumber before Friday.", "Sam"),
        (ENGLISH, "Tom is going to ask the school about the hall.", "Tom"),
        (ENGLISH, "Niko takes care of the tickets.", "Niko"),
        (ENGLISH, "Ann Lee and Bo will count the chairs next week.", "Ann Lee and Bo"),
        (ENGLISH, "The stove smokes; Bo will have it looked at.", "Bo"),
        (ENGLISH, "By Friday Ann will send the list.", "Ann"),
        (ENGLISH, "Bo takes over the keys from Mei.", "Bo"),
        (ENGLISH, "It was agreed that Tom will book the bus.", "Tom"),
        (ENGLISH, "AL to draft the letter.", "AL"),
        (ENGLISH, "The old flyer is out of date (Ines will redo it).", "Ines"),
        (ENGLISH, "Niko mended the pump and will send the invoice.", "Niko"),
        (ENGLISH, "Bo was asked to find a new caterer.", "Bo"),
        (ENGLISH, "Bo said he would check the boiler.", "Bo"),
        (ENGLISH, "The key will be returned by Bo.", "Bo"),
        (ENGLISH, "Kim and Mei will meet about the roof.", "Kim and Mei"),
        (GERMAN, "Jörg wird die Einladung verschicken.", "Jörg"),
        (GERMAN, "Bo übernimmt die Musik.", "Bo"),
        (GERMAN, "Bo schreibt bis Freitag an den Vermieter.", "Bo"),
        (GERMAN, "Ann erklärt sich bereit, die Kasse zu prüfen.", "Ann"),
        (GERMAN, "Um die Getränke kümmert sich Ann.", "Ann"),
        (SPANISH, "Luis va a llamar al ayuntamiento.", "Luis"),
        (SPANISH, "Carmen se encarga de las sillas.", "Carmen"),
        (SPANISH, "Ana y Luis prepararán la sala.", "Ana y Luis"),
        (FRENCH, "Anne va contacter la mairie.", "Anne"),
        (FRENCH, "Benoît s'occupe de la sono.", "Benoît"),
        (FRENCH, "Chloé enverra le devis avant vendredi.", "Chloé"),
    ],
)
def test_somebody_present_takes_something_on(minutes: str, sentence: str, assignee: str) -> None:
    assert taken_on(minutes + sentence) == [(assignee, sentence)]


@pytest.mark.parametrize(
    ("minutes", "sentence"),
    [
        (ENGLISH, "Mei mended the pump."),
        (ENGLISH, "Bo thinks the roof will leak."),
        (ENGLISH, "Ines would like to see more plants."),
        (ENGLISH, "If Tom will come, we start at eight."),
        (ENGLISH, "Unless Bo will pay, we stop."),
        (ENGLISH, "Will Bo write to the choir?"),
        (ENGLISH, "Sam will be late next week."),
        (ENGLISH, "Tom will need a new key."),
        (ENGLISH, "Ann will probably miss the next one."),
        (ENGLISH, "Bo will not sell the van."),
        (ENGLISH, "Ann will now present the accounts."),
        (ENGLISH, "Bo to present next item."),
        (ENGLISH, "Tom asked whether Sam will write the letter."),
        (ENGLISH, '"Bo will bring cake", read the old poster.'),
        (ENGLISH, "Kay is waiting for Ines, Niko, and Sam to accept."),
        (ENGLISH, "The roof will be mended."),
        (ENGLISH, "[Name] will do [task]."),
        (ENGLISH, "- [x] Bo will do the dishes"),
        (ENGLISH, "Rain will stop the fair."),
        (ENGLISH, "Find volunteers for the stall."),
        (ENGLISH, "Last year Bo took on the raffle."),
        (ENGLISH, "Bo to give an update on the roof"),
        (ENGLISH, "Ann and Bo to mend the cart if time permits."),
        (ENGLISH, "Ann to discuss the roof with the board."),
        (GERMAN, "Bo wird krank sein."),
        (GERMAN, "Bo fragt, ob der Saal frei ist."),
        (GERMAN, "Ann wird nicht kommen."),
        (SPANISH, "Luis llamó al ayuntamiento."),
        (SPANISH, "Ana estará fuera."),
        (FRENCH, "Anne a réparé la porte."),
        (FRENCH, "Chloé sera absente."),
    ],
)
def test_reports_states_conditions_and_talk_bind_nobody(minutes: str, sentence: str) -> None:
    assert taken_on(minutes + sentence) == []


def test_a_handle_is_somebody_of_the_list() -> None:
    assert taken_on(ENGLISH + "@mei to update the page") == [("mei", "mei to update the page")]


def test_the_neighbouring_sentence_stays_out_and_two_people_get_one_action_each() -> None:
    text = (
        ENGLISH
        + "The stove is old. Bo will order a new one. Ann will sell the hall, and Tom will tell the town. We left."
    )
    assert taken_on(text) == [
        ("Bo", "Bo will order a new one."),
        ("Ann", "Ann will sell the hall"),
        ("Tom", "Tom will tell the town."),
    ]


def test_a_speaker_of_the_list_commits_by_saying_i() -> None:
    talk = "Tom: The list is old. I'll send a new one tomorrow.\nKim: I'll send nothing.\nMei: I'll just share my screen.\n"
    assert taken_on(ENGLISH + talk) == [("Tom", "I'll send a new one tomorrow.")]
    said = "The map is wrong, so I'll send it round again."
    assert taken_on(ENGLISH + f"Tom: {said}\nMei: Good.") == [("Tom", said)]


def test_of_a_transcript_that_labels_its_actions_only_those_count() -> None:
    talk = "Tom: Fine.\nMei: I'll send the list.\nTom: Thanks.\nMei: More?\n" + "Tom: No.\nMei: So.\n" * 4
    assert taken_on(ENGLISH + talk) == [("Mei", "I'll send the list.")]
    assert taken_on(ENGLISH + talk + "Action: Bo to sweep\n") == []


def test_what_a_label_or_a_heading_has_is_not_proposed_twice() -> None:
    text = ENGLISH + "Action: Bo will call Rome.\n\n## Action items\n\n- Ann will write to Oslo.\n"
    assert taken_on(text) == []
    assert [hit.rule for hit in read(text) if hit.kind == "action_item"] == ["line.label", "heading.listed"]


def test_it_is_inferred_ranks_below_labels_and_is_due() -> None:
    text = ENGLISH + "Bo will call Rome by Friday.\n\nAction: Ann to write to Oslo"
    said, labelled = read(text, sent_at=datetime(2026, 3, 4, tzinfo=UTC))
    assert not said.explicit and said.confidence < labelled.confidence
    assert said.value == {"task": "Bo will call Rome by Friday.", "assignee": "Bo", "due": "2026-03-06"}


def test_without_people_nobody_is_known() -> None:
    assert taken_on("# Plan\n\nBo will call Rome.") == []
    # Who is said to speak is somebody, where a title says that it is minutes.
    assert taken_on("# Minutes\n\nBo noted the cost. Bo will call Rome.") == [("Bo", "Bo will call Rome.")]


@pytest.mark.parametrize(
    ("text", "known", "unknown"),
    [
        ("Present: Ann Marie Lee (@aml), Bo", ["Ann", "Lee", "Ann Marie Lee", "aml", "@aml", "AL", "Bo"], ["Marie", "ann"]),
        ("## Attendees\n\n- Ann Lee, Acme Works\n- Bo Sund - Bank\n- Cy Moe (Cafe)\n", ["Ann", "Bo Sund", "Moe"], ["Acme", "Bank"]),
        ("Attendees\n* ann\n* bo42\n\n## Notes\n\n* Cy\n", ["ann", "bo42"], ["Cy"]),
        ("### Attendance:\n\n| Name (Works) | Here? |\n|---|---|\n| Ann Lee (Acme) | Yes |\n", ["Ann"], ["Acme", "Yes", "Name"]),
        ("| Attendees | Role |\n|---|---|\n| Ann | cook |\n", ["Ann"], ["cook"]),
        ("## Attendees\n\n### Core team\n\n- Ann\n\n### Guests\n\n- Bo\n\n### Points\n\n- Roof\n", ["Ann", "Bo"], ["Roof"]),
        ("In attendance – Ann, Bo", ["Ann", "Bo"], []),
        ("Present were Ann and Bo.", ["Ann", "Bo"], []),
        ("Chair: Ann\nScribe: Bo", ["Ann", "Bo"], ["Chair"]),
        ("Present: Ann Lee\n\n*[MT]: Mia Tern\n", ["MT", "Mia"], []),
        ("The price, if present: 4 m", [], ["m"]),
    ],
)  # fmt: skip
def test_people_are_read_from_lists_of_many_shapes(text: str, known: list[str], unknown: list[str]) -> None:
    people = attendance_of(text, headings(text))
    assert [name for name in known if not people.knows(name)] == []
    assert [name for name in unknown if people.knows(name)] == []
