"""The picker of @item mentions, by keyboard, in a real browser."""

import pytest

from tests.browser.conftest import Desk

pytestmark = pytest.mark.browser


def test_an_item_is_picked_with_the_keyboard(desk: Desk) -> None:
    scope = desk.new_scope()
    for item, name in (("backdrop", "Backdrop"), ("bench", "Bench"), ("floor", "Floor (oak)")):
        desk.api("POST", "/scopes", {"scope": f"{scope}/{item}", "tier": "item", "name": name})
    page = desk.page
    page.goto(f"{desk.url}/workspace/{scope}")
    chat = page.locator("#free_chat")
    chat.press_sequentially("Paint @b")
    assert page.locator("#mention-list [role=option]").all_text_contents() == ["Backdrop", "Bench"]
    chat.press("ArrowDown")
    chat.press("Enter")
    chat.press_sequentially("grey and @fl")
    chat.press("Tab")
    assert chat.input_value() == "Paint @item(bench:Bench) grey and @item(floor:Floor oak) "
    chat.press_sequentially("mail me@b")
    assert not page.locator("#mention-list").is_visible()
    chat.press_sequentially(" @b")
    assert page.locator("#mention-list").is_visible()
    chat.press("Escape")
    assert not page.locator("#mention-list").is_visible()
    page.get_by_role("button", name="Keep this turn").click()
    page.wait_for_selector("text=The turn is kept")
    page.locator("#toast a, .messages a, a:has-text('source')").first.click()
    text = page.locator("#source-text").inner_text()
    assert 'selectedItemIds=["bench","floor"]' in text and "[AGENT_OUTPUT]\n(none)" in text
    assert desk.complaints == []
