"""Where the encoder is installed, claims and trusted values that say it in other words are found; nothing is found for nonsense."""

import pytest
from django.db import connection

from ledger.actions.curate import curate
from ledger.actions.edit import edit
from ledger.actions.encode_sources import encode_waiting, rebuild_statements, statements_waiting
from ledger.actions.purge import purge
from ledger.models import Source
from ledger.reads.sql import fetch_column
from ledger.recall import encoder
from tests.ledger.conftest import role
from tests.ledger.raw import WORKER
from tests.people import candidate, tell
from tests.review.door import OPERATOR, House
from tests.review.recalling import ALICE, HAND, check, context, hold, refs, search

pytestmark = pytest.mark.skipif(not encoder.installed(), reason="no encoder is installed")
HELD = {
    "school": ("fact", "Grandma picks the kids up from school on Wednesdays"),
    "passwords": ("decision", "Passwords expire after ninety days"),
    "rent": ("fact", "The rent went up to 1,200 euros in May"),
    "tyres": ("fact", "The car needs new tyres before winter"),
    "sofa": ("constraint", "The dog may not sleep on the sofa"),
    "languages": ("fact", "Carla speaks Portuguese and Spanish"),
    "invoice": ("commitment", "We send the customer the invoice by the end of the month"),
    "zaun": ("fact", "Der Zaun am Bach wird jedes Frühjahr gestrichen"),
}
ASKED = {
    "Who collects the children after class?": "school",
    "How often must credentials be changed?": "passwords",
    "Where is our puppy forbidden to rest?": "sofa",
    "When must the bill reach the client?": "invoice",
}
NONSENSE = [
    "why does the moon taste like Wednesday", "purple purple purple elephants", "violet moons hum backwards",
    "what is the airspeed velocity of an unladen swallow", "how do I teach an octopus the tango in green",
    "los pingüinos azules bailan flamenco en la tarde", "des licornes qui tricotent la maison", "Wie viele Drachen passen hinein",
    "紫色的龙在跳舞", "zxqv brmlk wptyy", "What is the capital of Mongolia?", "Which planet has the most moons?",
]  # fmt: skip


@pytest.fixture
def held(house: House) -> dict[str, str]:
    found = {name: hold(house.scope, statement, kind=kind).ref for name, (kind, statement) in HELD.items()}
    encode_waiting(seconds=60)
    assert statements_waiting() == 0
    return found


@pytest.mark.parametrize(("question", "name"), ASKED.items())
def test_a_claim_in_other_words_is_found(house: House, held: dict[str, str], question: str, name: str) -> None:
    assert refs(search(house.agent, question))[:1] == [held[name]]
    assert held[name] in refs(context(house.agent, query=question)["items"])


def test_a_trusted_value_in_other_words_is_found(house: House) -> None:
    ref = curate(house.scope, "backup.time", actor=HAND, statement="The backup runs at two in the morning").ref
    encode_waiting(seconds=60)
    question = "At what hour are copies of the data made?"
    assert refs(search(house.agent, question)) == [ref]
    assert refs(context(house.agent, query=question)["items"]) == [ref]


@pytest.mark.parametrize("query", NONSENSE)
def test_what_means_nothing_of_it_finds_nothing(house: House, held: dict[str, str], query: str) -> None:
    assert context(house.agent, query=query)["items"] == []


def test_what_shares_the_words_stands_before_what_means_about_the_same(house: House, held: dict[str, str]) -> None:
    word = hold(house.scope, "The puppy rests in the yard").ref
    assert refs(search(house.agent, "Where does our puppy rest?"))[0] == word


def test_words_that_were_changed_or_taken_away_are_not_found_by_what_they_meant(house: House) -> None:
    source = tell(house.scope, ALICE, "Passwords expire after ninety days", sender="Ann")
    claim = candidate(house.scope, OPERATOR, "Passwords expire after ninety days", kind="fact", told=source)
    encode_waiting(seconds=60)
    meaning = "SELECT meaning FROM ledger_statementvector WHERE ref = %s"
    (before,) = fetch_column(meaning, [claim.ref])
    edit(claim, actor=OPERATOR, changes={"statement": "The car needs new tyres before winter"})
    assert fetch_column(meaning, [claim.ref]) == [None]
    encode_waiting(seconds=60)
    assert fetch_column(meaning, [claim.ref])[0] not in (None, b"", before)
    purge(Source.objects.get(pk=source.pk), actor=ALICE, reason="asked for")
    assert fetch_column(meaning, [claim.ref]) == [None]


def test_what_statements_mean_can_be_dropped_and_made_anew(house: House, held: dict[str, str]) -> None:
    with connection.cursor() as cursor:
        cursor.execute("TRUNCATE ledger_statementvector")
    question = "Who collects the children after class?"
    assert search(house.agent, question) == [] and rebuild_statements(check=True) == len(HELD)
    assert rebuild_statements() == len(HELD) and rebuild_statements(check=True) == 0
    assert refs(search(house.agent, question))[:1] == [held["school"]]


def test_the_worker_reads_what_waits(house: House) -> None:
    hold(house.scope, "The rent went up in May")
    assert statements_waiting() == 1
    with role(WORKER):
        assert encode_waiting(seconds=60) > 0
    assert statements_waiting() == 0


def test_without_an_encoder_words_are_enough(
    house: House, held: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(encoder, "installed", lambda: False)
    assert search(house.agent, "Who collects the children after class?") == []
    assert refs(search(house.agent, "Who picks up the kids?")) == [held["school"]]


def test_check_meets_what_says_it_in_other_words(house: House, held: dict[str, str]) -> None:
    assert check(house.agent, "I will let the dog sleep on the sofa.")["verdict"] == "contradicts"
