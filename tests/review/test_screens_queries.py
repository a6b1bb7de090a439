"""The number of queries of a page does not depend on how much there is to show."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from ledger.actions.curate import curate
from ledger.actions.promote import promote
from ledger.actor import demo, operator
from tests.people import candidate
from tests.review.door import House
from tests.review.screen import Screen

OPERATOR = operator("Alice")
# The ceiling of each page; three of them are session, user and roles, one is the backlog.
CEILINGS = {
    "/": 30,
    "/entities": 9,
    "/state": 8,
    "/state?scope=studio": 10,
    "/conflicts": 10,
    "/journal": 13,
    "/runs": 8,
    "/scopes": 6,
    "/scopes/studio": 25,
    "/search?q=panel": 35,
    "/sources": 10,
    "/tokens": 8,
    "/help": 4,
}


def grow(house: House, count: int, mark: str) -> None:
    """More of everything, of each kind of preview, with evidence of its own."""
    for n in range(count):
        candidate(house.scope, OPERATOR, f"{mark} {n} waits", key=f"{mark}{n}")
        for material in ("oak", "ash"):
            promote(candidate(house.scope, OPERATOR, f"{mark} {n} is {material}", key=f"{mark}{n}"), actor=OPERATOR)
        curate(house.scope, f"{mark}{n}", actor=demo("Carol"), statement=f"{mark} {n} is pine")


def counted(screen: Screen, path: str) -> list[str]:
    screen.open(path)
    with CaptureQueriesContext(
        connection,
    ) as queries:
        screen.open(path)
    return [query["sql"] for query in queries.captured_queries]


def test_pages_take_the_same_queries_at_two_sizes(house: House) -> None:
    screen = Screen("alice")
    grow(house, 2, "panel")
    small = {path: counted(screen, path) for path in CEILINGS}
    grow(house, 9, "door")
    large = {path: counted(screen, path) for path in CEILINGS}
    for path, ceiling in CEILINGS.items():
        assert len(small[path]) == len(large[path]), (path, "\n".join(large[path]))
        assert len(large[path]) <= ceiling, (path, len(large[path]), "\n".join(large[path]))


@pytest.mark.parametrize("action", ["promote", "reject", "defer"])
def test_a_decision_takes_the_same_queries_at_two_sizes(house: House, action: str) -> None:
    screen = Screen("bob")
    counts = []
    for mark in ("panel", "door"):
        for n in range(3 if mark == "panel" else 12):
            candidate(house.scope, OPERATOR, f"The {mark} {n} waits")
        screen.open("/")
        screen.press(action)
        (form,) = [form for form in screen.page.forms if any(b.get("data-action") == action for b in form.buttons)]
        data = {**form.fields, "action": action}
        with CaptureQueriesContext(connection) as queries:
            response = screen.client.post(form.action, data, headers={"HX-Request": "true"})
        assert response.status_code == 200
        counts.append(len(queries))
    assert counts[0] == counts[1]
    assert counts[0] <= 40


@pytest.mark.parametrize("keyed", [False, True])
@pytest.mark.parametrize("action", ["promote", "reject", "defer"])
def test_a_decision_from_a_desk_with_its_next_cards_takes_few_statements(
    house: House, action: str, keyed: bool
) -> None:
    screen = Screen("bob")
    for n in range(6):
        candidate(house.scope, OPERATOR, f"panel {n} is white", key=f"panel-{n}" if keyed else "")
    screen.open("/")
    screen.press(action)
    (form,) = [form for form in screen.page.forms if any(b.get("data-action") == action for b in form.buttons)]
    data = {**form.fields, "action": action}
    with CaptureQueriesContext(connection) as queries:
        response = screen.client.post(
            form.action, data, headers={"HX-Request": "true", "X-Requested-With": "desk"}
        )  # fmt: skip
    assert response.status_code == 200 and b"toast" in response.content and b"card" not in response.content
    # A promotion also asks which conflicts it opened, and which packs have blocks for it.
    assert len(queries) <= (24 if action == "promote" else 20), "\n".join(
        query["sql"][:150] for query in queries.captured_queries
    )
