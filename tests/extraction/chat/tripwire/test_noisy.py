"""TC-006 to TC-024 of the observer's test plan: typing errors, abbreviations, emoji, half sentences, with and without people."""

import pytest

from extraction.chat.messages import ChatMessage
from extraction.chat.people import HouseholdMember
from extraction.chat.tripwire import Tripwire, score
from extraction.training.readings import household_tripwire

LEO_AND_MIA = (
    HouseholdMember("John", (), "guardian"),
    HouseholdMember("Sarah", (), "guardian"),
    HouseholdMember("Leo", (), "child"),
    HouseholdMember("Mia", (), "child"),
)
PICKUP = ChatMessage("sarah", "Who's picking up Leo Thursday after soccer?")
SWIM = ChatMessage("sarah", "Can you take Mia to swim at 4?")
CHAT = ChatMessage("sarah", "that film was so good")


@pytest.fixture(scope="module")
def tripwire() -> Tripwire:
    return household_tripwire()


@pytest.mark.parametrize("people", [LEO_AND_MIA, ()], ids=["people", "nobody known"])
@pytest.mark.parametrize(
    ("case", "text", "before", "queued"),
    [
        ("TC-006", "socer tmrw 4", (), True),
        ("TC-007", "👍", (PICKUP, ChatMessage("sarah", "I'll get him")), True),
        ("TC-008", "yeah 3pm", (PICKUP,), True),
        ("TC-009", "i'll do it", (PICKUP,), True),
        ("TC-010", "wk pickup", (), True),
        ("TC-011", "pratice is cancled", (), True),
        ("TC-012", "thx!", (), False),
        ("TC-012 in a thread", "thx!", (PICKUP, ChatMessage("john", "I'll do it")), False),
        ("TC-013", "Mia has bailt monday", (), True),
        ("TC-014", "u sure?", (), False),
        ("TC-015", "4:30 work for me", (SWIM,), True),
        ("TC-016", "🙋‍♀️", (PICKUP,), True),
        ("TC-017", "kk", (), False),
        ("TC-017 in a thread", "kk", (SWIM,), True),
        ("TC-018", "Leo dentist 2mrw??", (), True),
        ("TC-019", "n/m", (), False),
        ("TC-020", "omw", (PICKUP,), True),
        ("TC-021", "Who's getting Leo?", (), True),
        ("TC-021 answered", "me", (ChatMessage("sarah", "Who's getting Leo?"),), True),
        ("TC-022", "Soccer pickup Thursday?", (), True),
        ("TC-022 answered", "I'll do it", (ChatMessage("sarah", "Soccer pickup Thursday?"),), True),
        (
            "TC-022 thanked",
            "thx",
            (ChatMessage("sarah", "Soccer pickup Thursday?"), ChatMessage("john", "I'll do it")),
            False,
        ),
        ("TC-023", "Mia ballet Monday", (), True),
        ("TC-023 answered", "I'll cover", (ChatMessage("sarah", "Mia ballet Monday"),), True),
        ("TC-024", "Both kids Tuesday", (), True),
        ("TC-024 first", "I got Leo", (ChatMessage("sarah", "Both kids Tuesday"),), True),
        (
            "TC-024 second",
            "I got Mia",
            (ChatMessage("sarah", "Both kids Tuesday"), ChatMessage("john", "I got Leo")),
            True,
        ),
        ("alone", "👍", (CHAT,), False),
    ],
)
def test_case(
    tripwire: Tripwire,
    people: tuple[HouseholdMember, ...],
    case: str,
    text: str,
    before: tuple[ChatMessage, ...],
    queued: bool,
) -> None:
    verdict = score(tripwire, ChatMessage("john", text), before, people)
    assert verdict.passed == queued, (case, verdict)
    assert 0 <= verdict.score <= 1 and verdict.threshold == 0.7
