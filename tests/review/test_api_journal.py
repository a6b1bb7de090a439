"""Following the journal: a cursor that is always there, what is asked of it, and answers that wait for something to happen."""

from typing import Any

import pytest

from review.api import journal
from tests.review.door import House
from tests.review.recalling import hold


def listed(house: House, query: str = "") -> dict[str, Any]:
    status, body = house.alice("GET", f"/journal?scope=studio&{query}")
    assert status == 200, body
    return body  # type: ignore[no-any-return]


def test_the_cursor_is_always_there_and_misses_nothing(house: House) -> None:
    start = listed(house)["cursor"]
    assert listed(house, f"after={start}") == {"items": [], "next": None, "cursor": start}
    claim = hold(house.scope, "The mast is aluminium")
    first = listed(house, f"after={start}&limit=1")
    assert [event["verb"] for event in first["items"]] == ["ingest"] and first["next"] == first["cursor"]
    rest = listed(house, f"after={first['cursor']}")
    assert [event["verb"] for event in rest["items"]] == ["propose", "promote"] and rest["next"] is None
    assert rest["items"][-1]["ref"] == claim.ref
    assert listed(house, f"after={rest['cursor']}")["items"] == []
    assert listed(house, "order=newest&limit=1")["cursor"] == rest["cursor"]


def test_one_rows_events_have_a_cursor_of_their_own(house: House) -> None:
    claim = hold(house.scope, "The mast is aluminium")
    found = listed(house, f"ref={claim.ref}")
    assert listed(house, f"ref={claim.ref}&after={found['cursor']}")["items"] == []


def test_events_are_asked_for_by_verb_and_kind(house: House) -> None:
    fact, decision = hold(house.scope, "The mast is aluminium"), hold(house.scope, "We sail on Monday", "decision")
    assert [event["ref"] for event in listed(house, "verb=promote")["items"]] == [fact.ref, decision.ref]
    assert {event["ref"] for event in listed(house, "kind=decision")["items"]} == {decision.ref}
    assert [event["ref"] for event in listed(house, "kind=fact&verb=promote")["items"]] == [fact.ref]


@pytest.mark.parametrize(("query", "field"), [("verb=conjure", "verb"), ("kind=poem", "kind"), ("wait=600", "wait")])
def test_what_cannot_be_asked_is_named(house: House, query: str, field: str) -> None:
    status, body = house.alice("GET", f"/journal?{query}")
    assert status == 422 and field in str(body)


def test_an_answer_waits_for_something_to_happen(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    start = listed(house)["cursor"]
    naps: list[float] = []

    def nap(seconds: float) -> None:
        naps.append(seconds)
        if len(naps) == 3:
            hold(house.scope, "The mast is aluminium")

    monkeypatch.setattr(journal, "sleep", nap)
    assert [event["verb"] for event in listed(house, f"after={start}&wait=20")["items"]] == [
        "ingest",
        "propose",
        "promote",
    ]
    assert len(naps) == 3


def test_too_many_do_not_wait(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal.waiting, "acquire", lambda blocking: False)
    monkeypatch.setattr(journal, "sleep", lambda seconds: pytest.fail("it waits"))
    start = listed(house)["cursor"]
    assert listed(house, f"after={start}&wait=20")["items"] == []


def test_the_same_page_is_not_sent_twice(house: House) -> None:
    hold(house.scope, "The mast is aluminium")

    def asked(tag: str) -> Any:
        headers = {"Authorization": f"Bearer {house.alice.token}", "If-None-Match": tag}
        return house.alice.client.get("/api/v1/journal?scope=studio", headers=headers)

    tag = asked("")["ETag"]
    assert (asked(tag).status_code, asked(tag).content) == (304, b"")
    hold(house.scope, "The boom is ash")
    assert asked(tag).status_code == 200
