"""What the OpenAPI page says of an answer is what the answer is: the same names, and values of the types it tells."""

from collections import Counter
from typing import Any, get_origin

import pytest
from ninja import Schema
from pydantic import TypeAdapter

from config.api import api
from ledger.actions.promote import promote
from review.api.answers import DecisionShape
from review.api.decisions import BatchDecisionShape
from review.api.event_shapes import ChangeShape, EventShape
from review.api.journal import UndoneBatchShape, UndoneShape, VerifiedShape
from review.api.shapes import CandidateShape, EntityShape, EvidenceShape, PageShape
from review.api.state import CuratedShape, SettledShape
from review.api.state_shapes import ConflictShape, LinkShape, MemberShape, ReasonShape, TrustedShape, WhyShape
from tests.people import candidate
from tests.review.door import OPERATOR, House


def agrees(declared: Any, shape: dict) -> None:
    """Every field told is there, nothing is there that is not told, and all of it can be read back."""
    fields = get_origin(declared) or declared
    assert fields.__required_keys__ <= shape.keys() <= fields.__annotations__.keys()
    TypeAdapter(declared).validate_python(shape)


@pytest.fixture
def conflict(house: House) -> House:
    for statement in ("The frame is steel", "The frame is oak"):
        promote(candidate(house.scope, OPERATOR, statement, key="frame"), actor=OPERATOR)
    candidate(house.scope, OPERATOR, "The frame is ash", key="frame")
    return house


def test_answers_are_as_documented(conflict):
    house = conflict
    waiting = house.vera("GET", "/candidates")[1]
    agrees(PageShape[CandidateShape], waiting)
    agrees(CandidateShape, waiting["items"][0])
    agrees(EvidenceShape, waiting["items"][0]["evidence"][0])
    entities = house.vera("GET", "/entities?count=true")[1]
    agrees(PageShape[EntityShape], entities)
    agrees(EntityShape, entities["items"][0])
    conflicts = house.vera("GET", "/conflicts")[1]
    agrees(ConflictShape, conflicts["items"][0])
    agrees(MemberShape, conflicts["items"][0]["members"][0])
    events = house.vera("GET", "/journal")[1]
    agrees(EventShape, events["items"][-1])
    agrees(ChangeShape, events["items"][-1]["changes"][0])
    found = house.vera("GET", f"/why?ref={entities['items'][0]['ref']}")[1]
    agrees(WhyShape, found)
    for link in found["chain"]:
        agrees(LinkShape, link)
    agrees(ReasonShape, house.vera("GET", "/why-not?scope=studio&q=ash")[1]["answers"][0])
    agrees(VerifiedShape, house.vera("GET", "/journal/verify")[1])
    made = house.session("carol")("PUT", "/state/frame", {"scope": "studio", "value": "oak"})[1]
    agrees(CuratedShape, made)
    agrees(TrustedShape, made["item"])
    settled = house.bob("POST", f"/conflicts/{conflicts['items'][0]['id']}/dismiss")[1]
    agrees(SettledShape, settled)
    agrees(UndoneShape, house.bob("POST", f"/journal/{settled['event']['id']}/undo")[1])
    decided = house.bob("POST", "/candidates/decide", {"action": "reject", "ids": [waiting["items"][0]["id"], 0]})[1]
    agrees(BatchDecisionShape, decided)
    agrees(UndoneBatchShape, house.bob("POST", f"/journal/batch/{decided['batch']}/undo")[1])
    agrees(DecisionShape, house.bob("POST", f"/candidates/{waiting['items'][0]['id']}/defer")[1])


# The journal grows for ever, and a task's discussion is read to its end.
UNCOUNTED = {"/api/v1/journal", "/api/v1/tasks/{conversation}"}


def test_every_list_is_counted_where_that_is_asked_for(house):
    for path, methods in api.get_openapi_schema()["paths"].items():
        named = {one.get("name") for one in methods.get("get", {}).get("parameters", [])}
        assert ("cursor" in named) == ("count" in named) or path in UNCOUNTED, path
    for path in ("conflicts", "catalogue/links", "pending", "items?scope=studio", "scope/people?scope=studio"):
        status, page = house.vera("GET", f"/{path}{'&' if '?' in path else '?'}count=true")
        assert status == 200 and page["total"] == len(page["items"]), path


def test_no_two_shapes_of_requests_share_a_name():
    """The page would show the one in the place of the other."""
    shapes, waiting = set(), [Schema]
    while waiting:
        shapes.add(one := waiting.pop())
        waiting += one.__subclasses__()
    names = Counter(
        one.__name__ for one in shapes if one.__module__.split(".")[0] in ("config", "extraction", "review")
    )
    assert [name for name, times in names.items() if times > 1] == []
