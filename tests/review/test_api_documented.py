"""What the OpenAPI page says of an answer is what the answer is: the same names, and values of the types it tells."""

import pytest
from ninja import Schema

from ledger.actions.promote import promote
from review.api import documented
from tests.people import candidate
from tests.review.door import OPERATOR, House


def agrees(schema: type[Schema], shape: dict) -> None:
    """Every field told is there, nothing is there that is not told, and all of it can be read back."""
    required = {name for name, field in schema.model_fields.items() if field.is_required()}
    assert required <= shape.keys() <= schema.model_fields.keys()
    schema.model_validate(shape)


@pytest.fixture
def conflict(house: House) -> House:
    for statement in ("The frame is steel", "The frame is oak"):
        promote(candidate(house.scope, OPERATOR, statement, key="frame"), actor=OPERATOR)
    candidate(house.scope, OPERATOR, "The frame is ash", key="frame")
    return house


def test_answers_are_as_documented(conflict):
    house = conflict
    waiting = house.vera("GET", "/candidates")[1]
    agrees(documented.Candidates, waiting)
    agrees(documented.Candidate, waiting["items"][0])
    agrees(documented.Evidence, waiting["items"][0]["evidence"][0])
    entities = house.vera("GET", "/entities?count=true")[1]
    agrees(documented.Entities, entities)
    agrees(documented.Entity, entities["items"][0])
    conflicts = house.vera("GET", "/conflicts")[1]
    agrees(documented.Conflict, conflicts["items"][0])
    agrees(documented.Member, conflicts["items"][0]["members"][0])
    events = house.vera("GET", "/journal")[1]
    agrees(documented.Event, events["items"][-1])
    agrees(documented.Change, events["items"][-1]["changes"][0])
    found = house.vera("GET", f"/why?ref={entities['items'][0]['ref']}")[1]
    agrees(documented.WhyOut, found)
    for link in found["chain"]:
        agrees(documented.Link, link)
    agrees(documented.Reason, house.vera("GET", "/why-not?scope=studio&q=ash")[1]["answers"][0])
    agrees(documented.Verified, house.vera("GET", "/journal/verify")[1])
    made = house.session("carol")("PUT", "/state/frame", {"scope": "studio", "value": "oak"})[1]
    agrees(documented.Curated, made)
    agrees(documented.Trusted, made["item"])
    settled = house.bob("POST", f"/conflicts/{conflicts['items'][0]['id']}/dismiss")[1]
    agrees(documented.Settled, settled)
    agrees(documented.Undone, house.bob("POST", f"/journal/{settled['event']['id']}/undo")[1])
    decided = house.bob("POST", "/candidates/decide", {"action": "reject", "ids": [waiting["items"][0]["id"], 0]})[1]
    agrees(documented.Decisions, decided)
    agrees(documented.UndoneBatch, house.bob("POST", f"/journal/batch/{decided['batch']}/undo")[1])
    agrees(documented.Decision, house.bob("POST", f"/candidates/{waiting['items'][0]['id']}/defer")[1])
