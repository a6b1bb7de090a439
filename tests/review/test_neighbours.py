"""A short message is shown with what was said around it."""

import pytest

from extraction.extractors.registry import for_scope
from extraction.runs.pipeline import work_off
from ledger.actions.ingest import Incoming, ingest
from ledger.actor import operator
from ledger.models import Claim
from tests.review.door import House
from tests.review.screen import Screen

pytestmark = pytest.mark.django_db(transaction=True)

TALK = ["Hello all", "What about <b>glue</b>?", "Decision: we screw it", "Good", "Bye"]


def test_the_card_shows_what_was_said_before_and_after(house: House) -> None:
    said = [
        Incoming(text=words, kind="message", sender=f"p{n}", conversation="talk", external_id=str(n))
        for n, words in enumerate(TALK)
    ]
    ingest([*said], scope=house.scope, actor=operator("Alice"), extractors=for_scope(house.scope))
    work_off()
    ref = Claim.objects.get(kind__name="decision").ref
    text = Screen("alice").open(f"/candidates/{ref}").text
    assert all(words in text for words in TALK[:4]) and "Bye" not in text
    assert text.index("Hello all") < text.index("What about <b>glue</b>?") < text.rindex("Good")
