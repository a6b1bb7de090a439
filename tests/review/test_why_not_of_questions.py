"""Questions are answered by what was claimed of all that they name; where nobody said so by nothing, whatever words they share."""

from urllib.parse import quote

import pytest

from ledger.actions.decide import reject
from ledger.actions.encode_sources import encode_statements
from tests.people import candidate, tell
from tests.review.door import OPERATOR, House
from tests.review.recalling import hold

# Statements, each with questions that it answers; some with a slip, some in other words. The second half was judged once, unseen.
HELD = {
    "The shed is painted green": ["What colour is the shed?"],
    "The API listens on port 8080": ["Which port does the API use?"],
    "Bob is allergic to peanuts": ["What is Bob allergic to?"],
    "Anna delivers the drawings of the bridge on Tuesday": [
        "Who brings the drawings of the bridge?",
        "When are the bridge drawings delivered?",
    ],
    "The paint is stored in the cellar": ["Where do we keep the paint?"],
    "We deploy on Fridays only after the tests pass": ["On which day do we deploy?"],
    "The dentist appointment is on 3 March": ["When is the dentist's appointment?"],
    "Logs are kept for thirty days": ["How long are logs kept?"],
    "The office closes at six": ["What time does the office close?"],
    "Carla speaks Portuguese and Spanish": ["Which languages does Carla speak?"],
    "The dog may not sleep on the sofa": ["May the dog sleep on the sofa?"],
    "Rent went up to 1,200 euros in May": ["How high is the rent?"],
    "Grandma picks the kids up from school on Wednesdays": ["Who picks the kids up from school?"],
    "We chose React for the front end": ["What did we choose for the front end?"],
    "The frame weighs 4.8 kg": ["How heavy is the frame?", "How much does the frame weigh?"],
    "Hot glue failed on the aluminium frame": ["Did hot glue work on the frame?"],
    "Passwords expire after ninety days": ["When do pasword expire?"],
    "The customer wants the invoice by the end of the month": ["When does the customer want the invoce?"],
    "No nails in the oak beams of the stable": ["Can I use nails in the oak beams?"],
    "I prefer tea without sugar": ["Do I take sugar in my tea?"],
}
HELD_UNSEEN = {
    "The greenhouse heating switches on below 5 degrees": ["When does the heating of the greenhouse switch on?"],
    "Tickets are closed by the person who opened them": ["Who closes tickets?"],
    "Milo had his last rabies shot in October": ["When was Milo's last rabies shot?"],
    "The staging database is wiped every Sunday night": [
        "How often is the staging database wiped?",
        "which databse is wiped on sunday?",
    ],
    "Lena will book the train to Hamburg": ["Who books the train to Hamburg?"],
    "Guests park behind the barn": ["Where do guests park?"],
    "The band rehearses in the old fire station": ["Where does the band practise?"],
    "Invoices above 5,000 euros need two signatures": ["Which invoices need two signatures?"],
    "The choir sings at the wedding of Tom and Eva": ["Who sings at the wedding?"],
    "Our support hotline answers within two hours": ["How fast does the hotline answer?"],
    "Sourdough rests overnight in the fridge": ["How long does the sourdough rest?"],
    "The key of the tool cabinet hangs behind the clock": [
        "Where is the key of the tool cabinet?",
        "Where hangs the tool cabinet key?",
    ],
    "Feature flags replaced the release branches": ["What replaced the release branches?"],
    "The tenant pays for water and heating": ["Who pays for the heating?"],
    "Retrying the upload three times did not help": ["Did retrying the upload help?"],
    "Frank is responsible for the fire drill": ["Who is in charge of the fire drill?"],
    "The museum is free on the first Sunday of the month": ["When is the museum free?"],
    "Backups are encrypted with the team's key": ["Are the backups encrypted?"],
    "The wall between kitchen and hall carries the roof": ["What does the wall beside the kitchen carry?"],
    "Mira does not eat fish": ["Does Mira eat fish?"],
}
NEVER_SAID = [
    "Who is allergic to cats?",
    "What colour is the fence?",
    "Which port does the database use?",
    "Who delivers the drawings of the tower?",
    "What is stored in the attic?",
    "When do we deploy the mobile app?",
    "When is the dentist's holiday?",
    "How long are invoices kept?",
    "What time does the shop close?",
    "Which languages does Bob speak?",
    "May the cat sleep on the sofa?",
    "How high is the electricity bill?",
    "Who picks the parcels up from the office?",
    "What did we choose for the back end?",
    "How heavy is the door?",
    "Did wood glue work on the roof?",
    "When do certificates expire?",
    "When does the customer want the prototype?",
    "Can I use screws in the brick walls?",
    "Do I take milk in my coffee?",
    "Where is the paint brush kept?",
    "Who painted the kitchen?",
]
NEVER_SAID_UNSEEN = [
    "When does the heating of the church switch on?",
    "Who closes the windows?",
    "When was Milo's last dental cleaning?",
    "How often is the production database wiped?",
    "Who books the hotel in Hamburg?",
    "Where do trucks park?",
    "Where does the football team practise?",
    "Which contracts need two signatures?",
    "Who speaks at the funeral?",
    "How fast does the courier answer?",
    "How long does the pizza rest?",
    "Where is the key of the wine cellar?",
    "What replaced the fax machine?",
    "Who pays for the insurance?",
    "Did restarting the router help?",
    "Who is in charge of the budget?",
    "When is the zoo free?",
    "Are the emails encrypted?",
    "What does the bridge beside the mill carry?",
    "Does Mira eat pork?",
    "Where hangs the swimming medal?",
    "Who plays the organ at the wedding?",
]


def answers(house: House, q: str) -> list[str]:
    status, body = house.vera("GET", f"/why-not?scope=studio&q={quote(q)}")
    assert status == 200, body
    return [one["statement"] for one in body["answers"]]


@pytest.mark.parametrize(
    ("held", "never"), [(HELD, NEVER_SAID), (HELD_UNSEEN, NEVER_SAID_UNSEEN)], ids=["seen", "unseen"]
)
def test_questions_are_told_from_what_nobody_said(house: House, held: dict[str, list[str]], never: list[str]) -> None:
    for at, statement in enumerate(held):
        if at % 3 == 0:
            hold(house.scope, statement)
        elif at % 3 == 1:
            candidate(house.scope, OPERATOR, statement)
        else:
            reject(candidate(house.scope, OPERATOR, statement), actor=OPERATOR, reason="not so")
    encode_statements(100)
    missed = [q for statement, asked in held.items() for q in asked if statement not in answers(house, q)]
    accused = {q: found for q in never if (found := answers(house, q))}
    assert len(missed) <= 2 and len(accused) <= 1, (missed, accused)


def test_what_was_said_and_is_no_claim_is_told_with_its_source(house: House) -> None:
    said = tell(house.scope, OPERATOR, "Who waters the ferns? Ingrid waters the ferns at noon.", sender="Ann")
    status, body = house.vera("GET", "/why-not?scope=studio&q=when+are+the+ferns+watered")
    (one,) = body["answers"]
    assert (status, one["ref"], one["statement"]) == (200, f"source:{said.pk}", "Ingrid waters the ferns at noon.")
    assert one["reason"].startswith("was said by Ann, ") and one["reason"].endswith(", and is no claim")
    assert answers(house, "When are the roses watered?") == []


def test_other_languages_go_by_their_words(house: House) -> None:
    hold(house.scope, "Der Zaun am Bach wird jedes Frühjahr gestrichen")
    assert answers(house, "Wann wird der Zaun am Bach gestrichen?") and not answers(
        house, "Wann wird das Dach gestrichen?"
    )
