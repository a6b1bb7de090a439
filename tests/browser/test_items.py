"""Items and blocks in a real browser: a cell leads to the words that say it and is typed over, wide and narrow."""

import secrets

import pytest
from playwright.sync_api import expect

from tests.browser import axe
from tests.browser.conftest import Desk

pytestmark = pytest.mark.browser
WIDTH = "item.dimensions.width"
NO_SIDEWAYS = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"


@pytest.mark.parametrize("width", [1280, 390])
def test_a_cell_shows_its_source_and_is_typed_over(desk: Desk, width: int) -> None:
    scope, page = f"sheet-{secrets.token_hex(4)}", desk.page
    desk.api("POST", "/scopes", {"scope": scope, "tier": "project", "packs": ["production"]})
    item = f"{scope}/backdrop"
    desk.api("POST", "/scopes", {"scope": item, "tier": "item", "name": "Backdrop"})
    text = "The backdrop is 6 m wide, they said."
    source = desk.api("POST", "/sources", {"scope": item, "kind": "note", "text": text})["source"]
    words = [{"source": source["id"], "quote": "6 m wide"}]
    (ref,) = desk.proposed(item, "6 m wide", key=WIDTH, value="6 m", evidence=words)
    desk.api("POST", f"/candidates/{ref}/promote", {"version": 1})

    page.set_viewport_size({"width": width, "height": 800})
    page.goto(f"{desk.url}/scopes/{item}")
    block = page.locator("[data-block='item.dimensions']")
    assert "6 m" in block.inner_text() and ref in block.inner_html()
    assert page.evaluate(NO_SIDEWAYS)
    page.goto(f"{desk.url}/items?scope={scope}")
    assert page.evaluate(NO_SIDEWAYS)
    page.get_by_role("link", name="Backdrop", exact=True).click()
    field = page.locator(f"[data-field='{WIDTH}']")
    field.locator("[data-action=source]").click()
    expect(page.locator("mark[data-evidence]").first).to_have_text("6 m wide")
    page.go_back()

    field.locator("summary").click()
    field.locator("[name=value]").fill("610 cm")
    field.locator("[data-action=override]").click()
    page.wait_for_selector("text=typed by hand")
    expect(field).to_contain_text("610 cm")
    assert page.evaluate(NO_SIDEWAYS) and axe.faults(page) == []
    page.goto(f"{desk.url}/scopes/{item}")
    expect(page.locator("[data-block='item.dimensions']")).to_contain_text("610 cm")
    assert desk.complaints == []
