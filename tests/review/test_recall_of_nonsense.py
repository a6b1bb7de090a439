"""A question that nothing answers gets the empty pack, however long it is and in whichever language; budgets hold."""

import pytest

from ledger.actions.curate import curate
from tests.people import tell
from tests.review.door import House
from tests.review.recalling import ALICE, HAND, context, hold

HELD = [
    ("fact", "The shed is painted green and stands behind the greenhouse"),
    ("fact", "Horses of the riding school sit in the north stable during winter"),
    ("decision", "The API listens on port 8080"),
    ("constraint", "No nails in the oak beams of the stable"),
    ("commitment", "Anna delivers the drawings of the bridge on Tuesday"),
    ("tactic", "Clamp the beam before gluing it"),
    ("negative_result", "Hot glue failed on the aluminium frame"),
    ("preference", "I prefer tea without sugar"),
    ("fact", "Der Zaun am Bach wird jedes Frühjahr gestrichen"),
    ("decision", "Wir bestellen das Holz bei der Sägerei Brunner"),
    ("fact", "La reunión del equipo es el martes por la tarde en la sala grande"),
    ("decision", "Les volets de la maison sont peints en bleu"),
    ("fact", "Il forno della scuola si accende alle sei del mattino"),
]
SAID = [
    "We talked about the aluminium frame for an hour and had tea in the garden.",
    "Ich habe gestern mit dem Nachbarn über den Zaun gesprochen.",
    "Ayer compramos pintura verde para la puerta del taller.",
    "On a mangé des crêpes après la visite de la maison.",
    "Il bus per la stazione parte ogni ora.",
]
# One real word at the most, among words of the language's own or of nobody's.
NONSENSE = [
    "qqqqq", "zxqv brmlk", "zxqv brmlk wptyy", "?!", "🌵🌵", "asdf jkl asdf", "fnord", "xylophagous quorbits",
    "colorless xylophagous quorbits horses", "horses fly-over violet", "violet moons hum backwards", "zebra migration patterns",
    "quantum chromodynamics lattice gauge horses", "the of and to horses blorptastic wendigo", "purple purple purple elephants",
    "how do I teach an octopus the tango in green", "why does the moon taste like Wednesday", "snarkish boojums vanish softly",
    "what is the airspeed velocity of an unladen swallow", "can submarines dream about port wine and electric sheep",
    "Einhorn Quietschmaus Flubberkranz", "der die das und Flubberkranz", "Warum tanzt die Giraffe auf dem Zaun mit Quark",
    "Wie viele Drachen passen in eine Teetasse voller Nebel", "blaue Ameisen singen im Aquarium", "zwölf Boxkämpfer jagen Viktor",
    "el dragón de cristal y la luna", "los pingüinos azules bailan flamenco en la tarde", "qué come un unicornio invisible",
    "cuántas nubes caben en la puerta del desierto", "murciélagos y kiwis con sombrero", "zapatos cuánticos sin gravedad",
    "le dragon de verre dort sous la lune", "pourquoi les baleines portent des chapeaux bleu marine", "un zèbre mélomane",
    "combien de nuages dans une théière volante", "chameaux quantiques et parapluies", "des licornes qui tricotent la maison",
    "il drago di vetro e la luna", "perché le balene portano cappelli", "quante nuvole ci sono nella scuola dei draghi",
    "unicorni che suonano il violino", "un fenicottero quantistico", "фывапр олджэ", "зелёные драконы танцуют", "הר געש סגול",
    "ωμέγα κένταυρος", "紫色的龙在跳舞", "lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor",
    "wibble wobble flurb " * 20 + "horses " + "snargle zonk plimf " * 20,
]  # fmt: skip


@pytest.fixture
def furnished(house: House) -> House:
    for kind, statement in HELD:
        hold(house.scope, statement, kind=kind)
    for text in SAID:
        tell(house.scope, ALICE, text, sender="Ann")
    curate(house.scope, "frame.weight", actor=HAND, statement="The frame weighs 4.8 kg")
    return house


def test_nonsense_gets_the_empty_pack(furnished: House) -> None:
    assert len(set(NONSENSE)) == 50
    answered = {}
    for query in NONSENSE:
        body = context(furnished.agent, query=query)
        if body["items"] or body["markdown"] or body["exposure"]:
            answered[query] = [item["statement"] for item in body["items"]]
    assert answered == {}


ANSWERS = [
    ("What colour is the shed painted?", HELD[0][1]),
    ("shed", HELD[0][1]),
    ("which port", HELD[2][1]),
    ("Where do the horses of the school stay in winter?", HELD[1][1]),
    ("gluing the beam", HELD[5][1]),
    ("Wann wird der Zaun am Bach gestrichen?", HELD[8][1]),
    ("¿Cuándo es la reunión del equipo?", HELD[10][1]),
    ("De quelle couleur sont les volets de la maison ?", HELD[11][1]),
    ("A che ora si accende il forno della scuola?", HELD[12][1]),
    ("How heavy is the frame, what does it weigh?", "The frame weighs 4.8 kg"),
]


def test_what_shares_enough_is_an_answer(furnished: House) -> None:
    for query, statement in ANSWERS:
        assert statement in [item["statement"] for item in context(furnished.agent, query=query)["items"]], query


def test_budgets_from_nothing_to_plenty_are_kept(furnished: House) -> None:
    for budget in (0, 1, 7, 25, 60, 150, 400, 1_000, 2_000, 10_000, 100_000):
        for query in ("", "frame of the shed", "what did I do last time with the frame"):
            body = context(furnished.agent, query=query, budget_tokens=budget, include_pending=True)
            assert body["tokens"] <= budget and len(body["markdown"]) <= 4 * budget
            assert bool(body["items"]) == bool(body["markdown"])
            assert budget < 150 or body["items"], (budget, query)
