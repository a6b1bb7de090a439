"""Decisions that minutes report without a label, and sentences that only speak of deciding."""

import pytest

from extraction.extractors.documents.reported import RULE
from tests.extraction.reading import read

MINUTES = "# Minutes of 3 May\n\nPresent: Mara, Oskar, Petra\n\n## Harbour\n\n"


def reported(sentence: str, head: str = MINUTES) -> list[str]:
    return [hit.statement for hit in read(head + sentence + "\n") if hit.rule == RULE]


@pytest.mark.parametrize(
    "sentence",
    [
        "The board agreed to paint the crane green.",
        "The harbour committee has decided not to sell the barge.",
        "After a long talk, the group decided that the gate stays shut at night.",
        "It was agreed that dogs are kept on a lead.",
        "It was unanimously resolved to buy two ladders.",
        "Agreed to close the north door in winter.",
        "Decided not to renew the lease.",
        "We decided to meet on Tuesdays.",
        "Everyone agreed the shed is painted first.",
        "There was general consensus to drop the fee.",
        "Rough consensus in the room to keep the old name.",
        "Consensus: the bell rings at six.",
        "The committee resolves to open the pool in May.",
        "The Council approved the budget for the new pier.",
        "The motion to raise the rent carried.",
        "The motion was carried unanimously.",
        "The minutes of the April meeting were approved.",
        "We will go with the blue paint.",
        "No objections to moving the buoys.",
        "Motion passed 5-2.",
        "**Passes 7-0**",
        "Minutes of the April meeting approved.",
        "We reviewed and approved the following requests.",
        "The board thanked Mara for the crane and agreed to paint it green.",
        "A second talk went over the moorings, with a consensus to move the red buoy.",
        "A poll was held leading to a unanimous vote in favour of keeping the barge.",
        "Resolved, Petra is appointed harbour master from May.",
        "Les comptes de la jetée sont approuvés à l'unanimité.",
        "Hemos decidido pintar la verja.",
        "Se concluyó que la verja se pintaría.",
        "Sobre la verja, se decide pintarla de verde.",
        "Le Bureau vote à l'unanimité cette solution.",
        "Appointed Petra Lund as keeper of the keys.",
        "Mara and Oskar agreed that the crane is painted in June.",
        "**Resolved** keep the old name",
        "Es wurde beschlossen, den Kran zu streichen.",
        "Der Vorstand hat beschlossen, das Boot zu verkaufen.",
        "Der Antrag wird einstimmig angenommen.",
        "Se acordó cerrar la puerta norte.",
        "La junta decidió vender la barca.",
        "Il a été décidé de fermer la porte nord.",
        "Le conseil adopte le budget du quai.",
        "Ficou decidido que o portão fecha às dez.",
        "È stato deciso di vendere la barca.",
        "Er is besloten de kraan groen te verven.",
    ],
)
def test_what_a_meeting_decided_is_a_decision(sentence: str) -> None:
    found = [hit for hit in read(MINUTES + sentence + "\n") if hit.kind == "decision"]
    assert len(found) == 1
    assert found[0].anchored


@pytest.mark.parametrize(
    "sentence",
    [
        "Should we agree to paint the crane?",
        "Mara proposed that the board agree to sell the barge.",
        "If the board agreed to this, we would need a permit.",
        "The group could not agree on a colour.",
        "No consensus was reached on the fee.",
        "The board has not decided to sell.",
        "We still need consensus on the fee.",
        "The other club decided to close its account.",
        "In 2019 the harbour board decided to sell the barge.",
        "At the last meeting the group agreed to paint the crane.",
        "The council already decided to close the road.",
        "Petra decided to leave early.",
        "They agreed to send a quote.",
        "The group agreed to disagree.",
        "The board will decide in June.",
        "The proposal was discussed.",
        "Oskar: we agreed to paint the crane.",
        "- **Mara**: I looked at it. We decided to wait, back in my old job.",
        "Maybe the board decided to wait.",
        "It is to be decided by the council.",
        "No objections.",
        "Approved suppliers are listed below.",
        "Der Vorstand hat nicht beschlossen, das Boot zu verkaufen.",
        "La junta propuso vender la barca.",
    ],
)
def test_what_others_decided_or_nobody_did_is_none(sentence: str) -> None:
    assert reported(sentence) == []


def test_one_word_under_an_item_says_what_became_of_it() -> None:
    assert reported("Approved.") == ["Approved."]


@pytest.mark.parametrize("head", ["", "# Parser\n\nHow names are read.\n\n", "# Guide\n\n"])
def test_only_minutes_report(head: str) -> None:
    assert reported("The board agreed to paint the crane green.", head) == []


@pytest.mark.parametrize(
    "head",
    [
        "## Meeting notes, 3 May\n\n",
        "Attendees\n: Mara, Oskar\n\n",
        "**Anwesend:** Mara\n\n",
        "# Acta de la reunión\n\n",
    ],
)
def test_minutes_are_told_by_their_title_or_by_who_attended(head: str) -> None:
    assert reported("The board agreed to paint the crane green.", head)


def test_a_label_says_it_once() -> None:
    found = [
        hit for hit in read(MINUTES + "RESOLVED: the board agreed to paint the crane.\n") if hit.kind == "decision"
    ]
    assert [hit.rule for hit in found] == ["line.label"]


def test_words_of_an_agent_decide_nothing() -> None:
    said = "User: what did we say in the meeting notes?\nAssistant: The board agreed to paint the crane green.\n"
    assert [hit for hit in read("Present: Mara\n\n" + said) if hit.rule == RULE] == []


@pytest.mark.parametrize(
    ("sentence", "kinds"),
    [
        ("It was agreed that Mara will write to the painters.", ["action_item"]),
        (
            "The board agreed to sell the old barge at the north pier this summer; Mara will find a buyer.",
            ["action_item", "decision"],
        ),
    ],
)
def test_what_is_agreed_to_be_done_by_somebody_is_an_action(sentence: str, kinds: list[str]) -> None:
    found = [hit.kind for hit in read(MINUTES + sentence + "\n")]
    assert sorted(kind for kind in found if kind in ("decision", "action_item")) == kinds


def test_the_title_of_the_front_matter_tells_minutes() -> None:
    said = "We besluiten dat de deur dicht blijft."
    assert reported(said, "---\ntitle: Notulen 9 oktober\n---\n\n## Deur\n\n") == [said]
    assert reported(said, "---\ntitle: Deur\n---\n\n## Deur\n\n") == []
    assert reported(said, "**Présent.e.s :** Ann, Bo\n\n") == [said]
