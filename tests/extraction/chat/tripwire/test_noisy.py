"""TC-006 to TC-024 of the observer's test plan: typing errors, abbreviations, emoji, half sentences, with and without people."""

import pytest

from extraction.chat.tripwire import Member, Message, Tripwire, score
from extraction.training.readings import household_tripwire

LEO_AND_MIA = (
    Member(("John",), "guardian"),
    Member(("Sarah",), "guardian"),
    Member(("Leo",), "child"),
    Member(("Mia",), "child"),
)
PICKUP = Message("Who's picking up Leo Thursday after soccer?", "sarah")
SWIM = Message("Can you take Mia to swim at 4?", "sarah")
CHAT = Message("that film was so good", "sarah")


@pytest.fixture(scope="module")
def tripwire() -> Tripwire:
    return household_tripwire()


@pytest.mark.parametrize("people", [LEO_AND_MIA, ()], ids=["people", "nobody known"])
@pytest.mark.parametrize(
    ("case", "text", "before", "queued"),
    [
        ("TC-006", "socer tmrw 4", (), True),
        ("TC-007", "👍", (PICKUP, Message("I'll get him", "sarah")), True),
        ("TC-008", "yeah 3pm", (PICKUP,), True),
        ("TC-009", "i'll do it", (PICKUP,), True),
        ("TC-010", "wk pickup", (), True),
        ("TC-011", "pratice is cancled", (), True),
        ("TC-012", "thx!", (), False),
        ("TC-012 in a thread", "thx!", (PICKUP, Message("I'll do it", "john")), False),
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
        ("TC-021 answered", "me", (Message("Who's getting Leo?", "sarah"),), True),
        ("TC-022", "Soccer pickup Thursday?", (), True),
        ("TC-022 answered", "I'll do it", (Message("Soccer pickup Thursday?", "sarah"),), True),
        ("TC-022 thanked", "thx", (Message("Soccer pickup Thursday?", "sarah"), Message("I'll do it", "john")), False),
        ("TC-023", "Mia ballet Monday", (), True),
        ("TC-023 answered", "I'll cover", (Message("Mia ballet Monday", "sarah"),), True),
        ("TC-024", "Both kids Tuesday", (), True),
        ("TC-024 first", "I got Leo", (Message("Both kids Tuesday", "sarah"),), True),
        ("TC-024 second", "I got Mia", (Message("Both kids Tuesday", "sarah"), Message("I got Leo", "john")), True),
        ("alone", "👍", (CHAT,), False),
    ],
)
def test_case(
    tripwire: Tripwire, people: tuple[Member, ...], case: str, text: str, before: tuple[Message, ...], queued: bool
) -> None:
    verdict = score(tripwire, Message(text, "john"), before, people)
    assert verdict.passed == queued, (case, verdict)
    assert 0 <= verdict.score <= 1 and verdict.threshold == 0.7
