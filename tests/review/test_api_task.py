"""Reading a task: what was extracted first, then the discussion by pages, which names decisions by reference."""

from typing import Any
from urllib.parse import quote

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from config.mcp.tools import call
from ledger.actions.ingest import Incoming, ingest
from ledger.actions.promote import promote
from ledger.actions.propose import Draft, propose
from ledger.actions.purge import purge
from ledger.models import Claim, Source
from tests.people import quote_of
from tests.review.door import OPERATOR, House
from tests.review.recalling import ALICE

TALK = "deck / 1"


def talk(house: House, *texts: str, thread: str = TALK) -> list[Source]:
    items = [
        Incoming(text=text, kind="message", sender="Ann", sender_kind="user", conversation=thread) for text in texts
    ]
    return [one.source for one in ingest(items, scope=house.scope, actor=OPERATOR)]


def decided(house: House, source: Source, statement: str) -> Claim:
    claim = propose(
        Draft(quotes=(quote_of(source),), kind="decision", statement=statement), scope=house.scope, actor=ALICE
    ).claim
    assert claim is not None
    promote(claim, actor=ALICE)
    return claim


def task(house: House, query: str = "", thread: str = TALK) -> dict[str, Any]:
    status, body = house.agent("GET", f"/tasks/{quote(thread, safe='')}?scope=studio{query}")
    assert status == 200, body
    return body  # type: ignore[no-any-return]


def test_the_state_comes_first_and_the_discussion_names_it(house: House) -> None:
    said, other = talk(house, "We use oak for the deck", "Fine, oak it is")
    claim = decided(house, said, "The deck is oak")
    found = task(house)
    assert list(found) == ["scope", "conversation", "title", "extracted_state", "discussion", "next"]
    assert [(row["ref"], row["status"]) for row in found["extracted_state"]["claims"]] == [(claim.ref, "active")]
    assert [(row["text"], row["refs"]) for row in found["discussion"]] == [(said.text, [claim.ref]), (other.text, [])]


def test_the_discussion_has_pages(house: House) -> None:
    talk(house, *(f"Plank {at}" for at in range(5)))
    first = task(house, "&limit=3")
    rest = task(house, f"&limit=3&cursor={first['next']}")
    assert [row["text"] for row in (*first["discussion"], *rest["discussion"])] == [f"Plank {at}" for at in range(5)]
    assert rest["next"] is None


def test_what_was_purged_is_not_read_and_what_is_unknown_not_found(house: House) -> None:
    gone, kept = talk(house, "A secret", "The deck")
    purge(gone, actor=ALICE, reason="asked for")
    assert [row["source"] for row in task(house)["discussion"]] == [kept.pk]
    assert house.agent("GET", "/tasks/nothing?scope=studio")[0] == 404
    assert house.charlie("GET", f"/tasks/{quote(TALK, safe='')}?scope=studio")[0] == 404


def test_statements_do_not_grow_with_the_talk(house: House) -> None:
    counts = []
    for size in (2, 20):
        sources = talk(house, *(f"Plank {size} {at}" for at in range(size)), thread=f"T{size}")
        for source in sources[: size // 2]:
            decided(house, source, f"Settled: {source.text}")
        with CaptureQueriesContext(connection) as queries:
            task(house, thread=f"T{size}")
        counts.append(len(queries))
    assert counts[1] <= counts[0]


@pytest.mark.parametrize("thread", [TALK, "Größe/ü", "c1"])
def test_a_model_reads_it_by_its_tool(house: House, thread: str) -> None:
    talk(house, "The deck is oak", thread=thread)
    headers = {"HTTP_AUTHORIZATION": f"Bearer {house.agent.token}", "HTTP_HOST": "localhost"}
    status, body = call("get_task", {"scope": "studio", "conversation": thread}, headers)
    assert status == 200 and "The deck is oak" in body
