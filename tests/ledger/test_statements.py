"""What verbs cost: a fixed number of statements, however much there is in a batch."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from ledger.actions.ingest import Incoming, ingest
from ledger.actions.promote import promote
from ledger.actions.propose import Draft, propose_all
from ledger.actions.undo import undo
from ledger.models import Conflict
from tests.people import People, candidate, quote_of, tell

pytestmark = pytest.mark.usefixtures("as_web")


def statements_of(captured: CaptureQueriesContext) -> int:
    """BEGIN and COMMIT included, as Django logs them."""
    return len(captured.captured_queries)


def test_a_promotion_takes_at_most_twenty_three(people: People) -> None:
    for key, value, outcome in (("mast", 4, "new"), ("mast", 5, "conflict"), ("boom", 4, "new")):
        claim = candidate(people.scope, people.bob, f"{key} is {value}", key=key, value=value)
        with CaptureQueriesContext(connection) as captured:
            event = promote(claim, actor=people.bob, expected_version=1)
        told = "\n".join(query["sql"][:110] for query in captured.captured_queries)
        assert captured.captured_queries[0]["sql"].startswith("BEGIN"), told
        assert statements_of(captured) <= 23, told
        assert Conflict.objects.exists() == (outcome == "conflict" or key == "boom")
    with CaptureQueriesContext(connection) as captured:
        undo(event, actor=people.bob)
    assert statements_of(captured) <= 35


def test_ingest_and_propose_take_the_same_for_ten_as_for_a_hundred(people: People) -> None:
    scope, bob = people.scope, people.bob
    source = tell(scope, bob, "It is red", by="tool")
    found: dict[str, list[int]] = {}
    for many in (10, 100):
        for ids in (True, False):
            items = [
                Incoming(text=f"{many} {ids} {n}", kind="message", conversation=f"c{n % 3}", external_id=str(n) if ids else "")
                for n in range(many)
            ]  # fmt: skip
            for turn in ("new", "again"):
                with CaptureQueriesContext(connection) as captured:
                    answers = ingest(items, scope=scope, actor=bob)
                assert all(answer.duplicate == (turn == "again") for answer in answers)
                found.setdefault(f"ingest {turn} {ids}", []).append(statements_of(captured))
        drafts = [
            Draft(kind="fact", statement=f"It is {many} {n}", quotes=(quote_of(source),), key=f"k{many}.{n}", value=n)
            for n in range(many)
        ]
        for turn in ("written", "duplicate"):
            with CaptureQueriesContext(connection) as captured:
                proposals = propose_all(drafts, scope=scope, actor=bob)
            assert {answer.fate for answer in proposals} == {turn}
            found.setdefault(f"propose {turn}", []).append(statements_of(captured))
    # The first conversations of a scope are made once.
    assert all(abs(ten - hundred) <= 2 and hundred <= 20 for ten, hundred in found.values()), found
