"""A review on a phone, 390 pixels wide: the buttons are always in reach, the page does not jump, and a card can be swiped."""

from collections.abc import Callable

import pytest

from tests.browser import axe
from tests.browser.conftest import Desk

pytestmark = pytest.mark.browser
REACHED = """action => {
  const button = document.querySelector(`#open-card [data-action=${action}]`);
  const box = button.getBoundingClientRect();
  const hit = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
  return box.bottom <= window.innerHeight && box.height >= 44 && Boolean(hit) && button.contains(hit);
}"""


@pytest.fixture
def phone(sign_in: Callable[..., Desk]) -> Desk:
    return sign_in(viewport={"width": 390, "height": 780}, has_touch=True, is_mobile=True)


def swiped(desk: Desk, by: int) -> None:
    touch = desk.page.context.new_cdp_session(desk.page)
    start = 195 - by // 2
    words = desk.page.locator("#open-card .statement").bounding_box()
    assert words is not None
    points = [start + by * step // 8 for step in range(9)]
    desk.page.wait_for_function("() => document.querySelector('#open-card .card').dataset.shownAt")
    desk.page.wait_for_timeout(150)
    for at, x in enumerate(points):
        kind = "touchMove" if at else "touchStart"
        touch.send(
            "Input.dispatchTouchEvent",
            {"type": kind, "touchPoints": [{"x": x, "y": words["y"] + words["height"] / 2 + at}]},
        )
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def swiped_away(desk: Desk, card: str, by: int) -> None:
    """Swiped as often as it takes: a card that is compared anew meanwhile lets a swipe go, as does one below a toast."""
    for _ in range(20):
        swiped(desk, by)
        desk.page.wait_for_timeout(700)
        if desk.page.locator("#open-card .card").get_attribute("data-ref") != card:
            return
    raise AssertionError(f"{card} stays where it is")


def test_fifteen_without_a_scroll_for_the_buttons(phone: Desk) -> None:
    scope = phone.new_scope()
    phone.proposed(scope, *(f"Route {n} is closed" for n in range(15)))
    phone.page.goto(f"{phone.url}/?scope={scope}")
    assert axe.faults_in_both_themes(phone.page) == []
    assert phone.page.evaluate("document.documentElement.scrollWidth") <= 390
    phone.page.evaluate("window.scrollTo(0, 200)")
    for at in range(15):
        card = phone.open_card()
        action = ("promote", "reject", "defer")[at % 3]
        assert phone.page.evaluate(REACHED, action), (at, action)
        phone.page.wait_for_timeout(90)
        before = phone.page.evaluate("window.scrollY")
        phone.page.tap(f"#open-card [data-action={action}]")
        if at < 14:
            phone.next_card(card)
            assert abs(phone.page.evaluate("window.scrollY") - before) < 260, at
    phone.page.wait_for_function("() => window.outbox.idle")
    phone.page.wait_for_selector("#desk .empty")
    assert phone.waiting(scope) == []
    assert phone.complaints == []


def test_a_card_is_swiped_and_taken_back(phone: Desk) -> None:
    scope = phone.new_scope()
    phone.proposed(scope, *(f"Route {n} is closed" for n in range(3)))
    phone.page.goto(f"{phone.url}/?scope={scope}")
    first = phone.open_card()
    swiped(phone, 60)
    assert phone.open_card() == first
    swiped(phone, 260)
    second = phone.next_card(first)
    assert phone.becomes(first, "active")
    swiped_away(phone, second, -260)
    assert phone.becomes(second, "rejected")
    phone.page.wait_for_function("() => window.outbox.idle")
    phone.page.evaluate("() => window.undoLine.back()")
    assert phone.becomes(second, "pending")
    assert phone.complaints == []
