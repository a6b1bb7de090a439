"""The picker of @item mentions, by keyboard, in a real browser."""

import pytest
from playwright.sync_api import expect

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
    expect(chat).to_have_value("Paint @item(bench:Bench) grey and @item(floor:Floor oak) ")
    chat.press_sequentially("mail me@b")
    expect(page.locator("#mention-list")).not_to_be_visible()
    chat.press_sequentially(" @b")
    expect(page.locator("#mention-list")).to_be_visible()
    chat.press("Escape")
    expect(page.locator("#mention-list")).not_to_be_visible()
    page.get_by_role("button", name="Keep this turn").click()
    page.wait_for_selector("text=The turn is kept")
    page.locator("#toast a:has-text('source')").first.click()
    text = page.locator("#source-text").inner_text()
    assert 'selectedItemIds=["bench","floor"]' in text and "[AGENT_OUTPUT]\n(none)" in text
    assert desk.complaints == []


@pytest.mark.parametrize("width", [1280, 390])
def test_what_is_typed_survives_a_reload_and_a_key_decides_beside_it(desk: Desk, width: int) -> None:
    scope = f"stage-{width}"
    desk.api("POST", "/scopes", {"scope": scope, "tier": "project", "packs": ["production"]})
    page = desk.page
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(f"{desk.url}/workspace/{scope}?stage=planning")
    page.locator("#free_chat").fill("Constraint: nothing may be drilled into the floor.")
    page.reload()
    expect(page.locator("#free_chat")).to_have_value("Constraint: nothing may be drilled into the floor.")
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    page.get_by_role("button", name="Keep this turn").click()
    page.wait_for_selector("text=The turn is kept")
    expect(page.locator("#free_chat")).to_have_value("")
    page.wait_for_selector("#workspace-state .card[data-ref]", timeout=60_000)
    page.locator("#free_chat").fill("half a thou")
    page.locator("h1").click()
    page.keyboard.press("p")
    page.wait_for_selector("[data-block='project.constraints'] [data-ref]")
    expect(page.locator("#free_chat")).to_have_value("half a thou")
    page.keyboard.press("u")
    page.wait_for_selector("#workspace-state .card[data-ref]")
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    assert desk.complaints == []
