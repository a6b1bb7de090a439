"""Search and context at another time: what held then, by what was believed then, and nothing that was said later."""

import datetime as dt
from urllib.parse import quote

import pytest

from ledger.actions.decide import archive
from ledger.actions.ingest import Incoming, ingest
from tests.review.door import OPERATOR, House
from tests.review.recalling import ALICE, context, hold, refs, search


def days(number: int) -> str:
    return (dt.datetime.now(dt.UTC) + dt.timedelta(days=number)).isoformat()


def test_what_was_said_later_is_not_shown_to_an_earlier_day(house: House) -> None:
    sent = [dt.datetime(2026, month, 1, tzinfo=dt.UTC) for month in (1, 6)]
    items = [
        Incoming(text=f"The mast is {wood} and tall", kind="message", sender="Ann", sender_kind="user", sent_at=at)
        for wood, at in zip(("oak", "pine"), sent, strict=True)
    ]
    early, late = (f"source:{one.source.pk}" for one in ingest(items, scope=house.scope, actor=OPERATOR))
    march = "2026-03-01T00:00:00+00:00"
    assert refs(search(house.agent, "mast tall", sources="true")) in ([early, late], [late, early])
    assert refs(search(house.agent, "mast tall", sources="true", as_of=march)) == [early]
    shown = refs(context(house.agent, query="mast tall", as_of=march)["items"])
    assert early in shown and late not in shown
    assert search(house.agent, "mast tall", sources="true", believed_at=days(-1)) == []


def test_what_is_archived_now_was_believed_before(house: House) -> None:
    claim = hold(house.scope, "The mast is aluminium")
    then = dt.datetime.now(dt.UTC).isoformat()
    archive(claim, actor=ALICE)
    assert refs(search(house.agent, "mast aluminium")) == []
    assert refs(search(house.agent, "mast aluminium", believed_at=then)) == [claim.ref]
    assert claim.ref in refs(context(house.agent, query="mast aluminium", believed_at=then)["items"])
    assert refs(search(house.agent, "mast aluminium", believed_at=days(-1))) == []


@pytest.mark.parametrize("clock", ["as_of", "believed_at"])
def test_a_clock_that_is_none_is_named(house: House, clock: str) -> None:
    status, body = house.agent("GET", f"/search?q=mast&scope=studio&{clock}={quote('yesterday')}")
    assert status == 422 and clock in str(body)
